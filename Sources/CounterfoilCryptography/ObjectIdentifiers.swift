package import CounterfoilASN1

// The identifiers of keys and algorithms (RFC 3279, RFC 4055, RFC 5480, RFC 5754).
extension ASN1ObjectIdentifier {
    static let rsaEncryption: Self = "1.2.840.113549.1.1.1"
    static let sha1WithRSAEncryption: Self = "1.2.840.113549.1.1.5"
    static let sha256WithRSAEncryption: Self = "1.2.840.113549.1.1.11"
    static let sha384WithRSAEncryption: Self = "1.2.840.113549.1.1.12"
    static let sha512WithRSAEncryption: Self = "1.2.840.113549.1.1.13"
    static let ecPublicKey: Self = "1.2.840.10045.2.1"
    static let ecdsaWithSHA1: Self = "1.2.840.10045.4.1"
    static let ecdsaWithSHA256: Self = "1.2.840.10045.4.3.2"
    static let ecdsaWithSHA384: Self = "1.2.840.10045.4.3.3"
    static let ecdsaWithSHA512: Self = "1.2.840.10045.4.3.4"
    static let secp256r1: Self = "1.2.840.10045.3.1.7"
    static let secp384r1: Self = "1.3.132.0.34"
    static let sha1: Self = "1.3.14.3.2.26"
    static let sha256: Self = "2.16.840.1.101.3.4.2.1"
    static let sha384: Self = "2.16.840.1.101.3.4.2.2"
    static let sha512: Self = "2.16.840.1.101.3.4.2.3"
}

// The identifiers of certificate extensions (RFC 5280 §4.2).
extension ASN1ObjectIdentifier {
    package static let subjectKeyIdentifier: Self = "2.5.29.14"
    package static let keyUsage: Self = "2.5.29.15"
    package static let basicConstraints: Self = "2.5.29.19"
    static let certificatePolicies: Self = "2.5.29.32"
    package static let authorityKeyIdentifier: Self = "2.5.29.35"
    package static let extendedKeyUsage: Self = "2.5.29.37"
    package static let authorityInfoAccess: Self = "1.3.6.1.5.5.7.1.1"
}

// The identifiers of the Online Certificate Status Protocol (RFC 6960 §4.2.1, §4.2.2.2 and §4.4).
extension ASN1ObjectIdentifier {
    /// A way to a certificate's status: `id-ad-ocsp`.
    package static let ocsp: Self = "1.3.6.1.5.5.7.48.1"
    package static let ocspBasic: Self = "1.3.6.1.5.5.7.48.1.1"
    package static let ocspNonce: Self = "1.3.6.1.5.5.7.48.1.2"
    package static let ocspNoCheck: Self = "1.3.6.1.5.5.7.48.1.5"
    /// The purpose of a key that signs responses: `id-kp-OCSPSigning`.
    package static let ocspSigning: Self = "1.3.6.1.5.5.7.3.9"
}

// The identifiers of signed data and of its attributes (RFC 5652 §4, §5.1 and §11).
extension ASN1ObjectIdentifier {
    /// Content of no particular type: `id-data`.
    package static let cmsData: Self = "1.2.840.113549.1.7.1"
    /// Content with signatures over it: `id-signedData`.
    package static let cmsSignedData: Self = "1.2.840.113549.1.7.2"
    static let cmsContentType: Self = "1.2.840.113549.1.9.3"
    static let cmsMessageDigest: Self = "1.2.840.113549.1.9.4"
    static let cmsSigningTime: Self = "1.2.840.113549.1.9.5"
}
