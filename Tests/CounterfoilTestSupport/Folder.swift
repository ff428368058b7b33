package import Foundation

/// A temporary folder that goes away with its last user.
package final class Folder: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.path + "/counterfoil-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func path(_ name: String) -> String { "\(path)/\(name)" }

    package func url(_ name: String) -> URL { URL(fileURLWithPath: path(name)) }

    /// Writes a file, and the folders it is to be in; its path.
    @discardableResult
    package func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        try FileManager.default.createDirectory(
            at: url(name).deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: url(name))
        return path(name)
    }

    @discardableResult
    package func write(_ name: String, _ text: String) throws -> String {
        try write(name, text.utf8)
    }

    package func handle(_ name: String) throws -> FileHandle {
        try Data().write(to: url(name))
        return try FileHandle(forWritingTo: url(name))
    }

    package func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url(name)), as: UTF8.self)
    }
}
