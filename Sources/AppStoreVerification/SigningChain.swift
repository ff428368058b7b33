import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography

/// A signer's certificates that were found to hold, and for which instants they do.
struct SigningChain: Sendable {
    /// The signer's key.
    let key: PublicKey
    /// The realm of the anchor, or of the pinned certificate.
    let realm: Realm
    /// The time for which all certificates are valid; nil where the signer is pinned, which no
    /// date ends.
    let window: CertificateValidity?
    /// The signer first, the anchor last.
    let certificates: [CertificateSummary]
    /// Those of them that somebody answers for; none where the issuer is only a known key, or where
    /// the signer is pinned.
    var revocable: [RevocableCertificate] = []

    /// Whether the chain holds at an instant.
    func holds(at instant: Instant) -> Bool { window?.contains(instant) ?? true }

    /// The remark that the signer's certificate has ended by now, though not when it signed.
    func noteOfEnd(at now: Instant) -> VerificationNote? {
        guard realm != .xcode, let signer = certificates.first, signer.notAfter < now else {
            return nil
        }
        return VerificationNote(
            VerificationNote.endedSince,
            "the signer's certificate has ended since, on \(signer.notAfter); it was valid when it "
                + "signed"
        )
    }
}

extension SigningChain {
    /// Judges a signer's certificates at an instant.
    ///
    /// The rules of RFC 5280 are OpenSSL's to check for the authorities, and for the whole path
    /// when the signer's issue by them does not hold. Ours are: exactly signer, intermediate and
    /// anchor, Apple's markers on the first two, and a signer that is no authority.
    init(
        _ signer: Certificate,
        key: PublicKey,
        through intermediates: [Certificate],
        at instant: Instant,
        by trust: Trust,
        limits: KeyLimits,
        leafMarker: ASN1ObjectIdentifier,
        intermediateMarker: ASN1ObjectIdentifier
    ) throws(VerificationError) {
        let path = try Self.path(
            from: signer,
            through: intermediates.filter { !$0.isSelfIssued },
            at: instant,
            by: trust,
            limits: limits
        )
        guard path.count == 3, let anchor = path.last, let realm = trust.realm(ofAnchor: anchor)
        else {
            throw VerificationError(
                VerificationError.wrongLength,
                "found a chain of \(path.count) certificates, expected signer, "
                    + "intermediate and root"
            )
        }
        try signer.requireLeaf(marker: leafMarker)
        try path[1].requireIntermediate(marker: intermediateMarker)
        self.init(
            key: key,
            realm: realm,
            window: path.dropFirst().reduce(signer.validity) { $0.intersection($1.validity) },
            certificates: path.map(\.summary),
            revocable: RevocableCertificate.all(on: path)
        )
    }

    /// The certificates from the signer to an anchor.
    ///
    /// The intermediate's path is OpenSSL's to judge, and the signer's issue by it ours; each
    /// certificate that bears the issuer's name is tried, because authorities are renewed under
    /// one name. Where none will do, OpenSSL judges the whole path and has the last word.
    private static func path(
        from signer: Certificate,
        through intermediates: [Certificate],
        at instant: Instant,
        by trust: Trust,
        limits: KeyLimits
    ) throws(VerificationError) -> [Certificate] {
        let judge = trust.pathJudge
        for issuer in intermediates where issuer.subject == signer.issuer {
            do throws(ChainError) {
                let above = try judge.path(from: issuer, through: [], at: instant, limits: limits)
                try signer.requireIssued(by: issuer, path: above, at: instant, limits: limits)
                return [signer] + above.certificates
            } catch {
                continue
            }
        }
        do {
            return try judge.path(
                from: signer,
                through: intermediates,
                at: instant,
                limits: limits
            ).certificates
        } catch {
            throw VerificationError(error)
        }
    }
}

/// The certificates that a message brings along, bounded but not yet judged.
struct CandidateChain {
    let signer: Certificate
    let key: PublicKey
    private let others: [Certificate]
    private let keyLimits: KeyLimits

    /// Finds the signer's certificate among those of a message.
    init(
        of message: CMSSignedData,
        _ signerInfo: CMSSigner,
        trust: Trust,
        limits: VerificationLimits
    ) throws(VerificationError) {
        var certificates: [Certificate] = []
        let certificateLimits = limits.certificateLimits
        do {
            for range in message.certificates {
                let bytes = message.bytes[range]
                // Nearly every message brings its root along, which has been read already.
                if let known = trust.anchors.first(where: { $0.certificate.der[...] == bytes }) {
                    certificates.append(known.certificate)
                } else {
                    certificates.append(try Certificate(Array(bytes), limits: certificateLimits))
                }
            }
        } catch {
            throw VerificationError(error)
        }
        let bytes = message.bytes
        guard
            let index = certificates.firstIndex(where: {
                $0.isNamed(by: signerInfo.identifier, in: bytes)
            })
        else {
            throw VerificationError(
                VerificationError.signerMissing,
                "none of the \(certificates.count) certificates is the one that the signer names"
            )
        }
        let signer = certificates.remove(at: index)
        try self.init(signer, others: certificates, limits: limits)
    }

    /// Takes a signer and the certificates beside it, and refuses keys out of bounds before any
    /// signature is checked.
    init(
        _ signer: Certificate,
        others: [Certificate],
        limits: VerificationLimits
    ) throws(VerificationError) {
        self.signer = signer
        self.others = others
        keyLimits = limits.keyLimits
        do {
            for certificate in [signer] + others {
                try keyLimits.check(certificate.subjectPublicKeyInfo.kind)
            }
            key = try PublicKey(signer.subjectPublicKeyInfo, limits: keyLimits)
        } catch {
            throw VerificationError(error)
        }
    }

    /// Judges the chain at the instant of signing; a pinned signer needs none.
    func judged(at instant: Instant, by trust: Trust) throws(VerificationError) -> SigningChain {
        if trust.pinned.contains(signer) {
            return SigningChain(
                key: key,
                realm: .xcode,
                window: nil,
                certificates: [signer.summary]
            )
        }
        return try SigningChain(
            signer,
            key: key,
            through: others,
            at: instant,
            by: trust,
            limits: keyLimits,
            leafMarker: Marker.receiptSigning,
            intermediateMarker: Marker.developerRelations
        )
    }
}

extension Certificate {
    /// Whether a signer's name means this certificate.
    func isNamed(by identifier: CMSSigner.Identifier, in bytes: [UInt8]) -> Bool {
        switch identifier {
        case .issuerAndSerialNumber(let issuerName, let serial):
            issuer.der[...] == bytes[issuerName] && serialNumber[...] == bytes[serial]
        case .subjectKeyIdentifier(let range):
            subjectKeyIdentifier.map { $0[...] == bytes[range] } ?? false
        }
    }
}
