/// A text for the terminal, which cannot carry anybody else's control characters.
///
/// The literal parts are the program's own words. Everything interpolated is data: control and
/// invisible characters in it are shown as escapes (`\u{1b}`), so that a document cannot colour,
/// move, hide or forge a line. Style is kept beside the characters, so widths are known and no
/// escape sequence exists before the text is written.
///
/// ```swift
/// let line: StyledText = "\("refused", .red) \(bundleId): \(reason, .dim)"
/// ```
package struct StyledText: Sendable, Hashable {
    /// A stretch of one style.
    struct Span: Sendable, Hashable {
        var text: String
        let style: Style
    }

    private(set) var spans: [Span] = []

    /// Makes a text of data; control characters in it become visible.
    package init(_ data: String, _ style: Style = []) {
        append(ControlCharacters.shown(in: data), style)
    }

    /// Whether there is nothing in it.
    package var isEmpty: Bool { spans.isEmpty }

    /// How many columns a terminal gives to it; a text of several lines has no width.
    package var width: Int { spans.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } }

    /// The characters, with the sequences that show their styles or without.
    package func rendered(styled: Bool) -> String {
        spans.reduce(into: "") { $0 += styled ? $1.style.rendered($1.text) : $1.text }
    }

    /// The text in at most `columns` columns; where something is cut, it ends in `…`.
    package func truncated(to columns: Int) -> StyledText {
        guard width > columns else { return self }
        var result = StyledText()
        var left = columns - 1
        for span in spans {
            let kept = DisplayWidth.prefix(of: span.text, columns: left)
            result.append(String(kept), span.style)
            left -= DisplayWidth.columns(of: kept)
            if kept.endIndex < span.text.endIndex { break }
        }
        if columns > 0 { result.append("…", []) }
        return result
    }

    /// The text in lines of at most `columns` columns, broken at blanks where there are any; the
    /// lines after the first stand `indent` columns in.
    package func wrapped(to columns: Int, indent: Int = 0) -> [StyledText] {
        guard width > columns, columns > indent else { return [self] }
        var lines: [StyledText] = []
        // Taken apart once: a document can have words of millions of letters.
        var rest = spans.flatMap { span in span.text.map { (character: $0, span.style) } }[...]
        while !rest.isEmpty {
            let blanks = lines.isEmpty ? 0 : indent
            let line = Self.takeLine(of: columns - blanks, from: &rest)
            lines.append(StyledText(String(repeating: " ", count: blanks)) + line)
        }
        return lines
    }

    /// What fits into a line, never nothing; what is left begins with no blank.
    private static func takeLine(
        of columns: Int,
        from rest: inout ArraySlice<(character: Character, Style)>
    ) -> StyledText {
        var used = 0
        let fitting = rest.prefix { character, _ in
            used += DisplayWidth.columns(of: String(character))
            return used <= columns
        }
        guard fitting.endIndex < rest.endIndex else {
            defer { rest = [] }
            return StyledText(rest)
        }
        let first = rest.firstIndex { $0.character != " " } ?? rest.startIndex
        let upToBlank = rest[first...].prefix(max(0, fitting.endIndex + 1 - first))
        let end =
            upToBlank.lastIndex { $0.character == " " }
            ?? max(rest.startIndex + 1, fitting.endIndex)
        defer { rest = rest[end...].drop { $0.character == " " } }
        return StyledText(rest[..<end])
    }

    private init(_ characters: ArraySlice<(character: Character, Style)>) {
        for (character, style) in characters { append(String(character), style) }
        if let last = spans.last, last.text.hasSuffix(" ") {
            let text = last.text.reversed().drop { $0 == " " }.reversed()
            spans[spans.count - 1].text = String(text)
        }
    }

    /// One text after another.
    package static func + (left: StyledText, right: StyledText) -> StyledText {
        var sum = left
        sum += right
        return sum
    }

    /// Adds a text at the end.
    package static func += (left: inout StyledText, right: StyledText) {
        for span in right.spans { left.append(span.text, span.style) }
    }

    private init() {}

    private mutating func append(_ text: String, _ style: Style) {
        guard !text.isEmpty else { return }
        if let last = spans.last, last.style == style {
            spans[spans.count - 1].text += text
        } else {
            spans.append(Span(text: text, style: style))
        }
    }
}

extension StyledText: ExpressibleByStringInterpolation {
    /// Makes a text of the program's own words; only a literal can stand here.
    package init(stringLiteral value: StaticString) { append(value.description, []) }

    package init(stringInterpolation: Parts) { self = stringInterpolation.text }

    /// Gathers the parts of an interpolated text.
    package struct Parts: StringInterpolationProtocol {
        fileprivate var text = StyledText()

        package init(literalCapacity: Int, interpolationCount: Int) {}

        /// The program's own words.
        package mutating func appendLiteral(_ literal: StaticString) {
            text.append(literal.description, [])
        }

        /// A text that is safe already.
        package mutating func appendInterpolation(_ part: StyledText) { text += part }

        /// Data.
        package mutating func appendInterpolation(_ data: some StringProtocol, _ style: Style = [])
        {
            text += StyledText(String(data), style)
        }

        /// Anything that describes itself, as data.
        package mutating func appendInterpolation(
            _ value: some CustomStringConvertible,
            _ style: Style = []
        ) {
            text += StyledText(value.description, style)
        }
    }
}
