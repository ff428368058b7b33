import Foundation
import Testing

@Suite("Links in the documents")
struct LinkTests {
    @Test("Every link inside the project leads somewhere", arguments: Tree.documents)
    func links(document: String) {
        for target in Markdown.links(in: Tree.text(of: document)) {
            guard let problem = problem(with: target, in: document) else { continue }
            Issue.record("\(document): \(target): \(problem)")
        }
    }

    @Test("Links are found in text, not in code, and headings become anchors")
    func markdown() {
        let text = """
            # A *great* `name.x`, or two
            [one](a.md#b) ![two](<c d.png> "title") <img src="e.svg"> `[no](code)`
            ```
            [no](block)
            ```
            [three]: f.md
            """
        #expect(Markdown.links(in: text) == ["a.md#b", "c d.png", "e.svg", "f.md"])
        #expect(Markdown.anchors(in: text) == ["a-great-namex-or-two"])
    }

    private func problem(with target: String, in document: String) -> String? {
        if target.contains("://") || target.hasPrefix("mailto:") { return nil }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let folder = URL(fileURLWithPath: "/" + document).deletingLastPathComponent()
        let file =
            parts[0].isEmpty
            ? document
            : String(folder.appendingPathComponent(String(parts[0])).standardized.path.dropFirst())
        guard Tree.exists(file) else { return "there is no such file" }
        guard parts.count > 1, file.hasSuffix(".md") else { return nil }
        let anchors = Markdown.anchors(in: Tree.text(of: file))
        return anchors.contains(String(parts[1])) ? nil : "there is no such heading"
    }
}

/// As much of Markdown as finding links takes.
enum Markdown {
    static func links(in text: String) -> [String] {
        let inline = #/\]\((?:<([^>]*)>|([^)\s]*))[^)]*\)/#
        let reference = #/^\[[^\]]+\]:\s*(\S+)/#
        let image = #/<(?:img|a)[^>]*\s(?:src|href)="([^"]*)"/#
        var links: [String] = []
        for line in prose(text) {
            for match in line.matches(of: inline) { links.append(String(match.1 ?? match.2 ?? "")) }
            for match in line.matches(of: image) { links.append(String(match.1)) }
            for match in line.matches(of: reference) { links.append(String(match.1)) }
        }
        return links
    }

    /// The anchors that GitHub gives to the headings.
    static func anchors(in text: String) -> Set<String> {
        Set(
            prose(text, keepingCode: true).filter { $0.hasPrefix("#") }.map { line in
                line.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
                    .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
                    .replacingOccurrences(of: " ", with: "-")
            }
        )
    }

    /// The lines outside of code blocks, without code in the lines unless it is kept.
    private static func prose(_ text: String, keepingCode: Bool = false) -> [String] {
        var inBlock = false
        var lines: [String] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") {
                inBlock.toggle()
            } else if !inBlock {
                let text = String(line)
                lines.append(keepingCode ? text : text.replacing(#/`[^`]*`/#, with: ""))
            }
        }
        return lines
    }
}
