import CounterfoilASN1

extension CertificateProfile.Name {
    /// Makes a name in the order in which Apple's newer certificates have theirs.
    ///
    /// - Parameters:
    ///   - commonName: CN.
    ///   - organizationalUnit: OU; left out when nil.
    ///   - organization: O.
    ///   - country: C, two letters; left out when nil.
    public init(
        commonName: String,
        organizationalUnit: String? = nil,
        organization: String,
        country: String? = "US"
    ) {
        self.init { name in
            name.part(OID.commonName) { $0.utf8String(commonName) }
            if let organizationalUnit {
                name.part(OID.organizationalUnitName) { $0.utf8String(organizationalUnit) }
            }
            name.part(OID.organizationName) { $0.utf8String(organization) }
            if let country { name.country(country) }
        }
    }

    /// The name of the certificate that StoreKit testing in Xcode signs with: each part is the one
    /// word.
    static let storeKit = Self { name in
        name.part(OID.commonName) { $0.utf8String("StoreKit") }
        name.part(OID.organizationName) { $0.utf8String("StoreKit") }
        name.part(OID.organizationalUnitName) { $0.utf8String("StoreKit") }
        name.country("US")
        name.part(OID.emailAddress) { $0.ia5String("StoreKit") }
    }

    /// The name of the certificate that StoreKit testing in Xcode signs JWS data with.
    static let storeKitSignedData = Self { name in
        name.part(OID.commonName) { $0.utf8String("StoreKit Testing in Xcode") }
        name.part(OID.organizationName) { $0.utf8String("StoreKit Testing in Xcode") }
    }

    private init(_ body: (inout DERWriter) -> Void) {
        der = DERWriter.bytes { $0.sequence(body) }
    }
}

extension DERWriter {
    /// One part of a name: a SET OF one attribute.
    fileprivate mutating func part(
        _ type: ASN1ObjectIdentifier,
        _ value: (inout DERWriter) -> Void
    ) {
        set { part in
            part.sequence { attribute in
                attribute.objectIdentifier(type)
                value(&attribute)
            }
        }
    }

    /// A country is a PrintableString (RFC 5280 appendix A.1); text that cannot be one is written
    /// as it is.
    fileprivate mutating func country(_ country: String) {
        part(OID.countryName) { value in
            value.primitive(
                country.utf8Span.isKnownASCII ? .printableString : .utf8String,
                country.utf8
            )
        }
    }
}
