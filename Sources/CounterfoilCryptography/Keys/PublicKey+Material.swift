import CCounterfoilOpenSSL

// Keys are made from their numbers: OpenSSL's own decoder of SubjectPublicKeyInfo takes 200 µs,
// this 6 to 11 µs.
extension PublicKey {
    /// The key that OpenSSL makes of an encoding's numbers; nil when it refuses, and for kinds that
    /// are not supported.
    static func makeKey(_ info: SubjectPublicKeyInfo) -> KeyHandle? {
        let der = info.der.span
        switch info.material {
        case .rsa(let modulus, let exponent):
            return rsaKey(
                modulus: der.extracting(modulus),
                exponent: der.extracting(exponent)
            )
        case .point(let curve, let point):
            return ellipticCurveKey(on: curve, point: der.extracting(point))
        case .other:
            return nil
        }
    }

    /// An RSA key from its two numbers, most significant byte first; nil when OpenSSL refuses.
    private static func rsaKey(modulus: Span<UInt8>, exponent: Span<UInt8>) -> KeyHandle? {
        var modulus = littleEndian(modulus)
        var exponent = littleEndian(exponent)
        guard let context = KeyContext(algorithm: "RSA"),
            unsafe EVP_PKEY_fromdata_init(context.pointer) == 1
        else { return nil }
        var key: OpaquePointer?
        let succeeded = unsafe modulus.withUnsafeMutableBufferPointer { modulus in
            unsafe exponent.withUnsafeMutableBufferPointer { exponent in
                var parameters = unsafe [
                    counterfoil_rsa_modulus(modulus.baseAddress, modulus.count),
                    counterfoil_rsa_exponent(exponent.baseAddress, exponent.count),
                    OSSL_PARAM_construct_end(),
                ]
                return unsafe EVP_PKEY_fromdata(
                    context.pointer,
                    &key,
                    counterfoil_public_key_selection(),
                    &parameters
                )
            }
        }
        return succeeded == 1 ? unsafe KeyHandle(owning: key) : nil
    }

    /// A key on a curve from its encoded point; nil when the point is not on the curve.
    private static func ellipticCurveKey(
        on curve: EllipticCurve,
        point: Span<UInt8>
    ) -> KeyHandle? {
        guard let key = unsafe KeyHandle(owning: EVP_PKEY_new()),
            let parameters = unsafe parameters(of: curve),
            unsafe EVP_PKEY_copy_parameters(key.pointer, parameters) == 1
        else { return nil }
        let succeeded = unsafe point.withUnsafeBufferPointer { point in
            unsafe EVP_PKEY_set1_encoded_public_key(key.pointer, point.baseAddress, point.count)
        }
        guard succeeded == 1 else { return nil }
        return key
    }

    /// A key that has a curve but no point, from which others copy the curve: that costs a third
    /// of naming it each time.
    private static func parameters(of curve: EllipticCurve) -> OpaquePointer? {
        switch curve {
        case .p256: unsafe parametersOfP256
        case .p384: unsafe parametersOfP384
        }
    }

    // Made once, only read afterwards, and never freed.
    private nonisolated(unsafe) static let parametersOfP256 = unsafe makeParameters("P-256")
    private nonisolated(unsafe) static let parametersOfP384 = unsafe makeParameters("P-384")

    private static func makeParameters(_ curve: String) -> OpaquePointer? {
        var parameters: OpaquePointer?
        guard let context = KeyContext(algorithm: "EC"),
            unsafe EVP_PKEY_paramgen_init(context.pointer) == 1,
            unsafe EVP_PKEY_CTX_set_group_name(context.pointer, curve) == 1,
            unsafe EVP_PKEY_paramgen(context.pointer, &parameters) == 1
        else { return nil }
        return unsafe parameters
    }

    private static func littleEndian(_ number: Span<UInt8>) -> [UInt8] {
        number.indices.reversed().map { number[$0] }
    }
}
