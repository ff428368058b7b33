import AppStoreVerification
import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography
import RevocationTestSupport

extension FuzzTarget {
    /// OCSP responses: nothing counts that a responder did not sign, and of what it signs, no more
    /// than it says.
    static func checkResponse(
        _ bytes: [UInt8],
        _ issued: IssuedDocuments
    ) throws(Contradiction) {
        try checkBounds(bytes)
        for twin in issued.twins {
            try checkForgery(bytes, twin.asked.question, issued)
            if let outline = twin.saying(bytes) { try checkSayings(outline, of: twin) }
        }
    }

    /// What is read has no more certificates and answers than it may.
    private static func checkBounds(_ bytes: [UInt8]) throws(Contradiction) {
        var small = OCSPLimits()
        small.bytes = 1024
        small.certificates = 1
        small.singleResponses = 1
        for limits in [small, .default]
        where attempt({ try OCSPResponse(bytes, limits: limits) }) != nil {
            let (outline, singles) = try Contradiction.unlessSucceeds("it is read and is none") {
                let outline = try ResponseOutline(bytes)
                return (outline, try outline.singleCount())
            }
            try Contradiction.unless(
                bytes.count <= limits.bytes && singles <= limits.singleResponses
                    && outline.certificates.count <= limits.certificates,
                "a response of \(bytes.count) bytes with \(outline.certificates.count) certificates "
                    + "and \(singles) answers is read"
            )
        }
    }

    /// The answer is one that the issuer gave, and a register knows what it says and nothing else.
    private static func checkForgery(
        _ bytes: [UInt8],
        _ question: OCSPQuestion,
        _ issued: IssuedDocuments
    ) throws(Contradiction) {
        let answer = answer(in: bytes, to: question)
        let register = RevocationRegister()
        let until = attempt {
            try register.take(bytes, answering: question, now: IssuedDocuments.now)
        }
        let isDecided = answer.map { $0.status != .unknown } ?? false
        try Contradiction.unless(
            (until != nil) == isDecided
                && register.snapshot.certificates.count == (isDecided ? 1 : 0),
            "a register takes another answer"
        )
        guard answer != nil else { return }
        let outline = try Contradiction.unlessSucceeds("an answer is in no response") {
            try ResponseOutline(bytes)
        }
        try Contradiction.unless(
            issued.contents.contains(IssuedDocuments.digest(ofResponse: outline.signed)),
            "an answer is proved that nobody gave"
        )
    }

    /// What a response says under genuine signatures, which no input could have by itself.
    private static func checkSayings(
        _ outline: ResponseOutline,
        of twin: ResponderTwin
    ) throws(Contradiction) {
        for signer in [ResponderTwin.Signer.issuer, .responder] {
            let response = try twin.response(outline, by: signer)
            let answer: OCSPAnswer
            do throws(OCSPError) {
                answer = try OCSPResponse(response).answer(
                    to: twin.question,
                    now: IssuedDocuments.now
                )
            } catch {
                let isGenuine = signer == .issuer && outline.certificates.isEmpty
                try Contradiction.unless(
                    !isGenuine || error.code != OCSPError.signatureInvalid,
                    "a genuine signature is refused: \(error)"
                )
                continue
            }
            try Contradiction.unless(
                answer.isSaid(in: outline.signed, of: twin.question.certificate),
                "what is proved is not what was signed: \(answer)"
            )
            try Contradiction.unless(
                answer.thisUpdate <= IssuedDocuments.now.advanced(by: .seconds(300))
                    && IssuedDocuments.now <= answer.nextUpdate.advanced(by: .seconds(300)),
                "an answer counts from \(answer.thisUpdate) to \(answer.nextUpdate)"
            )
            let repeated = self.answer(in: response, to: twin.question, nonce: ResponseSeeds.nonce)
            try Contradiction.unless(
                repeated == nil || repeated == answer,
                "another answer where a nonce is asked for"
            )
            try checkForgeries(of: outline, by: signer, twin)
        }
    }

    /// What was proved is not, once it is signed by somebody else or changed afterwards.
    private static func checkForgeries(
        of outline: ResponseOutline,
        by signer: ResponderTwin.Signer,
        _ twin: ResponderTwin
    ) throws(Contradiction) {
        var forgeries = [try twin.response(outline, by: .stranger)]
        if signer == .responder {
            forgeries.append(try twin.response(outline, by: signer, certifiedBy: .stranger))
        }
        let genuine = try twin.response(outline, by: signer)
        let place = outline.signed.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF }
        var changed = genuine
        if let start = changed.firstRange(of: outline.signed)?.lowerBound {
            changed[start + place / 8 % outline.signed.count] ^= 1 << UInt8(place % 8)
            forgeries.append(changed)
        }
        for forgery in forgeries {
            try Contradiction.unless(
                answer(in: forgery, to: twin.question) == nil,
                "an answer is proved that its responder did not sign"
            )
        }
    }

    private static func answer(
        in bytes: [UInt8],
        to question: OCSPQuestion,
        nonce: [UInt8]? = nil
    ) -> OCSPAnswer? {
        attempt {
            try OCSPResponse(bytes).answer(to: question, nonce: nonce, now: IssuedDocuments.now)
        }
    }
}

extension OCSPAnswer {
    /// Whether signed bytes say this of a certificate, word for word: its number, the status and
    /// the two instants stand behind one another.
    fileprivate func isSaid(in signed: [UInt8], of certificate: Certificate) -> Bool {
        let words = DERWriter.bytes { writer in
            writer.primitive(.integer, certificate.serialNumber)
            status.write(to: &writer)
            writer.generalizedTime(thisUpdate)
            writer.explicit(0) { $0.generalizedTime(nextUpdate) }
        }
        return signed.firstRange(of: words) != nil
    }
}
