import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import Testing

/// The app that a caller expects, held against documents that are genuine.
@Suite("The app that signed data must be of")
struct ExpectedAppTests {
    private func verify(
        _ kind: SignedDataSpecification.Kind,
        in environment: StoreEnvironment,
        of app: ExpectedApp
    ) throws -> ErrorCode? {
        let authority = try SignedDataShape.authority.get()
        let trust = try Trust.rehearsal(anchors: Array(authority.anchorsPEM.utf8))
        let json = #"{"environment": "\#(environment.rawValue)", "appAppleId": 1234}"#
        let text = try SignedDataSpecification(
            kind,
            json: Array((kind == .transaction ? "{}" : json).utf8),
            now: SignedDataShape.now,
            seed: 1
        ).issue(by: authority)
        let jws = try CompactJWS(text)
        do {
            _ = try SignedDataVerifier(trust: trust).verify(jws, of: app, now: SignedDataShape.now)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "Documents of another app, or of another environment, are refused",
        arguments: [SignedDataSpecification.Kind.transaction, .appTransaction, .notification]
    )
    func apps(kind: SignedDataSpecification.Kind) throws {
        let ours = ExpectedApp(bundleId: "com.example.app")
        #expect(try verify(kind, in: .sandbox, of: ours) == nil)
        let other = ExpectedApp(bundleId: "com.example.other")
        #expect(try verify(kind, in: .sandbox, of: other) == "app.bundle_mismatch")
        let production = ExpectedApp(bundleId: "com.example.app", environments: [.production])
        #expect(try verify(kind, in: .sandbox, of: production) == "environment.mismatch")
    }

    @Test(
        "The Apple ID counts in production, where documents name it",
        arguments: [SignedDataSpecification.Kind.appTransaction, .notification]
    )
    func appleIds(kind: SignedDataSpecification.Kind) throws {
        let ours = ExpectedApp(bundleId: "com.example.app", appAppleId: 1234)
        let other = ExpectedApp(bundleId: "com.example.app", appAppleId: 5)
        #expect(try verify(kind, in: .production, of: ours) == nil)
        #expect(try verify(kind, in: .production, of: other) == "app.apple_id_mismatch")
        #expect(try verify(kind, in: .sandbox, of: other) == nil)
    }
}
