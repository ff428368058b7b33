import CounterfoilASN1

/// The object identifiers that issuing needs.
enum OID {
    // Names (RFC 4519 §2, RFC 2985 §5.2.1).
    static let commonName: ASN1ObjectIdentifier = "2.5.4.3"
    static let countryName: ASN1ObjectIdentifier = "2.5.4.6"
    static let organizationName: ASN1ObjectIdentifier = "2.5.4.10"
    static let organizationalUnitName: ASN1ObjectIdentifier = "2.5.4.11"
    static let emailAddress: ASN1ObjectIdentifier = "1.2.840.113549.1.9.1"

    // Certificate extensions (RFC 5280 §4.2).
    static let subjectKeyIdentifier: ASN1ObjectIdentifier = "2.5.29.14"
    static let keyUsage: ASN1ObjectIdentifier = "2.5.29.15"
    static let subjectAlternativeName: ASN1ObjectIdentifier = "2.5.29.17"
    static let basicConstraints: ASN1ObjectIdentifier = "2.5.29.19"
    static let certificatePolicies: ASN1ObjectIdentifier = "2.5.29.32"
    static let authorityKeyIdentifier: ASN1ObjectIdentifier = "2.5.29.35"
    static let extendedKeyUsage: ASN1ObjectIdentifier = "2.5.29.37"
    static let authorityInfoAccess: ASN1ObjectIdentifier = "1.3.6.1.5.5.7.1.1"
    static let ocsp: ASN1ObjectIdentifier = "1.3.6.1.5.5.7.48.1"
    static let codeSigning: ASN1ObjectIdentifier = "1.3.6.1.5.5.7.3.3"

    // What Apple marks certificates with, each on the kind of certificate it is named after.
    static let wwdrIntermediateMarker: ASN1ObjectIdentifier = "1.2.840.113635.100.6.2.1"
    static let iTunesStoreIssuerMarker: ASN1ObjectIdentifier = "1.2.840.113635.100.6.2.2"
    static let receiptSignerMarker: ASN1ObjectIdentifier = "1.2.840.113635.100.6.11.1"
    static let transactionReceiptSignerMarker: ASN1ObjectIdentifier =
        "1.2.840.113635.100.6.5.1"
    static let developerMarker: ASN1ObjectIdentifier = "1.2.840.113635.100.6.1.2"
    static let appleCertificatePolicy: ASN1ObjectIdentifier = "1.2.840.113635.100.5.6.1"

    // Keys (RFC 3279 §2.3, RFC 5480 §2, SEC 2).
    static let rsaEncryption: ASN1ObjectIdentifier = "1.2.840.113549.1.1.1"
    static let rsaPSS: ASN1ObjectIdentifier = "1.2.840.113549.1.1.10"
    static let ecPublicKey: ASN1ObjectIdentifier = "1.2.840.10045.2.1"
    static let secp521r1: ASN1ObjectIdentifier = "1.3.132.0.35"
    static let secp256k1: ASN1ObjectIdentifier = "1.3.132.0.10"

    // Signed data (RFC 5652 §4, §5.1 and §11; RFC 1321).
    static let data: ASN1ObjectIdentifier = "1.2.840.113549.1.7.1"
    static let signedData: ASN1ObjectIdentifier = "1.2.840.113549.1.7.2"
    static let envelopedData: ASN1ObjectIdentifier = "1.2.840.113549.1.7.3"
    static let contentTypeAttribute: ASN1ObjectIdentifier = "1.2.840.113549.1.9.3"
    static let messageDigestAttribute: ASN1ObjectIdentifier = "1.2.840.113549.1.9.4"
    static let signingTimeAttribute: ASN1ObjectIdentifier = "1.2.840.113549.1.9.5"
    static let md5: ASN1ObjectIdentifier = "1.2.840.113549.2.5"
    static let timeStampToken: ASN1ObjectIdentifier = "1.2.840.113549.1.9.16.1.4"
}
