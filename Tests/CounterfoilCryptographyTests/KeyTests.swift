import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography
import Foundation
import Testing

/// Keys that several tests share, because making one takes up to seconds.
enum TestKeys {
    static let rsa2048 = try! PrivateKey.generateRSA(bits: 2048)
    static let otherRSA2048 = try! PrivateKey.generateRSA(bits: 2048)
    static let rsa1024 = try! PrivateKey.generateRSA(bits: 1024, limits: .transactionReceipts)
    static let p256 = try! PrivateKey.generate(on: .p256)
    static let p384 = try! PrivateKey.generate(on: .p384)
}

@Suite("Keys and signatures")
struct KeyTests {
    private let message = Array("the App Store says so".utf8)

    private static let pairs: [(PrivateKey, SignatureAlgorithm.Scheme)] = [
        (TestKeys.rsa1024, .rsaPKCS1), (TestKeys.rsa2048, .rsaPKCS1),
        (TestKeys.p256, .ecdsa), (TestKeys.p384, .ecdsa),
    ]

    @Test(
        "What a key signs, its public half verifies, and nothing else",
        arguments: DigestAlgorithm.allCases
    )
    func roundTrip(digest: DigestAlgorithm) throws {
        for (key, scheme) in Self.pairs {
            let algorithm = SignatureAlgorithm(scheme, digest)
            let signature = try key.sign(message, algorithm)
            #expect(try key.publicKey.verifies(signature, over: message, algorithm))
            for position in message.indices {
                var changed = message
                changed[position] ^= 1
                #expect(
                    try !key.publicKey.verifies(signature, over: changed, algorithm)
                )
            }
            for position in signature.indices {
                var changed = signature
                changed[position] ^= 0x10
                #expect(
                    try !key.publicKey.verifies(changed, over: message, algorithm)
                )
            }
            for count in signature.indices {
                let cut = Array(signature.prefix(count))
                #expect(try !key.publicKey.verifies(cut, over: message, algorithm))
            }
            let longer = signature + [0]
            #expect(try !key.publicKey.verifies(longer, over: message, algorithm))
            for other in DigestAlgorithm.allCases where other != digest {
                let algorithm = SignatureAlgorithm(scheme, other)
                #expect(
                    try !key.publicKey.verifies(signature, over: message, algorithm)
                )
            }
        }
        let algorithm = SignatureAlgorithm.rsaPKCS1(digest)
        let foreign = try TestKeys.otherRSA2048.sign(message, algorithm)
        #expect(
            try !TestKeys.rsa2048.publicKey.verifies(foreign, over: message, algorithm)
        )
    }

    @Test("A key goes on verifying after it met a bad signature")
    func afterFailure() throws {
        for (key, scheme) in Self.pairs {
            let algorithm = SignatureAlgorithm(scheme, .sha256)
            let signature = try key.sign(message, algorithm)
            let bad = [UInt8](repeating: 0xFF, count: signature.count)
            let none: [UInt8] = []
            for _ in 0..<3 {
                #expect(try !key.publicKey.verifies(bad, over: message, algorithm))
                #expect(try !key.publicKey.verifies(none, over: message, algorithm))
                #expect(try key.publicKey.verifies(signature, over: message, algorithm))
            }
        }
    }

    @Test("ES256 signatures are 64 plain bytes")
    func es256() throws {
        let key = TestKeys.p256.publicKey
        for index in 0..<300 {
            let message = Array("message \(index)".utf8)
            let signature = try TestKeys.p256.signES256(message)
            #expect(signature.count == 64)
            #expect(try key.verifiesES256(signature, over: message))
            let cut = Array(signature.dropLast())
            #expect(try !key.verifiesES256(cut, over: message))
            let longer = signature + [0]
            #expect(try !key.verifiesES256(longer, over: message))
            let swapped = Array(signature[32...] + signature[..<32])
            #expect(try !key.verifiesES256(swapped, over: message))
        }
    }

    @Test("ES256 numbers outside 1 to n − 1 are no signature")
    func es256Range() throws {
        let order = try #require(
            Hexadecimal.decode("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        )
        let signature = try TestKeys.p256.signES256(message)
        let zero = [UInt8](repeating: 0, count: 32)
        let ones = [UInt8](repeating: 0xFF, count: 32)
        let (r, s) = (Array(signature[..<32]), Array(signature[32...]))
        for bad in [zero + s, r + zero, zero + zero, order + s, r + order, ones + s, r + ones] {
            #expect(try !TestKeys.p256.publicKey.verifiesES256(bad, over: message))
        }
        #expect(try TestKeys.p256.publicKey.verifiesES256(signature, over: message))
    }

    @Test("A DER signature with anything padded or appended is no signature")
    func strictDER() throws {
        let key = TestKeys.p256
        let der = try key.sign(message, .ecdsa(.sha256))
        let r = Array(der[2..<4 + Int(der[3])])
        let s = Array(der[(4 + Int(der[3]))...])
        let padded = [0x02, r[1] + 1, 0x00] + r[2...]
        let bad: [[UInt8]] = [
            [0x30, UInt8(padded.count + s.count)] + padded + s,
            [0x30, 0x81, der[1]] + der[2...],
            [0x30, der[1] + 2] + der[2...] + [0x05, 0x00],
            [0x30, 0x80] + der[2...] + [0x00, 0x00],
            der + [0x00],
        ]
        for signature in bad {
            #expect(
                try !key.publicKey.verifies(signature, over: message, .ecdsa(.sha256))
            )
        }
    }

    @Test("The digest that an RSA signature was really made over is recovered")
    func recovery() throws {
        for key in [TestKeys.rsa1024, TestKeys.rsa2048] {
            for digest in DigestAlgorithm.allCases {
                let signature = try key.sign(message, .rsaPKCS1(digest))
                #expect(key.publicKey.recoverDigestAlgorithm(of: signature) == digest)
            }
        }
        let foreign = try TestKeys.otherRSA2048.sign(message, .rsaPKCS1(.sha1))
        #expect(TestKeys.rsa2048.publicKey.recoverDigestAlgorithm(of: foreign) == nil)
        let ecdsa = try TestKeys.p256.sign(message, .ecdsa(.sha1))
        #expect(TestKeys.p256.publicKey.recoverDigestAlgorithm(of: ecdsa) == nil)
    }

    @Test("Many threads verify with one key at once")
    func threads() async throws {
        let message = self.message
        for (key, scheme) in Self.pairs {
            let algorithm = SignatureAlgorithm(scheme, .sha256)
            let good = try key.sign(message, algorithm)
            var bad = good
            bad[bad.count - 1] ^= 1
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask { [bad] in
                        var right = 0
                        for _ in 0..<30 {
                            if try key.publicKey.verifies(good, over: message, algorithm) {
                                right += 1
                            }
                            if try !key.publicKey.verifies(bad, over: message, algorithm) {
                                right += 1
                            }
                        }
                        return right
                    }
                }
                for try await right in group { #expect(right == 60) }
            }
        }
    }

    @Test("PKCS #8 text comes back as the same key")
    func pem() throws {
        for (key, scheme) in Self.pairs {
            let text = try key.pem().secret
            #expect(text.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
            let again = try PrivateKey(pem: text, limits: .transactionReceipts)
            #expect(again.publicKey.subjectPublicKeyInfo == key.publicKey.subjectPublicKeyInfo)
            let signature = try again.sign(message, SignatureAlgorithm(scheme, .sha256))
            #expect(
                try key.publicKey.verifies(
                    signature,
                    over: message,
                    SignatureAlgorithm(scheme, .sha256)
                )
            )
        }
    }

    @Test("A private key shows nothing of itself")
    func redaction() throws {
        let text = try TestKeys.p256.pem()
        #expect("\(text)" == "‹redacted›")
        #expect(!"\(TestKeys.p256)".contains("PRIVATE"))
    }
}
