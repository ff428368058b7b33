import CounterfoilBasics
import Foundation

/// A document or a part of one with what must come of reading it: a file under `Tests/Vectors`.
///
/// Lines of `name: value`, an empty line, and the payload. Every file of a folder is a case of its
/// group; `Tests/Vectors/README.md` says what the names mean.
package struct Vector: Sendable, CustomStringConvertible {
    /// The folder of all vectors.
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Vectors")

    /// The group and the case: `app-receipts/leaf-expired`.
    package let description: String
    /// The lines above the payload.
    package let header: [String: String]
    /// What is read.
    package let payload: [UInt8]

    /// The folder that the case is in.
    package var group: String { String(description.prefix { $0 != "/" }) }
    /// The word for success, or the code of the refusal.
    package var expectation: String { header["expect"] ?? "" }
    /// Whether it must be read without a refusal.
    package var isGood: Bool { !expectation.contains(".") }

    /// A file of the folder that is no vector.
    package static func bytes(of name: String) -> [UInt8] {
        [UInt8]((try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data())
    }

    /// The same as text.
    package static func text(of name: String) -> String {
        String(decoding: bytes(of: name), as: UTF8.self)
    }

    /// Every vector, in the order of the names.
    package static let all: [Vector] = {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap {
            $0 as? String
        }
        return (files ?? []).filter { $0.hasSuffix(".vector") }.sorted().map { name in
            Vector(name: String(name.dropLast(7)), text: text(of: name))
        }
    }()

    /// Reads a file; what is wrong with it shows as a header that is missing.
    package init(name: String, text: String) {
        let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        var header: [String: String] = [:]
        for line in parts[0].split(separator: "\n") {
            let words = line.split(separator: ": ", maxSplits: 1).map(String.init)
            if words.count == 2, header[words[0]] == nil { header[words[0]] = words[1] }
        }
        description = name
        self.header = header
        payload = Self.payload(parts.count > 1 ? String(parts[1]) : "", as: header["payload"])
    }

    private static func payload(_ text: String, as form: String?) -> [UInt8] {
        switch form {
        case "base64":
            [UInt8](Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
        case "hex": Hexadecimal.decode(text.filter { !$0.isWhitespace }) ?? []
        // The last line end is the file's own.
        default: Array((text.hasSuffix("\n") ? text.dropLast() : text[...]).utf8)
        }
    }
}
