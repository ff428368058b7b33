package import CounterfoilBasics

/// What a responder says of one certificate, proved (RFC 6960 §4.2.1).
///
/// Only ``OCSPResponse`` makes one.
package struct OCSPAnswer: Hashable, Sendable {
    /// What is known of the certificate.
    package let status: Status

    /// The instant at which the status is known to be right.
    package let thisUpdate: Instant

    /// The instant by which there will be newer information.
    package let nextUpdate: Instant

    /// What is known of a certificate.
    package enum Status: Hashable, Sendable {
        /// It is not revoked.
        case good
        /// It is revoked since an instant.
        case revoked(at: Instant, reason: CRLReason?)
        /// The responder does not know of it.
        case unknown
    }
}

/// Why a certificate was revoked (RFC 5280 §5.3.1); unknown numbers are kept.
package struct CRLReason: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    package let rawValue: Int64

    /// Makes a reason from its number.
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// Nothing in particular.
    package static let unspecified = CRLReason(rawValue: 0)
    /// Somebody else has the subject's key.
    package static let keyCompromise = CRLReason(rawValue: 1)
    /// Somebody else has the key of the authority that the certificate is of.
    package static let cACompromise = CRLReason(rawValue: 2)
    /// The subject's name or the like is no longer right.
    package static let affiliationChanged = CRLReason(rawValue: 3)
    /// Another certificate has taken its place.
    package static let superseded = CRLReason(rawValue: 4)
    /// It is no longer needed.
    package static let cessationOfOperation = CRLReason(rawValue: 5)
    /// It is suspended, and may be good again.
    package static let certificateHold = CRLReason(rawValue: 6)
    /// Good again, on lists of changes.
    package static let removeFromCRL = CRLReason(rawValue: 8)
    /// What the certificate allowed is taken back.
    package static let privilegeWithdrawn = CRLReason(rawValue: 9)
    /// Somebody else has a key of the attribute authority.
    package static let aACompromise = CRLReason(rawValue: 10)
}

extension CRLReason: CustomStringConvertible {
    /// The name in RFC 5280, or the number.
    package var description: String {
        switch self {
        case .unspecified: "unspecified"
        case .keyCompromise: "keyCompromise"
        case .cACompromise: "cACompromise"
        case .affiliationChanged: "affiliationChanged"
        case .superseded: "superseded"
        case .cessationOfOperation: "cessationOfOperation"
        case .certificateHold: "certificateHold"
        case .removeFromCRL: "removeFromCRL"
        case .privilegeWithdrawn: "privilegeWithdrawn"
        case .aACompromise: "aACompromise"
        default: "reason \(rawValue)"
        }
    }
}
