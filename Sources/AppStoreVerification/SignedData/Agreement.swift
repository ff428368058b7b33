import CounterfoilBasics

/// What a nested document and its surroundings must agree in.
struct Agreement {
    private let inner: String
    private let outer: String

    init(_ inner: String, _ outer: String) {
        self.inner = inner
        self.outer = outer
    }

    /// Checks one of the things that both say.
    @discardableResult
    func require(
        _ name: String,
        _ found: String?,
        _ expected: String?
    ) throws(VerificationError) -> Agreement {
        let isSame =
            if let found, let expected { found.hasSameUTF8(as: expected) } else {
                found == nil && expected == nil
            }
        guard isSame else {
            throw VerificationError(
                VerificationError.nestedDisagrees,
                "\(inner) has the \(name) \(Self.shown(found)), but \(outer) has "
                    + Self.shown(expected)
            )
        }
        return self
    }

    /// Checks who answered for both.
    @discardableResult
    func require(
        _ found: Authority,
        _ expected: Authority
    ) throws(VerificationError) -> Agreement {
        try require("realm", found.realm.rawValue, expected.realm.rawValue)
            .require("authority", found.end?.description, expected.end?.description)
    }

    private static func shown(_ text: String?) -> String {
        text.map { String($0.prefix(128)).debugDescription } ?? "none"
    }
}

/// Who answers for a document: Apple, one root of a local App Store, or one pinned certificate.
struct Authority {
    let realm: Realm
    /// The certificate at which the chain ends; nil in Apple's realm, whose roots are one authority.
    let end: SHA256Digest?

    init(_ realm: Realm, _ certificates: [CertificateSummary]) {
        self.realm = realm
        end = realm == .appStore ? nil : certificates.last?.fingerprint
    }
}
