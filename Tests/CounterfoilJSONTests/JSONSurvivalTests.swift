import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Small texts that use every corner of the grammar, as stock for damage.
private let grammarCorners = [
    #"{"a":[1,-0.5e+10,true,false,null,"x\u00e9\ud83e\uddfe\/\n"],"b":{"":{}},"c":[[],[{}]]}"#,
    #"[0,1e5,"","\"\\",{"original_purchase_date_ms":"1717402529000","é":"購"} , -1.25E-3 ]"#,
    #" {"status":0,"receipt":{"in_app":[{"quantity":"1"},{"quantity":"2"}]},"x":12345678901234567890} "#,
    "\u{FEFF}[\"\\u0000\\ud834\\udd1e\",\t9007199254740993\r\n]",
    #""just a string with \\ and \t and \u20ac""#, "-12.5e-7", "true",
]

@Suite("Damaged and generated JSON")
struct JSONSurvivalTests {
    @Test("Is refused when cut off at any byte")
    func truncation() throws {
        for text in grammarCorners where text.hasSuffix("}") || text.hasSuffix("]") {
            let bytes = Array(text.utf8)
            for length in 0..<bytes.count {
                let error = #expect(throws: JSONError.self) {
                    try JSONValue(parsing: Array(bytes[..<length]))
                }
                #expect((error?.offset ?? -1) <= length)
            }
        }
    }

    @Test("Is read or refused, never worse, with any bit flipped")
    func bitFlips() {
        for text in grammarCorners {
            var bytes = Array(text.utf8)
            for bit in 0..<bytes.count * 8 {
                bytes[bit / 8] ^= 1 << (bit % 8)
                do throws(JSONError) {
                    let value = try JSONValue(parsing: bytes)
                    #expect(try JSONValue(parsing: value.document()) == value)
                } catch {
                    #expect((0...bytes.count).contains(error.offset ?? -1))
                }
                bytes[bit / 8] ^= 1 << (bit % 8)
            }
        }
    }

    @Test("What was written is read back as the same value, compact or pretty")
    func generated() throws {
        var random = SeededRandom(seed: 8259)
        for _ in 0..<300 {
            let value = randomValue(depth: 5, using: &random)
            #expect(try JSONValue(parsing: value.document()) == value)
            #expect(try JSONValue(parsing: value.document(.pretty)) == value)
            #expect(try JSONValue(parsingConfiguration: value.document(.pretty).span) == value)
        }
    }

    @Test("The deepest value that is read can be written")
    func deepest() throws {
        let deepest = JSONLimits.deepest
        let text = String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest)
        let value = try JSONValue(parsing: Array(text.utf8), limits: JSONLimits(depth: deepest))
        #expect(value.description == text)
    }

    @Test(
        "Is judged as Python judges it, with damage of all kinds",
        .enabled(if: OutsideProgram.python != nil, "there is no python3 here")
    )
    func python() throws {
        var random = SeededRandom(seed: 404)
        var texts = grammarCorners.map { Array($0.utf8) }
        for _ in 0..<10_000 {
            texts.append(
                damaged(grammarCorners.randomElement(using: &random) ?? "", using: &random)
            )
        }
        for _ in 0..<200 { texts.append(randomValue(depth: 4, using: &random).document()) }
        let disagreements = try PythonReferee.disagreements(about: texts)
        #expect(disagreements.isEmpty, "\(disagreements.prefix(5))")
    }

    #if canImport(Glibc)
    @Test("Nothing behind the text is touched")
    func guardPage() throws {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let memory = try #require(
            mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        )
        defer { munmap(memory, 2 * page) }
        #expect(mprotect(memory + page, page, PROT_NONE) == 0)
        for text in grammarCorners {
            let bytes = Array(text.utf8)
            for length in 1...bytes.count {
                let start = memory + (page - length)
                bytes.withUnsafeBytes { start.copyMemory(from: $0.baseAddress!, byteCount: length) }
                let buffer = UnsafeBufferPointer(
                    start: start.assumingMemoryBound(to: UInt8.self),
                    count: length
                )
                _ = try? JSONValue(parsing: buffer.span)
                _ = try? JSONValue(parsingConfiguration: buffer.span)
            }
        }
    }
    #endif

    #if os(Linux)
    @Test("Memory stays flat over many documents, read and refused")
    func memory() async {
        await #expect(processExitsWith: .success) {
            func residentPages() -> Int {
                let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
                return Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0
            }
            let large = Array(#"{"a":"\#(String(repeating: "x", count: 200_000))"}"#.utf8)
            func read(_ times: Int) {
                for _ in 0..<times {
                    for text in grammarCorners {
                        var bytes = Array(text.utf8)
                        _ = try? JSONValue(parsing: bytes)
                        bytes.removeLast()
                        _ = try? JSONValue(parsing: bytes)
                    }
                    _ = try? JSONEnvelope(parsing: large)
                }
            }
            read(50)
            let before = residentPages()
            read(250)
            precondition(before > 0 && residentPages() - before < 500)
        }
    }
    #endif

    private func damaged(_ text: String, using random: inout SeededRandom) -> [UInt8] {
        var bytes = Array(text.utf8)
        let tokens = Array(#"{}[]:,"\ 0123456789.-+eEtruefalsnN/u"#.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard let position = bytes.indices.randomElement(using: &random) else { break }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes.remove(at: position)
            case 2: bytes.insert(tokens.randomElement(using: &random) ?? 0, at: position)
            case 3: bytes[position] = tokens.randomElement(using: &random) ?? 0
            case 4: bytes.insert(UInt8.random(in: 0...255, using: &random), at: position)
            default:
                let end = Int.random(in: position..<bytes.count, using: &random)
                bytes.insert(contentsOf: bytes[position...end], at: position)
            }
        }
        return bytes
    }

    private func randomValue(depth: Int, using random: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0..<(depth == 0 ? 4 : 8), using: &random) {
        case 0: return [JSONValue.null, true, false].randomElement(using: &random) ?? .null
        case 1: return JSONValue(Int64.random(in: .min ... .max, using: &random))
        case 2:
            let double = Double(bitPattern: UInt64.random(in: .min ... .max, using: &random))
            return JSONNumber(double).map(JSONValue.number) ?? 0
        case 3: return .string(randomString(using: &random))
        case 4, 5:
            let count = Int.random(in: 0...4, using: &random)
            return .array((0..<count).map { _ in randomValue(depth: depth - 1, using: &random) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                let key = randomString(using: &random)
                object[key] = randomValue(depth: depth - 1, using: &random)
            }
            return .object(object)
        }
    }

    private func randomString(using random: inout SeededRandom) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x61...0x7A, 0x61...0x7A, 0...0x7F, 0x80...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFF,
            0x10000...0x10FFFF,
        ]
        var string = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            let range = ranges.randomElement(using: &random) ?? 0...0x7F
            if let scalar = UnicodeScalar(UInt32.random(in: range, using: &random)) {
                string.append(scalar)
            }
        }
        return String(string)
    }
}
