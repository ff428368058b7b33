import Foundation

/// The blocks of code in a document of the project.
enum CodeBlocks {
    /// The texts of all blocks of a language, in their order; those of none have the language "".
    static func of(_ language: String, in document: String) throws -> [String] {
        let file = Tool.package.appendingPathComponent(document)
        var inside: Substring?
        var block = ""
        var blocks: [String] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        ) {
            if !line.hasPrefix("```") {
                block += line + "\n"
            } else if let ended = inside {
                if ended == language { blocks.append(block) }
                inside = nil
            } else {
                inside = line.dropFirst(3)
                block = ""
            }
        }
        return blocks
    }
}
