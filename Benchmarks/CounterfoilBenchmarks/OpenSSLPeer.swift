import CCounterfoilOpenSSL
import CounterfoilCryptography

/// The same receipt through OpenSSL alone: the primitive that nobody can go below, and
/// `CMS_verify`, which most programs use.
final class OpenSSLPeer {
    private let key: OpaquePointer
    private let context: OpaquePointer
    private let store: OpaquePointer
    private let receipt: [UInt8]
    private let signature: [UInt8]
    private let content: [UInt8]
    private let digest: [UInt8]

    /// Takes a receipt apart for measuring; the instant is the one at which its chain holds.
    init(receipt: [UInt8], root: [UInt8], atSecond second: Int) throws {
        let message = try CMSSignedData(receipt, certificateLimit: 3)
        let signer = try message.onlySigner()
        self.receipt = receipt
        signature = Array(receipt[signer.signature])
        let signed = Array(try message.attachedContent())
        content = signed
        digest = MessageDigest(of: signed.span, .sha256).bytes
        let leaf = Self.certificate(Array(receipt[message.certificates[0]]))
        key = X509_get_pubkey(leaf)!
        X509_free(leaf)
        context = EVP_PKEY_CTX_new(key, nil)!
        EVP_PKEY_verify_init(context)
        EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING)
        EVP_PKEY_CTX_set_signature_md(context, EVP_sha256())
        store = X509_STORE_new()!
        X509_STORE_add_cert(store, Self.certificate(root))
        let parameters = X509_STORE_get0_param(store)
        X509_VERIFY_PARAM_set_time(parameters, second)
        X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_ANY)
    }

    /// One raw RSA verification of the digest, with a key and a context that are ready.
    func verifyRaw() {
        let result = EVP_PKEY_verify(context, signature, signature.count, digest, digest.count)
        precondition(result == 1, "the raw verification fails")
    }

    /// SHA-256 over the content.
    func hash() {
        var out = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        EVP_Digest(content, content.count, &out, &length, EVP_sha256(), nil)
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
