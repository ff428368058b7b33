import CCounterfoilOpenSSL

/// An `EVP_PKEY` and the duty to free it.
// OpenSSL never changes a key after it is made, and locks what it caches inside one, so threads
// may share it; an `EVP_PKEY_CTX` is what they may not share.
@safe
struct KeyHandle: ~Copyable, @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over a key, if there is one.
    init?(owning pointer: OpaquePointer?) {
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.pointer = pointer
    }

    deinit { unsafe EVP_PKEY_free(pointer) }
}

/// An `EVP_PKEY_CTX` and the duty to free it: one operation, by one thread.
@safe
struct KeyContext: ~Copyable {
    let pointer: OpaquePointer

    /// A context for making keys of an algorithm; nil when OpenSSL does not know it.
    init?(algorithm: String) {
        guard
            let pointer = unsafe EVP_PKEY_CTX_new_from_name(OpenSSL.context, algorithm, nil)
        else { return nil }
        unsafe self.pointer = pointer
    }

    /// A context for an operation with a key.
    init?(_ key: borrowing KeyHandle) {
        guard
            let pointer = unsafe EVP_PKEY_CTX_new_from_pkey(OpenSSL.context, key.pointer, nil)
        else { return nil }
        unsafe self.pointer = pointer
    }

    deinit { unsafe EVP_PKEY_CTX_free(pointer) }

    /// Makes the context ready for signatures over digests of an algorithm, after the operation
    /// was begun; tells whether it worked.
    func configure(isRSA: Bool, digest: DigestAlgorithm) -> Bool {
        if isRSA, unsafe EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PADDING) != 1 {
            return false
        }
        return unsafe EVP_PKEY_CTX_set_signature_md(pointer, digest.implementation) == 1
    }
}
