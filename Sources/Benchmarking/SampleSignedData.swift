import AppStoreModel
package import AppStoreSimulator
package import CounterfoilBasics

/// Signed data to measure with: of the sandbox and of ``SampleReceipts/bundleId``, all of it
/// different.
package struct SampleSignedData: Sendable {
    /// What is measured.
    package enum Kind: String, CaseIterable, Sendable {
        case transaction
        case renewalInfo
        /// A notification that holds one of each of the others.
        case notification

        fileprivate var specified: SignedDataSpecification.Kind {
            switch self {
            case .transaction: .transaction
            case .renewalInfo: .renewalInfo
            case .notification: .notification
            }
        }
    }

    /// Who answers for it.
    package let authority: SigningAuthority
    private let now: Instant

    /// Begins to issue under an authority.
    package init(authority: SigningAuthority, now: Instant) {
        self.authority = authority
        self.now = now
    }

    /// Begins to issue under a new authority, which takes a second.
    ///
    /// - Throws: `SimulatorError`.
    package init(now: Instant) throws {
        self.init(
            authority: try SigningAuthority(profile: AuthorityProfile(now: now, seed: 4)),
            now: now
        )
    }

    /// The same under certificates that say where to ask whether they were revoked.
    ///
    /// - Throws: `SimulatorError`.
    func answered() throws -> SampleSignedData {
        SampleSignedData(
            authority: try authority.stating(ocspResponder: "http://127.0.0.1:8888"),
            now: now
        )
    }

    /// A document that differs from those with other indices in its ids.
    ///
    /// - Returns: its compact form.
    /// - Throws: `SimulatorError`.
    package func text(_ kind: Kind, _ index: Int) throws -> String {
        try SignedDataSpecification(
            kind.specified,
            json: Array("{}".utf8),
            now: now,
            seed: UInt64(index)
        ).issue(by: authority)
    }

    /// The texts of the signed documents in a notification.
    static func nested(in notification: String) throws -> [String] {
        let payload = notification.split(separator: ".")[1]
        let json = try Base64.decode(Array(payload.utf8).span, .urlSafe)
        let data = try ResponseBodyV2DecodedPayload(parsing: json).data
        return [data?.signedTransactionInfo, data?.signedRenewalInfo].compactMap(\.self)
    }
}
