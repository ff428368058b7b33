import CCounterfoilOpenSSL
import CounterfoilBasics

/// The same receipt through OpenSSL alone, by `CMS_verify`, which most programs use.
final class OpenSSLPeer {
    private let store: OpaquePointer
    private let receipt: [UInt8]

    /// Takes a receipt for measuring; the instant is the one at which its chain holds.
    init(receipt: [UInt8], root: [UInt8], atSecond second: Int) {
        self.receipt = receipt
        store = X509_STORE_new()!
        X509_STORE_add_cert(store, Self.certificate(root))
        let parameters = X509_STORE_get0_param(store)
        X509_VERIFY_PARAM_set_time(parameters, second)
        X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_ANY)
    }

    /// `d2i_CMS_ContentInfo` and `CMS_verify`, certificates, chain and all.
    func verifyCMS() {
        receipt.withUnsafeBufferPointer { buffer in
            var pointer = buffer.baseAddress
            let cms = d2i_CMS_ContentInfo(nil, &pointer, buffer.count)
            let out = BIO_new(BIO_s_mem())
            let result = CMS_verify(cms, nil, store, nil, out, UInt32(CMS_BINARY))
            precondition(result == 1, "CMS_verify fails")
            BIO_free(out)
            CMS_ContentInfo_free(cms)
        }
    }

    private static func certificate(_ der: [UInt8]) -> OpaquePointer {
        der.withUnsafeBufferPointer { buffer in
            var pointer = buffer.baseAddress
            return d2i_X509(nil, &pointer, buffer.count)!
        }
    }
}

/// The signature of signed data by one call of OpenSSL's `EVP_DigestVerify`, hash included.
final class OpenSSLSignature {
    private let key: OpaquePointer
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// Takes a document's signature out of it; the signer's certificate is in DER.
    init(of jws: String, by signer: [UInt8]) throws {
        let segments = jws.split(separator: ".")
        signed = Array(segments[..<2].joined(separator: ".").utf8)
        signature = Self.der(try Base64.decode(Array(segments[2].utf8).span, .urlSafe))
        key = signer.withUnsafeBufferPointer { buffer in
            var pointer = buffer.baseAddress
            let certificate = d2i_X509(nil, &pointer, buffer.count)
            defer { X509_free(certificate) }
            return X509_get_pubkey(certificate)!
        }
    }

    deinit { EVP_PKEY_free(key) }

    /// `EVP_DigestVerifyInit` and `EVP_DigestVerify`, with a key that is ready.
    func verify() {
        let context = EVP_MD_CTX_new()
        let started = EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key)
        let result = EVP_DigestVerify(
            context,
            signature,
            signature.count,
            signed,
            signed.count
        )
        precondition(started == 1 && result == 1, "EVP_DigestVerify fails")
        EVP_MD_CTX_free(context)
    }

    /// r and s as OpenSSL reads them.
    private static func der(_ raw: [UInt8]) -> [UInt8] {
        let numbers = ECDSA_SIG_new()
        defer { ECDSA_SIG_free(numbers) }
        ECDSA_SIG_set0(
            numbers,
            BN_bin2bn(raw, 32, nil),
            BN_bin2bn(Array(raw[32...]), 32, nil)
        )
        var der: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(numbers, &der)
        defer { CRYPTO_free(der, nil, 0) }
        return Array(UnsafeBufferPointer(start: der, count: Int(count)))
    }
}
