import CCounterfoilOpenSSL
import CounterfoilASN1

extension PublicKey {
    /// Which digest an RSA PKCS #1 v1.5 signature was really made over, whatever its document
    /// claims; nil when it is not this key's, or names a digest that is not supported.
    ///
    /// It serves the words of a refusal. It proves nothing: the digest itself is not compared.
    package func recoverDigestAlgorithm(of signature: Span<UInt8>) -> DigestAlgorithm? {
        guard kind.isRSA, let digestInfo = recoverDigestInfo(of: signature) else { return nil }
        do { return try Self.digestAlgorithm(ofDigestInfo: digestInfo.span) } catch { return nil }
    }

    /// What the signature becomes under the public key, without the padding of PKCS #1.
    private func recoverDigestInfo(of signature: Span<UInt8>) -> [UInt8]? {
        OpenSSL.clearErrors()
        guard let context = KeyContext(key),
            unsafe EVP_PKEY_verify_recover_init(context.pointer) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_padding(context.pointer, RSA_PKCS1_PADDING) == 1
        else { return nil }
        var count = Int(unsafe EVP_PKEY_get_size(key.pointer))
        var recovered = [UInt8](repeating: 0, count: count)
        let succeeded = unsafe signature.withUnsafeBufferPointer { signature in
            unsafe EVP_PKEY_verify_recover(
                context.pointer,
                &recovered,
                &count,
                signature.baseAddress,
                signature.count
            )
        }
        OpenSSL.clearErrors()
        return succeeded == 1 ? Array(recovered.prefix(count)) : nil
    }

    /// DigestInfo ::= SEQUENCE { digestAlgorithm, digest OCTET STRING } (RFC 8017 §9.2).
    private static func digestAlgorithm(
        ofDigestInfo bytes: Span<UInt8>
    ) throws(ASN1Error) -> DigestAlgorithm? {
        var document = try ASN1Reader(bytes, rules: .der)
        var digestInfo = try document.nextContents(of: .sequence, in: bytes)
        var algorithm = try digestInfo.nextContents(of: .sequence, in: bytes)
        return DigestAlgorithm(try algorithm.nextObjectIdentifier(in: bytes))
    }
}
