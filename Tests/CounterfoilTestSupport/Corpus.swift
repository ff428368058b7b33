package import Foundation

/// The folder of real documents that tests may read, where the machine has it.
///
/// It is named by `COUNTERFOIL_CORPUS`; without it the tests that need it are skipped with a word.
package enum Corpus {
    /// Why a test is skipped where the corpus is absent.
    package static let comment = "COUNTERFOIL_CORPUS names no folder of real documents"

    /// Whether the corpus is there.
    package static var isPresent: Bool { folder != nil }

    /// The corpus folder.
    package static let folder: URL? = {
        guard let path = ProcessInfo.processInfo.environment["COUNTERFOIL_CORPUS"] else {
            return nil
        }
        let root = URL(fileURLWithPath: path, isDirectory: true)
        return FileManager.default.fileExists(atPath: root.path) ? root : nil
    }()

    /// The bytes of a corpus file, named relative to its root.
    package static func bytes(_ name: String) throws -> [UInt8] {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// The names (relative to the root) of the files of a subfolder with an ending, sorted.
    package static func names(in subfolder: String, ending: String) -> [String] {
        guard let folder else { return [] }
        let path = folder.appendingPathComponent(subfolder).path
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return all.filter { $0.hasSuffix(ending) }.sorted().map { "\(subfolder)/\($0)" }
    }

    /// The rows of a tab-separated corpus file, by the names of its first line.
    package static func table(_ name: String) throws -> [[String: String]] {
        let text = String(decoding: try bytes(name), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true).map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        guard let header = lines.first else { return [] }
        return lines.dropFirst().map { row in
            Dictionary(zip(header, row), uniquingKeysWith: { first, _ in first })
        }
    }
}
