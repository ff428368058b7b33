import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Testing

@testable import AppStoreVerification

// Each test runs in a process of its own, so that no other test's memory hides a leak.
@Suite("Resident memory under signed data", .enabled(if: ResidentMemory.isKnown))
struct SignedDataMemoryTests {
    private static let threads = 4

    @Test("Any number of different documents on several threads keeps memory flat")
    func documents() async {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardOutputContent]
        ) {
            let authority = try SignedDataShape.authority.get()
            let issuer = SignedDataIssuer(authority: authority)
            let anchors = Array(authority.anchorsPEM.utf8)
            let verifier = SignedDataVerifier(trust: try .rehearsal(anchors: anchors))
            let rounds = Soak.size(2_000, soak: 1_000_000)
            ResidentMemory.expectFlat(rounds: rounds, threads: Self.threads) { number in
                do {
                    let text = try issuer.sign(payload: Self.transaction(number))
                    let transaction = try verifier.transaction(
                        CompactJWS(text),
                        now: SignedDataShape.now
                    )
                    guard transaction.transactionId == String(number) else {
                        fatalError("a thread got the document of another")
                    }
                } catch {
                    fatalError("a genuine document is refused: \(error)")
                }
            }
        }
        Self.show(result)
    }

    @Test("Any number of different bad chains is neither remembered nor kept")
    func badChains() async {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardOutputContent]
        ) {
            let authority = try SignedDataShape.authority.get()
            let memory = ChainMemory(capacity: 3)
            let anchors = Array(authority.anchorsPEM.utf8)
            let verification = SignedDataVerification(
                trust: try .rehearsal(anchors: anchors),
                limits: .default,
                memory: memory
            )
            let good = try SignedDataIssuer(authority: authority).sign(
                payload: Self.transaction(0)
            )
            _ = try verification.prove(CompactJWS(good), now: SignedDataShape.now)
            let impostor = try authority.replacingKey(of: .signedDataRoot, with: .p384())
            let rounds = Soak.size(50, soak: 10_000)
            ResidentMemory.expectFlat(rounds: rounds, threads: Self.threads) { number in
                let text = Self.text(number, of: impostor)
                do throws(VerificationError) {
                    _ = try verification.prove(CompactJWS(text), now: SignedDataShape.now)
                    fatalError("a bad chain is believed")
                } catch {
                    guard error.code.rawValue == "chain.untrusted_root" else {
                        fatalError("a bad chain is refused with \(error)")
                    }
                }
            }
            guard memory.count == 1 else { fatalError("a bad chain is remembered") }
            _ = try verification.prove(CompactJWS(good), now: SignedDataShape.now)
        }
        Self.show(result)
    }

    /// A payload that differs from that of any other number.
    private static func transaction(_ number: Int) -> [UInt8] {
        Array(
            """
            {"transactionId":"\(number)","originalTransactionId":"\(number)","productId":"month",\
            "bundleId":"com.example.app","environment":"Sandbox",\
            "signedDate":\(SignedDataShape.now.millisecondsSince1970)}
            """.utf8
        )
    }

    /// A transaction whose signer has a certificate of its own: another serial number.
    private static func text(_ number: Int, of authority: SigningAuthority) -> String {
        do {
            let other = try authority.changing(.signedDataSigner) {
                $0.serialNumber =
                    [1] + (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            }
            return try SignedDataIssuer(authority: other).sign(payload: transaction(number))
        } catch {
            fatalError("a bad chain cannot be made: \(error)")
        }
    }

    /// Shows the figures of a run at full size.
    private static func show(_ result: ExitTest.Result?) {
        guard Soak.isOn, let result else { return }
        print(String(decoding: result.standardOutputContent, as: UTF8.self), terminator: "")
    }
}
