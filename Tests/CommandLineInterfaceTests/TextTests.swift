import CommandLineInterface
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Text for the terminal")
struct TextTests {
    @Test("Data cannot bring control or invisible characters into a text")
    func controlCharacters() {
        let hostile = "a\u{1B}[31mb\nc\rd\te\u{7F}\u{9B}31m\u{202E}f\u{200B}\u{FEFF}\u{2028}"
        let shown =
            "a\\u{1b}[31mb\\nc\\rd\\te\\u{7f}\\u{9b}31m\\u{202e}f\\u{200b}\\u{feff}\\u{2028}"
        let text: StyledText = "<\(hostile)>\n"
        #expect(text.rendered(styled: true) == "<\(shown)>\n")
        #expect(StyledText(hostile, .red).rendered(styled: false) == shown)
    }

    @Test("No scalar below, between or beyond passes that a terminal could act on")
    func everyScalar() {
        // 17 is prime to every block of Unicode, so that an everyday run sees each of them.
        let step = UInt32.Stride(Soak.size(17, soak: 1))
        for value in Array(0..<0x3000) + stride(from: UInt32(0x3000), to: 0x110000, by: step) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let shown = ControlCharacters.shown(in: String(Character(scalar)))
            let category = scalar.properties.generalCategory
            let acts =
                value < 0x20 || (0x7F...0x9F).contains(value) || category == .format
                || category == .control
            if acts, shown.unicodeScalars.contains(scalar) || !shown.allSatisfy(\.isASCII) {
                Issue.record("U+\(String(value, radix: 16)) passes")
            }
        }
    }

    @Test("JSON says the same with the characters escaped that a terminal could act on")
    func json() throws {
        let text = "a\u{9B}31m\u{7F}\u{202E}\u{200B}\u{FEFF}\u{2028}\u{E0041} モバイル € \\"
        let json = try JSONEncoder().encode([text])
        let shown = ControlCharacters.escaped(inJSON: json + [0x0A])
        #expect(
            String(decoding: shown, as: UTF8.self)
                == #"["a\u009b31m\u007f\u202e\u200b\ufeff\u2028\udb40\udc41 モバイル € \\"]"# + "\n"
        )
        #expect(try JSONDecoder().decode([String].self, from: Data(shown)) == [text])
    }

    @Test("Ordinary text in any script passes unchanged")
    func ordinaryText() {
        for text in ["com.example.app", "Грибной доктор", "モバイル", "قارئ", "naïve café", "€ 5–6"] {
            #expect(ControlCharacters.shown(in: text) == text)
        }
    }

    @Test("Styles are shown only where the terminal shows them")
    func styles() {
        let text: StyledText = "\("no", [.bold, .red]): \(12) \("", .red)"
        #expect(text.rendered(styled: true) == "\u{1B}[1;31mno\u{1B}[0m: 12 ")
        #expect(text.rendered(styled: false) == "no: 12 ")
        #expect(text.width == 7)
    }

    @Test(
        "Truncation counts columns, not characters, and never cuts a character",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abc", 1, "…"), ("abc", 0, ""),
            ("モバイル", 8, "モバイル"), ("モバイル", 7, "モバイ…"), ("モバイル", 6, "モバ…"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
        ]
    )
    func truncation(text: String, columns: Int, expected: String) {
        let cut = StyledText(text).truncated(to: columns)
        #expect(cut.rendered(styled: false) == expected)
        #expect(cut.width <= columns)
    }

    @Test(
        "Widths",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("한국어", 6), ("ﾊﾝｶｸ", 4),
            ("ＡＢ", 4), ("👍", 2), ("👍🏽", 2), ("🇩🇪", 2), ("☺", 1), ("☺\u{FE0F}", 2),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("ไทย", 3), ("…", 1),
        ]
    )
    func widths(text: String, expected: Int) {
        #expect(DisplayWidth.columns(of: text) == expected)
    }

    /// Two generations of Unicode's tables are compared, so a few characters may differ.
    @Test("Widths agree with the C library's for every script that both know")
    func agreesWithTheCLibrary() throws {
        let wcwidth = try CLibrary.function("wcwidth", (@convention(c) (wchar_t) -> CInt).self)
        let previous = uselocale(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
        defer { uselocale(previous) }
        var compared = 0
        var different: [UInt32] = []
        let step = UInt32.Stride(Soak.size(7, soak: 1))
        for value in stride(from: UInt32(0x20), to: 0x40000, by: step) {
            guard let scalar = Unicode.Scalar(value), !scalar.properties.isEmoji else { continue }
            let theirs = wcwidth(wchar_t(value))
            guard theirs >= 0, ControlCharacters.shown(in: "\(scalar)") == "\(scalar)" else {
                continue
            }
            compared += 1
            if DisplayWidth.columns(of: String(Character(scalar))) != Int(theirs) {
                different.append(value)
            }
        }
        #expect(compared > Soak.size(15_000, soak: 100_000))
        #expect(different.count <= 8, "\(different.map { String($0, radix: 16) })")
    }

    @Test("Words are wrapped at blanks and never broken")
    func wrapping() {
        #expect(TextWrapping.lines("a bb  ccc dddd", width: 5) == ["a bb", "ccc", "dddd"])
        #expect(TextWrapping.lines("abcdefgh i", width: 3) == ["abcdefgh", "i"])
        #expect(TextWrapping.lines("漢字 漢字 a", width: 6) == ["漢字", "漢字 a"])
        #expect(TextWrapping.lines("", width: 5).isEmpty)
    }
}

@Suite("Texts in lines")
struct WrappedTextTests {
    private func lines(_ text: StyledText, _ columns: Int, _ indent: Int = 0) -> [String] {
        text.wrapped(to: columns, indent: indent).map { $0.rendered(styled: false) }
    }

    @Test("A text breaks at blanks, and inside words that are longer than a line")
    func breaks() {
        #expect(lines("one two three", 8) == ["one two", "three"])
        #expect(lines("one two three", 7) == ["one two", "three"])
        #expect(lines("one two three", 6) == ["one", "two", "three"])
        #expect(lines("abcdefgh ij", 3) == ["abc", "def", "gh", "ij"])
        #expect(lines("short", 5) == ["short"])
        #expect(lines("", 5) == [""])
        #expect(lines("モバイル", 5) == ["モバ", "イル"])
    }

    @Test("Lines after the first stand further in, and blanks at the beginning stay")
    func indent() {
        #expect(lines("  one two three", 9, 4) == ["  one two", "    three"])
        #expect(lines("label  one two", 10, 7) == ["label  one", "       two"])
    }

    @Test("Styles go on over the end of a line, and nothing is lost", arguments: 3...30)
    func styles(columns: Int) {
        let text: StyledText = "\("green words", .green) and plain ones \("dim", .dim)"
        let lines = text.wrapped(to: columns)
        #expect(lines.allSatisfy { $0.width <= columns })
        let letters = { (text: String) in text.filter { $0 != " " } }
        let all = lines.map { $0.rendered(styled: false) }.joined()
        #expect(letters(all) == letters(text.rendered(styled: false)))
        let greens = lines.map { $0.rendered(styled: true) }.joined().matches(of: /\u{1B}\[32m/)
        #expect(greens.count >= 1)
    }

    @Test("A line ends at its last blank, and blanks at an end of it are not shown")
    func blanks() {
        #expect(lines("aa     bb  cc ", 6) == ["aa", "bb  cc"])
        #expect(lines("   abcdefgh", 4) == ["   a", "bcde", "fgh"])
        #expect(lines("a bbbbbbbb c", 4) == ["a", "bbbb", "bbbb", "c"])
        #expect(lines("漢", 1) == ["漢"])
    }

    @Test("A word of a million letters is taken apart once")
    func millionLetters() {
        let word = String(repeating: "0123456789", count: 100_000)
        let lines = StyledText("id " + word).wrapped(to: 80, indent: 4)
        #expect(lines.count == 1 + (1_000_000 + 75) / 76)
        #expect(lines.allSatisfy { $0.width <= 80 })
        let shown = lines.dropFirst().map { $0.rendered(styled: false).dropFirst(4) }
        // Compared first: a failure should not show both.
        let isWhole = shown.joined() == word
        #expect(isWhole)
    }
}

@Suite("Tables")
struct TableTests {
    static var table: Table {
        var table = Table([
            .init("product", .leading, .cut), .init("count", .trailing),
            .init("note", .leading, .cut),
        ])
        table.append(["com.example.pro.month", "7", ""])
        table.append(["モバイル", "1204", "refunded on request of the customer"])
        return table
    }

    func text(_ lines: [StyledText]) -> [String] { lines.map { $0.rendered(styled: false) } }

    @Test("Columns are as wide as their widest cell, and no line ends in blanks")
    func natural() {
        #expect(
            text(Self.table.lines()) == [
                "product                count  note",
                "com.example.pro.month      7",
                "モバイル                1204  refunded on request of the customer",
            ]
        )
    }

    @Test("On a narrow screen the widest columns that may shrink are cut", arguments: 30...70)
    func narrow(width: Int) {
        let lines = Self.table.lines(width: width)
        #expect(lines.allSatisfy { $0.width <= width })
        if width == 40 {
            #expect(
                text(lines) == [
                    "product          count  note",
                    "com.example.pr…      7",
                    "モバイル          1204  refunded on req…",
                ]
            )
        }
    }

    @Test("A table too wide to shrink becomes a list of its rows", arguments: 12...28)
    func tooNarrow(width: Int) {
        let lines = Self.table.lines(width: width)
        #expect(lines.allSatisfy { $0.width <= width })
        if width == 20 {
            #expect(
                text(lines) == [
                    "product  com.exampl…", "count    7", "", "product  モバイル", "count    1204",
                    "note     refunded o…",
                ]
            )
        }
    }

    @Test("A table without titles stays whole rather than unreadable")
    func noTitles() {
        var table = Table([.init(""), .init("", .leading, .cut)])
        table.append(["a name of some length", "a text of some length"])
        #expect(text(table.lines(width: 10)) == ["a name of some length  a text …"])
    }

    @Test("Cells that wrap go on in the next lines, under their beginning")
    func wrapped() {
        var table = Table([.init(""), .init("", .leading, .wrap)])
        table.append(["\("app", .dim)", "com.example.app, in the sandbox"])
        table.append(["id", "7edea87d-98f0-42d0-9682"])
        #expect(
            text(table.lines(width: 24)) == [
                "app  com.example.app, in", "     the sandbox", "id   7edea87d-98f0-42d0-",
                "     9682",
            ]
        )
    }

    @Test("A cell of data stays one line")
    func hostileCells() {
        var table = Table([.init("")])
        table.append(["\("x\n\u{1B}[1Ay")"])
        #expect(text(table.lines()) == ["x\\n\\u{1b}[1Ay"])
    }
}
