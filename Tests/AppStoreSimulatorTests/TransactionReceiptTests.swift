import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("iOS 6 receipts")
struct TransactionReceiptTests {
    private let issuer = TransactionReceiptIssuer(authority: Fixtures.authority)

    static func purchase(
        at date: String = "2015-03-01T10:20:30.456Z",
        environment: StoreEnvironment = .sandbox
    ) -> TransactionPurchase {
        TransactionPurchase(
            bundleId: "com.example.app",
            productId: "com.example.coins",
            transactionId: "1000000123456789",
            purchaseDate: Fixtures.instant(date),
            environment: environment
        )
    }

    static func subscription(at date: String = "2015-03-01T10:20:30.456Z") -> TransactionPurchase {
        var purchase = purchase(at: date)
        purchase.expiresDate = purchase.purchaseDate.advanced(by: .seconds(300))
        return purchase
    }

    @Test(
        "openssl verifies the signature over version and purchase-info",
        arguments: TransactionReceiptIssuer.BlobVersion.allCases
    )
    func openssl(version: TransactionReceiptIssuer.BlobVersion) throws {
        let bytes = try issuer.issue(Self.purchase().receipt, version: version)
        #expect(try TransactionReceiptParts(bytes).isGenuine())
        let parts = try TransactionReceiptParts(bytes)
        #expect(parts.version == version.rawValue)
        #expect(parts.signature.count == (version == .two ? 128 : 256))
        let role: AuthorityRole = version == .two ? .transactionReceiptSigner : .receiptSigner
        #expect(parts.certificate == Fixtures.authority[role].certificate.der)
    }

    @Test("The version is that of the purchase's time")
    func usualVersion() throws {
        func version(_ date: String) throws -> UInt8 {
            try TransactionReceiptParts(issuer.issue(Self.purchase(at: date).receipt)).version
        }
        #expect(try version("2015-01-01T00:00:00Z") == 2)
        #expect(try version("2019-01-01T00:00:00Z") == 3)
    }

    @Test("The text is Apple's, line by line")
    func text() throws {
        var purchase = Self.purchase()
        purchase.uniqueIdentifier = "0123456789abcdef0123456789abcdef01234567"
        purchase.uniqueVendorIdentifier = "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE"
        purchase.itemId = "775891892"
        let bytes = try issuer.issue(purchase.receipt)
        let parts = try TransactionReceiptParts(bytes)
        #expect(
            parts.blanked == """
                {
                \t"signature" = "…";
                \t"purchase-info" = "…";
                \t"environment" = "Sandbox";
                \t"pod" = "100";
                \t"signing-status" = "0";
                }
                """
        )
        #expect(
            String(decoding: parts.purchaseInfo, as: UTF8.self) == """
                {
                \t"original-purchase-date-pst" = "2015-03-01 02:20:30 America/Los_Angeles";
                \t"purchase-date-ms" = "1425205230456";
                \t"unique-identifier" = "0123456789abcdef0123456789abcdef01234567";
                \t"original-transaction-id" = "1000000123456789";
                \t"bvrs" = "1";
                \t"transaction-id" = "1000000123456789";
                \t"quantity" = "1";
                \t"original-purchase-date-ms" = "1425205230456";
                \t"unique-vendor-identifier" = "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE";
                \t"item-id" = "775891892";
                \t"product-id" = "com.example.coins";
                \t"purchase-date" = "2015-03-01 10:20:30 Etc/GMT";
                \t"original-purchase-date" = "2015-03-01 10:20:30 Etc/GMT";
                \t"bid" = "com.example.app";
                \t"purchase-date-pst" = "2015-03-01 02:20:30 America/Los_Angeles";
                }
                """
        )
    }

    @Test("Production's receipts name no environment, and the app's identifiers")
    func production() throws {
        let receipt = Self.purchase(environment: .production).receipt
        #expect(receipt.environment == nil)
        let parts = try TransactionReceiptParts(issuer.issue(receipt))
        #expect(!parts.blanked.contains("environment"))
        let info = String(decoding: parts.purchaseInfo, as: UTF8.self)
        #expect(info.contains("\"app-item-id\" = "))
        #expect(info.contains("\"version-external-identifier\" = "))
    }

    @Test("Subscriptions have what their time had")
    func subscriptions() {
        func keys(_ date: String) -> Set<String> {
            Set(Self.subscription(at: date).receipt.purchaseInfo.map(\.key))
        }
        let old = keys("2013-04-01T00:00:00Z")
        #expect(
            old.isSuperset(of: [
                "expires-date", "expires-date-formatted", "expires-date-formatted-pst",
                "web-order-line-item-id",
            ])
        )
        #expect(!old.contains("is-trial-period"))
        #expect(
            keys("2018-01-01T00:00:00Z").isSuperset(of: [
                "is-trial-period", "is-in-intro-offer-period",
            ])
        )
        var first = Self.subscription(at: "2011-06-01T00:00:00Z")
        first.hasAllDateForms = false
        let early = first.receipt
        #expect(!early.purchaseInfo.contains { $0.key == "purchase-date-ms" })
        #expect(!early.purchaseInfo.contains { $0.key == "unique-vendor-identifier" })
    }

    @Test("Text of any kind is written so that it can be read back")
    func escapes() throws {
        var receipt = Self.purchase().receipt
        receipt.purchaseInfo = [.init(key: "product-id", value: "a\"b\\c\nd\u{7}ü𝄞")]
        let parts = try TransactionReceiptParts(issuer.issue(receipt))
        #expect(
            String(decoding: parts.purchaseInfo, as: UTF8.self)
                == "{\n\t\"product-id\" = \"a\\\"b\\\\c\\nd\\007\\U00fc\\Ud834\\Udd1e\";\n}"
        )
    }

    @Test(
        "Every real receipt's text is written in Apple's very bytes",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
        arguments: TransactionReceiptCorpus.names
    )
    func realTexts(name: String) throws {
        let real = try TransactionReceiptParts(TransactionReceiptCorpus.document(name))
        var receipt = Self.purchase().receipt
        receipt.purchaseInfo = try real.entries()
        let unsigned = try real.unsigned()
        receipt.environment = unsigned["environment"]
        receipt.pod = unsigned["pod"]
        receipt.signingStatus = unsigned["signing-status"]
        let issued = try TransactionReceiptParts(issuer.issue(receipt))
        #expect(issued.purchaseInfo == real.purchaseInfo)
        #expect(issued.blanked == real.blanked)
    }

    @Test(
        "The keys of a purchase come in the order of real receipts of its shape",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
        arguments: [
            "oneoff-v2-4766da", "oneoff-v2-edbb0f", "sub-v2-4a0783", "sub-v3-4d4900",
            "sub-v3-5735e9",
        ]
    )
    func realOrders(ending: String) throws {
        let name = try #require(TransactionReceiptCorpus.names.first { $0.contains(ending) })
        let real = try TransactionReceiptParts(TransactionReceiptCorpus.document(name)).entries()
        func value(_ key: String) -> String? { real.first { $0.key == key }?.value }
        var purchase = TransactionPurchase(
            bundleId: try #require(value("bid")),
            productId: try #require(value("product-id")),
            transactionId: try #require(value("transaction-id")),
            purchaseDate: Fixtures.instant(try #require(value("purchase-date-ms")))
        )
        purchase.bundleVersion = try #require(value("bvrs"))
        purchase.quantity = try #require(value("quantity").flatMap(Int64.init))
        purchase.originalTransactionId = value("original-transaction-id")
        purchase.originalPurchaseDate = value("original-purchase-date-ms").map(Fixtures.instant)
        purchase.expiresDate = value("expires-date").map(Fixtures.instant)
        purchase.webOrderLineItemId = value("web-order-line-item-id")
        purchase.subscriptionGroupIdentifier = value("subscription-group-identifier")
        purchase.itemId = value("item-id")
        purchase.appItemId = value("app-item-id")
        purchase.versionExternalIdentifier = value("version-external-identifier")
        purchase.uniqueIdentifier = value("unique-identifier")
        purchase.uniqueVendorIdentifier = value("unique-vendor-identifier")
        var issued = purchase.receipt.purchaseInfo
        // Two real receipts from after iOS 6 have no vendor identifier.
        if value("unique-vendor-identifier") == nil {
            issued.removeAll { $0.key == "unique-vendor-identifier" }
            try #require(ending == "oneoff-v2-4766da")
            #expect(Set(issued.map(\.key)) == Set(real.map(\.key)))
            return
        }
        #expect(issued == real)
    }
}

/// An iOS 6 receipt taken apart by patterns, without our readers.
struct TransactionReceiptParts {
    let text: String
    let blob: [UInt8]
    let purchaseInfo: [UInt8]

    init(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        func value(_ key: String) throws -> [UInt8] {
            let pattern = try Regex(
                "\"\(key)\" = \"([A-Za-z0-9+/=]*)\";",
                as: (Substring, Substring).self
            )
            let match = try #require(text.firstMatch(of: pattern))
            return [UInt8](try #require(Data(base64Encoded: String(match.output.1))))
        }
        self.text = text
        blob = try value("signature")
        purchaseInfo = try value("purchase-info")
    }

    var version: UInt8 { blob[0] }
    var signature: [UInt8] { Array(blob[1...(version == 2 ? 128 : 256)]) }
    var certificate: [UInt8] { Array(blob[(5 + signature.count)...]) }

    /// The outer text without its two long values.
    var blanked: String {
        text.replacing(#/("signature"|"purchase-info") = "[^"]*"/#) { "\($0.output.1) = \"…\"" }
    }

    func entries() throws -> [TransactionReceipt.Entry] {
        String(decoding: purchaseInfo, as: UTF8.self)
            .matches(of: #/"([^"]*)" = "([^"]*)";/#)
            .map { TransactionReceipt.Entry(key: String($0.output.1), value: String($0.output.2)) }
    }

    func unsigned() throws -> [String: String] {
        Dictionary(
            text.matches(of: #/"([^"]*)" = "([^"]*)";/#)
                .map { (String($0.output.1), String($0.output.2)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Whether openssl finds the signature to be the certificate's.
    func isGenuine() throws -> Bool {
        let folder = try Folder()
        let stated = blob[(1 + signature.count)..<(5 + signature.count)].reduce(0) {
            $0 << 8 | Int($1)
        }
        guard stated == certificate.count else { return false }
        let key = try OutsideProgram.openssl.run([
            "x509", "-inform", "DER", "-pubkey", "-noout",
            "-in", folder.write("certificate", certificate),
        ])
        return try OutsideProgram.openssl.run([
            "dgst", "-sha1", "-verify", folder.write("key.pem", key.output),
            "-signature", folder.write("signature", signature),
            folder.write("message", [version] + purchaseInfo),
        ]).succeeded
    }
}

/// The real iOS 6 receipts.
enum TransactionReceiptCorpus {
    static var names: [String] {
        Corpus.names(in: "transaction-receipts-ios6", ending: ".b64")
            .filter { !$0.contains("/bad-") }
    }

    static func document(_ name: String) throws -> [UInt8] {
        let text = String(decoding: try Corpus.bytes(name), as: UTF8.self)
        return [UInt8](
            try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters))
        )
    }
}
