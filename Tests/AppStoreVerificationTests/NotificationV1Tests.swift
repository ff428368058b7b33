import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import Testing

@testable import AppStoreVerification

@Suite("Notifications of version 1")
struct NotificationV1Tests {
    private static let body = """
        {"notification_type":"DID_RENEW","environment":"PROD","bid":"com.example.app",
         "password":"0123456789abcdef0123456789abcdef"}
        """

    private static func notification(
        _ text: String = body
    ) throws -> (ResponseBodyV1, Redacted<String>?) {
        let envelope = try NotificationEnvelope(parsing: Array(text.utf8).span)
        guard case .v1(let body, let password) = envelope else {
            throw CocoaError(.fileReadUnknown)
        }
        return (body, password)
    }

    @Test("Any of several secrets vouches, and is named")
    func secrets() throws {
        let secrets = [
            SharedSecret(id: "new", "ffffffffffffffffffffffffffffffff"),
            SharedSecret(id: "old", "0123456789abcdef0123456789abcdef"),
        ]
        let (body, password) = try Self.notification()
        let reversed = NotificationV1Verifier(secrets: secrets.reversed())
        #expect(
            try reversed.verify(body, password: password).notification.voucher
                == .sharedSecret(id: "old")
        )
        let vouched = try NotificationV1Verifier(secrets: secrets).verify(body, password: password)
        #expect(vouched.notification.voucher == .sharedSecret(id: "old"))
        #expect(vouched.notification.scope.environment == .production)
        #expect(vouched.notification.scope.bundleId == "com.example.app")
        #expect(vouched.receipts.isEmpty)
        #expect(!String(describing: vouched).contains("0123456789abcdef"))
        #expect(vouched.notification.content.object["password"] == nil)
    }

    @Test("Another password is refused by its fingerprint, which gives nothing away")
    func unknownPassword() throws {
        let (body, password) = try Self.notification()
        let secret = SharedSecret(id: "only", "ffffffffffffffffffffffffffffffff")
        let error = #expect(throws: VerificationError.self) {
            try NotificationV1Verifier(secrets: [secret]).verify(body, password: password)
        }
        #expect(error?.code == "notification.password_unknown")
        let reason = error?.reason ?? ""
        #expect(reason.contains(SharedSecret.fingerprint(of: password?.secret ?? "")))
        #expect(reason.contains("only"))
        #expect(!reason.contains("0123456789abcdef"))
    }

    @Test("A password that only shares a secret's fingerprint is refused")
    func sameFingerprint() throws {
        let secret = SharedSecret(id: "only", "secret-36533")
        #expect(secret.fingerprint == SharedSecret.fingerprint(of: "secret-103289"))
        #expect(secret.isSame(as: "secret-36533"))
        #expect(!secret.isSame(as: "secret-103289"))
    }

    @Test("Without a password nothing vouches")
    func noPassword() throws {
        let (body, _) = try Self.notification()
        let secret = SharedSecret(id: "only", "0123456789abcdef0123456789abcdef")
        for secrets in [[], [secret], [SharedSecret(id: "empty", "")]] {
            let error = #expect(throws: VerificationError.self) {
                try NotificationV1Verifier(secrets: secrets).verify(body, password: nil)
            }
            #expect(error?.code == "notification.password_missing")
        }
    }

    @Test("A notification of another app than the one expected is refused")
    func otherApp() throws {
        let secret = SharedSecret(id: "only", "0123456789abcdef0123456789abcdef")
        let (body, password) = try Self.notification()
        let error = #expect(throws: VerificationError.self) {
            try NotificationV1Verifier(secrets: [secret]).verify(
                body,
                password: password,
                of: ExpectedApp(bundleId: "com.example.other")
            )
        }
        #expect(error?.code == "app.bundle_mismatch")
    }

    @Test(
        "Version 1 is of production or of the sandbox, and nothing vouches for another environment",
        arguments: [
            (#""environment":"PROD""#, "Production"),
            (#""environment":"Production""#, "Production"),
            (#""environment":"Sandbox""#, "Sandbox"),
            (#""unified_receipt":{"environment":"Production"}"#, "Production"),
            (#""unified_receipt":{"environment":"PROD"}"#, "Production"),
            (#""environment":"Xcode""#, "environment.unknown"),
            (#""environment":"LocalTesting""#, "environment.unknown"),
            (#""environment":"sandbox""#, "environment.unknown"),
            (#""environment":"""#, "payload.field_missing"),
            (#""unified_receipt":{"environment":"Xcode"}"#, "environment.unknown"),
            (
                #""environment":"PROD","unified_receipt":{"environment":"Xcode"}"#,
                "environment.unknown"
            ),
        ]
    )
    func environments(member: String, expected: String) throws {
        let (body, password) = try Self.notification(
            #"{"notification_type":"DID_RENEW","bid":"com.example.app","password":"s",\#(member)}"#
        )
        let verifier = NotificationV1Verifier(secrets: [SharedSecret(id: "only", "s")])
        do {
            let vouched = try verifier.verify(body, password: password)
            #expect(vouched.notification.scope.environment.rawValue == expected)
        } catch {
            #expect(error.code.rawValue == expected, "\(error)")
        }
    }

    @Test("A receipt inside counts only for the app and environment of its notification")
    func embeddedReceipts() throws {
        let authority = try SigningAuthority(profile: AuthorityProfile(now: SystemClock().now))
        let receipts = ReceiptVerifier(
            trust: try .rehearsal(anchors: Array(authority.anchorsPEM.utf8))
        )
        let secret = SharedSecret(id: "only", "s")
        let verifier = NotificationV1Verifier(secrets: [secret], receipts: receipts)
        func codes(_ bundleId: String, _ type: ReceiptType) throws -> [String?] {
            let receipt = try AppReceiptIssuer(authority: authority).issue(
                AppReceipt(
                    receiptType: type,
                    bundleId: bundleId,
                    creationDate: SystemClock().now.advanced(by: .seconds(-60))
                )
            )
            let (body, password) = try Self.notification(
                """
                {"notification_type":"DID_RENEW","environment":"PROD","bid":"com.example.app",
                 "password":"s","unified_receipt":{"environment":"Production",
                 "latest_receipt":"\(Base64.encode(receipt.span))"}}
                """
            )
            return try verifier.verify(body, password: password).receipts.map { receipt in
                if case .failure(let error) = receipt.result { error.code.rawValue } else { nil }
            }
        }
        #expect(try codes("com.example.app", .production) == [nil])
        #expect(
            try codes("com.example.other", .production) == ["notification.nested_disagrees"]
        )
        #expect(
            try codes("com.example.app", .productionSandbox) == ["notification.nested_disagrees"]
        )
    }

    @Test(
        "The receipts inside real notifications verify where they are genuine and whole",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
        arguments: Corpus.names(in: "notifications-v1", ending: ".json")
    )
    func corpus(file: String) throws {
        let text = String(decoding: try Corpus.bytes(file), as: UTF8.self)
        let (body, _) = try Self.notification(text)
        for receipt in NotificationV1Verifier(secrets: []).embeddedReceipts(in: body) {
            switch receipt.result {
            case .success(let receipt):
                #expect(Self.genuine.contains(file), "\(receipt.proof.scope)")
            case .failure(let error):
                #expect(!Self.genuine.contains(file), "\(error)")
            }
        }
    }

    /// Those whose receipts were published unmasked.
    private static let genuine: Set<String> = [
        "notifications-v1/INITIAL_BUY-PROD-educreations-ac39ed.json"
    ]
}

@Suite("Issued notifications of version 1")
struct IssuedNotificationV1Tests {
    private func verify(_ json: String) throws -> VouchedNotification {
        let authority = try SignedDataShape.authority.get()
        let body = try NotificationV1Specification(
            json: Array(json.utf8),
            now: SignedDataShape.now,
            seed: 1
        ).issue(by: authority)
        let envelope = try NotificationEnvelope(parsing: body.span)
        guard case .v1(let decoded, let password) = envelope else {
            throw CocoaError(.fileReadUnknown)
        }
        let trust = try Trust.rehearsal(anchors: Array(authority.anchorsPEM.utf8))
        return try NotificationV1Verifier(
            secrets: [SharedSecret(id: "one", "secret")],
            receipts: ReceiptVerifier(trust: trust)
        ).verify(
            decoded,
            password: password,
            realm: .rehearsal,
            now: SignedDataShape.now.advanced(by: .seconds(60))
        )
    }

    private func receipts(_ vouched: VouchedNotification) -> [String] {
        vouched.receipts.map { receipt in
            switch receipt.result {
            case .success(let receipt): receipt.proof.scope.environment.rawValue
            case .failure(let error): error.code.rawValue
            }
        }
    }

    @Test("The secret of SPEC vouches, and the receipt in it verifies")
    func usual() throws {
        let vouched = try verify(#"{"password": "secret", "receipt": {"purchases": 120}}"#)
        let body = vouched.notification.content
        #expect(body.notificationType == .initialBuy)
        #expect(vouched.notification.scope.bundleId == "com.example.app")
        #expect(vouched.notification.scope.environment == .sandbox)
        #expect(receipts(vouched) == ["Sandbox"])
        let transactions = body.unifiedReceipt?.latestReceiptInfo ?? []
        #expect(transactions.count == 100)
        let dates = transactions.compactMap(\.purchaseDate)
        #expect(dates.count == 100 && dates == dates.sorted(by: >))
        #expect(body.originalTransactionId == transactions.first?.originalTransactionId)
        #expect(body.unifiedReceipt?.pendingRenewalInfo?.count == 1)
        #expect(body.latestReceipt == nil)
    }

    @Test("Production has its own word outside, and dates their three forms")
    func production() throws {
        let vouched = try verify(
            """
            {"password": "secret", "environment": "Production", "bid": "com.example.two",
             "notification_type": "DID_CHANGE_RENEWAL_STATUS", "auto_renew_status": "false",
             "auto_renew_status_change_date": "-1d", "galaxy": 1}
            """
        )
        let body = vouched.notification.content
        #expect(body.object["environment"] == "PROD")
        #expect(body.object["galaxy"] == 1)
        #expect(body.unifiedReceipt?.environment == .production)
        #expect(receipts(vouched) == ["Production"])
        let date = SignedDataShape.now.advanced(by: .seconds(-86_400))
        #expect(body.autoRenewStatusChangeDate == date)
        #expect(
            body.object["auto_renew_status_change_date_pst"]?.string?.hasSuffix("Angeles") == true
        )
        #expect(body.autoRenewStatus == .off)
        #expect(body.unifiedReceipt?.pendingRenewalInfo?.first?.autoRenewStatus == .off)
    }

    @Test("A body as of before 2021 has an iOS 6-style receipt instead, open or ended")
    func old() throws {
        let open = try verify(#"{"password": "secret", "transactionReceipt": {}}"#)
        let body = open.notification.content
        #expect(body.unifiedReceipt == nil)
        #expect(receipts(open) == ["Sandbox"])
        #expect(body.latestReceiptInfo?.productId == "com.example.app.pro.month")
        let ended = try verify(
            #"{"password": "secret", "transactionReceipt": {"purchaseDate": "-60d"}}"#
        )
        #expect(ended.notification.content.latestReceiptInfo == nil)
        #expect(ended.notification.content.latestExpiredReceiptInfo?.expiresDate != nil)
        #expect(receipts(ended) == ["Sandbox"])
        let both = try verify(
            #"{"password": "secret", "transactionReceipt": {}, "receipt": {}}"#
        )
        #expect(receipts(both) == ["Sandbox", "Sandbox"])
    }

    @Test("A spoiled receipt in it is refused by itself")
    func spoiled() throws {
        let vouched = try verify(
            #"{"password": "secret", "receipt": {"flaw": "leafMarkerMissing"}}"#
        )
        #expect(receipts(vouched) == ["chain.leaf_marker_missing"])
    }

    @Test("Another password vouches for nothing")
    func otherPassword() {
        let error = #expect(throws: VerificationError.self) { try verify("{}") }
        #expect(error?.code == "notification.password_unknown")
    }

    @Test("What is wrong is named with its place")
    func wrong() {
        for (json, words) in [
            (#"{"receipt": {"purchases": -1}}"#, ["in receipt", "purchases"]),
            (#"{"notification_typ": "X"}"#, ["notification_typ", "notification_type"]),
            (#"{"receipt": 7}"#, ["7 at receipt", "object"]),
            (#"{"cancellation_date": "soon"}"#, ["cancellation_date", "RFC 3339"]),
        ] {
            let error = #expect(throws: SimulatorError.self) { try verify(json) }
            for word in words { #expect(error?.reason.contains(word) == true, "\(error as Any)") }
        }
    }
}
