/// A public key that verifies signatures: RSA, or ECDSA on P-256 or P-384.
///
/// Any number of threads may verify with one key at once.
package final class PublicKey: Sendable {
    /// The key as it stands in a certificate.
    package let subjectPublicKeyInfo: SubjectPublicKeyInfo

    let key: KeyHandle
    private let contexts = VerificationContexts()

    /// Makes a key ready to verify.
    ///
    /// OpenSSL sees the key only after its kind was found within the limits.
    ///
    /// - Throws: ``KeyError`` when the kind is not supported or not within the limits, or when the
    ///   numbers make no key (a point off its curve).
    package init(
        _ subjectPublicKeyInfo: SubjectPublicKeyInfo,
        limits: KeyLimits = .default
    ) throws(KeyError) {
        try limits.check(subjectPublicKeyInfo.kind)
        self.subjectPublicKeyInfo = subjectPublicKeyInfo
        OpenSSL.clearErrors()
        guard let key = Self.makeKey(subjectPublicKeyInfo) else {
            throw KeyError(
                KeyError.malformed,
                "the numbers of the \(subjectPublicKeyInfo.kind) key make no key",
                details: OpenSSL.drainErrors()
            )
        }
        self.key = key
    }

    /// What kind of key it is.
    package var kind: KeyKind { subjectPublicKeyInfo.kind }
}

extension PublicKey {
    /// Whether a signature is this key's over a message.
    ///
    /// ECDSA signatures are DER (RFC 3279 §2.2.3).
    ///
    /// - Throws: ``KeyError`` when the algorithm is not one of this kind of key, or OpenSSL would
    ///   not begin; never because of the signature's bytes.
    package func verifies(
        _ signature: Span<UInt8>,
        over message: Span<UInt8>,
        _ algorithm: SignatureAlgorithm
    ) throws(KeyError) -> Bool {
        try verifies(signature, of: MessageDigest(of: message, algorithm.digest), algorithm.scheme)
    }

    /// Whether a signature is this key's over the message with a digest.
    ///
    /// - Throws: ``KeyError`` as for a whole message.
    package func verifies(
        _ signature: Span<UInt8>,
        of digest: MessageDigest,
        _ scheme: SignatureAlgorithm.Scheme
    ) throws(KeyError) -> Bool {
        guard kind.supports(scheme) else {
            throw KeyError(
                KeyError.algorithmMismatch,
                "\(scheme) was asked of the \(kind) key"
            )
        }
        OpenSSL.clearErrors()
        let context =
            if let idle = contexts.take(for: digest.algorithm) { idle } else {
                try makeContext(for: digest.algorithm)
            }
        let isGenuine = digest.withBytes { context.verifies(signature, of: $0) }
        contexts.giveBack(context, for: digest.algorithm)
        return isGenuine
    }

    /// Whether the plain 64 bytes r ‖ s are this P-256 key's signature over a message: ES256 of
    /// JWS (RFC 7518 §3.4).
    ///
    /// - Throws: ``KeyError`` when the key is not on P-256, or OpenSSL would not begin.
    package func verifiesES256(
        _ signature: Span<UInt8>,
        over message: Span<UInt8>
    ) throws(KeyError) -> Bool {
        guard kind == .ellipticCurve(.p256) else {
            throw KeyError(
                KeyError.algorithmMismatch,
                "ES256 was asked of the \(kind) key, and needs P-256"
            )
        }
        guard signature.count == 64 else { return false }
        let der = ECDSASignature.der(fromRaw: signature)
        return try verifies(der.span, over: message, .ecdsa(.sha256))
    }

    private func makeContext(
        for digest: DigestAlgorithm
    ) throws(KeyError) -> VerificationContexts.Context {
        guard
            let context = VerificationContexts.Context(key, isRSA: kind.isRSA, digest: digest)
        else {
            throw KeyError(
                KeyError.operationFailed,
                "the \(kind) key could not be made ready to verify \(digest) signatures",
                details: OpenSSL.drainErrors()
            )
        }
        return context
    }
}
