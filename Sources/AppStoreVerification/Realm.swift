public import AppStoreModel

/// Who answers for a document's certificates; a realm is never mixed with another.
public enum Realm: String, Hashable, Sendable, CaseIterable {
    /// Apple's three published roots.
    case appStore
    /// Roots of a local App Store, under the same rules.
    case rehearsal
    /// One pinned certificate of StoreKit testing in Xcode, without a chain.
    case xcode
}

/// One app in one environment under one realm; the first part of every key.
public struct Scope: Hashable, Sendable {
    /// The app's bundle identifier; empty for an odd notification that names none.
    public let bundleId: String
    /// The environment that the purchase was made in; an empty word likewise.
    public let environment: StoreEnvironment
    /// Who answered for the signature.
    public let realm: Realm

    package init(bundleId: String, environment: StoreEnvironment, realm: Realm) {
        self.bundleId = bundleId
        self.environment = environment
        self.realm = realm
    }

    /// Whether all three are the same, texts to the byte: an app whose name only looks like
    /// another's is another app.
    public static func == (left: Scope, right: Scope) -> Bool {
        left.realm == right.realm && left.bundleId.hasSameUTF8(as: right.bundleId)
            && left.environment.rawValue.hasSameUTF8(as: right.environment.rawValue)
    }
}

extension Realm {
    /// Checks the word that a document of this realm has for its environment: the xcode realm is
    /// for documents that say Xcode, and for them alone.
    func require(_ word: String, of document: StaticString) throws(VerificationError) {
        let saysXcode = word == StoreEnvironment.xcode.rawValue
        guard saysXcode != (self == .xcode) else { return }
        if saysXcode {
            throw VerificationError(
                VerificationError.xcodeElsewhere,
                "\(document) says Xcode but was signed in the realm \(self)"
            )
        }
        throw VerificationError(
            VerificationError.notXcode,
            "\(document) says \(word.prefix(64).debugDescription) but the pinned certificate signs "
                + "for Xcode alone"
        )
    }
}
