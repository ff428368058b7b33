import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON

extension SignedDataVerification.Proved {
    /// The payload as a value of Apple's.
    func content<Content: AppStoreObject>(
        _: Content.Type
    ) throws(VerificationError) -> Content {
        do {
            return try Content(payload)
        } catch {
            throw VerificationError(
                VerificationError.signedPayloadMalformed,
                "\(kind.words) cannot be read: \(error.reason)"
            )
        }
    }

    func require(
        _ value: String?,
        _ name: StaticString
    ) throws(VerificationError) {
        guard value?.isEmpty == false else {
            throw VerificationError(
                VerificationError.fieldMissing,
                "\(kind.words) has no \(name), which every one has"
            )
        }
    }

    func scope(
        _ bundleId: String?,
        _ environment: StoreEnvironment?,
        _ name: StaticString
    ) throws(VerificationError) -> Scope {
        try require(bundleId, "bundleId")
        return Scope(
            bundleId: bundleId ?? "",
            environment: try self.environment(environment, name),
            realm: chain.realm
        )
    }

    /// The environment that the document says: Xcode in the xcode realm, and nowhere else.
    func environment(
        _ found: StoreEnvironment?,
        _ name: StaticString
    ) throws(VerificationError) -> StoreEnvironment {
        try require(found?.rawValue, name)
        let environment = found ?? StoreEnvironment(rawValue: "")
        let saysXcode = environment == .xcode
        guard saysXcode != (chain.realm == .xcode) else { return environment }
        throw saysXcode
            ? VerificationError(
                VerificationError.xcodeElsewhere,
                "the document says Xcode but was signed in the realm \(chain.realm)"
            )
            : VerificationError(
                VerificationError.notXcode,
                "the document says \(environment.rawValue.prefix(64).debugDescription) but the "
                    + "pinned certificate signs for Xcode alone"
            )
    }

    func verified<Content>(
        _ content: Content,
        _ scope: Scope,
        adding note: VerificationNote? = nil
    ) -> Verified<Content> {
        Verified(
            content: content,
            proof: SignatureProof(
                scope: scope,
                certificates: chain.certificates,
                judgedAt: signedAt,
                digest: SignedDataVerification.digest,
                notes: notes + (note.map { [$0] } ?? [])
            )
        )
    }
}

extension VerificationNote {
    /// A notification with several contents, or with none that is known.
    static let oddNotification = VerificationNote(
        odd,
        "the notification has not exactly one of data, summary, externalPurchaseToken and appData; "
            + "it is genuine, and kept whole without being understood"
    )

    static func otherVersion(_ version: String?) -> VerificationNote {
        VerificationNote(
            unknownVersion,
            "the notification is of version "
                + "\(version.map { $0.prefix(32).debugDescription } ?? "none"); 2.0 is known"
        )
    }
}

extension SignedDataKind {
    /// The kind with its article.
    var words: String {
        switch self {
        case .transaction: "a transaction"
        case .renewalInfo: "renewal info"
        case .appTransaction: "an app transaction"
        case .notification: "a notification"
        case .realtimeRequest: "a retention request"
        case .unknown: "a document of no known kind"
        }
    }
}
