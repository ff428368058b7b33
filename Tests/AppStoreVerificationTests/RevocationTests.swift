import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import RevocationTestSupport
import Testing

@testable import AppStoreVerification

/// An authority whose certificates say where to ask, and a verifier with a register.
struct RevocationScene {
    static let now = SystemClock().now

    static let authority = Result {
        try SigningAuthority(profile: AuthorityProfile(now: now, seed: 8))
            .stating(ocspResponder: "http://127.0.0.1:1")
    }

    let authority: SigningAuthority
    let register = RevocationRegister()
    let verifier: SignedDataVerifier
    let receiptVerifier: ReceiptVerifier

    init() throws {
        authority = try Self.authority.get()
        let trust = try Trust.rehearsal(anchors: Array(authority.anchorsPEM.utf8))
        verifier = SignedDataVerifier(trust: trust, revocation: register)
        receiptVerifier = ReceiptVerifier(trust: trust, revocation: register)
    }

    func fingerprint(_ role: AuthorityRole) -> SHA256Digest {
        SHA256Digest(of: authority[role].certificate.der.span)
    }

    /// Both certificates of signed data good until an instant, and one perhaps something else.
    func snapshot(
        until: Instant = now.advanced(by: .seconds(3600)),
        _ role: AuthorityRole? = nil,
        _ status: RevocationSnapshot.Status? = nil
    ) -> RevocationSnapshot {
        var certificates: [SHA256Digest: RevocationSnapshot.Status] = [
            fingerprint(.signedDataSigner): .good(until: until),
            fingerprint(.signedDataIntermediate): .good(until: until),
        ]
        if let role { certificates[fingerprint(role)] = status }
        return RevocationSnapshot(certificates)
    }

    /// The code of the refusal of a transaction that was signed at an instant; nil where it is
    /// proved.
    func code(signedAt instant: Instant = now, now: Instant = now) throws -> ErrorCode? {
        let text = try SignedDataSpecification(.transaction, json: [0x7B, 0x7D], now: instant)
            .issue(by: authority)
        do {
            _ = try verifier.transaction(CompactJWS(text), now: now)
            return nil
        } catch {
            return error.code
        }
    }

    /// The same for an app receipt.
    func receiptCode(signedAt instant: Instant = now, now: Instant = now) throws -> ErrorCode? {
        let bytes = try ReceiptSpecification(json: [0x7B, 0x7D], now: instant)
            .issue(by: authority)
        do {
            _ = try receiptVerifier.verify(Document(detecting: bytes), now: now)
            return nil
        } catch {
            return error.code
        }
    }
}

@Suite("Revocation")
struct RevocationTests {
    private let scene: RevocationScene
    private let now = RevocationScene.now

    init() throws { scene = try RevocationScene() }

    @Test("A verifier without a register asks nobody")
    func off() throws {
        let text = try SignedDataSpecification(.transaction, json: [0x7B, 0x7D], now: now)
            .issue(by: scene.authority)
        let verifier = SignedDataVerifier(trust: scene.verifier.trust)
        #expect(throws: Never.self) { try verifier.transaction(CompactJWS(text), now: now) }
    }

    @Test("What is not known is undecided, may be tried again, and is noted to be asked")
    func unknown() throws {
        for _ in 0..<2 {
            #expect(try scene.code() == VerificationError.revocationUndecided)
        }
        #expect(VerificationError(VerificationError.revocationUndecided, "").isUndecided)
        #expect(!VerificationError(VerificationError.revoked, "").isUndecided)
        let questions = scene.register.questions()
        let roles = [AuthorityRole.signedDataSigner, .signedDataIntermediate]
        #expect(questions.map(\.certificate.fingerprint) == roles.map(scene.fingerprint))
        #expect(
            questions.map(\.issuer.fingerprint)
                == [.signedDataIntermediate, .signedDataRoot]
                .map(scene.fingerprint)
        )
        #expect(questions.flatMap(\.responders) == ["http://127.0.0.1:1", "http://127.0.0.1:1"])
    }

    @Test("A good certificate is good until its answer ends, also in a chain that is remembered")
    func good() throws {
        let until = now.advanced(by: .seconds(3600))
        #expect(try scene.code() == VerificationError.revocationUndecided)
        scene.register.replace(with: scene.snapshot(until: until))
        #expect(try scene.code() == nil)
        #expect(try scene.code(now: until) == nil)
        let later = until.advanced(by: .milliseconds(1))
        #expect(try scene.code(now: later) == VerificationError.revocationUndecided)
        scene.register.replace(with: scene.snapshot(until: later))
        #expect(try scene.code(now: later) == nil)
    }

    @Test("One certificate of which nothing is known leaves the document undecided")
    func partly() throws {
        let roles = [AuthorityRole.signedDataSigner, .signedDataIntermediate]
        for role in roles {
            scene.register.replace(with: scene.snapshot(role, nil))
            #expect(try scene.code() == VerificationError.revocationUndecided)
        }
    }

    @Test(
        "What was signed before a revocation stays proved, what was signed after it does not",
        arguments: [AuthorityRole.signedDataSigner, .signedDataIntermediate, .signedDataRoot],
        [nil, CRLReason.superseded, .cessationOfOperation, .certificateHold]
    )
    func revoked(role: AuthorityRole, reason: CRLReason?) throws {
        let since = now.advanced(by: .seconds(-86_400))
        let revocation = Revocation(since: since, reason: reason?.rawValue)
        for isRemembered in [false, true] {
            if isRemembered {
                scene.register.replace(with: scene.snapshot())
                #expect(try scene.code() == nil)
            }
            scene.register.replace(with: scene.snapshot(role, .revoked(revocation)))
            #expect(try scene.code(signedAt: since.advanced(by: .milliseconds(-1))) == nil)
            #expect(try scene.code(signedAt: since) == VerificationError.revoked)
            #expect(try scene.code() == VerificationError.revoked)
        }
    }

    @Test(
        "Where somebody else may have the key, nothing that it ever signed is proved",
        arguments: [CRLReason.keyCompromise, .cACompromise, .aACompromise]
    )
    func compromised(reason: CRLReason) throws {
        let revocation = Revocation(since: now, reason: reason.rawValue)
        scene.register.replace(with: scene.snapshot(.signedDataSigner, .revoked(revocation)))
        let longAgo = now.advanced(by: .seconds(-365 * 86_400))
        #expect(try scene.code(signedAt: longAgo) == VerificationError.revoked)
    }

    @Test("Nobody has to answer for a certificate that has ended; what is known of it counts")
    func ended() throws {
        let signer = scene.authority[.signedDataSigner].certificate.profile
        let intermediate = scene.authority[.signedDataIntermediate].certificate.profile
        let later = max(signer.notAfter, intermediate.notAfter)
        #expect(try scene.code(now: later) == VerificationError.revocationUndecided)
        #expect(try scene.code(now: later.advanced(by: .seconds(1))) == nil)
        let revocation = Revocation(since: now)
        scene.register.replace(with: scene.snapshot(.signedDataSigner, .revoked(revocation)))
        let code = try scene.code(now: later.advanced(by: .seconds(1)))
        #expect(code == VerificationError.revoked)
    }

    @Test("Receipts are under the same rules")
    func receipts() throws {
        #expect(try scene.receiptCode() == VerificationError.revocationUndecided)
        let asked = scene.register.questions().map(\.certificate.fingerprint)
        #expect(asked == [scene.fingerprint(.receiptSigner)])
        let signer = scene.fingerprint(.receiptSigner)
        scene.register.replace(with: RevocationSnapshot([signer: .good(until: now)]))
        #expect(try scene.receiptCode() == nil)
        let since = now.advanced(by: .seconds(-60))
        let revoked = RevocationSnapshot([signer: .revoked(Revocation(since: since))])
        scene.register.replace(with: revoked)
        #expect(try scene.receiptCode() == VerificationError.revoked)
        let before = since.advanced(by: .seconds(-1))
        #expect(try scene.receiptCode(signedAt: before) == nil)
    }

    @Test("A certificate that says nowhere to ask is not asked about")
    func withoutAddress() throws {
        let authority = try SignedDataShape.authority.get()
        let trust = try Trust.rehearsal(anchors: Array(authority.anchorsPEM.utf8))
        let verifier = SignedDataVerifier(trust: trust, revocation: scene.register)
        let text = try SignedDataShape.all[0].text()
        #expect(throws: Never.self) {
            try verifier.verify(CompactJWS(text), now: SignedDataShape.now)
        }
        #expect(scene.register.questions().isEmpty)
    }

    @Test("A document that is refused for what it is has nobody asked")
    func forgeries() throws {
        var refused = 0
        for flaw in SignedDataFlaw.allCases {
            let specification = try? SignedDataSpecification(
                .transaction,
                json: [0x7B, 0x7D],
                now: now,
                flaw: flaw
            )
            guard let text = try? specification?.issue(by: scene.authority) else { continue }
            let register = RevocationRegister()
            let verifier = SignedDataVerifier(trust: scene.verifier.trust, revocation: register)
            do throws(VerificationError) {
                _ = try verifier.transaction(CompactJWS(text), now: now)
            } catch  where error.code != VerificationError.revocationUndecided {
                refused += 1
                #expect(register.questions().isEmpty, "\(flaw)")
            } catch {}
        }
        #expect(refused > 40)
    }

    @Test("A register has room for so many certificates and drops the one met first")
    func capacity() throws {
        let register = RevocationRegister(capacity: 2)
        let trust = scene.verifier.trust
        let verifier = SignedDataVerifier(trust: trust, revocation: register)
        var last: SHA256Digest?
        for serial in 1...4 as ClosedRange<UInt8> {
            let other = try scene.authority.changing(.signedDataSigner) {
                $0.serialNumber = [serial]
            }
            let text = try SignedDataSpecification(.transaction, json: [0x7B, 0x7D], now: now)
                .issue(by: other)
            _ = try? verifier.transaction(CompactJWS(text), now: now)
            last = SHA256Digest(of: other[.signedDataSigner].certificate.der.span)
            #expect(register.questions().count == 2)
        }
        #expect(register.questions().contains { $0.certificate.fingerprint == last })
    }

    @Test("Verifiers on many threads see a snapshot that is replaced under them")
    func replacing() async throws {
        let text = try SignedDataSpecification(.transaction, json: [0x7B, 0x7D], now: now)
            .issue(by: scene.authority)
        let jws = try CompactJWS(text)
        let (scene, now) = (scene, now)
        let revoked = scene.snapshot(.signedDataSigner, .revoked(Revocation(since: now)))
        await withTaskGroup(of: Set<ErrorCode?>.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var codes: Set<ErrorCode?> = []
                    for _ in 0..<Soak.size(200, soak: 5_000) {
                        do throws(VerificationError) {
                            _ = try scene.verifier.transaction(jws, now: now)
                            codes.insert(nil)
                        } catch {
                            codes.insert(error.code)
                        }
                    }
                    return codes
                }
            }
            for index in 0..<100 {
                scene.register.replace(with: index % 2 == 0 ? scene.snapshot() : revoked)
                await Task.yield()
            }
            for await codes in group {
                #expect(
                    codes.isSubset(of: [
                        nil, VerificationError.revoked, VerificationError.revocationUndecided,
                    ])
                )
            }
        }
        #expect(try scene.code() == VerificationError.revoked)
    }

    @Test("Genuine documents have Apple asked, and nobody else", .enabled(if: Corpus.isPresent))
    func genuine() throws {
        let register = RevocationRegister()
        let verifier = SignedDataVerifier(revocation: register)
        for file in SignedDataCorpusTests.genuineNotifications {
            let jws = try SignedDataCorpusTests.document(file)
            do {
                let notification = try verifier.notification(jws)
                #expect(
                    notification.notification.proof.notes.map(\.code).contains(
                        VerificationNote.endedSince
                    )
                )
            } catch {
                #expect(error.code == VerificationError.revocationUndecided)
            }
        }
        let addresses = register.questions().flatMap(\.responders)
        #expect(!addresses.isEmpty)
        #expect(addresses.allSatisfy { $0.hasPrefix("http://ocsp.apple.com/ocsp03-") })
    }
}

@Suite("Answers of responders", .enabled(if: OpenSSLResponder.isPresent))
struct RevocationAnswerTests {
    private let scene: RevocationScene
    private let now = SystemClock().now

    init() throws { scene = try RevocationScene() }

    /// Has OpenSSL answer about every certificate that was met.
    private func answerAll(signer status: OpenSSLResponder.Status) throws {
        let authority = scene.authority
        for question in scene.register.questions() {
            let isSigner = question.certificate.fingerprint == scene.fingerprint(.signedDataSigner)
            let role = isSigner ? AuthorityRole.signedDataIntermediate : .signedDataRoot
            let asked = isSigner ? AuthorityRole.signedDataSigner : .signedDataIntermediate
            let responder = try OpenSSLResponder(
                for: authority[role],
                [(authority[asked].certificate, isSigner ? status : .good)]
            )
            let until = try scene.register.take(
                responder.response(to: question.request()),
                answering: question,
                now: now
            )
            #expect(until > now.advanced(by: .seconds(86_000)))
        }
    }

    @Test("What they say decides the documents that were undecided")
    func decided() throws {
        #expect(try scene.code(now: now) == VerificationError.revocationUndecided)
        try answerAll(signer: .good)
        #expect(try scene.code(now: now) == nil)
        let since = now.advanced(by: .seconds(-60))
        try answerAll(signer: .revoked(at: since, reason: "superseded"))
        #expect(try scene.code(now: now) == VerificationError.revoked)
        let before = since.advanced(by: .seconds(-5))
        #expect(try scene.code(signedAt: before, now: now) == nil)
        try answerAll(signer: .revoked(at: since, reason: "keyCompromise"))
        #expect(try scene.code(signedAt: before, now: now) == VerificationError.revoked)
    }

    @Test("A certificate that the responder does not know stays undecided")
    func unknown() throws {
        _ = try scene.code(now: now)
        let question = try #require(scene.register.questions().first)
        let responder = try OpenSSLResponder(for: scene.authority[.signedDataIntermediate], [])
        let response = try responder.response(to: question.request())
        #expect {
            try scene.register.take(response, answering: question, now: now)
        } throws: {
            ($0 as? VerificationError)?.code == VerificationError.unknownToResponder
        }
        #expect(try scene.code(now: now) == VerificationError.revocationUndecided)
    }

    @Test("An older answer does not replace a newer one, nor do bytes that nobody signed")
    func older() throws {
        _ = try scene.code(now: now)
        let question = try #require(scene.register.questions().first)
        let signer = scene.authority[.signedDataSigner].certificate
        let issuer = scene.authority[.signedDataIntermediate]
        let good = try OpenSSLResponder(for: issuer, [(signer, .good)])
            .response(to: question.request())
        // The dates have whole seconds.
        let start = SystemClock().now
        while SystemClock().now < start.advanced(by: .milliseconds(1_100)) {}
        let revoked = try OpenSSLResponder(for: issuer, [(signer, .revoked(at: now))])
            .response(to: question.request())
        _ = try scene.register.take(revoked, answering: question, now: now)
        let known = scene.register.snapshot
        for bytes in [good, [], Array(good.dropLast())] {
            #expect(throws: VerificationError.self) {
                try scene.register.take(bytes, answering: question, now: now)
            }
            #expect(scene.register.snapshot == known)
        }
        let later = now.advanced(by: .seconds(1))
        #expect(try scene.code(signedAt: later, now: later) == VerificationError.revoked)
    }

    @Test("A responder of another issuer's answers for nobody of ours")
    func wrongResponder() throws {
        _ = try scene.code(now: now)
        let question = try #require(scene.register.questions().first)
        let signer = scene.authority[.signedDataSigner].certificate
        let issuer = scene.authority[.signedDataIntermediate]
        let other = try SignedDataShape.authority.get()[.signedDataIntermediate]
        let impostor = try OpenSSLResponder(for: issuer, signedBy: other, [(signer, .good)])
        #expect(throws: VerificationError.self) {
            try scene.register.take(
                impostor.response(to: question.request()),
                answering: question,
                now: now
            )
        }
        #expect(scene.register.snapshot == RevocationSnapshot())
    }
}
