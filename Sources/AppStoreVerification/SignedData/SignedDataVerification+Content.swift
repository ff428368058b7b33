package import AppStoreModel
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

    /// A value that every document of the kind has.
    @discardableResult
    func require(
        _ value: String?,
        _ name: StaticString
    ) throws(VerificationError) -> String {
        guard let value, !value.isEmpty else {
            throw VerificationError(
                VerificationError.fieldMissing,
                "\(kind.words) has no \(name), which every one has"
            )
        }
        return value
    }

    func scope(
        _ bundleId: String?,
        _ environment: StoreEnvironment?,
        _ name: StaticString
    ) throws(VerificationError) -> Scope {
        Scope(
            bundleId: try require(bundleId, "bundleId"),
            environment: try self.environment(environment, name),
            realm: chain.realm
        )
    }

    /// The environment that the document says, and may say in its realm.
    func environment(
        _ found: StoreEnvironment?,
        _ name: StaticString
    ) throws(VerificationError) -> StoreEnvironment {
        let word = try require(found?.rawValue, name)
        try chain.realm.require(word, of: "the document")
        return StoreEnvironment(rawValue: word)
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
    package var words: String {
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
