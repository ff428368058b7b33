import Foundation
import Testing

/// A program that shares no code with this project, run as a referee.
struct OutsideProgram {
    let path: String

    static let openssl = OutsideProgram(path: "/usr/bin/openssl")

    /// Python 3, where the machine has it.
    static let python: OutsideProgram? = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .first(where: FileManager.default.isExecutableFile)
        .map(OutsideProgram.init)

    static let pythonComment = "this machine has no python3"

    struct Outcome {
        var status: Int32
        var output: [UInt8]
        var errors: String

        var succeeded: Bool { status == 0 }
        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs the program with an empty standard input.
    @discardableResult
    func run(_ arguments: [String]) throws -> Outcome {
        let folder = TemporaryFolder()
        let (output, errors) = (folder.file("output", []), folder.file("errors", []))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: errors)
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            output: [UInt8](try Data(contentsOf: URL(fileURLWithPath: output))),
            errors: try String(contentsOfFile: errors, encoding: .utf8)
        )
    }
}

/// A folder that is deleted with its last reference.
final class TemporaryFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
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

    func file(_ name: String, _ text: String) -> String { file(name, text.utf8) }
}

/// The attributes of a receipt's payload as a walk of its BER in Python finds them.
enum PythonWalk {
    struct Attribute: Decodable, Hashable {
        var type: Int64
        var version: Int64
        var value: String
        var encoding: String?
    }

    /// Prints the attributes of the SET in a file as JSON.
    private static let script = """
        import json, sys
        data = open(sys.argv[1], "rb").read()
        def element(at):
            tag, length, at = data[at], data[at + 1], at + 2
            if length >= 0x80:
                size = length & 0x7F
                length, at = int.from_bytes(data[at:at + size], "big"), at + size
            return tag, at, at + length
        def integer(at):
            tag, start, end = element(at)
            assert tag == 2
            return int.from_bytes(data[start:end], "big", signed=True), end
        tag, at, end = element(0)
        assert tag == 0x31 and end == len(data)
        found = []
        while at < end:
            begin = at
            tag, start, at = element(at)
            assert tag == 0x30
            kind, start = integer(start)
            version, start = integer(start)
            tag, start, stop = element(start)
            assert tag == 4 and stop == at
            found.append({"type": kind, "version": version, "value": data[start:stop].hex(),
                          "encoding": data[begin:at].hex()})
        json.dump(found, sys.stdout)
        """

    static func attributes(of payload: [UInt8]) throws -> [Attribute] {
        let python = try #require(OutsideProgram.python)
        let folder = TemporaryFolder()
        let outcome = try python.run(["-c", script, folder.file("payload", payload)])
        try #require(outcome.succeeded, Comment(rawValue: outcome.errors))
        return try JSONDecoder().decode([Attribute].self, from: Data(outcome.output))
    }
}
