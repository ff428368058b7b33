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
        let verifier = NotificationV1Verifier(secrets: [
            SharedSecret(id: "new", "ffffffffffffffffffffffffffffffff"),
            SharedSecret(id: "old", "0123456789abcdef0123456789abcdef"),
        ])
        let (body, password) = try Self.notification()
        let vouched = try verifier.verify(body, password: password)
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

    @Test("Without a password nothing vouches")
    func noPassword() throws {
        let (body, _) = try Self.notification()
        let error = #expect(throws: VerificationError.self) {
            try NotificationV1Verifier(secrets: []).verify(body, password: nil)
        }
        #expect(error?.code == "notification.password_missing")
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
