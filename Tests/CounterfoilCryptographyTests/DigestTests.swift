import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Digests")
struct DigestTests {
    @Test(
        "The examples of FIPS 180 come out",
        arguments: [
            (DigestAlgorithm.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                .sha384,
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                    + "8086072ba1e7cc2358baeca134c825a7"
            ),
            (
                .sha512,
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
        ]
    )
    func examples(algorithm: DigestAlgorithm, expected: String) {
        let digest = MessageDigest(of: Array("abc".utf8), algorithm)
        #expect(digest.description == expected)
        #expect(digest.bytes.count == algorithm.byteCount)
    }

    @Test("Nothing at all has a digest")
    func empty() {
        let none: [UInt8] = []
        #expect(
            MessageDigest(of: none, .sha1).description
                == "da39a3ee5e6b4b0d3255bfef95601890afd80709"
        )
    }

    @Test("SHA-256 is a value of its own")
    func value() {
        let digest = SHA256Digest(of: Array("abc".utf8))
        #expect(digest.description.hasPrefix("ba7816bf8f01cfea"))
        #expect(digest == SHA256Digest(digest.bytes))
        #expect(digest != SHA256Digest(of: Array("abd".utf8)))
    }

    @Test(
        "The openssl program agrees on messages of every length around a block",
        .enabled(if: OutsideProgram.openssl.isPresent)
    )
    func differential() throws {
        var random = SeededRandom(seed: 1)
        let folder = try Folder()
        for count in [1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 100_000] {
            let message = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let file = try folder.write("message", message)
            for algorithm in DigestAlgorithm.allCases {
                let name = "-" + algorithm.name.lowercased().replacing("-", with: "")
                let answer = try OutsideProgram.openssl.run(["dgst", "-r", name, file])
                #expect(answer.text.hasPrefix(MessageDigest(of: message, algorithm).description))
            }
        }
    }

    @Test("Comparison in constant time tells every difference")
    func comparison() {
        let bytes: [UInt8] = [1, 2, 3]
        #expect(constantTimeEqual(bytes, [1, 2, 3]))
        #expect(!constantTimeEqual(bytes, [1, 2, 4]))
        #expect(!constantTimeEqual(bytes, [0, 2, 3]))
        #expect(!constantTimeEqual(bytes, [1, 2]))
        let none: [UInt8] = []
        #expect(constantTimeEqual(none, none))
    }

    @Test("Random bytes come in the number asked for and differ")
    func randomness() {
        #expect(SecureRandom.bytes(0) == [])
        #expect(SecureRandom.bytes(33).count == 33)
        #expect(Set((0..<1000).map { _ in SecureRandom.bytes(16) }).count == 1000)
    }
}
