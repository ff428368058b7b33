package import CounterfoilBasics

/// The certificates that are trusted without further proof, and the judge of all others.
///
/// Judging decodes keys the slow way and checks every signature of a path: half a millisecond, to
/// be done once for each chain and remembered. Any number of threads may judge at once.
package final class TrustAnchors: Sendable {
    /// The trusted certificates, in the order given.
    package let certificates: [Certificate]

    private let stack: CertificateStack

    /// The most certificates that may stand between leaf and anchor, used or not.
    package static let mostIntermediates = 8

    /// Trusts certificates and no others; never the system's.
    ///
    /// Expired ones are taken too: they may have been valid when a document was signed.
    ///
    /// - Throws: `chain.invalid` for a certificate that OpenSSL cannot read.
    package init(_ certificates: [Certificate]) throws(ChainError) {
        self.certificates = certificates
        stack = try CertificateStack(certificates)
    }

    /// The verified path from a leaf to one of the anchors, judged at an instant.
    ///
    /// The checks are those of RFC 5280 §6 as OpenSSL makes them, for no particular purpose; what a
    /// purpose demands (markers, the leaf's key usage, digests) is for the caller to check. Every
    /// signature algorithm and key is looked at before any signature is checked.
    ///
    /// - Parameters:
    ///   - leaf: The certificate whose key signed something.
    ///   - intermediates: What may be used in between, in any order; a root among them is not
    ///     trusted for being there.
    ///   - instant: The time for which every certificate of the path must be valid.
    ///   - limits: The keys that leaf and intermediates may have.
    /// - Returns: The path, whose anchor is one of ``certificates``.
    /// - Throws: ``ChainError``.
    package func path(
        from leaf: Certificate,
        through intermediates: [Certificate],
        at instant: Instant,
        limits: KeyLimits = .default
    ) throws(ChainError) -> CertificatePath {
        guard intermediates.count <= Self.mostIntermediates else {
            throw ChainError(
                ChainError.tooManyCertificates,
                "found \(intermediates.count) certificates beside the leaf, expected at most "
                    + "\(Self.mostIntermediates)"
            )
        }
        let presented = [leaf] + intermediates
        for certificate in presented {
            guard certificate.signatureAlgorithm != nil else {
                throw .unsupportedSignature(of: certificate)
            }
            do {
                try limits.check(certificate.subjectPublicKeyInfo.kind)
            } catch {
                throw ChainError(error, of: certificate)
            }
        }
        return try path(from: CertificateStack(presented), at: instant)
    }

    private func path(
        from presented: consuming CertificateStack,
        at instant: Instant
    ) throws(ChainError) -> CertificatePath {
        let failure: ChainError
        do {
            return try PathJudge.path(from: presented, to: stack, at: instant)
        } catch {
            failure = error
        }
        // OpenSSL tries only one of several anchors that have a name in common, so a bad signature
        // may mean that it tried the wrong one.
        guard failure.code == ChainError.badSignature else { throw failure }
        let names = certificates.map(\.subject)
        for anchor in certificates where names.count(where: { $0 == anchor.subject }) > 1 {
            do {
                let only = try CertificateStack([anchor])
                return try PathJudge.path(from: presented, to: only, at: instant)
            } catch {
                continue
            }
        }
        throw failure
    }
}
