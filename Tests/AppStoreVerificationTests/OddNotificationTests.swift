import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Testing

@testable import AppStoreVerification

/// Genuine notifications with several contents, or with none that is known.
@Suite("Odd notifications")
struct OddNotificationTests {
    private let issuer: SignedDataIssuer
    private let verifier: SignedDataVerifier
    private let app = ExpectedApp(bundleId: "com.example.app")

    init() throws {
        let authority = try SignedDataShape.authority.get()
        issuer = SignedDataIssuer(authority: authority)
        verifier = SignedDataVerifier(
            trust: try .rehearsal(anchors: Array(authority.anchorsPEM.utf8))
        )
    }

    /// A notification with data and a summary.
    private func notification(
        of bundleId: String? = "com.example.app",
        in environment: StoreEnvironment = .sandbox
    ) -> ResponseBodyV2DecodedPayload {
        var data = ResponseBodyV2DecodedPayload.Data()
        data.bundleId = bundleId
        data.environment = environment
        data.signedTransactionInfo = "not.even.signed"
        var summary = ResponseBodyV2DecodedPayload.Summary()
        summary.requestIdentifier = "1"
        var notification = ResponseBodyV2DecodedPayload()
        notification.notificationType = NotificationTypeV2(rawValue: "RENEWAL_EXTENSION")
        notification.data = data
        notification.summary = summary
        notification.version = "2.0"
        notification.signedDate = SignedDataShape.now
        return notification
    }

    private func verify(
        _ notification: ResponseBodyV2DecodedPayload
    ) throws -> VerifiedNotification {
        let text = try issuer.issue(notification, form: .appStore)
        return try verifier.notification(CompactJWS(text), of: app, now: SignedDataShape.now)
    }

    private func code(of notification: ResponseBodyV2DecodedPayload) -> String? {
        #expect(throws: VerificationError.self) { try verify(notification) }?.code.rawValue
    }

    @Test("One is kept whole and marked, and nothing inside it is understood")
    func whole() throws {
        let sent = notification()
        let verified = try verify(sent)
        #expect(verified.notification.content == sent)
        #expect(verified.transaction == nil)
        #expect(verified.notification.proof.notes.map(\.code) == [VerificationNote.odd])
        #expect(verified.notification.proof.scope.bundleId == "com.example.app")
    }

    @Test("One of another app is refused like any other")
    func otherApp() {
        #expect(code(of: notification(of: "com.example.other")) == "app.bundle_mismatch")
    }

    @Test("One that says Xcode is refused under an anchor like any other")
    func xcode() {
        #expect(code(of: notification(in: .xcode)) == "environment.xcode_elsewhere")
    }

    @Test("One that names no app and holds nothing known is of no app")
    func nothingKnown() throws {
        var sent = ResponseBodyV2DecodedPayload()
        sent.notificationType = NotificationTypeV2(rawValue: "OF_THE_FUTURE")
        sent.version = "2.0"
        sent.signedDate = SignedDataShape.now
        let verified = try verify(sent)
        #expect(verified.notification.proof.scope.bundleId.isEmpty)
        #expect(verified.notification.content == sent)
    }

    @Test("Under a pinned certificate one must say Xcode, and not merely say nothing")
    func pinned() throws {
        let authority = try SignedDataShape.authority.get()
        let verifier = SignedDataVerifier(
            trust: try .xcode(pinnedCertificate: Array(authority.storeKitSignedDataPEM.utf8))
        )
        func code(_ notification: ResponseBodyV2DecodedPayload) throws -> String? {
            let jws = try CompactJWS(issuer.issue(notification, form: .storeKit))
            do {
                _ = try verifier.notification(jws, now: SignedDataShape.now)
                return nil
            } catch {
                return error.code.rawValue
            }
        }
        var silent = notification()
        silent.data?.environment = nil
        #expect(try code(silent) == "environment.not_xcode")
        #expect(try code(notification()) == "environment.not_xcode")
        #expect(try code(notification(in: .xcode)) == nil)
    }
}
