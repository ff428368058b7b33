import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Testing

@Suite(
    "JSON of the corpus",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct JSONCorpusTests {
    private static let names = [
        "verify-receipt-responses", "notifications-v1", "server-api", "transactions",
        "notifications-v2", "renewal-info", "app-transactions",
    ].flatMap { Corpus.names(in: $0, ending: ".json") }

    @Test("Each document is read and, written again, is the same value", arguments: names)
    func roundTrip(name: String) throws {
        let value = try JSONValue(parsing: Corpus.bytes(name))
        #expect(try JSONValue(parsing: value.document()) == value)
        #expect(try JSONValue(parsing: value.document(.pretty)) == value)
        if value.object != nil {
            #expect(try JSONEnvelope(parsing: Corpus.bytes(name)).value == value)
        }
    }

    @Test("Each answer of verifyReceipt is refused when cut off at any byte")
    func truncation() throws {
        for name in Self.names.prefix(38) {
            let bytes = try Corpus.bytes(name)
            let end = bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0
            // All lengths of small files, some of large ones.
            for length in stride(from: 0, through: end, by: end <= 1500 ? 1 : end / 60) {
                guard (try? JSONValue(parsing: Array(bytes[..<length]))) == nil else {
                    Issue.record("\(name) was read from its first \(length) bytes")
                    return
                }
            }
        }
    }

    @Test(
        "Each document is judged as Python judges it, whole and damaged",
        .enabled(if: OutsideProgram.python != nil, "there is no python3 here")
    )
    func python() throws {
        var random = SeededRandom(seed: 2023)
        var texts: [[UInt8]] = []
        for name in Self.names {
            let bytes = try Corpus.bytes(name)
            texts.append(bytes)
            for _ in 0..<10 where bytes.count < 4000 {
                var damaged = bytes
                let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
                damaged[bit / 8] ^= 1 << UInt8(bit % 8)
                texts.append(damaged)
            }
        }
        let disagreements = try PythonReferee.disagreements(about: texts)
        #expect(disagreements.isEmpty, "\(disagreements.prefix(3))")
    }
}
