import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import Foundation
import RevocationTestSupport
import Testing

@Suite("OCSP")
struct OCSPTests {
    private let now = ResponseDraft.now
    private let authority = AnsweringAuthority()

    private func answer(
        _ draft: ResponseDraft,
        to question: OCSPQuestion? = nil,
        nonce: [UInt8]? = nil,
        now: Instant? = nil
    ) throws -> OCSPAnswer {
        try OCSPResponse(draft.der()).answer(
            to: question ?? authority.question(),
            nonce: nonce,
            now: now ?? self.now
        )
    }

    /// The code of the refusal; nil for an answer.
    private func refusal(
        _ draft: ResponseDraft,
        nonce: [UInt8]? = nil,
        now: Instant? = nil
    ) throws -> ErrorCode? {
        do {
            _ = try answer(draft, nonce: nonce, now: now)
            return nil
        } catch let error as OCSPError {
            return error.code
        }
    }

    @Test("An issuer's answer is read, whatever digest names the certificate and the signer")
    func good() throws {
        for key in [TestKeys.otherRSA2048, TestKeys.p256, TestKeys.p384] {
            let authority = AnsweringAuthority(issuerKey: key)
            for digest in DigestAlgorithm.allCases {
                for isNamedByKey in [true, false] {
                    var draft = try authority.draft()
                    draft.singles[0].digest = digest
                    draft.isNamedByKey = isNamedByKey
                    let answer = try answer(draft, to: authority.question())
                    #expect(answer.status == .good)
                    #expect(answer.nextUpdate == now.advanced(by: .seconds(3600)))
                }
            }
        }
    }

    @Test("A revocation is read with its instant and its reason, and the unknown is unknown")
    func statuses() throws {
        let instant = CivilTime(year: 2025, month: 1, day: 2, hour: 3).instant
        let reasons: [CRLReason?] = [nil, .keyCompromise, .superseded, CRLReason(rawValue: 42)]
        for reason in reasons {
            var draft = try authority.draft()
            draft.singles[0].status = .revoked(at: instant, reason: reason)
            #expect(try answer(draft).status == .revoked(at: instant, reason: reason))
        }
        var draft = try authority.draft()
        draft.singles[0].status = .unknown
        #expect(try answer(draft).status == .unknown)
    }

    @Test("A responder answers that the issuer allowed to, and no other")
    func delegation() throws {
        #expect(try answer(authority.delegatedDraft()).status == .good)
        func expectUntrusted(
            signedBy key: PrivateKey? = nil,
            _ spoil: (inout AnsweringAuthority) -> Void
        ) throws {
            var authority = authority
            spoil(&authority)
            let draft = try authority.delegatedDraft(signedBy: key)
            #expect(try refusal(draft) == OCSPError.responderUntrusted)
        }
        try expectUntrusted { $0.responder.extensions.removeFirst() }
        try expectUntrusted { $0.responder.extensions[1] = CertificateDraft.signsCertificates }
        try expectUntrusted { $0.responder.extensions[0].value = [0x30, 0x01, 0x00] }
        try expectUntrusted { $0.responder.issuer = "Test Root" }
        try expectUntrusted { $0.responder.notAfter = self.now.advanced(by: .seconds(-1)) }
        try expectUntrusted { $0.responder.notBefore = self.now.advanced(by: .seconds(1)) }
        try expectUntrusted(signedBy: TestKeys.rsa2048) { _ in }
        try expectUntrusted {
            $0.responder.extensions.append(
                CertificateDraft.Extension(identifier: "1.2.3.4", isCritical: true, value: [5, 0])
            )
        }
        var missing = try authority.delegatedDraft()
        missing.certificates = []
        #expect(try refusal(missing) == OCSPError.responderUntrusted)
    }

    @Test("The leaf cannot answer for itself")
    func selfAnswer() throws {
        let question = try authority.question()
        var draft = ResponseDraft(about: question, by: question.certificate, TestKeys.p256)
        draft.certificates = [question.certificate]
        #expect(try refusal(draft) == OCSPError.responderUntrusted)
    }

    @Test("An issuer that has ended answers no more")
    func endedIssuer() throws {
        var ended = AnsweringAuthority()
        ended.authority.intermediate.notAfter = now.advanced(by: .seconds(-1))
        for draft in try [ended.draft(), ended.delegatedDraft()] {
            #expect {
                try answer(draft, to: ended.question())
            } throws: {
                ($0 as? OCSPError)?.code == OCSPError.responderUntrusted
            }
        }
    }

    @Test("What is wrong with a response has a code of its own")
    func refusals() throws {
        func expect(_ code: ErrorCode?, _ spoil: (inout ResponseDraft) throws -> Void) throws {
            var draft = try authority.draft()
            try spoil(&draft)
            #expect(try refusal(draft) == code)
        }
        try expect(nil) { _ in }
        for status in [1, 2, 3, 5, 6, 99] as [Int64] {
            try expect(OCSPError.declined) { $0.status = status }
        }
        try expect(OCSPError.unsupported) { $0.type = "1.2.3.4" }
        try expect(nil) { $0.version = 0 }
        try expect(OCSPError.malformed) { $0.version = 1 }
        try expect(OCSPError.unsupported) { $0.algorithm = .rsaPKCS1(.sha1) }
        try expect(nil) { $0.algorithm = .rsaPKCS1(.sha512) }
        try expect(OCSPError.unsupported) { $0.criticalExtension = "1.2.3.4" }
        try expect(OCSPError.unsupported) { $0.singles[0].criticalExtension = "1.2.3.4" }
        try expect(OCSPError.signatureInvalid) { $0.breaksSignature = true }
        try expect(OCSPError.signatureInvalid) { $0.key = TestKeys.rsa2048 }
        try expect(OCSPError.signatureInvalid) {
            $0.key = TestKeys.p256
            $0.algorithm = .ecdsa(.sha256)
        }
        try expect(OCSPError.tooLarge) {
            $0.singles = Array(repeating: $0.singles[0], count: 17)
        }
        try expect(OCSPError.tooLarge) {
            $0.certificates = Array(repeating: $0.responder, count: 5)
        }
        let big = [UInt8](repeating: 0x30, count: OCSPLimits.default.bytes + 1)
        #expect { try OCSPResponse(big) } throws: {
            ($0 as? OCSPError)?.code == OCSPError.tooLarge
        }
    }

    @Test("An answer about another certificate, issuer, or about the same one twice, is none")
    func others() throws {
        var other = authority
        other.authority.leaf.serialNumber = 2
        var draft = try authority.draft()
        draft.singles[0].question = try other.question()
        #expect(try refusal(draft) == OCSPError.otherCertificate)

        var renamed = authority
        renamed.authority.intermediate.subject = "Another CA"
        draft.singles[0].question = try renamed.question()
        #expect(try refusal(draft) == OCSPError.otherCertificate)

        draft.singles[0].question = try AnsweringAuthority(issuerKey: TestKeys.p384).question()
        #expect(try refusal(draft) == OCSPError.otherCertificate)

        draft = try authority.draft()
        draft.singles.append(draft.singles[0])
        #expect(try refusal(draft) == OCSPError.otherCertificate)

        draft.singles[1].question = try other.question()
        draft.singles[1].status = .unknown
        #expect(try answer(draft).status == .good)
    }

    @Test("A response holds from thisUpdate to nextUpdate, give or take five minutes")
    func freshness() throws {
        let draft = try authority.draft()
        let (first, last) = (draft.singles[0].thisUpdate, now.advanced(by: .seconds(3600)))
        #expect(try refusal(draft, now: first.advanced(by: .seconds(-300))) == nil)
        #expect(try refusal(draft, now: last.advanced(by: .seconds(300))) == nil)
        let (early, late) = (
            first.advanced(by: .seconds(-301)), last.advanced(by: .seconds(301))
        )
        #expect(try refusal(draft, now: early) == OCSPError.notCurrent)
        #expect(try refusal(draft, now: late) == OCSPError.notCurrent)
        var endless = draft
        endless.singles[0].nextUpdate = nil
        #expect(try refusal(endless) == OCSPError.noNextUpdate)
        var backwards = draft
        backwards.singles[0].nextUpdate = first.advanced(by: .seconds(-1))
        #expect(try refusal(backwards, now: first) == OCSPError.notCurrent)
    }

    @Test("A nonce that is answered must be the one that was asked")
    func nonces() throws {
        var draft = try authority.draft()
        #expect(try refusal(draft, nonce: [1, 2, 3]) == nil)
        draft.nonce = [1, 2, 3]
        #expect(try refusal(draft, nonce: [1, 2, 3]) == nil)
        #expect(try refusal(draft) == nil)
        #expect(try refusal(draft, nonce: [1, 2, 4]) == OCSPError.nonceMismatch)
    }

    @Test("A response cut anywhere is refused")
    func truncation() throws {
        let der = try authority.delegatedDraft().der()
        let question = try authority.question()
        for count in der.indices {
            #expect(throws: OCSPError.self) {
                try OCSPResponse(Array(der.prefix(count))).answer(to: question, now: now)
            }
        }
        #expect(throws: OCSPError.self) { try OCSPResponse(der + [0]) }
    }

    @Test("An OCTET STRING that says it is in chunks is refused before the signature is looked at")
    func chunks() throws {
        var draft = try authority.draft()
        draft.nonce = [1, 2, 3]
        let der = try draft.der()
        let issuer = try authority.question().issuer
        let octets = [
            MessageDigest(of: issuer.subject.der, .sha1).bytes,
            issuer.subjectPublicKeyInfo.keyIdentifier, [1, 2, 3], [4, 3, 1, 2, 3],
        ]
        var places = octets.flatMap { content in
            der.ranges(of: [4, UInt8(content.count)] + content).map(\.lowerBound)
        }
        let type = try #require(
            der.firstRange(of: DERWriter.bytes { $0.objectIdentifier(.ocspBasic) })
        )
        places.append(type.upperBound)
        #expect(places.count == 6)
        for place in places {
            var spoiled = der
            spoiled[place] |= 0x20
            #expect {
                try OCSPResponse(spoiled)
            } throws: {
                ($0 as? OCSPError)?.code == OCSPError.malformed
            }
        }
    }

    @Test("With any bit flipped, a response is refused or says what it said")
    func flips() throws {
        let der = try authority.delegatedDraft().der()
        let question = try authority.question()
        let whole = try OCSPResponse(der).answer(to: question, now: now)
        var survivors = 0
        for bit in 0..<der.count * 8 {
            let spoiled = Spoiling.flip(bit, of: der)
            guard
                let answer = try? OCSPResponse(spoiled).answer(to: question, now: now)
            else { continue }
            survivors += 1
            #expect(answer == whole)
        }
        // Nothing but what nobody signs and nobody reads may change.
        #expect(survivors < 16)
    }
}

@Suite("Certificates that state a responder")
struct OCSPAddressTests {
    @Test("Apple's certificates state where to ask", .enabled(if: Corpus.isPresent))
    func apple() throws {
        let issuers = [
            "Apple-Worldwide-Developer-Relations-Certification-Authority-2036-03-19":
                ["http://ocsp.apple.com/ocsp03-applerootcag3"],
            "Apple-Worldwide-Developer-Relations-Certification-Authority-2030-12-10":
                ["http://ocsp.apple.com/ocsp03-applerootca"],
            "Apple-Worldwide-Developer-Relations-Certification-Authority-2016-02-14": [],
            "AppleRootCA-G3": [],
        ]
        for (name, addresses) in issuers {
            let certificate = try Certificate(Corpus.bytes("certs/\(name).der"))
            #expect(certificate.ocspResponders == addresses)
        }
    }

    @Test("What is no address of a responder is passed over")
    func otherAddresses() throws {
        func responders(_ value: [UInt8]) throws -> [String] {
            var authority = TestAuthority()
            authority.leaf.extensions.append(
                CertificateDraft.Extension(identifier: .authorityInfoAccess, value: value)
            )
            return try authority.issued().leaf.ocspResponders
        }
        func access(_ items: [(ASN1ObjectIdentifier, Int, String)]) -> [UInt8] {
            DERWriter.bytes { writer in
                writer.sequence { list in
                    for (method, tag, text) in items {
                        list.sequence { description in
                            description.objectIdentifier(method)
                            description.primitive(.contextSpecific(tag), text.utf8)
                        }
                    }
                }
            }
        }
        let caIssuers: ASN1ObjectIdentifier = "1.3.6.1.5.5.7.48.2"
        #expect(
            try responders(
                access([
                    (caIssuers, 6, "http://a"), (.ocsp, 2, "b"), (.ocsp, 6, "http://c"),
                    (.ocsp, 6, "http://d"),
                ])
            ) == ["http://c", "http://d"]
        )
        #expect(try responders(access([(.ocsp, 6, "http://é")])) == [])
        #expect(try responders([0x05, 0x00]) == [])
        #expect(try responders([0x30, 0x80]) == [])
    }
}
