import CCounterfoilOpenSSL
package import CounterfoilBasics

/// A private key that signs: RSA, or ECDSA on P-256 or P-384.
///
/// Any number of threads may sign with one key at once. No description shows its numbers.
package final class PrivateKey: Sendable {
    /// The public half.
    package let publicKey: PublicKey

    private let key: KeyHandle

    /// Takes over a key that OpenSSL made or read.
    private init(_ key: consuming KeyHandle, limits: KeyLimits) throws(KeyError) {
        guard let encoding = unsafe OpenSSL.encoding({ unsafe i2d_PUBKEY(key.pointer, $0) }) else {
            throw KeyError(
                KeyError.unsupported,
                "found a private key whose public half OpenSSL cannot write",
                details: OpenSSL.drainErrors()
            )
        }
        publicKey = try PublicKey(SubjectPublicKeyInfo(encoding), limits: limits)
        self.key = key
    }
}

extension PrivateKey {
    /// Makes a new RSA key with the public exponent 65,537.
    ///
    /// - Throws: `chain.key_out_of_bounds` when the bits are outside the limits.
    package static func generateRSA(
        bits: Int,
        limits: KeyLimits = .default
    ) throws(KeyError) -> PrivateKey {
        try limits.check(.rsa(bits: bits, exponent: 65_537))
        return try generate("RSA", limits: limits) { context in
            unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context.pointer, Int32(clamping: bits)) == 1
        }
    }

    /// Makes a new key on a curve.
    package static func generate(on curve: EllipticCurve) throws(KeyError) -> PrivateKey {
        try generate("EC", limits: .default) { context in
            unsafe EVP_PKEY_CTX_set_group_name(context.pointer, curve.name) == 1
        }
    }

    private static func generate(
        _ algorithm: String,
        limits: KeyLimits,
        configure: (borrowing KeyContext) -> Bool
    ) throws(KeyError) -> PrivateKey {
        OpenSSL.clearErrors()
        var generated: OpaquePointer?
        guard let context = KeyContext(algorithm: algorithm),
            unsafe EVP_PKEY_keygen_init(context.pointer) == 1,
            configure(context),
            unsafe EVP_PKEY_generate(context.pointer, &generated) == 1,
            let key = unsafe KeyHandle(owning: generated)
        else {
            throw KeyError(
                KeyError.operationFailed,
                "no new \(algorithm) key could be made",
                details: OpenSSL.drainErrors()
            )
        }
        return try PrivateKey(key, limits: limits)
    }
}

extension PrivateKey {
    /// Reads the first private key of PEM text.
    ///
    /// The forms are PKCS #8 (RFC 5958) without encryption, and the older one whose label names the
    /// algorithm.
    ///
    /// - Throws: `chain.key_private_unreadable`, or why the kind of key is refused.
    package convenience init(
        pem: Span<UInt8>,
        limits: KeyLimits = .default
    ) throws(KeyError) {
        OpenSSL.clearErrors()
        let read = unsafe pem.withUnsafeBufferPointer { text -> OpaquePointer? in
            guard let count = Int32(exactly: text.count), let start = text.baseAddress else {
                return nil
            }
            let source = unsafe BIO_new_mem_buf(start, count)
            defer { unsafe BIO_free(source) }
            // Without a callback, OpenSSL would ask the terminal for the password.
            return unsafe PEM_read_bio_PrivateKey_ex(
                source,
                nil,
                { _, _, _, _ in -1 },
                nil,
                OpenSSL.context,
                nil
            )
        }
        guard let key = unsafe KeyHandle(owning: read) else {
            throw KeyError(
                KeyError.privateKeyUnreadable,
                "found no private key in PEM without a password",
                details: OpenSSL.drainErrors()
            )
        }
        try self.init(key, limits: limits)
    }

    /// The key as PKCS #8 in PEM, not encrypted.
    package func pem() throws(KeyError) -> Redacted<String> {
        OpenSSL.clearErrors()
        let sink = unsafe BIO_new(BIO_s_mem())
        defer { unsafe BIO_free(sink) }
        var contents: UnsafeMutablePointer<CChar>?
        guard
            let sink = unsafe sink,
            unsafe PEM_write_bio_PKCS8PrivateKey(sink, key.pointer, nil, nil, 0, nil, nil) == 1,
            case let count = unsafe counterfoil_bio_contents(sink, &contents), count > 0,
            let contents = unsafe contents
        else {
            throw KeyError(
                KeyError.operationFailed,
                "the \(publicKey.kind) private key could not be written",
                details: OpenSSL.drainErrors()
            )
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: contents, count: count)
        return Redacted(unsafe String(decoding: bytes, as: UTF8.self))
    }
}

extension PrivateKey {
    /// Signs a message; an ECDSA signature comes out in DER.
    ///
    /// - Throws: `chain.key_algorithm_mismatch` when the algorithm is not one of this kind of key,
    ///   `chain.key_operation_failed` when the key is too short for the digest.
    package func sign(
        _ message: Span<UInt8>,
        _ algorithm: SignatureAlgorithm
    ) throws(KeyError) -> [UInt8] {
        guard publicKey.kind.supports(algorithm.scheme) else {
            throw KeyError(
                KeyError.algorithmMismatch,
                "\(algorithm) was asked of the \(publicKey.kind) key"
            )
        }
        let digest = MessageDigest(of: message, algorithm.digest)
        OpenSSL.clearErrors()
        guard let signature = sign(digest) else {
            throw KeyError(
                KeyError.operationFailed,
                "the \(publicKey.kind) key could not sign with \(algorithm)",
                details: OpenSSL.drainErrors()
            )
        }
        return signature
    }

    /// Signs a message as JWS's ES256 does: the plain 64 bytes r ‖ s (RFC 7518 §3.4).
    ///
    /// - Throws: `chain.key_algorithm_mismatch` when the key is not on P-256.
    package func signES256(_ message: Span<UInt8>) throws(KeyError) -> [UInt8] {
        guard publicKey.kind == .ellipticCurve(.p256) else {
            throw KeyError(
                KeyError.algorithmMismatch,
                "ES256 was asked of the \(publicKey.kind) key, and needs P-256"
            )
        }
        return try signPlainECDSA(message, .sha256)
    }

    /// Signs a message with ECDSA; the signature is the plain r ‖ s, each as long as the curve's
    /// order (RFC 7518 §3.4).
    ///
    /// - Throws: `chain.key_algorithm_mismatch` when the key is not on a curve.
    package func signPlainECDSA(
        _ message: Span<UInt8>,
        _ digest: DigestAlgorithm
    ) throws(KeyError) -> [UInt8] {
        let der = try sign(message, .ecdsa(digest))
        let half = if case .ellipticCurve(.p384) = publicKey.kind { 48 } else { 32 }
        do {
            return try ECDSASignature.raw(fromDER: der.span, half: half)
        } catch {
            throw KeyError(KeyError.operationFailed, "OpenSSL made no ECDSA signature: \(error)")
        }
    }

    private func sign(_ digest: MessageDigest) -> [UInt8]? {
        guard let context = KeyContext(key),
            unsafe EVP_PKEY_sign_init(context.pointer) == 1,
            context.configure(isRSA: publicKey.kind.isRSA, digest: digest.algorithm)
        else { return nil }
        var count = Int(unsafe EVP_PKEY_get_size(key.pointer))
        var signature = [UInt8](repeating: 0, count: count)
        let succeeded = unsafe signature.withUnsafeMutableBufferPointer { signature in
            digest.withBytes { digest in
                unsafe digest.withUnsafeBufferPointer { digest in
                    unsafe EVP_PKEY_sign(
                        context.pointer,
                        signature.baseAddress,
                        &count,
                        digest.baseAddress,
                        digest.count
                    )
                }
            }
        }
        guard succeeded == 1 else { return nil }
        signature.removeLast(signature.count - count)
        return signature
    }
}
