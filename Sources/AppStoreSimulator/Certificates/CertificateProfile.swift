public import CounterfoilBasics

/// Everything that a certificate says apart from its key and its issuer (RFC 5280 §4.1): a value
/// to change at will before it is signed.
///
///     var profile = AuthorityProfile(now: now).receiptSigner
///     profile.notAfter = yesterday
///     profile.extensions.removeAll { $0.identifier == "1.2.840.113635.100.6.11.1" }
///     let certificate = try profile.certificate(for: key.publicKey, issuedBy: intermediate)
public struct CertificateProfile: Hashable, Sendable {
    /// Whom the certificate is about.
    public var subject: Name
    /// The content bytes of the serial number: a big-endian number in two's complement.
    public var serialNumber: [UInt8]
    /// The first instant at which it is valid, in whole seconds.
    public var notBefore: Instant
    /// The last second at which it is valid.
    public var notAfter: Instant
    /// The extensions, in the order in which they are written; any number of any kind.
    public var extensions: [Extension]
    /// The hash function under the issuer's signature.
    public var digest: SigningDigest
    /// What shall be wrong with it beyond what the other fields can say.
    public var flaws: Flaws

    /// Makes a profile without flaws.
    ///
    /// - Parameters:
    ///   - subject: Whom the certificate is about.
    ///   - serialNumber: The content bytes of the serial number.
    ///   - notBefore: The first instant at which it is valid.
    ///   - notAfter: The last second at which it is valid.
    ///   - extensions: The extensions in their order.
    ///   - digest: The hash function under the signature.
    public init(
        subject: Name,
        serialNumber: [UInt8],
        notBefore: Instant,
        notAfter: Instant,
        extensions: [Extension],
        digest: SigningDigest = .sha256
    ) {
        self.subject = subject
        self.serialNumber = serialNumber
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.extensions = extensions
        self.digest = digest
        flaws = Flaws()
    }

    /// What can be wrong with a certificate that no honest field can express.
    public struct Flaws: Hashable, Sendable {
        /// The issuer to name instead of the one who signs.
        public var issuerName: Name?
        /// The digest to name outside of what is signed, where RFC 5280 §4.1.1.2 wants the same
        /// algorithm as inside.
        public var statedDigest: SigningDigest?
        /// Whether one bit of the signature is turned over.
        public var breaksSignature = false
        /// The version to state, 3 where nil; versions below it have no extensions.
        public var version: Int64?

        /// Makes a value that spoils nothing.
        public init() {}
    }
}

extension CertificateProfile {
    /// The name of a subject or an issuer (RFC 5280 §4.1.2.4).
    public struct Name: Hashable, Sendable {
        /// The encoding in DER.
        public let der: [UInt8]
    }

    /// Removes every extension with an identifier, given in dotted decimal form.
    public mutating func removeExtension(_ identifier: String) {
        extensions.removeAll { $0.identifier == identifier }
    }

    /// Replaces the extensions that have the identifier of another one, in the place of the first,
    /// or adds it.
    public mutating func setExtension(_ replacement: Extension) {
        guard
            let place = extensions.firstIndex(where: { $0.identifier == replacement.identifier })
        else {
            extensions.append(replacement)
            return
        }
        extensions[place] = replacement
        let later = extensions[(place + 1)...].filter { $0.identifier != replacement.identifier }
        extensions.replaceSubrange((place + 1)..., with: later)
    }
}
