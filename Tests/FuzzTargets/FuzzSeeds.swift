import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilJSON
import CounterfoilTestSupport
package import Foundation

/// The inputs that fuzzing begins with.
package struct FuzzSeeds {
    private var inputs: [String: [[UInt8]]] = [:]
    private var contents: Set<String> = []
    private var asked = ""

    /// Writes what a new authority issues, sound and spoiled in every way, taken apart into a
    /// folder for each target; and `authority` with the certificates to believe.
    package static func writeIssued(to folder: URL) throws {
        let authority = try SigningAuthority(profile: AuthorityProfile(now: IssuedDocuments.now))
        var seeds = FuzzSeeds()
        try seeds.addAppReceipts(of: authority)
        try seeds.addTransactionReceipts(of: authority)
        try seeds.addSignedData(of: authority)
        try seeds.addCertificates(of: authority)
        try seeds.addResponses(of: authority)
        seeds.addTexts()
        try seeds.writeInputs(to: folder)
        try seeds.writeAuthority(authority, to: folder.appendingPathComponent("authority"))
    }

    /// Writes real documents in the same way, where the corpus is there.
    ///
    /// They stand apart because nothing that grows from them is ever kept.
    package static func writeReal(to folder: URL) throws {
        var seeds = FuzzSeeds()
        try seeds.addCorpus()
        try seeds.writeInputs(to: folder)
    }

    private mutating func add(_ input: [UInt8], to targets: String...) {
        for target in targets where !inputs[target, default: []].contains(input) {
            inputs[target, default: []].append(input)
        }
    }

    private func writeInputs(to folder: URL) throws {
        for (target, inputs) in inputs {
            let own = folder.appendingPathComponent(target)
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            for (index, input) in inputs.enumerated() {
                try Data(input).write(to: own.appendingPathComponent("seed-\(index)"))
            }
        }
    }

    private func writeAuthority(_ authority: SigningAuthority, to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let files: [(IssuedDocuments.File, String)] = [
            (.anchors, authority.anchorsPEM), (.storeKit, authority.storeKitPEM),
            (.asked, asked),
            (.contents, contents.sorted().map { $0 + "\n" }.joined()),
        ]
        for (file, text) in files {
            try Data(text.utf8).write(to: folder.appendingPathComponent(file.rawValue))
        }
    }
}

// MARK: - Receipts

extension FuzzSeeds {
    /// The shapes that receipts come in.
    static let shapes: [AppReceiptForm] = {
        var attributes = AppReceiptForm()
        attributes.hasSignedAttributes = true
        var double = AppReceiptForm(encoding: .indefinite(chunkSize: 100))
        double.isDoubleWrapped = true
        var rootless = AppReceiptForm()
        rootless.certificates = .withoutRoot
        return [
            .appStore, .sha1, attributes, AppReceiptForm(encoding: .indefinite()), double,
            AppReceiptForm(encoding: .padded(bytes: 5)), rootless, .xcode,
        ]
    }()

    private mutating func addAppReceipts(of authority: SigningAuthority) throws {
        let issuer = AppReceiptIssuer(authority: authority)
        for form in Self.shapes {
            for purchases in [0, 1, 3] {
                let receipt = Self.appReceipt(form, purchases: purchases)
                try addAppReceipt(issuer.issue(receipt, form: form), isGenuine: true)
            }
        }
        for flaw in ReceiptFlaw.allCases {
            let forms = [AppReceiptForm.appStore, Self.shapes[2], Self.shapes[3], .xcode]
            for form in forms {
                let receipt = Self.appReceipt(form, purchases: 1)
                guard flaw.applies(to: receipt, form: form) else { continue }
                try addAppReceipt(
                    issuer.issue(receipt, form: form, spoiledBy: flaw),
                    isGenuine: Self.isOfClaims(flaw.reasonClass)
                )
                break
            }
        }
    }

    /// Whether a spoiled document is signed as it should be and only says what is not wanted.
    private static func isOfClaims(_ reason: ReasonClass) -> Bool {
        [.app, .environment, .time].contains(reason)
    }

    private mutating func addAppReceipt(_ bytes: [UInt8], isGenuine: Bool) throws {
        // Spoiled ones that are mostly filling teach a fuzzer nothing.
        guard bytes.count <= 12_000 else { return }
        add(bytes, to: "cms", "verifier")
        guard let document = attempt({ try Document(detecting: bytes) }),
            document.kind == .appReceipt
        else { return }
        if let message = attempt({ try CMSSignedData(document.bytes, certificateLimit: 16) }),
            let content = message.content, content.count <= 4096
        {
            add(Array(content), to: "payload", "ber")
        }
        guard isGenuine,
            case .appReceipt(let receipt)? = UnprovedReceipt(reading: document).claims
        else { return }
        contents.insert(IssuedDocuments.digest(of: receipt))
    }

    private static func appReceipt(_ form: AppReceiptForm, purchases: Int) -> AppReceipt {
        var receipt = AppReceipt(
            receiptType: form.signer == .storeKit ? .xcode : .productionSandbox,
            bundleId: "com.example.app",
            creationDate: IssuedDocuments.now
        )
        receipt.inApp = (0..<purchases).map { index in
            var purchase = InAppPurchase(
                productId: "com.example.month",
                transactionId: "200000000000000\(index)"
            )
            purchase.purchaseDate = IssuedDocuments.now
            if index == 0 {
                purchase.productType = .autoRenewableSubscription
                purchase.expiresDate = IssuedDocuments.now.advanced(by: .seconds(86_400 * 30))
            }
            if index == 1 { purchase.cancellationDate = IssuedDocuments.now }
            return purchase
        }
        return receipt
    }

    private mutating func addTransactionReceipts(of authority: SigningAuthority) throws {
        let issuer = TransactionReceiptIssuer(authority: authority)
        var purchase = TransactionPurchase(
            bundleId: "com.example.app",
            productId: "com.example.coins",
            transactionId: "1000000000000001",
            purchaseDate: IssuedDocuments.now,
            environment: .sandbox
        )
        var receipts = [purchase.receipt]
        purchase.expiresDate = IssuedDocuments.now.advanced(by: .seconds(86_400))
        receipts.append(purchase.receipt)
        for receipt in receipts {
            contents.insert(IssuedDocuments.digest(of: receipt))
            for version in TransactionReceiptIssuer.BlobVersion.allCases {
                let bytes = try issuer.issue(receipt, version: version)
                add(bytes, to: "plist", "verifier")
                addForms(of: bytes)
            }
        }
        for flaw in TransactionReceiptFlaw.allCases {
            guard let receipt = receipts.first(where: { flaw.applies(to: $0) }) else { continue }
            let bytes = try issuer.issue(receipt, spoiledBy: flaw)
            guard bytes.count <= 12_000 else { continue }
            add(bytes, to: "plist", "verifier")
            guard Self.isOfClaims(flaw.reasonClass),
                let document = attempt({ try Document(detecting: bytes) }),
                case .transactionReceipt(let spoiled)? = UnprovedReceipt(reading: document).claims
            else { continue }
            contents.insert(IssuedDocuments.digest(of: spoiled))
        }
        add(Array("{a=1;b=(\"\\U00e9\\n\\101\",<0aff 01>,/* */ c);}".utf8), to: "plist")
    }

    /// Signed data of every kind, sound, and with every flaw on the first kind that can have it.
    private mutating func addSignedData(of authority: SigningAuthority) throws {
        for kind in SignedDataSpecification.Kind.allCases {
            try addSignedData(kind, flaw: nil, of: authority)
        }
        for flaw in SignedDataFlaw.allCases {
            for kind in SignedDataSpecification.Kind.allCases {
                do {
                    try addSignedData(kind, flaw: flaw, of: authority)
                    break
                } catch let error as SimulatorError
                    where error.code == SimulatorError.flawNotApplicable
                {
                    continue
                }
            }
        }
    }

    private mutating func addSignedData(
        _ kind: SignedDataSpecification.Kind,
        flaw: SignedDataFlaw?,
        of authority: SigningAuthority
    ) throws {
        let text = try SignedDataSpecification(
            kind,
            json: Array("{}".utf8),
            now: IssuedDocuments.now,
            flaw: flaw
        ).issue(by: authority)
        let letters = Array(text.utf8)
        addClaims(of: text)
        guard letters.count <= 16_384 else { return }
        add(letters, to: "jws", "verifier")
        guard flaw.map({ Self.isOfClaims($0.reasonClass) }) ?? true else { return }
        contents.insert(IssuedDocuments.digest(ofSignedData: letters))
    }

    /// Where a notification has signed documents: the member, and the member of it.
    static let nestedPlaces = [
        ("data", "signedTransactionInfo"), ("data", "signedRenewalInfo"),
        ("appData", "signedAppTransactionInfo"),
    ]

    /// What a document says, with what it says of documents inside it in plain JSON.
    private mutating func addClaims(of text: String) {
        guard let payload = Self.payload(of: text) else { return }
        guard case .object(var object)? = attempt({ try JSONValue(parsing: payload) }) else {
            if payload.count <= 4096 { add(payload, to: "claims") }
            return
        }
        for (place, key) in Self.nestedPlaces {
            guard var container = object[place]?.object, let nested = container[key]?.string,
                let claims = Self.payload(of: nested)
            else { continue }
            container[key] = .string(String(decoding: claims, as: UTF8.self))
            object[place] = .object(container)
        }
        let claims = JSONValue.object(object).document()
        if claims.count <= 4096 { add(claims, to: "claims", "json") }
    }

    private static func payload(of text: String) -> [UInt8]? {
        let segments = text.split(separator: ".", omittingEmptySubsequences: false)
        guard segments.count > 1 else { return nil }
        return attempt { try Base64.decode(Array(segments[1].utf8).span, .urlSafe) }
    }

    /// The forms in which clients send a document.
    private mutating func addForms(of bytes: [UInt8]) {
        let base64 = Base64.encode(bytes.span)
        let forms = [
            base64, "\"\(base64)\"", "{\"receipt-data\":\"\(base64)\",\"password\":\"x\"}",
            "-----BEGIN PKCS7-----\n\(base64)\n-----END PKCS7-----\n",
            base64.replacingOccurrences(of: "+", with: "%2B"),
            base64.replacingOccurrences(of: "+", with: " "),
            Base64.encode(bytes.span, .urlSafe), Base64.encode(Array(base64.utf8).span),
        ]
        for form in forms { add(Array(form.utf8), to: "transport") }
        add(Array(forms[2].utf8), to: "json")
    }
}

// MARK: - Other inputs

extension FuzzSeeds {
    private mutating func addCertificates(of authority: SigningAuthority) throws {
        let answered = try authority.stating(ocspResponder: "http://127.0.0.1:8888/ocsp")
        let chains =
            [.receiptSigner, .transactionReceiptSigner, .storeKit].map(authority.chain)
            + [answered.chain(of: .signedDataSigner)]
        for chain in chains {
            for certificate in chain {
                add(certificate.der, to: "certificate", "ber")
                add(Array(certificate.pem.utf8), to: "certificate")
            }
        }
    }

    /// What the issuer of a certificate and its responder answer about it.
    private mutating func addResponses(of authority: SigningAuthority) throws {
        let seeds = try ResponseSeeds(of: authority)
        asked = seeds.asked.pem
        for bytes in try seeds.genuine() {
            let signed = try ResponseOutline(bytes).signed
            add(bytes, to: "ocsp")
            add(signed, to: "ocsp")
            contents.insert(IssuedDocuments.digest(ofResponse: signed))
        }
        for bytes in try seeds.spoiled() { add(bytes, to: "ocsp") }
    }

    private mutating func addTexts() {
        for text in ["", "A", "QQ==", "QUI=", "QUJD", "-_-_", "+/+/", "QUJDREVGR0hJSktMTU5PUA=="] {
            add(Array(text.utf8), to: "base64")
        }
        let texts = [
            #"{"a":[1,-2.5e+10,true,null,{"b":"\u00e9\ud83d\ude00\n"}],"c":{}}"#, "[[[]],{}]",
            #"{"receipt-data":"MA==","exclude-old-transactions":"true","password":"x"}"#,
            "\u{FEFF}{\"receipt-data\":\"{}\"}", "123456789012345678901234567890", "\"\"",
            #"{"status":0,"receipt":{"in_app":[{"quantity":"1"}]},"environment":"Sandbox"}"#,
            #"{"transactionId":"0","productId":"a","expiresDate":1.6976799360497297e12,"price":1}"#,
            #"{"autoRenewStatus":1,"commitmentInfo":{"commitmentRenewalDate":1719994529000}}"#,
            #"{"receiptType":"Xcode","receiptCreationDate":-0.5,"originalPlatform":"iOS"}"#,
            #"{"notificationType":"DID_RENEW","data":{"status":1},"signedDate":1717402531274}"#,
            #"{"signedPayload":"a.b.c"}"#,
            #"""
            {"notification_type":"DID_FAIL_TO_RENEW","password":"x","auto_renew_status":"true",
            "unified_receipt":{"latest_receipt_info":[{"original_transaction_id":1,
            "purchase_date":"2019-12-22 19:03:49 Etc/GMT","expires_date_ms":"1577041429000"}],
            "pending_renewal_info":[{"original_transaction_id":"1",
            "grace_period_expires_date_ms":"1577041430000"}]}}
            """#,
        ]
        for text in texts { add(Array(text.utf8), to: "json") }
    }

    private mutating func addCorpus() throws {
        for name in Corpus.names(in: "app-receipts", ending: ".b64") {
            let text = try Corpus.bytes(name)
            guard let document = attempt({ try Document(detecting: text) }) else { continue }
            try addAppReceipt(document.bytes, isGenuine: false)
        }
        for name in Corpus.names(in: "transaction-receipts-ios6", ending: ".b64") {
            let text = try Corpus.bytes(name)
            add(text, to: "transport")
            guard let document = attempt({ try Document(detecting: text) }) else { continue }
            add(document.bytes, to: "plist", "verifier")
        }
        for name in Corpus.names(in: "certs", ending: ".der") {
            add(try Corpus.bytes(name), to: "certificate", "ber")
        }
        for folder in ["transactions", "renewal-info", "app-transactions", "notifications-v2"] {
            for name in Corpus.names(in: folder, ending: ".jws") {
                let text = String(decoding: try Corpus.bytes(name), as: UTF8.self)
                let letters = Array(text.utf8.filter { $0 > 0x20 })
                if letters.count <= 16_384 { add(letters, to: "jws") }
                addClaims(of: text)
            }
        }
        for name in Corpus.names(in: "notifications-v1", ending: ".json") {
            let text = try Corpus.bytes(name)
            if text.count <= 4096 { add(text, to: "json") }
        }
        for name in Corpus.names(in: "verify-receipt-responses", ending: ".json") {
            let text = try Corpus.bytes(name)
            if text.count <= 4096 { add(text, to: "json") }
        }
    }
}
