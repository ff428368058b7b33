/// How a text looks, where a terminal can show it (ECMA-48, SGR).
package struct Style: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Strong: titles, names.
    package static let bold = Style(rawValue: 1 << 0)
    /// Weak: explanations, what is usual.
    package static let dim = Style(rawValue: 1 << 1)
    /// Underlined.
    package static let underline = Style(rawValue: 1 << 2)
    /// What failed.
    package static let red = Style(rawValue: 1 << 3)
    /// What held.
    package static let green = Style(rawValue: 1 << 4)
    /// What deserves a look.
    package static let yellow = Style(rawValue: 1 << 5)
    /// Names of things.
    package static let cyan = Style(rawValue: 1 << 6)

    private static let parameters: [(Style, String)] = [
        (.bold, "1"), (.dim, "2"), (.underline, "4"), (.red, "31"), (.green, "32"),
        (.yellow, "33"), (.cyan, "36"),
    ]

    /// The text between the sequences that switch this style on and everything off again.
    func rendered(_ text: String) -> String {
        guard !isEmpty, !text.isEmpty else { return text }
        let parameters = Self.parameters.filter { contains($0.0) }.map(\.1)
        return "\u{1B}[\(parameters.joined(separator: ";"))m\(text)\u{1B}[0m"
    }
}
