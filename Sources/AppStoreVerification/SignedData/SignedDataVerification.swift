import AppStoreModel
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilJSON

/// Proves signed data, step by step; each step refuses before the next one begins.
struct SignedDataVerification: Sendable {
    let trust: Trust
    let limits: VerificationLimits
    let memory: ChainMemory
    var revocation: RevocationRegister?

    /// The digest of ES256.
    static let digest = "SHA-256"

    /// A payload whose signature and certificates hold, with what they were judged at.
    struct Proved {
        let payload: JSONObject
        let kind: SignedDataKind
        let chain: SigningChain
        let signedAt: Instant
        let notes: [VerificationNote]
    }

    func prove(_ jws: CompactJWS, now: Instant) throws(VerificationError) -> Proved {
        // 1. The signer's key, from a header that held before or from certificates within bounds.
        let identity = ChainMemory.Identity(jws.header)
        let remembered = memory.chain(of: identity)
        let candidate = remembered == nil ? try candidate(jws) : nil

        // 2. The signature over the exact bytes.
        guard let key = remembered?.key ?? candidate?.key else {
            preconditionFailure("there is a remembered chain or a candidate")
        }
        try requireSignature(of: jws, by: key)

        // 3. A peek at the one date, and the chain at that date.
        let payload = try Self.payload(of: jws, limits: limits)
        let kind = SignedDataKind(of: payload)
        let signedAt = try Self.signingDate(of: payload, kind)
        let chain = try chain(remembered, candidate, of: jws, identity, at: signedAt)
        try limits.requireNotInFuture(signedAt, now: now, what: "the signing date")
        if let revocation {
            try chain.requireNotRevoked(in: revocation, signedAt: signedAt, now: now)
        }
        return Proved(
            payload: payload,
            kind: kind,
            chain: chain,
            signedAt: signedAt,
            notes: chain.noteOfEnd(at: now).map { [$0] } ?? []
        )
    }

    private func candidate(_ jws: CompactJWS) throws(VerificationError) -> CandidateChain {
        let header = try JWSHeader(jws.decodedHeader(), limits: limits)
        return try CandidateChain(of: header, limits: limits)
    }

    private func requireSignature(
        of jws: CompactJWS,
        by key: PublicKey
    ) throws(VerificationError) {
        let signature = try jws.decodedSignature()
        guard signature.count == 64 else {
            throw VerificationError(
                VerificationError.signatureLength,
                "the signature has \(signature.count) bytes"
                    + (signature.first == 0x30 ? " and is perhaps DER" : "")
                    + ", expected the 64 of r and s"
            )
        }
        let isGenuine: Bool
        do {
            isGenuine = try key.verifiesES256(signature.span, over: jws.signed.span)
        } catch {
            throw VerificationError(error)
        }
        guard isGenuine else {
            throw VerificationError(
                VerificationError.signatureInvalid,
                "the \(key.kind) signature does not belong to these bytes and the signer's key"
            )
        }
    }

    /// The payload, which is a JSON object.
    static func payload(
        of jws: CompactJWS,
        limits: VerificationLimits
    ) throws(VerificationError) -> JSONObject {
        let text = try jws.decodedPayload()
        do {
            let jsonLimits = JSONLimits(
                bytes: limits.documentBytes,
                depth: limits.payloadDepth,
                values: limits.payloadValues
            )
            return try JSONMembers(JSONValue(parsing: text, limits: jsonLimits)).object
        } catch {
            throw VerificationError(
                VerificationError.signedPayloadMalformed,
                "the payload is no JSON object that can be read: \(error.reason)"
            )
        }
    }

    /// `receiptCreationDate` of an app transaction, `signedDate` of everything else.
    static func signingDate(
        of payload: JSONObject,
        _ kind: SignedDataKind
    ) throws(VerificationError) -> Instant {
        let key = kind == .appTransaction ? "receiptCreationDate" : "signedDate"
        switch payload[key] {
        case .number(let number):
            guard let milliseconds = number.roundedDown else { break }
            return Instant(millisecondsSince1970: milliseconds)
        case nil, .null:
            throw VerificationError(
                kind == .unknown
                    ? VerificationError.kindUnknown : VerificationError.signingDateMissing,
                "the payload \(kind == .unknown ? "is of no known kind and " : "")has no \(key), "
                    + "at which its certificates would be judged"
            )
        default: break
        }
        throw VerificationError(
            VerificationError.signedPayloadMalformed,
            "\(key) is no number of milliseconds"
        )
    }

    private func chain(
        _ remembered: SigningChain?,
        _ candidate: CandidateChain?,
        of jws: CompactJWS,
        _ identity: ChainMemory.Identity,
        at instant: Instant
    ) throws(VerificationError) -> SigningChain {
        if let remembered, remembered.holds(at: instant) { return remembered }
        let candidate = if let candidate { candidate } else { try self.candidate(jws) }
        let chain = try candidate.judged(at: instant, by: trust)
        memory.remember(chain, of: identity)
        return chain
    }
}

extension CandidateChain {
    /// The chain that the header of signed data brings along.
    ///
    /// The third certificate is the header's own root: it is neither trusted nor needed, so it is
    /// not even read.
    init(of header: JWSHeader, limits: VerificationLimits) throws(VerificationError) {
        var certificates: [Certificate] = []
        do {
            for bytes in header.certificates.prefix(2) {
                certificates.append(try Certificate(bytes, limits: limits.certificateLimits))
            }
        } catch {
            throw VerificationError(error)
        }
        let signer = certificates.removeFirst()
        guard signer.subjectPublicKeyInfo.kind == .ellipticCurve(.p256) else {
            throw VerificationError(
                VerificationError.notP256,
                "the signer's certificate \(signer) has a key of the kind "
                    + "\(signer.subjectPublicKeyInfo.kind), expected P-256"
            )
        }
        try self.init(signer, others: certificates, limits: limits)
    }
}
