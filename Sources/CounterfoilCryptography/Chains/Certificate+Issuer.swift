import CounterfoilASN1
package import CounterfoilBasics

extension Certificate {
    /// Checks that a leaf was issued by a certificate whose own path is known to be valid, at an
    /// instant: the last step of RFC 5280 §6.1.
    ///
    /// OpenSSL spends most of judging a path on decoding keys the slow way. This spares it the
    /// leaf's. What it does not know (constraints on names or policies) it refuses, so that the
    /// whole path can be judged instead. Beyond the key identifier it does not look at how the leaf
    /// names its issuer's certificate, nor into extensions that are not critical.
    ///
    /// - Parameters:
    ///   - issuer: The certificate of the issuer.
    ///   - path: The issuer's valid path to an anchor.
    ///   - instant: The time for which the leaf and the whole path must be valid.
    ///   - limits: The keys that the leaf and its issuer may have.
    /// - Throws: ``ChainError``.
    package func requireIssued(
        by issuer: Certificate,
        path: CertificatePath,
        at instant: Instant,
        limits: KeyLimits = .default
    ) throws(ChainError) {
        guard self.issuer == issuer.subject, path.leaf == issuer else {
            throw ChainError(
                ChainError.untrustedRoot,
                "\(self) was issued by \(self.issuer.label), not by \(issuer)"
            )
        }
        if let named = authorityKeyIdentifier, let own = issuer.subjectKeyIdentifier, named != own {
            throw ChainError(
                ChainError.untrustedRoot,
                "\(self) was issued by another key of \(issuer.subject.label)"
            )
        }
        // The path may have been judged at another instant.
        for certificate in [self] + path.certificates { try certificate.requireValid(at: instant) }
        try path.requireAuthorities(above: self)
        try requireKnownExtensions(on: path)
        let key: PublicKey
        do {
            try limits.check(subjectPublicKeyInfo.kind)
            key = try PublicKey(issuer.subjectPublicKeyInfo, limits: limits)
        } catch {
            throw ChainError(error, of: issuer)
        }
        try verifySignature(by: key)
    }

    /// Checks that an instant lies within the certificate's time.
    func requireValid(at instant: Instant) throws(ChainError) {
        guard instant >= validity.notBefore else {
            throw ChainError(
                ChainError.notYetValid,
                "\(self) is valid from \(validity.notBefore), judged at \(instant)"
            )
        }
        guard !validity.hasEnded(at: instant) else {
            throw ChainError(
                ChainError.expired,
                "\(self) ended on \(validity.notAfter), judged at \(instant)"
            )
        }
    }

    private func requireKnownExtensions(on path: CertificatePath) throws(ChainError) {
        for certificate in path.certificates
        where Self.constraints.contains(where: certificate.hasExtension) {
            throw ChainError(
                ChainError.invalid,
                "\(certificate) constrains the names or policies below it"
            )
        }
        let unknown = extensions.first {
            $0.isCritical && !Self.knownExtensions.contains($0.identifier)
        }
        guard unknown == nil else {
            throw ChainError(
                ChainError.unknownCriticalExtension,
                "\(self) has a critical extension that a leaf of the App Store does not have"
            )
        }
    }

    private static let knownExtensions: Set<ASN1ObjectIdentifier> = [
        .basicConstraints, .keyUsage, .certificatePolicies,
    ]

    /// nameConstraints, policyConstraints and inhibitAnyPolicy (RFC 5280 §4.2.1.10, .11, .14).
    private static let constraints: [ASN1ObjectIdentifier] = [
        "2.5.29.30", "2.5.29.36", "2.5.29.54",
    ]
}

extension CertificatePath {
    /// Checks that every certificate of the path may issue certificates, and as many below it as
    /// there are when one more is added.
    ///
    /// OpenSSL took the path's first certificate for a leaf, of which it asks none of this.
    fileprivate func requireAuthorities(above leaf: Certificate) throws(ChainError) {
        for (authoritiesBelow, certificate) in certificates.enumerated() {
            guard let constraints = certificate.basicConstraints, constraints.isAuthority else {
                throw ChainError(
                    ChainError.notAnAuthority,
                    "\(certificate) issued others and is no certificate authority"
                )
            }
            guard certificate.keyUsage?.contains(.keyCertSign) ?? true else {
                throw ChainError(
                    ChainError.keyUsage,
                    "the key of \(certificate) is not for signing certificates"
                )
            }
            guard constraints.pathLength.map({ $0 >= authoritiesBelow }) ?? true else {
                throw ChainError(
                    ChainError.pathTooLong,
                    "\(certificate) allows fewer than the \(authoritiesBelow) authorities below it"
                )
            }
        }
    }
}
