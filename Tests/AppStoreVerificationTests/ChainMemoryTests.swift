import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Testing

@testable import AppStoreVerification

/// What is remembered of chains saves work and never changes a verdict.
@Suite("Memory of chains")
struct ChainMemoryTests {
    private let shape = ReceiptShape.all[0]
    private let memory = ChainMemory(capacity: 3)
    private let verification: AppReceiptVerification

    init() throws {
        let anchors = Array(try ReceiptShape.authority.get().anchorsPEM.utf8)
        verification = AppReceiptVerification(
            trust: try .rehearsal(anchors: anchors),
            limits: .default,
            memory: memory
        )
    }

    /// The code of the refusal; nil where the receipt is verified.
    private func code(of bytes: [UInt8], now: Instant = ReceiptShape.now) -> String? {
        do {
            _ = try verification.verify(Document(detecting: bytes), now: now)
            return nil
        } catch {
            return error.code.rawValue
        }
    }

    @Test("Many receipts of one chain are one chain")
    func once() throws {
        let issuer = AppReceiptIssuer(authority: try ReceiptShape.authority.get())
        for version in 0..<Soak.size(20, soak: 1000) {
            var receipt = shape.receipt
            receipt.applicationVersion = String(version)
            #expect(try code(of: issuer.issue(receipt)) == nil)
        }
        #expect(memory.count == 1)
    }

    @Test("After a good chain its leaf is refused under any other issuer, and nothing is forgotten")
    func otherIssuers() throws {
        let good = try shape.bytes()
        #expect(code(of: good) == nil)
        let chains = ReceiptFlaw.allCases.filter {
            $0.reasonClass == .certificates && $0.applies(to: shape.receipt, form: shape.form)
        }
        #expect(chains.count > 30)
        for flaw in chains {
            let expected = try #require(ExpectedRefusals.codes(of: flaw, in: shape))
            let spoiled = try shape.bytes(flaw)
            #expect(expected.contains(code(of: spoiled) ?? "none"), "\(flaw)")
            #expect(expected.contains(code(of: spoiled) ?? "none"), "\(flaw), again")
            #expect(code(of: good) == nil)
        }
        #expect(memory.count == 1, "a chain that did not hold is remembered")
    }

    @Test("A remembered chain holds in its own time alone")
    func window() throws {
        let authority = try ReceiptShape.authority.get()
        let issuer = AppReceiptIssuer(authority: authority)
        let leaf = authority[.receiptSigner].certificate.profile
        #expect(try code(of: shape.bytes()) == nil)
        for (date, expected) in [
            (leaf.notAfter, nil), (leaf.notAfter.advanced(by: .seconds(1)), "chain.expired"),
            (leaf.notBefore, nil),
            (leaf.notBefore.advanced(by: .seconds(-1)), "chain.not_yet_valid"),
        ] {
            var receipt = shape.receipt
            receipt.creationDate = date
            let bytes = try issuer.issue(receipt)
            #expect(code(of: bytes, now: leaf.notAfter) == expected)
        }
        #expect(memory.count == 1)
    }

    @Test("Any number of chains, good and bad, is no more than the capacity")
    func bounded() throws {
        let authority = try ReceiptShape.authority.get()
        for seed in 0..<UInt64(Soak.size(8, soak: 10_000)) {
            // Another serial number is another chain.
            let other = try authority.changing(.receiptSigner) {
                $0.serialNumber = [1] + (0..<8).map { UInt8(truncatingIfNeeded: seed >> ($0 * 8)) }
            }
            #expect(try code(of: AppReceiptIssuer(authority: other).issue(shape.receipt)) == nil)
            let bad = try shape.bytes("leafSelfSigned", seed: seed)
            #expect(code(of: bad) == "chain.untrusted_root")
        }
        #expect(memory.count == 3)
    }
}

/// The same for signed data, whose chains are remembered by the encoded header.
@Suite("Memory of chains of signed data")
struct SignedDataChainMemoryTests {
    private let memory = ChainMemory(capacity: 3)
    private let verification: SignedDataVerification
    private let shape = SignedDataShape.all[0]

    init() throws {
        let anchors = Array(try SignedDataShape.authority.get().anchorsPEM.utf8)
        verification = SignedDataVerification(
            trust: try .rehearsal(anchors: anchors),
            limits: .default,
            memory: memory
        )
    }

    private func code(of text: String, now: Instant = SignedDataShape.now) throws -> String? {
        let jws = try CompactJWS(text)
        do {
            _ = try verification.prove(jws, now: now)
            return nil
        } catch {
            return error.code.rawValue
        }
    }

    @Test("Many documents of one chain are one chain, whatever their kind")
    func once() throws {
        for seed in 0..<UInt64(Soak.size(20, soak: 1000)) {
            for shape in SignedDataShape.all where shape.environment != .xcode {
                #expect(try code(of: shape.text(seed: seed).jws) == nil)
            }
        }
        #expect(memory.count == 1)
    }

    @Test("After a good chain no flawed one is believed, nor remembered")
    func flawed() throws {
        #expect(try code(of: shape.text()) == nil)
        let chains = SignedDataFlaw.allCases.filter { $0.reasonClass == .certificates }
        #expect(chains.count > 20)
        // A transaction holds no other document whose chain could be flawed.
        for flaw in chains where !flaw.name.hasPrefix("nested") {
            let text = try shape.text(flaw)
            #expect(try code(of: text) != nil, "\(flaw)")
            #expect(try code(of: text) != nil, "\(flaw), again")
            #expect(try code(of: shape.text()) == nil)
        }
        #expect(memory.count == 1, "a chain that did not hold is remembered")
    }

    @Test("A document whose signer's certificate has ended since is genuine, and it is said")
    func endedSince() throws {
        let authority = try SignedDataShape.authority.get()
        let later = authority[.signedDataSigner].certificate.profile.notAfter
            .advanced(by: .seconds(86_400))
        for _ in 0..<2 {
            let proved = try verification.prove(CompactJWS(shape.text()), now: later)
            #expect(proved.notes.map(\.code) == [VerificationNote.endedSince])
        }
    }
}

extension String {
    /// The JWS in a body that holds one, or the text itself.
    fileprivate var jws: String {
        guard hasPrefix("{") else { return self }
        return String(split(separator: "\"").first { $0.contains(".") } ?? "")
    }
}
