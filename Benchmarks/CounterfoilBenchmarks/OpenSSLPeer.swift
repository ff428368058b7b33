import CCounterfoilOpenSSL

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
