import CounterfoilASN1
import CounterfoilBasics

extension CMSSigner.SignedAttributes {
    /// Reads `signedAttrs [0] IMPLICIT SET OF Attribute`.
    ///
    /// What was signed is their DER encoding, so nothing but DER is read (RFC 5652 §5.4); their
    /// order is part of the bytes that were signed, and is not looked at.
    init(_ element: ASN1Element, in bytes: Span<UInt8>) throws(CMSError) {
        let known: KnownAttributes
        do {
            known = try KnownAttributes(element, in: bytes)
        } catch {
            throw CMSError(
                CMSError.signedAttributesInvalid,
                "the signed attributes cannot be read: \(error.reason)"
            )
        }
        if let repeated = known.repeated {
            throw CMSError(
                CMSError.signedAttributesInvalid,
                "found the signed attribute \(repeated) twice"
            )
        }
        guard let contentType = known.contentType, let messageDigest = known.messageDigest else {
            let missing = known.contentType == nil ? "contentType" : "messageDigest"
            throw CMSError(
                CMSError.signedAttributesInvalid,
                "found no \(missing) among the signed attributes"
            )
        }
        encoding = element.encoding
        self.contentType = contentType
        self.messageDigest = messageDigest
        signingTime = known.signingTime
    }
}

/// The attributes that RFC 5652 §11 defines, as far as they are there.
private struct KnownAttributes {
    private(set) var contentType: ASN1ObjectIdentifier?
    private(set) var messageDigest: Range<Int>?
    private(set) var signingTime: Instant?
    /// One that is there twice, which RFC 5652 §11 forbids.
    private(set) var repeated: ASN1ObjectIdentifier?

    init(_ element: ASN1Element, in bytes: Span<UInt8>) throws(ASN1Error) {
        var document = try ASN1Reader(element.encoding, rules: .der)
        var attributes = try document.nextContents(of: .contextSpecific(0), in: bytes)
        while !attributes.isAtEnd {
            var attribute = try attributes.nextContents(of: .sequence, in: bytes)
            let type = try attribute.nextObjectIdentifier(in: bytes)
            let values = try attribute.nextContents(of: .set, in: bytes)
            try attribute.requireEnd()
            try read(type, values, in: bytes)
        }
    }

    /// Takes note of an attribute; those that are defined have exactly one value.
    private mutating func read(
        _ type: ASN1ObjectIdentifier,
        _ values: ASN1Reader,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) {
        var values = values
        switch type {
        case .cmsContentType:
            if contentType != nil { repeated = type }
            contentType = try values.nextObjectIdentifier(in: bytes)
        case .cmsMessageDigest:
            if messageDigest != nil { repeated = type }
            messageDigest = try values.nextRequired(.octetString, in: bytes).content
        case .cmsSigningTime:
            if signingTime != nil { repeated = type }
            signingTime = try values.nextTime(in: bytes)
        default:
            return
        }
        try values.requireEnd()
    }
}
