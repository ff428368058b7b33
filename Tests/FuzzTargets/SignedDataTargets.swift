import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON

extension FuzzTarget {
    /// The letters of signed data: nothing is proved that nobody issued, and what is remembered of
    /// other documents changes no verdict.
    static func checkSignedData(
        _ bytes: [UInt8],
        _ issued: IssuedDocuments
    ) throws(Contradiction) {
        guard let jws = attempt({ try CompactJWS(bytes) }) else { return }
        let remembering = code(of: jws, by: issued.signedDataVerifier)
        let fresh = code(of: jws, by: SignedDataVerifier(trust: issued.signedDataVerifier.trust))
        try Contradiction.unless(
            remembering == fresh,
            "a verifier that remembers says \(remembering ?? "yes"), a new one \(fresh ?? "yes")"
        )
        guard fresh == nil else { return }
        try Contradiction.unless(
            issued.contents.contains(IssuedDocuments.digest(ofSignedData: bytes)),
            "signed data is proved that nobody issued"
        )
    }

    /// The code of the refusal; nil where the document is proved.
    private static func code(of jws: CompactJWS, by verifier: SignedDataVerifier) -> String? {
        do throws(VerificationError) {
            _ = try verifier.verify(jws, now: IssuedDocuments.now)
            return nil
        } catch {
            return error.code.rawValue
        }
    }

    /// What signed data says, under a genuine signature, which no input could have by itself: it is
    /// refused for what it says alone, and what is proved is what was signed.
    ///
    /// What stands inside a notification as plain JSON is signed, too.
    static func checkClaims(_ bytes: [UInt8]) throws(Contradiction) {
        let signer = try Contradiction.unlessSucceeds("there is no authority") {
            try OwnSigner.shared.get()
        }
        let payload = try signer.signingNested(in: bytes)
        let text = try signer.sign(payload)
        guard let jws = attempt({ try CompactJWS(text) }) else { return }
        let verified: VerifiedSignedData
        do throws(VerificationError) {
            verified = try signer.verifier.verify(jws, now: IssuedDocuments.now)
        } catch {
            try Contradiction.unless(
                isOfClaims(error),
                "a genuine signature is refused: \(error)"
            )
            return
        }
        let value = try Contradiction.unlessSucceeds("what is proved is no JSON") {
            try JSONValue(parsing: payload)
        }
        try Contradiction.unless(
            value == .object(verified.object),
            "what is proved is not what was signed"
        )
        try Contradiction.unless(
            verified.kind == SignedDataKind(of: verified.object),
            "what is proved is of another kind"
        )
    }

    /// Whether a document was refused for what it says, or for what is signed inside it.
    private static func isOfClaims(_ error: VerificationError) -> Bool {
        let code = error.code.rawValue
        return ["payload.", "notification.", "environment.", "app.", "time.", "limit."]
            .contains(where: code.hasPrefix)
            || ["chain.expired", "chain.not_yet_valid"].contains(code)
            || error.reason.hasPrefix("in signed")
    }
}

/// An authority of this process that signs whatever it is given, and a verifier that believes it.
private struct OwnSigner: Sendable {
    private let issuer: SignedDataIssuer
    let verifier: SignedDataVerifier

    static let shared = Result { try OwnSigner() }

    private init() throws {
        let authority = try SigningAuthority(profile: AuthorityProfile(now: IssuedDocuments.now))
        issuer = SignedDataIssuer(authority: authority)
        let trust = try Trust.rehearsal(anchors: Array(authority.anchorsPEM.utf8))
        verifier = SignedDataVerifier(trust: trust)
    }

    func sign(_ payload: [UInt8]) throws(Contradiction) -> String {
        try Contradiction.unlessSucceeds("a payload cannot be signed") {
            try issuer.sign(payload: payload)
        }
    }

    /// A payload with the plain JSON signed that stands where a notification has documents.
    func signingNested(in payload: [UInt8]) throws(Contradiction) -> [UInt8] {
        guard case .object(var object)? = attempt({ try JSONValue(parsing: payload) }) else {
            return payload
        }
        var isChanged = false
        for (place, key) in FuzzSeeds.nestedPlaces {
            guard var container = object[place]?.object, let text = container[key]?.string,
                text.hasPrefix("{")
            else { continue }
            container[key] = .string(try sign(Array(text.utf8)))
            object[place] = .object(container)
            isChanged = true
        }
        return isChanged ? JSONValue.object(object).document() : payload
    }
}

extension VerifiedSignedData {
    /// Everything that was signed of the document itself.
    fileprivate var object: JSONObject {
        switch self {
        case .transaction(let transaction): transaction.content.object
        case .renewalInfo(let renewalInfo): renewalInfo.content.object
        case .appTransaction(let transaction): transaction.content.object
        case .notification(let notification): notification.notification.content.object
        case .realtimeRequest(let request): request.content.object
        }
    }
}
