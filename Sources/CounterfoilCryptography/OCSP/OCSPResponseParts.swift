import CounterfoilASN1
import CounterfoilBasics

/// What reading a response finds, none of it proved (RFC 6960 §4.2.1).
struct OCSPResponseParts: Sendable {
    /// Where what is signed stands: tbsResponseData, tag and length included.
    let signed: Range<Int>
    let responder: OCSPResponder
    let singles: [OCSPSingleResponse]
    let nonce: Range<Int>?
    let signatureAlgorithm: ASN1ObjectIdentifier
    let signature: Range<Int>
    let certificates: [Range<Int>]
    /// A critical extension of the whole response that is not known.
    let unknownCritical: ASN1ObjectIdentifier?

    /// BasicOCSPResponse ::= SEQUENCE { tbsResponseData, signatureAlgorithm, signature,
    ///   certs [0] EXPLICIT SEQUENCE OF Certificate OPTIONAL }.
    init(
        basic range: Range<Int>,
        in bytes: Span<UInt8>,
        limits: OCSPLimits
    ) throws(OCSPError) {
        do throws(ASN1Error) {
            var document = try ASN1Reader(range, rules: .der, limits: limits.encoding)
            var fields = try document.nextContents(of: .sequence, in: bytes)
            try document.requireEnd()
            let data = try fields.nextRequired(.sequence, in: bytes)
            signed = data.encoding
            var algorithm = try fields.nextContents(of: .sequence, in: bytes)
            signatureAlgorithm = try algorithm.nextObjectIdentifier(in: bytes)
            if !algorithm.isAtEnd { try algorithm.nextRequired(.null, in: bytes).requireNull() }
            try algorithm.requireEnd()
            let bits = try fields.nextBitString(in: bytes)
            guard bits.unusedBits == 0 else {
                throw ASN1Error(
                    ASN1Error.badBitString,
                    at: bits.range.lowerBound,
                    "found a signature of broken bytes"
                )
            }
            signature = bits.range
            certificates = try Self.certificates(&fields, in: bytes)
            try fields.requireEnd()
            let content = try OCSPResponseData(fields.contents(of: data), in: bytes)
            try content.reader.requireEnd()
            responder = content.responder
            singles = content.singles
            nonce = try content.extensions.nonce(in: bytes)
            unknownCritical = content.extensions.unknownCritical
        } catch {
            throw OCSPError(error)
        }
        try requireBounds(limits)
    }

    private static func certificates(
        _ fields: inout ASN1Reader,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) -> [Range<Int>] {
        guard let element = try fields.nextIfPresent(.contextSpecific(0), in: bytes) else {
            return []
        }
        var explicit = try fields.contents(of: element)
        var list = try explicit.nextContents(of: .sequence, in: bytes)
        try explicit.requireEnd()
        var ranges: [Range<Int>] = []
        while !list.isAtEnd {
            ranges.append(try list.nextRequired(.sequence, in: bytes).encoding)
        }
        return ranges
    }

    private func requireBounds(_ limits: OCSPLimits) throws(OCSPError) {
        guard certificates.count <= limits.certificates else {
            throw OCSPError(
                OCSPError.tooLarge,
                "found \(certificates.count) certificates in a response, expected at most "
                    + "\(limits.certificates)"
            )
        }
        guard singles.count <= limits.singleResponses else {
            throw OCSPError(
                OCSPError.tooLarge,
                "found \(singles.count) single responses, expected at most "
                    + "\(limits.singleResponses)"
            )
        }
        let criticals = [unknownCritical] + singles.map(\.unknownCritical)
        if let unknown = criticals.compactMap(\.self).first {
            throw OCSPError(
                OCSPError.unsupported,
                "the response has the extension \(unknown), which is critical and not known"
            )
        }
    }
}

/// Who says that it answers.
enum OCSPResponder: Sendable {
    /// By the encoding of its name.
    case name(Range<Int>)
    /// By the SHA-1 digest of its key.
    case keyHash(Range<Int>)
}

/// ResponseData ::= SEQUENCE { version [0] EXPLICIT DEFAULT v1, responderID, producedAt,
///   responses SEQUENCE OF SingleResponse, responseExtensions [1] EXPLICIT OPTIONAL }.
private struct OCSPResponseData {
    var reader: ASN1Reader
    let responder: OCSPResponder
    let singles: [OCSPSingleResponse]
    let extensions: OCSPExtensions

    init(_ contents: ASN1Reader, in bytes: Span<UInt8>) throws(ASN1Error) {
        reader = contents
        if let version = try reader.nextIfPresent(.contextSpecific(0), in: bytes) {
            var explicit = try reader.contents(of: version)
            let number = try explicit.nextInt64(in: bytes)
            try explicit.requireEnd()
            guard number == 0 else {
                throw ASN1Error(
                    ASN1Error.badInteger,
                    at: version.encoding.lowerBound,
                    "found version \(number) + 1, expected 1"
                )
            }
        }
        responder = try Self.responder(&reader, in: bytes)
        try reader.skip(.generalizedTime, in: bytes)
        var list = try reader.nextContents(of: .sequence, in: bytes)
        var singles: [OCSPSingleResponse] = []
        while !list.isAtEnd {
            singles.append(
                try OCSPSingleResponse(list.nextContents(of: .sequence, in: bytes), in: bytes)
            )
        }
        self.singles = singles
        extensions = try OCSPExtensions(&reader, in: bytes)
    }

    private static func responder(
        _ reader: inout ASN1Reader,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) -> OCSPResponder {
        if let byName = try reader.nextIfPresent(.contextSpecific(1), in: bytes) {
            var explicit = try reader.contents(of: byName)
            let name = try explicit.nextRequired(.sequence, in: bytes)
            try explicit.requireEnd()
            return .name(name.encoding)
        }
        var explicit = try reader.nextContents(of: .contextSpecific(2), in: bytes)
        let hash = try explicit.nextOctetsInPlace(in: bytes)
        try explicit.requireEnd()
        return .keyHash(hash)
    }
}

/// What a response says of one certificate.
struct OCSPSingleResponse: Sendable {
    let certificate: OCSPCertificateID
    let status: OCSPAnswer.Status
    let thisUpdate: Instant
    let nextUpdate: Instant?
    let unknownCritical: ASN1ObjectIdentifier?

    /// SingleResponse ::= SEQUENCE { certID, certStatus, thisUpdate,
    ///   nextUpdate [0] EXPLICIT OPTIONAL, singleExtensions [1] EXPLICIT OPTIONAL }.
    init(_ contents: ASN1Reader, in bytes: Span<UInt8>) throws(ASN1Error) {
        var reader = contents
        certificate = try OCSPCertificateID(&reader, in: bytes)
        status = try Self.status(&reader, in: bytes)
        thisUpdate = try reader.nextRequired(.generalizedTime, in: bytes).time(in: bytes)
        if let element = try reader.nextIfPresent(.contextSpecific(0), in: bytes) {
            var explicit = try reader.contents(of: element)
            nextUpdate = try explicit.nextRequired(.generalizedTime, in: bytes).time(in: bytes)
            try explicit.requireEnd()
        } else {
            nextUpdate = nil
        }
        unknownCritical = try OCSPExtensions(&reader, in: bytes).firstCritical
        try reader.requireEnd()
    }

    /// CertStatus ::= CHOICE { good [0] IMPLICIT NULL, revoked [1] IMPLICIT RevokedInfo,
    ///   unknown [2] IMPLICIT NULL }.
    private static func status(
        _ reader: inout ASN1Reader,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) -> OCSPAnswer.Status {
        if let good = try reader.nextIfPresent(.contextSpecific(0), in: bytes) {
            try good.requireNull()
            return .good
        }
        if let unknown = try reader.nextIfPresent(.contextSpecific(2), in: bytes) {
            try unknown.requireNull()
            return .unknown
        }
        var fields = try reader.nextContents(of: .contextSpecific(1), in: bytes)
        let instant = try fields.nextRequired(.generalizedTime, in: bytes).time(in: bytes)
        var reason: CRLReason?
        if let element = try fields.nextIfPresent(.contextSpecific(0), in: bytes) {
            var explicit = try fields.contents(of: element)
            reason = CRLReason(rawValue: try explicit.nextInt64(.enumerated, in: bytes))
            try explicit.requireEnd()
        }
        try fields.requireEnd()
        return .revoked(at: instant, reason: reason)
    }
}

/// How a response names a certificate.
struct OCSPCertificateID: Sendable {
    /// What the digests were made with; nil for a function that is not supported.
    let digest: DigestAlgorithm?
    let issuerNameHash: Range<Int>
    let issuerKeyHash: Range<Int>
    let serialNumber: Range<Int>

    init(_ reader: inout ASN1Reader, in bytes: Span<UInt8>) throws(ASN1Error) {
        var fields = try reader.nextContents(of: .sequence, in: bytes)
        var algorithm = try fields.nextContents(of: .sequence, in: bytes)
        digest = DigestAlgorithm(try algorithm.nextObjectIdentifier(in: bytes))
        try algorithm.skipToEnd(in: bytes)
        issuerNameHash = try fields.nextOctetsInPlace(in: bytes)
        issuerKeyHash = try fields.nextOctetsInPlace(in: bytes)
        serialNumber = try fields.nextRequired(.integer, in: bytes).integerBytes(in: bytes)
        try fields.requireEnd()
    }
}

/// Extensions `[1] EXPLICIT SEQUENCE OF Extension` at the end of a structure.
private struct OCSPExtensions {
    private var nonceValue: ASN1Reader?
    /// The first critical extension, known or not.
    private(set) var firstCritical: ASN1ObjectIdentifier?
    /// The first critical extension but the nonce.
    private(set) var unknownCritical: ASN1ObjectIdentifier?

    init(_ outer: inout ASN1Reader, in bytes: Span<UInt8>) throws(ASN1Error) {
        guard let element = try outer.nextIfPresent(.contextSpecific(1), in: bytes) else { return }
        var explicit = try outer.contents(of: element)
        var list = try explicit.nextContents(of: .sequence, in: bytes)
        try explicit.requireEnd()
        while !list.isAtEnd {
            var fields = try list.nextContents(of: .sequence, in: bytes)
            let identifier = try fields.nextObjectIdentifier(in: bytes)
            let isCritical = try fields.nextBooleanIfPresent(in: bytes) ?? false
            let octets = try fields.nextRequired(.octetString, in: bytes)
            try fields.requireEnd()
            let value = try fields.encapsulated(in: octets)
            if isCritical { firstCritical = firstCritical ?? identifier }
            if identifier == .ocspNonce {
                nonceValue = value
            } else if isCritical {
                unknownCritical = unknownCritical ?? identifier
            }
        }
    }

    /// Where the octets of the nonce stand (RFC 8954 §2.1).
    func nonce(in bytes: Span<UInt8>) throws(ASN1Error) -> Range<Int>? {
        guard var value = nonceValue else { return nil }
        let octets = try value.nextOctetsInPlace(in: bytes)
        try value.requireEnd()
        return octets
    }
}
