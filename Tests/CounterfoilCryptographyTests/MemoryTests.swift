import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import Foundation
import Testing

// Each test runs in a process of its own, so that no other test's memory hides a leak.
@Suite("Memory", .enabled(if: ResidentMemory.isKnown))
struct MemoryTests {
    @Test("200,000 verifications, good and bad, keep memory flat")
    func verifications() async {
        await #expect(processExitsWith: .success) {
            let key = TestKeys.rsa1024
            let message = Array("message".utf8)
            let good = try key.sign(message, .rsaPKCS1(.sha256))
            var bad = good
            bad[7] ^= 1
            try ResidentMemory.expectFlat(rounds: 100_000) {
                guard try key.publicKey.verifies(good, over: message, .rsaPKCS1(.sha256)),
                    try !key.publicKey.verifies(bad, over: message, .rsaPKCS1(.sha256))
                else { fatalError("the verdict changed") }
            }
        }
    }

    @Test("Keys, good and bad, keep memory flat")
    func keys() async {
        await #expect(processExitsWith: .success) {
            let info = TestKeys.p256.publicKey.subjectPublicKeyInfo
            var offCurve = info.der
            offCurve[offCurve.count - 1] ^= 1
            let badInfo = try SubjectPublicKeyInfo(offCurve)
            let rsa = TestKeys.rsa2048.publicKey.subjectPublicKeyInfo
            let signature = try TestKeys.rsa2048.sign([1], .rsaPKCS1(.sha1))
            try ResidentMemory.expectFlat(rounds: 10_000) {
                _ = try PublicKey(info)
                _ = try PublicKey(rsa).recoverDigestAlgorithm(of: signature)
                guard (try? PublicKey(badInfo)) == nil else { fatalError("the verdict changed") }
            }
        }
    }

    @Test("Private keys keep memory flat")
    func privateKeys() async {
        await #expect(processExitsWith: .success) {
            let text = try TestKeys.p256.pem().secret
            try ResidentMemory.expectFlat(rounds: 1_000) {
                let key = try PrivateKey(pem: text)
                _ = try key.signES256([1])
                _ = try key.pem()
                guard (try? PrivateKey(pem: "nothing")) == nil else {
                    fatalError("the verdict changed")
                }
            }
        }
    }

    @Test("Chains, good and bad, keep memory flat")
    func chains() async {
        await #expect(processExitsWith: .success) {
            let (root, intermediate, leaf) = try TestAuthority().issued()
            let middle = CivilTime(year: 2025, month: 6, day: 1).instant
            let late = CivilTime(year: 2050, month: 6, day: 1).instant
            try ResidentMemory.expectFlat(rounds: 1_000) {
                let judge = try TrustAnchors([root])
                _ = try judge.path(from: leaf, through: [intermediate], at: middle)
                let refused = try? judge.path(from: leaf, through: [intermediate], at: late)
                guard refused == nil else { fatalError("the verdict changed") }
            }
        }
    }

    @Test("A leak of a hundred bytes a round would be seen")
    func canary() async {
        await #expect(processExitsWith: .failure) {
            ResidentMemory.expectFlat(rounds: 100_000) {
                _ = malloc(100).map { memset($0, 1, 100) }
            }
        }
    }
}
