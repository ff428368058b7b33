import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Refused keys")
struct KeyRefusalTests {
    private static func spki(_ options: [String]) throws -> [UInt8] {
        let folder = try Folder()
        let made = try OutsideProgram.openssl.run(
            ["genpkey", "-out", folder.path("key"), "-quiet"] + options
        )
        #expect(made.status == 0, Comment(rawValue: made.errors))
        return try publicHalf(of: folder.path("key"))
    }

    private static func publicHalf(of file: String) throws -> [UInt8] {
        [UInt8](
            try OutsideProgram.openssl.run(["pkey", "-in", file, "-pubout", "-outform", "DER"])
                .output
        )
    }

    private func code(
        _ spki: [UInt8],
        _ limits: KeyLimits = .default
    ) -> ErrorCode? {
        do {
            _ = try PublicKey(SubjectPublicKeyInfo(spki), limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "The kind is known by reading alone",
        .enabled(if: OutsideProgram.openssl.isPresent),
        arguments: [
            (["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"], "RSA-1024"),
            (["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:3072"], "RSA-3072"),
            (["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"], "P-256"),
            (["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"], "P-384"),
            (["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521"], "1.3.132.0.35"),
            (
                ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:brainpoolP256r1"],
                "1.3.36.3.3.2.8.1.1.7"
            ),
            (
                [
                    "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256",
                    "-pkeyopt", "ec_param_enc:explicit",
                ], "1.2.840.10045.2.1"
            ),
            (["-algorithm", "ED25519"], "1.3.101.112"),
            (
                ["-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048"],
                "1.2.840.113549.1.1.10"
            ),
        ]
    )
    func kinds(options: [String], expected: String) throws {
        let info = try SubjectPublicKeyInfo(Self.spki(options))
        #expect("\(info.kind)" == expected)
        if case .other = info.kind {
            #expect(code(info.der) == KeyError.unsupported)
        }
    }

    /// An RSA key that only looks like one.
    private static func rsa(bits: Int, exponent: [UInt8]) -> [UInt8] {
        var modulus = [UInt8](repeating: 0xFF, count: (bits + 7) / 8)
        modulus[0] >>= UInt8(modulus.count * 8 - bits)
        return DERWriter.bytes { writer in
            writer.sequence { info in
                info.sequence { algorithm in
                    algorithm.objectIdentifier("1.2.840.113549.1.1.1")
                    algorithm.null()
                }
                info.bitString(
                    DERWriter.bytes { key in
                        key.sequence { numbers in
                            numbers.naturalNumber(modulus)
                            numbers.naturalNumber(exponent)
                        }
                    }
                )
            }
        }
    }

    @Test(
        "The bits of a modulus are counted without leading zeros",
        arguments: [2041, 2047, 16_384]
    )
    func modulusBits(bits: Int) throws {
        let der = Self.rsa(bits: bits, exponent: [3])
        #expect(try SubjectPublicKeyInfo(der).kind == .rsa(bits: bits, exponent: 3))
        #expect(code(der) == KeyError.outOfBounds)
    }

    @Test(
        "A public exponent is told, and one too large for 64 bits as nil",
        arguments: [
            ([3], 3), ([1, 0, 1], 65_537), ([1, 0, 3], 65_539), ([1, 0, 0, 0, 1], 4_294_967_297),
            ([UInt8](repeating: 0xFF, count: 8), .max),
            ([1] + [UInt8](repeating: 0, count: 8), nil),
            ([UInt8](repeating: 0xFF, count: 256), nil), ([], 0),
        ] as [([UInt8], UInt64?)]
    )
    func exponents(bytes: [UInt8], expected: UInt64?) throws {
        let der = Self.rsa(bits: 2048, exponent: bytes)
        #expect(try SubjectPublicKeyInfo(der).kind == .rsa(bits: 2048, exponent: expected))
        let isSmall = [3, 65_537].contains(expected)
        #expect(code(der) == (isSmall ? nil : KeyError.outOfBounds))
    }

    @Test("Limits hold at their ends and not one past them")
    func limits() throws {
        let limits = KeyLimits(rsaBits: 2048...4096, largestRSAExponent: 17, curves: [.p256])
        try limits.check(.rsa(bits: 2048, exponent: 17))
        try limits.check(.rsa(bits: 4096, exponent: 3))
        try limits.check(.ellipticCurve(.p256))
        let refused: [KeyKind] = [
            .rsa(bits: 2047, exponent: 3), .rsa(bits: 4097, exponent: 3),
            .rsa(bits: 16_384, exponent: 3), .rsa(bits: 2048, exponent: 19),
            .rsa(bits: 2048, exponent: 1), .rsa(bits: 2048, exponent: 0),
            .rsa(bits: 2048, exponent: 16), .rsa(bits: 2048, exponent: nil),
            .ellipticCurve(.p384),
        ]
        for kind in refused {
            let error = #expect(throws: KeyError.self) { try limits.check(kind) }
            #expect(error?.code == KeyError.outOfBounds, "\(kind)")
        }
        #expect(code(TestKeys.rsa1024.publicKey.subjectPublicKeyInfo.der) == KeyError.outOfBounds)
        #expect(
            code(TestKeys.rsa1024.publicKey.subjectPublicKeyInfo.der, .transactionReceipts) == nil
        )
    }

    @Test("A key cut off, extended or of other numbers is malformed")
    func malformed() throws {
        for key in [TestKeys.rsa2048, TestKeys.p256, TestKeys.p384] {
            let der = key.publicKey.subjectPublicKeyInfo.der
            for count in der.indices {
                #expect(code(Array(der.prefix(count))) == KeyError.malformed)
            }
            #expect(code(der + [0]) == KeyError.malformed)
        }
        var offCurve = TestKeys.p256.publicKey.subjectPublicKeyInfo.der
        offCurve[offCurve.count - 1] ^= 1
        #expect(code(offCurve) == KeyError.malformed)
        var compressed = TestKeys.p256.publicKey.subjectPublicKeyInfo.der
        compressed[compressed.count - 65] = 2
        #expect(code(compressed) == KeyError.malformed)
    }

    @Test("An algorithm of the other kind of key is refused, not tried")
    func mismatch() throws {
        let message: [UInt8] = [1]
        func code(_ body: () throws(KeyError) -> Void) -> ErrorCode? {
            do { try body() } catch { return error.code }
            return nil
        }
        let mismatch = KeyError.algorithmMismatch
        #expect(
            code { () throws(KeyError) in
                _ = try TestKeys.p256.sign(message, .rsaPKCS1(.sha256))
            } == mismatch
        )
        #expect(
            code { () throws(KeyError) in
                _ = try TestKeys.rsa2048.publicKey.verifies(
                    message,
                    over: message,
                    .ecdsa(.sha256)
                )
            } == mismatch
        )
        #expect(
            code { () throws(KeyError) in
                _ = try TestKeys.p384.signES256(message)
            } == mismatch
        )
        #expect(
            code { () throws(KeyError) in
                _ = try TestKeys.p384.publicKey.verifiesES256(message, over: message)
            } == mismatch
        )
    }

    @Test("An operation that OpenSSL refuses is told apart from a bad signature")
    func operationFailed() throws {
        let key = try PrivateKey.generateRSA(bits: 512, limits: KeyLimits(rsaBits: 512...4096))
        let message: [UInt8] = [1]
        let error = #expect(throws: KeyError.self) {
            try key.sign(message, .rsaPKCS1(.sha512))
        }
        #expect(error?.code == KeyError.operationFailed)
        #expect(error?.details?.contains("digest too big") == true)
        #expect(error?.reason.contains("digest too big") == false)
        #expect(error?.debugDescription.contains("digest too big") == true)
    }

    @Test(
        "Text without a readable private key is refused and nobody is asked for a password",
        .enabled(if: OutsideProgram.openssl.isPresent)
    )
    func unreadable() throws {
        let folder = try Folder()
        let plain = try folder.write("plain", try TestKeys.p256.pem().secret.utf8)
        let locked = try OutsideProgram.openssl.run([
            "pkcs8", "-topk8", "-in", plain, "-passout", "pass:open",
        ])
        #expect(locked.text.contains("ENCRYPTED"))
        let whole = try TestKeys.p256.pem().secret
        for text in ["", "-----BEGIN PRIVATE KEY-----\n", String(whole.dropLast(60)), locked.text] {
            let error = #expect(throws: KeyError.self) {
                try PrivateKey(pem: text)
            }
            #expect(error?.code == KeyError.privateKeyUnreadable)
        }
    }

    @Test(
        "Private keys as the openssl program writes them are read",
        .enabled(if: OutsideProgram.openssl.isPresent)
    )
    func foreignKeys() throws {
        let folder = try Folder()
        let file = folder.path("key")
        try OutsideProgram.openssl.run(["ecparam", "-name", "prime256v1", "-genkey", "-out", file])
        let text = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(String(decoding: text, as: UTF8.self).contains("BEGIN EC PARAMETERS"))
        let key = try PrivateKey(pem: String(decoding: text, as: UTF8.self))
        #expect(try key.publicKey.subjectPublicKeyInfo.der == Self.publicHalf(of: file))
    }

    @Test("Every code was provoked above")
    func codes() {
        #expect(Set(KeyError.allCodes).count == 6)
        #expect(KeyError.allCodes.allSatisfy { $0.rawValue.hasPrefix("chain.key_") })
    }
}
