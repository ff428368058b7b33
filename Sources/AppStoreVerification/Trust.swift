import CounterfoilBasics
import CounterfoilCryptography

/// Who may answer for a document: anchors, pinned certificates and known issuers, each with its
/// realm.
///
/// Trust comes from configuration and code, never from a document: a hostile file does not choose
/// its judge. The machine's own certificate store is not consulted.
public struct Trust: Sendable {
    /// A root that chains may end at.
    struct Anchor: Sendable {
        let certificate: Certificate
        let realm: Realm
    }

    let anchors: [Anchor]
    let pinned: [Certificate]
    let receiptIssuers: [TransactionReceiptIssuer]
    /// The judge of chains that end at one of the anchors.
    let pathJudge: TrustAnchors

    private init(
        anchors: [Anchor] = [],
        pinned: [Certificate] = [],
        receiptIssuers: [TransactionReceiptIssuer] = []
    ) throws(VerificationError) {
        self.anchors = anchors
        self.pinned = pinned
        self.receiptIssuers = receiptIssuers
        do {
            pathJudge = try TrustAnchors(anchors.map(\.certificate))
        } catch {
            throw VerificationError(error)
        }
    }

    /// Apple's three published roots, and the two issuers of iOS 6-style receipts, whose
    /// certificates those receipts do not bring along.
    public static let appStore: Trust = builtIn(
        anchors: AppleRoots.all.map { Anchor(certificate: $0, realm: .appStore) },
        receiptIssuers: TransactionReceiptIssuer.knownIssuers
    )

    /// Nobody, to be added to.
    public static let nobody: Trust = builtIn()

    /// The roots of a local App Store, under all the rules that Apple's are under.
    ///
    /// - Parameter certificates: PEM (every certificate of it counts) or DER. Self-issued ones are
    ///   anchors; the others are issuers of iOS 6-style receipts, and must lead to an anchor.
    /// - Returns: A trust in those certificates alone.
    /// - Throws: `chain.certificate_…` for what is no certificate, `chain.no_anchor` when none is
    ///   self-issued.
    public static func rehearsal(anchors certificates: [UInt8]) throws(VerificationError) -> Trust {
        let all = try Self.certificates(in: certificates)
        let anchors = all.filter(\.isSelfIssued)
        guard !anchors.isEmpty else {
            throw VerificationError(
                VerificationError.noAnchor,
                "found \(all.count) certificates, none of them a root (self-issued)"
            )
        }
        return try Trust(
            anchors: anchors.map { Anchor(certificate: $0, realm: .rehearsal) },
            receiptIssuers: try all.filter { !$0.isSelfIssued }
                .map { certificate throws(VerificationError) in
                    try TransactionReceiptIssuer(certificate)
                }
        )
    }

    /// The certificate of StoreKit testing in Xcode: documents that say Xcode and that it signed
    /// itself are believed, without a chain.
    ///
    /// - Parameter certificate: PEM or DER of the certificate that Xcode exports.
    /// - Returns: A trust in that certificate alone.
    /// - Throws: `chain.certificate_…` for what is not exactly one certificate.
    public static func xcode(
        pinnedCertificate certificate: [UInt8]
    ) throws(VerificationError) -> Trust {
        let all = try Self.certificates(in: certificate)
        guard all.count == 1 else {
            throw VerificationError(
                VerificationError.severalPinned,
                "found \(all.count) certificates, expected the one to pin"
            )
        }
        return try Trust(pinned: all)
    }

    /// Both trusts together; each certificate keeps its realm.
    ///
    /// - Throws: `chain.realm_conflict` when one certificate would stand in two realms.
    public func adding(_ other: Trust) throws(VerificationError) -> Trust {
        let newAnchors = other.anchors.filter { realm(ofAnchor: $0.certificate) == nil }
        let allAnchors = anchors + newAnchors
        let allPinned = pinned + other.pinned.filter { !pinned.contains($0) }
        let conflict =
            other.anchors.first { realm(ofAnchor: $0.certificate) ?? $0.realm != $0.realm }
            ?? allAnchors.first { allPinned.contains($0.certificate) }
        if let conflict {
            throw VerificationError(
                VerificationError.realmConflict,
                "the certificate \(conflict.certificate) would stand in two realms"
            )
        }
        let known = Set(receiptIssuers.map(\.identity))
        return try Trust(
            anchors: allAnchors,
            pinned: allPinned,
            receiptIssuers: receiptIssuers
                + other.receiptIssuers.filter { !known.contains($0.identity) }
        )
    }

    /// More issuers of iOS 6-style receipts, whose certificates must lead to one of the anchors.
    ///
    /// - Parameter certificates: PEM (every certificate of it counts) or DER.
    /// - Returns: This trust and those issuers.
    /// - Throws: `chain.…` for what is no certificate or has no usable key.
    public func addingTransactionReceiptIssuers(
        _ certificates: [UInt8]
    ) throws(VerificationError) -> Trust {
        var issuers: [TransactionReceiptIssuer] = []
        for certificate in try Self.certificates(in: certificates) {
            issuers.append(try TransactionReceiptIssuer(certificate))
        }
        return try adding(Trust(receiptIssuers: issuers))
    }

    /// The realm whose anchor a certificate is.
    func realm(ofAnchor certificate: Certificate) -> Realm? {
        anchors.first { $0.certificate == certificate }?.realm
    }

    private static func builtIn(
        anchors: [Anchor] = [],
        receiptIssuers: [TransactionReceiptIssuer] = []
    ) -> Trust {
        do {
            return try Trust(anchors: anchors, receiptIssuers: receiptIssuers)
        } catch {
            preconditionFailure("a certificate that is built in cannot be used: \(error)")
        }
    }

    private static func certificates(in bytes: [UInt8]) throws(VerificationError) -> [Certificate] {
        do {
            return try Certificate.all(in: bytes)
        } catch {
            throw VerificationError(error)
        }
    }
}

/// The three roots that Apple publishes (Apple PKI, "Apple Root Certificates").
enum AppleRoots {
    static let all: [Certificate] = [
        PackageResources.AppleIncRootCertificate_der,
        PackageResources.AppleRootCA_G2_der,
        PackageResources.AppleRootCA_G3_der,
    ].map { bytes in
        do {
            return try Certificate(bytes)
        } catch {
            preconditionFailure("a root that is built in cannot be read: \(error)")
        }
    }
}
