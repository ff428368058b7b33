import CounterfoilASN1
import CounterfoilBasics

extension OCSPResponse {
    /// Checks that the issuer signed the response, or somebody whom it allowed to (RFC 6960
    /// §4.2.2.2).
    func requireSignature(
        for question: OCSPQuestion,
        now: Instant
    ) throws(OCSPError) {
        guard let algorithm = SignatureAlgorithm(parts.signatureAlgorithm),
            algorithm.digest != .sha1
        else {
            throw OCSPError(
                OCSPError.unsupported,
                "the response is signed with \(parts.signatureAlgorithm), which does not count"
            )
        }
        let key = try responderKey(for: question, now: now)
        guard key.kind.supports(algorithm.scheme), try isSignature(by: key, algorithm) else {
            throw OCSPError(
                OCSPError.signatureInvalid,
                "the \(algorithm) signature does not belong to this response and the \(key.kind) "
                    + "key of its responder"
            )
        }
    }

    private func isSignature(
        by key: PublicKey,
        _ algorithm: SignatureAlgorithm
    ) throws(OCSPError) -> Bool {
        do {
            return try key.verifies(
                bytes.span.extracting(parts.signature),
                over: bytes.span.extracting(parts.signed),
                algorithm
            )
        } catch {
            throw OCSPError(OCSPError.responderUntrusted, error.reason)
        }
    }

    private func responderKey(
        for question: OCSPQuestion,
        now: Instant
    ) throws(OCSPError) -> PublicKey {
        do throws(ChainError) {
            if isResponder(question.issuer) {
                try question.issuer.requireValid(at: now)
                return try PublicKey(of: question.issuer)
            }
        } catch {
            throw OCSPError(OCSPError.responderUntrusted, error.reason)
        }
        // Two certificates may have one name, so that each is tried.
        var failure = OCSPError(
            OCSPError.responderUntrusted,
            "neither \(question.issuer) nor any of the \(parts.certificates.count) certificates "
                + "that came along is the responder that the response names"
        )
        for range in parts.certificates {
            do throws(CertificateError) {
                let certificate = try Certificate(Array(bytes[range]))
                guard isResponder(certificate) else { continue }
                do throws(ChainError) {
                    return try certificate.delegatedKey(of: question.issuer, now: now)
                } catch {
                    failure = OCSPError(OCSPError.responderUntrusted, error.reason)
                }
            } catch {
                failure = OCSPError(OCSPError.responderUntrusted, error.reason)
            }
        }
        throw failure
    }

    private func isResponder(_ certificate: Certificate) -> Bool {
        switch parts.responder {
        case .name(let range): certificate.subject.der[...] == bytes[range]
        case .keyHash(let range):
            certificate.subjectPublicKeyInfo.keyIdentifier[...] == bytes[range]
        }
    }
}

extension Certificate {
    /// The key of a responder whom an issuer allowed to answer in its place: the issuer itself
    /// signed the certificate, for this purpose, and it is valid.
    ///
    /// Whether such a certificate is itself revoked is not asked, as id-pkix-ocsp-nocheck would say
    /// (RFC 6960 §4.2.2.2.1); responders' certificates are short-lived instead.
    fileprivate func delegatedKey(
        of issuer: Certificate,
        now: Instant
    ) throws(ChainError) -> PublicKey {
        guard self.issuer == issuer.subject else {
            throw ChainError(
                ChainError.untrustedRoot,
                "the responder \(self) was issued by \(self.issuer.label), not by \(issuer)"
            )
        }
        try requireValid(at: now)
        try issuer.requireValid(at: now)
        try requireResponderUsage()
        try verifySignature(by: PublicKey(of: issuer))
        return try PublicKey(of: self)
    }

    private func requireResponderUsage() throws(ChainError) {
        let isForResponses: Bool
        do throws(ASN1Error) {
            isForResponses = try isFor(.ocspSigning)
        } catch {
            throw ChainError(ChainError.invalid, "in the responder \(self): \(error)")
        }
        guard isForResponses, keyUsage?.contains(.digitalSignature) ?? true else {
            throw ChainError(
                ChainError.keyUsage,
                "the responder \(self) is not allowed to sign responses"
            )
        }
        let known: Set<ASN1ObjectIdentifier> = [
            .basicConstraints, .keyUsage, .extendedKeyUsage, .certificatePolicies, .ocspNoCheck,
        ]
        guard extensions.allSatisfy({ !$0.isCritical || known.contains($0.identifier) }) else {
            throw ChainError(
                ChainError.unknownCriticalExtension,
                "the responder \(self) has a critical extension that is not known"
            )
        }
    }
}

extension PublicKey {
    fileprivate convenience init(of certificate: Certificate) throws(ChainError) {
        do {
            try self.init(certificate.subjectPublicKeyInfo)
        } catch {
            throw ChainError(error, of: certificate)
        }
    }
}
