import Foundation

/// The blocks of code in a document of the project.
enum CodeBlocks {
    /// The texts of all blocks of a language, in their order.
    static func of(_ language: String, in document: String) throws -> [String] {
        let file = Tool.package.appendingPathComponent(document)
        var block: String?
        var blocks: [String] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        ) {
            if line.hasPrefix("```") {
                if let ended = block { blocks.append(ended) }
                block = block == nil && line == "```\(language)" ? "" : nil
            } else if let begun = block {
                block = begun + line + "\n"
            }
        }
        return blocks
    }
}
