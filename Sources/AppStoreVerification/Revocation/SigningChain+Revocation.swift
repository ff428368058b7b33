import CounterfoilBasics
import CounterfoilCryptography

/// A certificate of a chain that held, whose issuer says where to ask whether it was revoked.
// A class, because verifications look at it without copying the certificates in it.
final class RevocableCertificate: Sendable {
    let fingerprint: SHA256Digest
    let question: OCSPQuestion

    private init(_ question: OCSPQuestion) {
        fingerprint = question.certificate.fingerprint
        self.question = question
    }

    /// The certificates of a path, from the signer to the anchor, that somebody answers for.
    static func all(on path: [Certificate]) -> [RevocableCertificate] {
        zip(path, path.dropFirst()).compactMap { certificate, issuer in
            guard !certificate.ocspResponders.isEmpty else { return nil }
            return RevocableCertificate(OCSPQuestion(about: certificate, issuedBy: issuer))
        }
    }
}

extension SigningChain {
    /// Checks that no certificate of the chain is revoked, as far as that spoils what was signed at
    /// an instant, and that this is known of each that somebody answers for.
    ///
    /// Nobody has to answer for a certificate that has ended (RFC 6960 §2.5 leaves it to the
    /// responder), and most of the receipts that customers keep were signed with one. Of those only
    /// what is known counts.
    func requireNotRevoked(
        in register: RevocationRegister,
        signedAt: Instant,
        now: Instant
    ) throws(VerificationError) {
        let snapshot = register.snapshot
        for index in certificates.indices {
            guard case .revoked(let revocation)? = snapshot[certificates[index].fingerprint],
                revocation.spoils(signedAt: signedAt)
            else { continue }
            let certificate = certificates[index]
            throw VerificationError(
                VerificationError.revoked,
                "the certificate of \(certificate.name) (serial \(certificate.serialNumber)) is "
                    + "revoked \(revocation); the document was signed at \(signedAt)"
            )
        }
        var unknown: RevocableCertificate?
        for certificate in revocable
        where !snapshot.decides(certificate, at: now) {
            register.note(certificate)
            unknown = unknown ?? certificate
        }
        guard let unknown else { return }
        throw VerificationError(
            VerificationError.revocationUndecided,
            "it is not known at \(now) whether \(unknown.question.certificate) is revoked"
        )
    }
}

extension RevocationSnapshot {
    /// Whether enough is known of a certificate, or nothing has to be.
    fileprivate func decides(_ certificate: RevocableCertificate, at now: Instant) -> Bool {
        switch self[certificate.fingerprint] {
        case .good(let until)? where now <= until: true
        case .revoked?: true
        default: certificate.question.certificate.validity.hasEnded(at: now)
        }
    }
}
