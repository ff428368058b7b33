/// How large certificates may be.
package struct CertificateLimits: Hashable, Sendable {
    /// The most bytes of one certificate.
    package var bytes: Int

    /// The most extensions of one certificate.
    package var extensions: Int

    /// The most certificates of one file.
    package var certificates: Int

    package init(bytes: Int, extensions: Int, certificates: Int) {
        self.bytes = bytes
        self.extensions = extensions
        self.certificates = certificates
    }

    /// 8 KiB, 32 extensions and 64 certificates a file; Apple's have up to 1.5 KiB and 11.
    package static let `default` = CertificateLimits(
        bytes: 8192,
        extensions: 32,
        certificates: 64
    )
}
