import CCounterfoilOpenSSL

/// Certificates as OpenSSL reads them, in a stack of its own, and the duty to free both.
// OpenSSL locks what it caches inside a certificate, and nobody changes the stack after it is
// made, so threads may share it.
@safe
struct CertificateStack: ~Copyable, @unchecked Sendable {
    let pointer: OpaquePointer

    /// The certificates that it was made of, in the stack's order.
    let certificates: [Certificate]

    /// Reads certificates anew, by OpenSSL's own decoder.
    ///
    /// - Throws: `chain.invalid` for a certificate that OpenSSL cannot read.
    init(_ certificates: [Certificate]) throws(ChainError) {
        unsafe pointer = try Self.makeStack(certificates)
        self.certificates = certificates
    }

    deinit { unsafe counterfoil_certificates_free(pointer) }

    /// OpenSSL's object for the certificate at an index.
    subscript(index: Int) -> OpaquePointer? {
        unsafe counterfoil_certificates_get(pointer, Int32(index))
    }

    /// The certificate of one of OpenSSL's objects; nil when the object is not of this stack.
    func certificate(of object: OpaquePointer) -> Certificate? {
        for index in certificates.indices where unsafe self[index] == object {
            return certificates[index]
        }
        return nil
    }

    private static func makeStack(
        _ certificates: [Certificate]
    ) throws(ChainError) -> OpaquePointer {
        guard let stack = unsafe counterfoil_certificates_new() else {
            throw ChainError(ChainError.invalid, "OpenSSL made no list of certificates")
        }
        for certificate in certificates where unsafe !push(certificate, onto: stack) {
            unsafe counterfoil_certificates_free(stack)
            throw ChainError(
                ChainError.invalid,
                "OpenSSL cannot read the certificate of \(certificate.subject.label)",
                details: OpenSSL.drainErrors()
            )
        }
        return unsafe stack
    }

    private static func push(_ certificate: Certificate, onto stack: OpaquePointer) -> Bool {
        OpenSSL.clearErrors()
        var object = unsafe X509_new_ex(OpenSSL.context, nil)
        let read = unsafe certificate.der.withUnsafeBufferPointer { der in
            var position = der.baseAddress
            return unsafe d2i_X509(&object, &position, der.count) != nil
        }
        // A decoder that fails has freed the object and taken it away.
        guard read, unsafe counterfoil_certificates_push(stack, object) > 0 else {
            unsafe X509_free(object)
            return false
        }
        return true
    }
}
