import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Testing

@testable import AppStoreVerification

/// A kind of signed data in one of the forms that it comes in.
struct SignedDataShape: Sendable, CustomTestStringConvertible {
    let kind: SignedDataSpecification.Kind
    let specification: String

    var testDescription: String { "\(kind.rawValue) \(specification)" }

    /// The environment that it says.
    var environment: StoreEnvironment {
        ["Production", "Xcode"].first(where: specification.contains)
            .map(StoreEnvironment.init(rawValue:)) ?? .sandbox
    }

    /// Whether a verifier can tell whether it is for an app by itself.
    var namesItsApp: Bool { kind != .renewalInfo && kind != .realtimeRequest }

    /// Every kind, in each environment that it is of, and notifications of each content.
    static let all: [SignedDataShape] =
        SignedDataSpecification.Kind.allCases.flatMap { kind in
            ["Sandbox", "Production", "Xcode"].filter { $0 != "Xcode" || kind != .realtimeRequest }
                .map { SignedDataShape(kind: kind, specification: #"{"environment": "\#($0)"}"#) }
        }
        + [
            #"{"notificationType": "TEST"}"#, #"{"notificationType": "ONE_TIME_CHARGE"}"#,
            #"{"notificationType": "RENEWAL_EXTENSION", "subtype": "SUMMARY"}"#,
            #"{"notificationType": "EXTERNAL_PURCHASE_TOKEN", "subtype": "CREATED"}"#,
            #"{"notificationType": "RESCIND_CONSENT", "environment": "Production"}"#,
        ].map { SignedDataShape(kind: .notification, specification: $0) }

    static let now = CivilTime(year: 2026, month: 6, day: 1, hour: 12).instant

    static let authority = Result {
        try SigningAuthority(profile: AuthorityProfile(now: now, seed: 5))
    }

    func text(_ flaw: SignedDataFlaw? = nil, seed: UInt64 = 0) throws -> String {
        try SignedDataSpecification(
            kind,
            json: Array(specification.utf8),
            now: Self.now,
            seed: seed,
            flaw: flaw
        ).issue(by: Self.authority.get())
    }

    /// Verifies a document as one of the app `com.example.app` and of this shape's environment.
    func verify(
        _ text: String,
        trust: Trust? = nil
    ) throws(VerificationError) -> VerifiedSignedData {
        let verifier = trust.map { SignedDataVerifier(trust: $0) } ?? Self.verifier
        return try verifier.verify(
            CompactJWS(text),
            of: ExpectedApp(bundleId: "com.example.app", environments: [environment]),
            now: Self.now.advanced(by: .seconds(60))
        )
    }

    /// One for all documents, so that what it remembers of one is put to the test by the next.
    private static let verifier: SignedDataVerifier = {
        let authority = try! Self.authority.get()
        let anchors = Array(authority.anchorsPEM.utf8)
        let pinned = Array(authority.storeKitSignedDataPEM.utf8)
        return SignedDataVerifier(
            trust: try! .rehearsal(anchors: anchors).adding(.xcode(pinnedCertificate: pinned))
        )
    }()
}
