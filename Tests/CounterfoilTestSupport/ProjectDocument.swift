package import Foundation

/// A text of the project, to be compared with what it speaks of.
package struct ProjectDocument {
    /// The root of the package.
    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private let lines: [String]

    package init(_ path: String) throws {
        lines = try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
            .components(separatedBy: "\n")
    }

    /// The rows of the tables under a heading, up to the next one; each by its cells.
    package func rows(under heading: String) -> [[String]] {
        let section = section(heading)
        return section.indices.filter { index in
            // Neither the line under the titles nor the titles.
            let next = index + 1 < section.count ? section[index + 1] : ""
            return section[index].hasPrefix("|") && !section[index].hasPrefix("|--")
                && !next.hasPrefix("|--")
        }
        .map { index in Self.cells(section[index]) }
    }

    /// The titles of the first table under a heading.
    package func titles(under heading: String) -> [String] {
        section(heading).first { $0.hasPrefix("|") }.map(Self.cells) ?? []
    }

    /// The words in back quotes in the first cells of the tables under a heading.
    package func names(under heading: String) -> [String] {
        rows(under: heading).flatMap { row in
            row[0].matches(of: /`([^`]+)`/).map { String($0.1) }
        }
    }

    private func section(_ heading: String) -> [String] {
        let after = lines.drop { $0 != heading }.dropFirst()
        return Array(after.prefix { !$0.hasPrefix("#") })
    }

    private static func cells(_ line: String) -> [String] {
        line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
