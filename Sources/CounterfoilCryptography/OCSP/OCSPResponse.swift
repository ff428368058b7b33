import CounterfoilASN1
package import CounterfoilBasics

/// The bounds of a response about one certificate.
package struct OCSPLimits: Hashable, Sendable {
    /// The most bytes.
    package var bytes = 64 << 10

    /// The most certificates that come along.
    package var certificates = 4

    /// The most certificates that are answered for.
    package var singleResponses = 16

    /// The limits of anybody's responder; Apple's responses have about 2 KiB.
    package static let `default` = OCSPLimits()

    package init() {}

    var encoding: ASN1Limits { ASN1Limits(bytes: bytes, nesting: 32, elements: 4096) }
}

/// The bytes that a responder sent (RFC 6960 §4.2.1): read, but neither verified nor trusted.
package struct OCSPResponse: Sendable {
    let bytes: [UInt8]
    let parts: OCSPResponseParts

    /// Reads a response in DER.
    ///
    /// - Throws: ``OCSPError``: `revocation.responder_declined` for one that brings no answer.
    package init(_ bytes: [UInt8], limits: OCSPLimits = .default) throws(OCSPError) {
        guard bytes.count <= limits.bytes else {
            throw OCSPError(
                OCSPError.tooLarge,
                "found a response of \(bytes.count) bytes, expected at most \(limits.bytes)"
            )
        }
        let basic = try Self.basicResponse(in: bytes.span, limits: limits)
        parts = try OCSPResponseParts(basic: basic, in: bytes.span, limits: limits)
        self.bytes = bytes
    }

    /// The answer to a question, proved.
    ///
    /// - Parameters:
    ///   - question: What was asked. Its issuer must be known to be genuine.
    ///   - nonce: The nonce of the request, if it had one. A response without any is taken, for
    ///     responders may have their answers ready; one with another is not.
    ///   - now: The instant at which the answer must hold and its signer be valid.
    ///   - leeway: By how much the clocks may disagree.
    /// - Returns: What the responder says of the certificate.
    /// - Throws: ``OCSPError``.
    package func answer(
        to question: OCSPQuestion,
        nonce: [UInt8]? = nil,
        now: Instant,
        leeway: Duration = .seconds(300)
    ) throws(OCSPError) -> OCSPAnswer {
        let single = try single(about: question)
        try requireNonce(nonce)
        let answer = try Self.current(single, now: now, leeway: leeway)
        try requireSignature(for: question, now: now)
        return answer
    }

    private static func basicResponse(
        in bytes: Span<UInt8>,
        limits: OCSPLimits
    ) throws(OCSPError) -> Range<Int> {
        let envelope: OCSPEnvelope
        do {
            envelope = try OCSPEnvelope(bytes, limits: limits.encoding)
        } catch {
            throw OCSPError(error)
        }
        // What stands beside a refusal does not matter.
        guard envelope.status == 0 else { throw declined(envelope.status) }
        guard let type = envelope.type, let response = envelope.response else {
            throw OCSPError(OCSPError.malformed, "the response succeeds and has no content")
        }
        guard type == .ocspBasic else {
            throw OCSPError(
                OCSPError.unsupported,
                "found a response of the type \(type), expected the basic one"
            )
        }
        return response
    }

    private static func declined(_ status: Int64) -> OCSPError {
        let name =
            switch status {
            case 1: "malformedRequest"
            case 2: "internalError"
            case 3: "tryLater"
            case 5: "sigRequired"
            case 6: "unauthorized"
            default: "unknown to RFC 6960"
            }
        return OCSPError(
            OCSPError.declined,
            "the responder answers with the status \(status) (\(name))"
        )
    }

    private func single(about question: OCSPQuestion) throws(OCSPError) -> OCSPSingleResponse {
        let about = parts.singles.filter { question.isMeant(by: $0.certificate, in: bytes.span) }
        guard let single = about.first, about.count == 1 else {
            throw OCSPError(
                OCSPError.otherCertificate,
                "found \(about.count) answers about \(question.certificate) among the "
                    + "\(parts.singles.count) of the response, expected one"
            )
        }
        return single
    }

    private func requireNonce(_ nonce: [UInt8]?) throws(OCSPError) {
        guard let nonce, let answered = parts.nonce else { return }
        guard bytes[answered] == nonce[...] else {
            throw OCSPError(
                OCSPError.nonceMismatch,
                "the response has a nonce of \(answered.count) bytes that is not the request's"
            )
        }
    }

    private static func current(
        _ single: OCSPSingleResponse,
        now: Instant,
        leeway: Duration
    ) throws(OCSPError) -> OCSPAnswer {
        guard let nextUpdate = single.nextUpdate else {
            throw OCSPError(
                OCSPError.noNextUpdate,
                "the response of \(single.thisUpdate) does not say until when it holds"
            )
        }
        guard single.thisUpdate <= nextUpdate, single.thisUpdate <= now.advanced(by: leeway),
            now <= nextUpdate.advanced(by: leeway)
        else {
            throw OCSPError(
                OCSPError.notCurrent,
                "the response holds from \(single.thisUpdate) to \(nextUpdate), asked at \(now)"
            )
        }
        return OCSPAnswer(
            status: single.status,
            thisUpdate: single.thisUpdate,
            nextUpdate: nextUpdate
        )
    }
}

/// OCSPResponse ::= SEQUENCE { responseStatus ENUMERATED,
///   responseBytes [0] EXPLICIT SEQUENCE { responseType, response OCTET STRING } OPTIONAL }.
private struct OCSPEnvelope {
    let status: Int64
    private(set) var type: ASN1ObjectIdentifier?
    private(set) var response: Range<Int>?

    init(_ bytes: Span<UInt8>, limits: ASN1Limits) throws(ASN1Error) {
        var document = try ASN1Reader(bytes, rules: .der, limits: limits)
        var fields = try document.nextContents(of: .sequence, in: bytes)
        try document.requireEnd()
        status = try fields.nextInt64(.enumerated, in: bytes)
        if let element = try fields.nextIfPresent(.contextSpecific(0), in: bytes) {
            var explicit = try fields.contents(of: element)
            var typed = try explicit.nextContents(of: .sequence, in: bytes)
            try explicit.requireEnd()
            type = try typed.nextObjectIdentifier(in: bytes)
            response = try typed.nextOctetsInPlace(in: bytes)
            try typed.requireEnd()
        }
        try fields.requireEnd()
    }
}
