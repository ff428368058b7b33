/// docs/ERRORS.md: the codes of the sources with the meanings that stand above them there.
///
/// The document's words are its own; its tables are written by `make errors`.
struct ErrorDocument {
    static let path = "docs/ERRORS.md"

    struct Entry: Equatable {
        let code: String
        let meaning: String
        let file: String

        var group: String { String(code.prefix { $0 != "." }) }
    }

    /// Every declaration of the form `static let name: ErrorCode = "group.name"`.
    static func entries(in files: [SwiftFile]) -> [Entry] {
        let declaration = #/static let \w+: ErrorCode = "([^"]*)"/#
        return files.flatMap { file in
            file.lines.enumerated().compactMap { index, line in
                guard line.contains("ErrorCode") else { return nil }
                return line.firstMatch(of: declaration).map { match in
                    Entry(
                        code: String(match.1),
                        meaning: meaning(above: index, in: file.lines),
                        file: file.path
                    )
                }
            }
        }
    }

    /// Every code's line, put in place of the tables that a text has now.
    ///
    /// A group is a heading that names it in back quotes. Groups without a heading come at the end.
    static func written(_ entries: [Entry], into text: String) -> String {
        var groups = Dictionary(grouping: entries, by: \.group)
        var lines: [String] = []
        var open: String?
        func close() {
            guard let group = open else { return }
            open = nil
            while lines.last == "" { lines.removeLast() }
            guard let entries = groups.removeValue(forKey: group) else { return }
            lines += [""] + table(entries) + [""]
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("## ") {
                close()
                open = line.firstMatch(of: #/`(\w+)\.`/#).map { String($0.1) }
            }
            if open != nil, line.hasPrefix("|") { continue }
            lines.append(line)
        }
        close()
        for group in groups.keys.sorted() {
            while lines.last == "" { lines.removeLast() }
            lines += ["", "## `\(group).`", ""] + table(groups[group] ?? [])
        }
        while lines.last == "" { lines.removeLast() }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func table(_ entries: [Entry]) -> [String] {
        let rows = entries.sorted { $0.code < $1.code }.map { entry in
            "| `\(entry.code)` | \(entry.meaning) |"
        }
        return ["| code | meaning |", "|---|---|"] + rows
    }

    /// The first paragraph of the documentation comment above a line, as one line of Markdown.
    private static func meaning(above index: Int, in lines: [String]) -> String {
        var words: [Substring] = []
        for line in lines[..<index].reversed() {
            let text = line.drop { $0 == " " }
            guard text.hasPrefix("///") else { break }
            let sentence = text.dropFirst(3).drop { $0 == " " }
            if sentence.isEmpty { words = [] } else { words.insert(sentence, at: 0) }
        }
        // Symbol links of the source, ``Type/member``, are plain code in the document.
        return words.joined(separator: " ")
            .replacing(#/``([^`]*)``/#) { "`\($0.1.replacing("/", with: "."))`" }
            .replacing("|", with: "\\|")
    }
}
