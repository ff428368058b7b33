import Foundation

/// The `openssl` program, as an oracle that shares no code of ours.
enum OpenSSLCommand {
    static let path = "/usr/bin/openssl"
    static var isPresent: Bool { FileManager.default.isExecutableFile(atPath: path) }

    struct Outcome {
        var status: Int32
        var output: Data
        var errors: String
        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs the program; its standard input is empty.
    @discardableResult
    static func run(_ arguments: [String]) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let folder = TemporaryFolder()
        let (output, errors) = (folder.file("output", []), folder.file("errors", []))
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: errors)
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            output: try Data(contentsOf: URL(fileURLWithPath: output)),
            errors: try String(contentsOfFile: errors, encoding: .utf8)
        )
    }
}

/// A folder that is deleted with its last reference.
final class TemporaryFolder {
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent(
        "counterfoil-\(UUID().uuidString)"
    )

    init() { try! FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file and tells its path.
    func file(_ name: String, _ bytes: some Sequence<UInt8>) -> String {
        let path = path(name)
        try! Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }
}
