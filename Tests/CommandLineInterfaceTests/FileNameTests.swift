import CounterfoilBasics
import CounterfoilTestSupport
import Testing

@testable import CommandLineInterface

@Suite("Names of files")
struct FileNameTests {
    @Test(
        "A text keeps every byte, and shows those that are not UTF-8",
        arguments: [
            ("receipt.b64", "receipt.b64"), ("ä/🧾", "ä/🧾"), ("", ""),
        ].map { (Array($0.0.utf8), $0.1) } + [
            ([0x63, 0x61, 0x66, 0xE9], #"caf\xe9"#),
            ([0xC3], #"\xc3"#), ([0xC3, 0xC3, 0xA4, 0xFF], #"\xc3ä\xff"#),
            // An overlong slash, a surrogate, and more than Unicode holds.
            ([0xC0, 0xAF], #"\xc0\xaf"#), ([0xED, 0xA0, 0x80], #"\xed\xa0\x80"#),
            ([0xF5, 0x80, 0x80, 0x80], #"\xf5\x80\x80\x80"#),
            // A genuine scalar of the range that stands for stray bytes.
            ([0xF4, 0x8F, 0xBA, 0x80], #"\xf4\x8f\xba\x80"#),
        ]
    )
    func text(bytes: [UInt8], shown: String) {
        let text = FileName.text(of: bytes)
        #expect(FileName.bytes(of: text) == bytes)
        #expect(FileName.shown(text) == shown)
        #expect(ControlCharacters.shown(in: text) == shown)
    }

    /// Bytes that begin, continue and break characters.
    private static let telling: [UInt8] = [
        0x2E, 0x61, 0x80, 0x8F, 0xBA, 0xC3, 0xE2, 0xED, 0xF0, 0xF4, 0xFF,
    ]

    @Test("Random names keep their bytes, and no two share a text")
    func random() {
        var random = SeededRandom(seed: 383)
        var texts: [String: [UInt8]] = [:]
        for _ in 0..<Soak.size(2_000, soak: 200_000) {
            let bytes = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                Self.telling[Int.random(in: 0..<Self.telling.count, using: &random)]
            }
            let text = FileName.text(of: bytes)
            #expect(FileName.bytes(of: text) == bytes)
            #expect(texts.updateValue(bytes, forKey: text) ?? bytes == bytes)
        }
    }
}
