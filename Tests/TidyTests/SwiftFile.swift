/// A Swift file whose code can be looked at without its comments and texts.
struct SwiftFile: Sendable {
    let path: String

    /// The lines as written.
    let lines: [String]

    /// The same lines with comments and the contents of string literals blanked out.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        lines = Self.lines(text)
        var blanker = CommentBlanker(Array(text.utf8))
        code = Self.lines(blanker.blanked())
    }

    /// The target that the file belongs to.
    var target: String { String(path.split(separator: "/")[1]) }

    /// The modules that it imports, with the lines that do it.
    var imports: [(module: String, line: Int)] {
        code.enumerated().compactMap { index, line in
            let words = line.split(separator: " ")
            guard let at = words.firstIndex(of: "import"), at + 1 < words.count,
                words[..<at].allSatisfy(Self.mayPrecedeImport)
            else { return nil }
            // `import struct Module.Type` names a module, too.
            let kinds: Set<Substring> = ["struct", "class", "enum", "func", "protocol", "var"]
            let name = kinds.contains(words[at + 1]) ? words.last ?? "" : words[at + 1]
            return (String(name.prefix { $0 != "." }), index + 1)
        }
    }

    /// The lines (from 1) whose code has a token, such as `print(`, that is not the end of a
    /// longer name or a member of something.
    func lines(having token: String) -> [Int] {
        code.indices.filter { Self.has(token, in: code[$0]) }.map { $0 + 1 }
    }

    /// Whether a line (from 1) has a comment of its own, or up to three lines above that.
    ///
    /// Lines that have the same token count as one with it, so that a group needs one reason.
    func givesReason(at line: Int, for token: String) -> Bool {
        var first = line - 1
        while first > 0, Self.has(token, in: code[first - 1]) { first -= 1 }
        return lines[max(0, first - 3)..<line].contains { $0.contains("//") }
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func mayPrecedeImport(_ word: Substring) -> Bool {
        word.hasPrefix("@")
            || ["public", "package", "internal", "private", "fileprivate"].contains(word)
    }

    private static func has(_ token: String, in line: String) -> Bool {
        let text = Array(line.utf8)
        let token = Array(token.utf8)
        guard text.count >= token.count else { return false }
        for start in 0...(text.count - token.count) where text[start] == token[0] {
            guard text[start..<(start + token.count)].elementsEqual(token) else { continue }
            let before = start == 0 ? nil : text[start - 1]
            let after = start + token.count < text.count ? text[start + token.count] : nil
            if before == UInt8(ascii: ".") || isPartOfName(before) { continue }
            if isPartOfName(token.last), isPartOfName(after) { continue }
            return true
        }
        return false
    }

    private static func isPartOfName(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        let character = Character(Unicode.Scalar(byte))
        return byte >= 0x80 || character == "_" || character.isLetter || character.isNumber
    }
}

/// Replaces comments and the contents of string literals by blanks, and leaves all else, code
/// interpolated into strings included, where it stands.
private struct CommentBlanker {
    private let text: [UInt8]
    private var result: [UInt8]
    private var at = 0

    init(_ text: [UInt8]) {
        self.text = text
        result = text
    }

    mutating func blanked() -> String {
        code(until: nil)
        return String(decoding: result, as: UTF8.self)
    }

    private func looksAt(_ word: String) -> Bool { text[at...].starts(with: word.utf8) }

    private mutating func blank(_ count: Int) {
        for index in at..<min(at + count, text.count) where text[index] != UInt8(ascii: "\n") {
            result[index] = UInt8(ascii: " ")
        }
        at = min(at + count, text.count)
    }

    /// Passes over code, up to the parenthesis that closes an interpolation if one is open.
    private mutating func code(until close: UInt8?) {
        var depth = 0
        while at < text.count {
            if looksAt("//") {
                let end = text[at...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
                blank(end - at)
            } else if looksAt("/*") {
                blockComment()
            } else if looksAt("\"") || looksAt("#\"") || looksAt("##\"") {
                string()
            } else {
                if text[at] == UInt8(ascii: "(") { depth += 1 }
                if text[at] == close {
                    if depth == 0 { return }
                    depth -= 1
                }
                at += 1
            }
        }
    }

    private mutating func blockComment() {
        var depth = 0
        repeat {
            depth += looksAt("/*") ? 1 : looksAt("*/") ? -1 : 0
            blank(looksAt("/*") || looksAt("*/") ? 2 : 1)
        } while depth > 0 && at < text.count
    }

    private mutating func string() {
        let hashes = text[at...].prefix { $0 == UInt8(ascii: "#") }.count
        at += hashes
        let quotes = looksAt("\"\"\"") ? 3 : 1
        at += quotes
        let pad = String(repeating: "#", count: hashes)
        let end = String(repeating: "\"", count: quotes) + pad
        while at < text.count, !looksAt(end) {
            if looksAt("\\\(pad)(") {
                blank(1 + hashes)
                at += 1
                code(until: UInt8(ascii: ")"))
            } else {
                blank(looksAt("\\\(pad)") ? 2 + hashes : 1)
            }
        }
        at += end.utf8.count
    }
}
