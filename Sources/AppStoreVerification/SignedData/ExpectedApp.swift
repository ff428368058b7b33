public import AppStoreModel

/// The app that a document must be of.
public struct ExpectedApp: Hashable, Sendable {
    /// The bundle identifier.
    public var bundleId: String
    /// The app's Apple ID, which production documents name too; nil to take any.
    public var appAppleId: Int64?
    /// The environments that documents may be of; nil to take any.
    public var environments: Set<StoreEnvironment>?

    /// Makes an expectation.
    public init(
        bundleId: String,
        appAppleId: Int64? = nil,
        environments: Set<StoreEnvironment>? = nil
    ) {
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.environments = environments
    }

    /// Checks what a genuine document says of its app, when its kind names the Apple ID too.
    ///
    /// That counts in production alone: the sandbox leaves it out or says 0.
    func require(_ scope: Scope, appAppleId found: Int64?) throws(VerificationError) {
        try require(scope)
        if let appAppleId, scope.environment == .production, found != appAppleId {
            throw .otherAppleId(found, expected: appAppleId)
        }
    }

    /// Checks what a genuine document says of its app.
    func require(_ scope: Scope) throws(VerificationError) {
        guard scope.bundleId.hasSameUTF8(as: bundleId) else {
            throw VerificationError(
                VerificationError.bundleMismatch,
                "the document is of the app \(scope.bundleId.prefix(256).debugDescription), expected "
                    + bundleId.debugDescription
            )
        }
        if let environments, !environments.contains(scope.environment) {
            let expected = environments.map(\.rawValue).sorted().joined(separator: " or ")
            throw VerificationError(
                VerificationError.environmentMismatch,
                "the document is of \(scope.environment.rawValue.prefix(64).debugDescription), "
                    + "expected \(expected)"
            )
        }
    }
}

extension VerificationError {
    static func otherAppleId(_ found: Int64?, expected: Int64) -> VerificationError {
        VerificationError(
            Self.appleIdMismatch,
            "the document names the Apple ID \(found.map(String.init) ?? "of no app"), expected "
                + "\(expected)"
        )
    }
}
