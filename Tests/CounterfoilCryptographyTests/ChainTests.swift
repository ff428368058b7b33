import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Certificate chains")
struct ChainTests {
    private let middle = CivilTime(year: 2025, month: 6, day: 1).instant

    private func error(
        _ authority: TestAuthority,
        anchors: [Certificate]? = nil,
        at instant: Instant? = nil
    ) throws -> ChainError? {
        let (root, intermediate, leaf) = try authority.issued()
        let judge = try TrustAnchors(anchors ?? [root])
        do {
            _ = try judge.path(from: leaf, through: [intermediate], at: instant ?? middle)
        } catch {
            return error
        }
        return nil
    }

    @Test("A good path is leaf, intermediate and anchor, whatever is presented beside them")
    func good() throws {
        let (root, intermediate, leaf) = try TestAuthority().issued()
        let judge = try TrustAnchors([root])
        for presented in [[intermediate], [root, intermediate], [intermediate, root, leaf]] {
            let path = try judge.path(from: leaf, through: presented, at: middle)
            #expect(path.certificates == [leaf, intermediate, root])
            #expect(path.leaf == leaf)
            #expect(Array(path.intermediates) == [intermediate])
            #expect(path.anchor == root)
            #expect(path.judgedAt == middle)
            #expect(path.validity == root.validity)
        }
        let direct = try judge.path(from: intermediate, through: [], at: middle)
        #expect(direct.certificates == [intermediate, root])
        #expect(try judge.path(from: root, through: [], at: middle).certificates == [root])
    }

    @Test("The window of a path is the part that all its certificates share")
    func window() throws {
        var authority = TestAuthority()
        authority.leaf.notAfter = CivilTime(year: 2026, month: 1, day: 1).instant
        authority.intermediate.notBefore = CivilTime(year: 2024, month: 1, day: 1).instant
        let (root, intermediate, leaf) = try authority.issued()
        let path = try TrustAnchors([root]).path(from: leaf, through: [intermediate], at: middle)
        #expect(path.validity.notBefore == intermediate.validity.notBefore)
        #expect(path.validity.notAfter == leaf.validity.notAfter)
    }

    @Test("A path that leads to no anchor names the issuer that is missing")
    func untrusted() throws {
        let authority = TestAuthority()
        let (root, intermediate, leaf) = try authority.issued()
        let other = try TestAuthority("Other").issued().root
        let failure = try #require(try error(authority, anchors: [other]))
        #expect(failure.code == ChainError.untrustedRoot)
        #expect(failure.reason.contains("“Test Root”"))
        let none = try #require(try error(authority, anchors: []))
        #expect(none.code == ChainError.untrustedRoot)

        let judge = try TrustAnchors([root])
        let orphan = #expect(throws: ChainError.self) {
            try judge.path(from: leaf, through: [], at: middle)
        }
        #expect(orphan?.code == ChainError.untrustedRoot)
        #expect(orphan?.reason.contains("“Test CA”") == true)

        let brought = #expect(throws: ChainError.self) {
            try TrustAnchors([other]).path(from: leaf, through: [intermediate, root], at: middle)
        }
        #expect(brought?.code == ChainError.untrustedRoot)
        #expect(brought?.reason.contains("“Test Root”") == true)

        // An intermediate among the anchors is no end of a path.
        let partial = #expect(throws: ChainError.self) {
            try TrustAnchors([intermediate]).path(from: leaf, through: [], at: middle)
        }
        #expect(partial?.code == ChainError.untrustedRoot)
    }

    @Test("Each certificate's time of validity holds to the second, ends included")
    func validity() throws {
        for spoil in [\TestAuthority.root, \.intermediate, \.leaf] {
            var authority = TestAuthority()
            authority[keyPath: spoil].notBefore = CivilTime(year: 2024, month: 5, day: 5).instant
            authority[keyPath: spoil].notAfter = CivilTime(year: 2024, month: 6, day: 6).instant
            let draft = authority[keyPath: spoil]
            for (start, offset, expected) in [
                (draft.notBefore, -1, ChainError.notYetValid), (draft.notBefore, 0, nil),
                (draft.notAfter, 0, nil), (draft.notAfter, 999, nil),
                (draft.notAfter, 1000, ChainError.expired),
            ] as [(Instant, Int, ErrorCode?)] {
                let instant = start.advanced(by: .milliseconds(offset))
                let failure = try error(authority, at: instant)
                #expect(failure?.code == expected, "\(draft.subject) at \(instant)")
                guard let failure else { continue }
                #expect(failure.reason.contains("“\(draft.subject)”"))
                #expect(failure.reason.contains("\(instant)"))
                #expect(failure.reason.contains("\(draft.notAfter)"))
            }
        }
    }

    @Test("Instants before 1970, after 2038 and beyond the calendar are judged and do not trap")
    func extremes() throws {
        var authority = TestAuthority()
        for spoil in [\TestAuthority.root, \.intermediate, \.leaf] {
            authority[keyPath: spoil].notBefore = CivilTime(year: 1951, month: 1, day: 1).instant
            authority[keyPath: spoil].notAfter =
                CivilTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59).instant
        }
        let early = ChainError.notYetValid
        let expectations: [(Instant, ErrorCode?)] = [
            (Instant(millisecondsSince1970: .min), early),
            (CivilTime(year: -1, month: 1, day: 1).instant, early),
            (CivilTime(year: 1, month: 1, day: 1).instant, early),
            (CivilTime(year: 1950, month: 12, day: 31).instant, early),
            (CivilTime(year: 1969, month: 12, day: 31).instant, nil),
            (Instant(millisecondsSince1970: -1), nil),
            (Instant(millisecondsSince1970: 0), nil),
            (CivilTime(year: 2040, month: 1, day: 1).instant, nil),
            (CivilTime(year: 9999, month: 12, day: 31).instant, nil),
            // RFC 5280 §4.1.2.5: 99991231235959Z stands for no end.
            (Instant(millisecondsSince1970: .max), nil),
        ]
        for (instant, expected) in expectations {
            #expect(try error(authority, at: instant)?.code == expected, "\(instant)")
        }
        var ended = authority
        ended.leaf.notAfter = CivilTime(year: 9998, month: 1, day: 1).instant
        let last = Instant(millisecondsSince1970: .max)
        #expect(try error(ended, at: last)?.code == ChainError.expired)
    }

    @Test("A certificate that another key signed is told")
    func badSignature() throws {
        let authority = TestAuthority()
        let (root, intermediate, _) = try authority.issued()
        let forged = try authority.leaf.issue(by: TestKeys.rsa2048)
        let failure = #expect(throws: ChainError.self) {
            try TrustAnchors([root]).path(from: forged, through: [intermediate], at: middle)
        }
        #expect(failure?.code == ChainError.badSignature)
        #expect(failure?.reason.contains("“Test Leaf”") == true)
        #expect(failure?.reason.contains("“Test CA”") == true)
    }

    @Test("Of several anchors with one name, the one that signed is found")
    func namesakes() throws {
        let authority = TestAuthority()
        let (root, intermediate, leaf) = try authority.issued()
        // A key of the same kind is told apart by the signature only, one of another kind at once.
        for (key, code) in [
            (TestKeys.otherRSA2048, ChainError.badSignature),
            (TestKeys.p384, ChainError.untrustedRoot),
        ] {
            var namesake = authority.root
            namesake.publicKey = key.publicKey.subjectPublicKeyInfo.der
            let other = try namesake.issue(by: key)
            for anchors in [[root, other], [other, root]] {
                let path = try TrustAnchors(anchors).path(
                    from: leaf,
                    through: [intermediate],
                    at: middle
                )
                #expect(path.anchor == root)
            }
            #expect(try error(authority, anchors: [other])?.code == code)
            #expect(try error(authority, anchors: [other, other])?.code == code)
        }
    }

    @Test("Whoever is no certificate authority issues nothing")
    func authorities() throws {
        var authority = TestAuthority()
        authority.intermediate.extensions[0] = CertificateDraft.basicConstraints(isAuthority: false)
        #expect(try error(authority)?.code == ChainError.notAnAuthority)
        authority.intermediate.extensions = []
        #expect(try error(authority)?.code == ChainError.notAnAuthority)

        authority = TestAuthority()
        authority.intermediate.extensions[1] = CertificateDraft.signsDocuments
        let failure = try #require(try error(authority))
        #expect(failure.code == ChainError.keyUsage)
        #expect(failure.reason.contains("“Test CA”"))

        authority = TestAuthority()
        authority.root.extensions[0] = CertificateDraft.basicConstraints(
            isAuthority: true,
            pathLength: 0
        )
        #expect(try error(authority)?.code == ChainError.pathTooLong)
    }

    @Test("An extension that is critical and not known is refused by name")
    func criticalExtension() throws {
        for spoil in [\TestAuthority.intermediate, \.leaf] {
            var authority = TestAuthority()
            authority[keyPath: spoil].extensions.append(
                CertificateDraft.Extension(identifier: "1.2.3.4", value: [5, 0])
            )
            #expect(try error(authority) == nil)
            authority[keyPath: spoil].extensions[2].isCritical = true
            let failure = try #require(try error(authority))
            #expect(failure.code == ChainError.unknownCriticalExtension)
            #expect(failure.reason.contains("1.2.3.4"))
        }
    }

    @Test("SHA-1 and RSA-1024 pass where the limits let them, and MD5 never does")
    func algorithms() throws {
        var authority = TestAuthority()
        authority.leafKey = TestKeys.rsa1024
        authority.leaf.publicKey = TestKeys.rsa1024.publicKey.subjectPublicKeyInfo.der
        let (root, intermediate, _) = try authority.issued()
        let leaf = try authority.leaf.issue(by: authority.intermediateKey, .rsaPKCS1(.sha1))
        let judge = try TrustAnchors([root])
        #expect(
            try judge.path(
                from: leaf,
                through: [intermediate],
                at: middle,
                limits: .transactionReceipts
            ).leaf == leaf
        )
        let tooShort = #expect(throws: ChainError.self) {
            try judge.path(from: leaf, through: [intermediate], at: middle)
        }
        #expect(tooShort?.code == KeyError.outOfBounds)
        #expect(tooShort?.reason.contains("“Test Leaf”") == true)

        authority = TestAuthority()
        authority.leaf.claimedAlgorithm = "1.2.840.113549.1.1.4"
        #expect(try error(authority)?.code == ChainError.unsupportedAlgorithm)
        let key = TestKeys.otherRSA2048.publicKey
        let alone = #expect(throws: ChainError.self) {
            try authority.issued().leaf.verifySignature(by: key)
        }
        #expect(alone?.code == ChainError.unsupportedAlgorithm)
    }

    @Test("The number of certificates beside the leaf is limited")
    func limit() throws {
        let (root, intermediate, leaf) = try TestAuthority().issued()
        let judge = try TrustAnchors([root])
        let eight = [Certificate](repeating: intermediate, count: TrustAnchors.mostIntermediates)
        #expect(try judge.path(from: leaf, through: eight, at: middle).certificates.count == 3)
        let failure = #expect(throws: ChainError.self) {
            try judge.path(from: leaf, through: eight + [intermediate], at: middle)
        }
        #expect(failure?.code == ChainError.tooManyCertificates)
    }

    @Test("A violation of another kind comes with OpenSSL's words")
    func nameConstraints() throws {
        var authority = TestAuthority()
        // nameConstraints: only directory names under CN=Elsewhere.
        let subtree = DERWriter.bytes { writer in
            writer.sequence { constraints in
                constraints.explicit(0) { permitted in
                    permitted.sequence { subtree in
                        subtree.explicit(4) { name in
                            name.sequence { parts in
                                parts.set { part in
                                    part.sequence { attribute in
                                        attribute.objectIdentifier(.commonName)
                                        attribute.utf8String("Elsewhere")
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        authority.intermediate.extensions.append(
            CertificateDraft.Extension(
                identifier: "2.5.29.30",
                isCritical: true,
                value: subtree
            )
        )
        let failure = try #require(try error(authority))
        #expect(failure.code == ChainError.invalid)
        #expect(failure.reason.contains("permitted subtree violation"))
    }

    @Test("Many threads judge at once")
    func threads() async throws {
        let (root, intermediate, leaf) = try TestAuthority().issued()
        let judge = try TrustAnchors([root])
        let late = CivilTime(year: 2040, month: 1, day: 1).instant
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<8 {
                group.addTask { [middle] in
                    for _ in 0..<50 {
                        if index % 2 == 0 {
                            _ = try judge.path(from: leaf, through: [intermediate], at: middle)
                        } else {
                            let failure = #expect(throws: ChainError.self) {
                                try judge.path(from: leaf, through: [intermediate], at: late)
                            }
                            #expect(failure?.code == ChainError.expired)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Every code was provoked above")
    func codes() {
        #expect(Set(ChainError.allCodes).count == 11)
        #expect(ChainError.allCodes.allSatisfy { $0.rawValue.hasPrefix("chain.") })
    }
}

@Suite("Chains of real receipts", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
struct RealChainTests {
    /// The certificates that a receipt brings: the leaf, then the others.
    private func certificates(of receipt: CorpusReceipt) throws -> [Certificate] {
        let message = try CMSSignedData(receipt.bytes, certificateLimit: 8)
        return try message.certificates.map { try Certificate(Array(receipt.bytes[$0])) }
    }

    @Test("Every chain that Apple signed with holds at its creation date and at no other time")
    func appleSigned() throws {
        let judge = try TrustAnchors(AppleRoots.all())
        #expect(CorpusReceipt.appleSigned.count > 25)
        for name in CorpusReceipt.appleSigned {
            let receipt = try CorpusReceipt(name)
            let all = try certificates(of: receipt)
            let instant = try #require(receipt.creationDate)
            let path = try judge.path(
                from: all[0],
                through: Array(all.dropFirst()),
                at: instant,
                // The sample of 2010 was signed with a development key of RSA-1024.
                limits: .transactionReceipts
            )
            #expect(path.anchor == (try AppleRoots.certificate("AppleIncRootCertificate")))
            #expect(path.validity.contains(instant))
            for (other, code) in [
                (CivilTime(year: 2000, month: 1, day: 1), ChainError.notYetValid),
                (CivilTime(year: 2034, month: 1, day: 1), ChainError.expired),
            ] {
                let failure = #expect(throws: ChainError.self, "\(name)") {
                    try judge.path(
                        from: all[0],
                        through: Array(all.dropFirst()),
                        at: other.instant,
                        limits: .transactionReceipts
                    )
                }
                #expect(failure?.code == code)
            }
            let wrong = try TrustAnchors([AppleRoots.certificate("AppleRootCA-G3")])
            let failure = #expect(throws: ChainError.self, "\(name)") {
                try wrong.path(
                    from: all[0],
                    through: Array(all.dropFirst()),
                    at: instant,
                    limits: .transactionReceipts
                )
            }
            #expect(failure?.code == ChainError.untrustedRoot)
            #expect(failure?.reason.contains("“Apple Root CA”") == true)
        }
    }

    @Test("A receipt of the day before its intermediate ended is judged then, not today")
    func february2023() throws {
        let leaf = try AppleRoots.certificate(
            "Mac-App-Store-and-iTunes-Store-Receipt-Signing-2023-02-07"
        )
        let intermediate = try AppleRoots.certificate(
            "Apple-Worldwide-Developer-Relations-Certification-Authority-2023-02-07"
        )
        let judge = try TrustAnchors(AppleRoots.all())
        let before = CivilTime(year: 2023, month: 2, day: 6).instant
        let after = CivilTime(year: 2023, month: 2, day: 8).instant
        #expect(
            try judge.path(from: leaf, through: [intermediate], at: before).certificates.count == 3
        )
        let failure = #expect(throws: ChainError.self) {
            try judge.path(from: leaf, through: [intermediate], at: after)
        }
        #expect(failure?.code == ChainError.expired)
        #expect(failure?.reason.contains("2023-02-07T21:48:47Z") == true)
    }

    @Test("Chains of JWS, on P-384 under root G3, hold as well")
    func signedData() throws {
        let judge = try TrustAnchors(AppleRoots.all())
        let leaf = try AppleRoots.certificate(
            "Prod-ECC-Mac-App-Store-and-iTunes-Store-Receipt-Signing-2025-10-11"
        )
        let intermediate = try AppleRoots.certificate(
            "Apple-Worldwide-Developer-Relations-Certification-Authority-2036-03-19"
        )
        let instant = CivilTime(year: 2024, month: 6, day: 1).instant
        let path = try judge.path(from: leaf, through: [intermediate], at: instant)
        #expect(path.anchor.subject.commonName == "Apple Root CA - G3")
    }

    @Test("Test authorities that bear Apple's names are strangers")
    func testAuthorities() throws {
        let judge = try TrustAnchors(AppleRoots.all())
        for name in CorpusReceipt.names("testca") {
            let receipt = try CorpusReceipt(name)
            let all = try certificates(of: receipt)
            let failure = #expect(throws: ChainError.self, "\(name)") {
                try judge.path(
                    from: all[0],
                    through: Array(all.dropFirst()),
                    at: try #require(receipt.creationDate)
                )
            }
            #expect(failure?.code == ChainError.untrustedRoot, "\(name)")
        }
    }

    @Test(
        "The openssl program comes to the same verdicts over time",
        .enabled(if: OutsideProgram.openssl.isPresent)
    )
    func differential() throws {
        let folder = try Folder()
        let anchors = try AppleRoots.all()
        let file = try folder.write("anchors", anchors.map(\.pem).joined().utf8)
        let judge = try TrustAnchors(anchors)
        let pairs = try Corpus.names(in: "certs", ending: ".der").map { name in
            try Certificate(Corpus.bytes(name))
        }
        let presented = pairs.filter {
            $0.basicConstraints?.isAuthority == true && !$0.isSelfIssued
        }
        let others = try folder.write("others", presented.map(\.pem).joined().utf8)
        #expect(presented.count > 6)
        var agreed = 0
        for leaf in pairs {
            let path = try folder.write("leaf", leaf.pem.utf8)
            for year in [2010, 2016, 2022, 2024, 2026] {
                let instant = CivilTime(year: year, month: 3, day: 1).instant
                let program = try OutsideProgram.openssl.run([
                    "verify", "-attime", "\(instant.millisecondsSince1970 / 1000)",
                    "-auth_level", "0", "-CAfile", file, "-no-CApath", "-no-CAstore",
                    "-untrusted", others, path,
                ])
                // The issuers that fit are few; all together would pass the limit.
                let issuers = presented.filter { $0.subject == leaf.issuer }
                var verdict = true
                do {
                    _ = try judge.path(
                        from: leaf,
                        through: issuers,
                        at: instant,
                        limits: .transactionReceipts
                    )
                } catch {
                    verdict = false
                }
                #expect(verdict == (program.status == 0), "\(leaf) in \(year): \(program.errors)")
                if verdict { agreed += 1 }
            }
        }
        #expect(agreed > 20)
    }
}
