import Foundation
import Testing

@Suite("The list of error codes")
struct ErrorDocumentTests {
    let entries = ErrorDocument.entries(in: Tree.sources)

    @Test("Every code of the sources stands in the document with its meaning, and no other")
    func document() throws {
        let text = Tree.text(of: ErrorDocument.path)
        let written = ErrorDocument.written(entries, into: text)
        if ProcessInfo.processInfo.environment["COUNTERFOIL_WRITE_ERRORS"] != nil {
            try Data(written.utf8).write(to: Tree.root.appendingPathComponent(ErrorDocument.path))
        } else {
            #expect(text == written, "`make errors` brings \(ErrorDocument.path) up to date")
        }
    }

    @Test("A code is lower case, dotted, declared once and explained")
    func codes() {
        #expect(entries.count > 20)
        for (code, same) in Dictionary(grouping: entries, by: \.code) {
            #expect(code.wholeMatch(of: #/[a-z][a-z0-9]*(\.[a-z0-9_]+)+/#) != nil, "\(code)")
            #expect(same.count == 1, "\(code) is declared in \(same.map(\.file))")
            let isExplained = same.allSatisfy { !$0.meaning.isEmpty }
            #expect(isExplained, "\(code) has no comment")
        }
    }

    @Test("Every group of codes is introduced in words")
    func introductions() {
        let lines = Tree.text(of: ErrorDocument.path).split(separator: "\n")
        for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("## ") {
            #expect(next.first?.isLetter == true, "\(line) says nothing before its table")
        }
    }

    @Test("Codes are made nowhere else than in declarations")
    func declarations() {
        for file in Tree.sources where !file.path.hasSuffix("/CodedError.swift") {
            for (index, line) in file.lines.enumerated() where makesCode(line) {
                Issue.record("\(file.path):\(index + 1): a code that is not a named constant")
            }
        }
    }

    private func makesCode(_ line: String) -> Bool {
        if line.contains("ErrorCode(") {
            return line.contains(#/ErrorCode\((?:rawValue: |stringLiteral: )?"/#)
        }
        return line.contains("code: \"") && line.contains(#/\bcode: "[a-z0-9]+\.[a-z0-9_.]+"/#)
    }

    @Test("The tables of a text are replaced, its words and its order kept")
    func writing() {
        let source = """
            /// More than ``Limits/bytes`` a|b.
            ///
            /// And a second paragraph.
            static let b: ErrorCode = "one.b"
            /// First
            /// and second line.
            package static let a: ErrorCode = "one.a"
            /// Other.
            static let c: ErrorCode = "two.c"
            """
        let entries = ErrorDocument.entries(in: [
            SwiftFile(path: "Sources/HTTP/X.swift", text: source)
        ])
        let before =
            "# Errors\n\nWords.\n\n## Things: `one.`\n\nTheir words.\n\n| old |\n\n## End\n"
        let after = """
            # Errors

            Words.

            ## Things: `one.`

            Their words.

            | code | meaning |
            |---|---|
            | `one.a` | First and second line. |
            | `one.b` | More than `Limits.bytes` a\\|b. |

            ## End

            ## `two.`

            | code | meaning |
            |---|---|
            | `two.c` | Other. |

            """
        #expect(ErrorDocument.written(entries, into: before) == after)
        #expect(ErrorDocument.written(entries, into: after) == after)
    }
}
