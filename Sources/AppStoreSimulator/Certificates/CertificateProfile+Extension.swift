import CounterfoilASN1

extension CertificateProfile {
    /// An extension of a certificate (RFC 5280 §4.2).
    public struct Extension: Hashable, Sendable {
        /// Where the value comes from.
        enum Value: Hashable, Sendable {
            case octets([UInt8])
            /// The identifier of the key that is certified.
            case subjectKeyIdentifier
            /// The identifier of the key that signs.
            case authorityKeyIdentifier
        }

        let objectIdentifier: ASN1ObjectIdentifier

        /// Whether whoever does not know the extension must refuse the certificate.
        public var isCritical: Bool

        var value: Value

        /// What the extension is, in dotted decimal form.
        public var identifier: String { objectIdentifier.description }

        init(_ objectIdentifier: ASN1ObjectIdentifier, isCritical: Bool, _ value: Value) {
            self.objectIdentifier = objectIdentifier
            self.isCritical = isCritical
            self.value = value
        }

        /// Makes an extension of any kind; nil when the identifier is none.
        ///
        /// - Parameters:
        ///   - identifier: What it is, in dotted decimal form.
        ///   - isCritical: Whether whoever does not know it must refuse the certificate.
        ///   - value: The octets of the value, as a rule an encoding in DER.
        public init?(identifier: String, isCritical: Bool, value: [UInt8]) {
            guard let objectIdentifier = ASN1ObjectIdentifier(identifier) else { return nil }
            self.init(objectIdentifier, isCritical: isCritical, .octets(value))
        }
    }

    /// What a key may be used for (RFC 5280 §4.2.1.3), by the position of its bit.
    public enum KeyUse: Int, CaseIterable, Hashable, Sendable {
        /// Signatures over documents.
        case digitalSignature = 0
        /// Encryption of keys.
        case keyEncipherment = 2
        /// Signatures over certificates.
        case keyCertSign = 5
        /// Signatures over revocation lists.
        case cRLSign = 6
    }
}

extension CertificateProfile.Extension {
    /// The identifier of the certified key (RFC 5280 §4.2.1.2), computed when it is signed.
    public static let subjectKeyIdentifier = Self(
        OID.subjectKeyIdentifier,
        isCritical: false,
        .subjectKeyIdentifier
    )

    /// The identifier of the issuer's key (RFC 5280 §4.2.1.1), computed when it is signed.
    public static let authorityKeyIdentifier = Self(
        OID.authorityKeyIdentifier,
        isCritical: false,
        .authorityKeyIdentifier
    )

    /// Whether the subject may issue certificates, and how many issuers may stand below it
    /// (RFC 5280 §4.2.1.9); critical.
    public static func basicConstraints(isAuthority: Bool, pathLength: Int64? = nil) -> Self {
        encoded(OID.basicConstraints, isCritical: true) { writer in
            writer.sequence { constraints in
                if isAuthority { constraints.boolean(true) }
                if let pathLength { constraints.integer(pathLength) }
            }
        }
    }

    /// What the key may be used for (RFC 5280 §4.2.1.3); critical.
    public static func keyUsage(_ uses: Set<CertificateProfile.KeyUse>) -> Self {
        let bits = uses.reduce(into: UInt8(0)) { $0 |= 0x80 >> UInt8($1.rawValue) }
        return encoded(OID.keyUsage, isCritical: true) { writer in
            // X.690 §11.2.2: named bits have no trailing zeros.
            writer.bitString(
                bits == 0 ? [] : [bits],
                unusedBits: bits == 0 ? 0 : bits.trailingZeroBitCount
            )
        }
    }

    /// One of Apple's markers: a NULL under an identifier, in dotted decimal form, that says what
    /// the certificate is for; nil when the identifier is none.
    public static func marker(_ identifier: String) -> Self? {
        ASN1ObjectIdentifier(identifier).map(marker)
    }

    static func marker(_ identifier: ASN1ObjectIdentifier) -> Self {
        encoded(identifier, isCritical: false) { $0.null() }
    }

    /// The policy that Apple's certificates for documents are issued under.
    static let appleCertificatePolicy = encoded(
        OID.certificatePolicies,
        isCritical: false
    ) { writer in
        writer.sequence { policies in
            policies.sequence { $0.objectIdentifier(OID.appleCertificatePolicy) }
        }
    }

    /// The use of a certificate for signing code, as StoreKit testing's has it.
    static let codeSigning = encoded(OID.extendedKeyUsage, isCritical: true) { writer in
        writer.sequence { $0.objectIdentifier(OID.codeSigning) }
    }

    /// The other name that StoreKit testing's certificate of signed data has: no address at all, in
    /// the field for electronic mail (RFC 5280 §4.2.1.6).
    static let storeKitAlternativeName = encoded(
        OID.subjectAlternativeName,
        isCritical: false
    ) { writer in
        writer.sequence { names in
            names.primitive(.contextSpecific(1), "StoreKit Testing in Xcode".utf8)
        }
    }

    /// Where to ask whether the certificate was revoked (RFC 5280 §4.2.2.1): the address of an OCSP
    /// responder, in ASCII.
    public static func authorityInfoAccess(ocspResponder url: String) -> Self {
        encoded(OID.authorityInfoAccess, isCritical: false) { writer in
            writer.sequence { descriptions in
                descriptions.sequence { description in
                    description.objectIdentifier(OID.ocsp)
                    // GeneralName's uniformResourceIdentifier, an IA5String.
                    description.primitive(.contextSpecific(6), url.utf8)
                }
            }
        }
    }

    static func encoded(
        _ identifier: ASN1ObjectIdentifier,
        isCritical: Bool,
        _ body: (inout DERWriter) -> Void
    ) -> Self {
        Self(identifier, isCritical: isCritical, .octets(DERWriter.bytes(body)))
    }
}
