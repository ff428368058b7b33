import CounterfoilBasics
import CounterfoilTestSupport
import Testing

@testable import Journal

@Suite("Packed documents that are damaged")
struct PackingDamageTests {
    private static func expect(
        _ code: ErrorCode,
        _ comment: Comment? = nil,
        _ body: () throws(PackingError) -> [UInt8]
    ) {
        do throws(PackingError) {
            _ = try body()
            Issue.record("nothing was refused: \(comment?.rawValue ?? "")")
        } catch {
            #expect(error.code == code, comment)
            #expect(!error.reason.isEmpty, comment)
        }
    }

    /// Steps in the form that is stored, without the digest's word on what comes out.
    private static func follow(
        _ steps: [UInt8],
        text: [UInt8] = [],
        table: [Recipe.Entry] = []
    ) throws(PackingError) -> [UInt8] {
        let packed = PackedDocument(Recipe(steps: steps, text: text, table: table))
        let stored = try PackedDocument(reading: packed.bytes)
        return try stored.unpack([:]) { _ in true } ?? []
    }

    @Test("Whatever is changed, another document never comes out")
    func mutations() throws {
        var random = SeededRandom(seed: 7)
        let packing = try DocumentPacking(PackedSample.notifications(1)[0].body)
        let nested = try #require(packing.nested.first)
        for _ in 0..<Soak.size(3_000, soak: 300_000) {
            var bytes = packing.packed.bytes
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
                case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                default: bytes.removeSubrange(place..<min(place + 3, bytes.count))
                }
                if bytes.isEmpty { bytes = [1] }
            }
            for digest in [packing.digest, nested] {
                do throws(PackingError) {
                    let stored = try PackedDocument(reading: bytes)
                    let out = try stored.document(digest, shared: packing.shared)
                    #expect(PackedSample.digest(out) == digest)
                } catch {
                    #expect(PackingError.allCodes.contains(error.code))
                }
            }
        }
    }

    @Test("It ends at every byte")
    func truncation() throws {
        let packing = try DocumentPacking(PackedSample.notifications(1)[0].body)
        for count in packing.packed.bytes.indices {
            Self.expect(PackingError.damaged, "\(count) bytes") { () throws(PackingError) in
                try PackedDocument(reading: Array(packing.packed.bytes[..<count]))
                    .document(packing.digest, shared: packing.shared)
            }
        }
    }

    @Test("Steps that make no document are refused, whatever they are")
    func randomSteps() throws {
        var random = SeededRandom(seed: 11)
        let table: [Recipe.Entry] = [.dense([1, 2, 3]), .dense(Array(repeating: 7, count: 300))]
        var outcomes: Set<Bool> = []
        for _ in 0..<Soak.size(3_000, soak: 300_000) {
            let steps = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                [0, 1, 2, 3, 4, 5, 6, 6, 6, 8, 9, 16].randomElement(using: &random)! as UInt8
            }
            do throws(PackingError) {
                _ = try Self.follow(steps, text: [], table: table)
                outcomes.insert(true)
            } catch {
                #expect(error.code == PackingError.damaged)
                outcomes.insert(false)
            }
        }
        #expect(outcomes.count == 2)
    }

    @Test(
        "Steps out of bounds",
        arguments: [
            [0x06], [0x05], [0x08], [0x01], [0x07], [0x0A], [0x80], [0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF], Array(repeating: 0x05, count: 17),
        ] as [[UInt8]]
    )
    func steps(_ steps: [UInt8]) {
        Self.expect(PackingError.damaged) { () throws(PackingError) in try Self.follow(steps) }
    }

    @Test("A few bytes that would become very many are refused before they do")
    func expansion() throws {
        let megabyte = Recipe.Entry.dense(Array(repeating: 0, count: 1 << 20))
        let once = try Self.follow(Array(repeating: 0x01, count: 12), table: [megabyte])
        #expect(once.count == 12 << 20)
        Self.expect(PackingError.damaged) { () throws(PackingError) in
            try Self.follow(Array(repeating: 0x01, count: 13), table: [megabyte])
        }
        let ten: [UInt8] = [0x03] + Array(repeating: 0x01, count: 10) + [0x06]
        Self.expect(PackingError.damaged) { () throws(PackingError) in
            try Self.follow(ten, table: [megabyte])
        }
        // A frame that announces 2⁴⁰ bytes (RFC 8878 §3.1.1).
        let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0]
        Self.expect(PackingError.damaged) { () throws(PackingError) in
            try PackedDocument(reading: [1, 0] + frame)
                .document(PackedSample.digest([]), shared: [:])
        }
    }

    @Test("What a later version packed, what is not there and what is another's is told apart")
    func codes() throws {
        let packing = try DocumentPacking(PackedSample.notifications(1)[0].body)
        Self.expect(PackingError.tooNew) { () throws(PackingError) in
            try PackedDocument(reading: [2] + packing.packed.bytes.dropFirst()).bytes
        }
        Self.expect(PackingError.missingShared) { () throws(PackingError) in
            try packing.packed.document(packing.digest, shared: [:])
        }
        Self.expect(PackingError.otherDigest) { () throws(PackingError) in
            try packing.packed.document(PackedSample.digest([]), shared: packing.shared)
        }
        let otherBytes = packing.shared.mapValues { Array($0.dropLast()) }
        Self.expect(PackingError.otherDigest) { () throws(PackingError) in
            try packing.packed.document(packing.digest, shared: otherBytes)
        }
        Self.expect(PackingError.damaged) { () throws(PackingError) in
            try PackedDocument(reading: [0, 0]).bytes
        }
    }

    @Test("The largest document is packed, and no larger one")
    func largest() throws {
        let largest = [UInt8](repeating: UInt8(ascii: "A"), count: PackedDocument.mostBytes)
        let packing = try DocumentPacking(largest)
        #expect(packing.packed.bytes.count < 4_000)
        #expect(try packing.packed.document(packing.digest, shared: [:]) == largest)
        Self.expect(PackingError.tooLarge) { () throws(PackingError) in
            try DocumentPacking(largest + [0]).packed.bytes
        }
    }

    @Test("What version 1 packed is unpacked for ever")
    func versionOne() throws {
        let dictionary = PackedSample.digest(PackingDictionary.bytes)
        #expect(
            dictionary.description
                == "fb75ca35f27b9d526a963c8315e0cc0cbe2b74b5b7592c1102f6108f0eea5d40"
        )
        let letters = String(repeating: "A", count: 300)
        let payload = Base64.encode(Array(#"{"notificationType":"TEST"}"#.utf8).span, .urlSafe)
        let signature = Base64.encode(Array(0..<64).span, .urlSafe)
        let document = #"""
            {"signedPayload":"e\#(letters).\#(payload).\#(signature)","receipt":"\#(letters)","escaped":
            "\#(String(repeating: #"\/"#, count: 80))"}
            """#
        let digest = PackedSample.digest(Array(document.utf8))
        let stored = try #require(
            Hexadecimal.decode(
                """
                01020040e4860cd40a4589cdf25621e192192904e6ae5fcfa606be118507e9c5cbf53b9b0001\
                02030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627\
                28292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f28b52ffd608300e50100f0199001\
                d8016803880e067004e0030610547d2e2200736361700a22ff227d0900c0c96804345a275ba0\
                8ba330dc21a36fd962a5c865fac4c6d67403
                """
            )
        )
        let shared = Array("e\(letters)".utf8)
        let out = try PackedDocument(reading: stored)
            .document(digest, shared: [PackedSample.digest(shared): shared])
        #expect(String(decoding: out, as: UTF8.self) == document)
    }
}
