import CounterfoilASN1
import CounterfoilBasics

/// What reading a certificate finds (RFC 5280 §4.1).
struct CertificateParts {
    let signed: Range<Int>
    let signature: Range<Int>
    let signatureAlgorithm: ASN1ObjectIdentifier
    let serialNumber: Range<Int>
    let issuer: DistinguishedName
    let validity: CertificateValidity
    let subject: DistinguishedName
    let subjectPublicKeyInfo: SubjectPublicKeyInfo
    let extensions: CertificateExtensions

    init(_ der: [UInt8], limits: CertificateLimits) throws(CertificateError) {
        guard der.count <= limits.bytes else {
            throw CertificateError(
                CertificateError.tooLarge,
                "found a certificate of \(der.count) bytes, expected at most \(limits.bytes)"
            )
        }
        let outline: CertificateOutline
        do {
            outline = try CertificateOutline(der.span)
            issuer = try DistinguishedName(der.span.copy(outline.issuer))
            subject = try DistinguishedName(der.span.copy(outline.subject))
        } catch {
            throw CertificateError(
                CertificateError.malformed,
                "the certificate is not as RFC 5280 has it: \(error)"
            )
        }
        try outline.checkAgreement(in: der)
        signed = outline.signed
        signature = outline.signature
        signatureAlgorithm = outline.algorithm
        serialNumber = outline.serialNumber
        validity = outline.validity
        do {
            subjectPublicKeyInfo = try SubjectPublicKeyInfo(der.span.copy(outline.publicKey))
        } catch {
            throw CertificateError(CertificateError.malformed, error.reason)
        }
        extensions = try CertificateExtensions(der.span, outline.extensions, limits: limits)
    }
}

/// Where the parts of a certificate stand.
private struct CertificateOutline {
    var end: Int
    var signed: Range<Int>
    var signedAlgorithm: Range<Int>
    var outerAlgorithm: Range<Int>
    var algorithm: ASN1ObjectIdentifier
    var signature: Range<Int>
    var serialNumber: Range<Int>
    var issuer: Range<Int>
    var validity: CertificateValidity
    var subject: Range<Int>
    var publicKey: Range<Int>
    var extensions: ASN1Reader?

    /// Reads `Certificate ::= SEQUENCE { tbsCertificate, signatureAlgorithm, signatureValue }`.
    init(_ der: Span<UInt8>) throws(ASN1Error) {
        var document = try ASN1Reader(der, rules: .der)
        var certificate = try document.nextContents(of: .sequence, in: der)
        end = document.position
        let signedElement = try certificate.nextRequired(.sequence, in: der)
        signed = signedElement.encoding
        let algorithmElement = try certificate.nextRequired(.sequence, in: der)
        outerAlgorithm = algorithmElement.encoding
        algorithm = try Self.algorithm(certificate.contents(of: algorithmElement), in: der)
        let bits = try certificate.nextBitString(in: der)
        signature = bits.range
        guard bits.unusedBits == 0 else {
            throw ASN1Error(
                ASN1Error.badBitString,
                at: bits.range.lowerBound - 1,
                "found a signature that is no whole number of bytes"
            )
        }
        try certificate.requireEnd()

        // TBSCertificate ::= SEQUENCE { version [0], serialNumber, signature, issuer, validity,
        // subject, subjectPublicKeyInfo, issuerUniqueID [1], subjectUniqueID [2], extensions [3] }
        var fields = try certificate.contents(of: signedElement)
        let version = try Self.version(&fields, in: der)
        serialNumber = try fields.nextRequired(.integer, in: der).integerBytes(in: der)
        signedAlgorithm = try fields.nextRequired(.sequence, in: der).encoding
        issuer = try fields.nextRequired(.sequence, in: der).encoding
        var window = try fields.nextContents(of: .sequence, in: der)
        validity = CertificateValidity(
            notBefore: try window.nextTime(in: der),
            notAfter: try window.nextTime(in: der)
        )
        try window.requireEnd()
        subject = try fields.nextRequired(.sequence, in: der).encoding
        publicKey = try fields.nextRequired(.sequence, in: der).encoding
        if version >= 2 {
            _ = try fields.nextIfPresent(.contextSpecific(1), in: der)
            _ = try fields.nextIfPresent(.contextSpecific(2), in: der)
        }
        if version == 3, let wrapper = try fields.nextIfPresent(.contextSpecific(3), in: der) {
            var wrapped = try fields.contents(of: wrapper)
            extensions = try wrapped.nextContents(of: .sequence, in: der)
            try wrapped.requireEnd()
        }
        try fields.requireEnd()
    }

    /// The version that people speak of: 1, 2 or 3.
    private static func version(
        _ fields: inout ASN1Reader,
        in der: Span<UInt8>
    ) throws(ASN1Error) -> Int64 {
        guard let wrapper = try fields.nextIfPresent(.contextSpecific(0), in: der) else { return 1 }
        var wrapped = try fields.contents(of: wrapper)
        let version = try wrapped.nextInt64(in: der)
        try wrapped.requireEnd()
        // DER leaves the default out, so 0 does not stand here.
        guard version == 1 || version == 2 else {
            throw ASN1Error(
                ASN1Error.badInteger,
                at: wrapper.encoding.lowerBound,
                "found the version number \(version), expected 1 or 2"
            )
        }
        return version + 1
    }

    /// Reads the fields of `AlgorithmIdentifier ::= SEQUENCE { algorithm, parameters OPTIONAL }`.
    ///
    /// The signature algorithms that are supported have no parameters, or NULL (RFC 4055 §5,
    /// RFC 5758 §3.2).
    private static func algorithm(
        _ reader: ASN1Reader,
        in der: Span<UInt8>
    ) throws(ASN1Error) -> ASN1ObjectIdentifier {
        var reader = reader
        let identifier = try reader.nextObjectIdentifier(in: der)
        if SignatureAlgorithm(identifier) != nil {
            try reader.nextIfPresent(.null, in: der)?.requireNull()
            try reader.requireEnd()
        }
        return identifier
    }

    func checkAgreement(in der: [UInt8]) throws(CertificateError) {
        guard end == der.count else {
            throw CertificateError(
                CertificateError.trailingBytes,
                "found \(der.count - end) bytes behind the certificate, which ends at byte \(end)"
            )
        }
        guard der[signedAlgorithm] == der[outerAlgorithm] else {
            throw CertificateError(
                CertificateError.algorithmMismatch,
                "the signature algorithm at byte \(signedAlgorithm.lowerBound) is not the one at "
                    + "byte \(outerAlgorithm.lowerBound)"
            )
        }
    }
}
