import CounterfoilTestSupport
import Foundation
import Testing

/// The built binary, run as a user runs it.
enum Tool {
    /// What a run came to.
    struct Outcome {
        let exitCode: Int32
        let output: String
        let error: String

        var lines: [String] {
            output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The root of the package.
    static let package = BuiltProgram.package

    static let binary = BuiltProgram.url("counterfoil")

    static func run(
        _ arguments: [String],
        input: [UInt8] = [],
        environment: [String: String] = [:]
    ) throws -> Outcome {
        try run(binary, arguments, input: input, environment: environment)
    }

    static func run(
        _ program: URL,
        _ arguments: [String],
        input: [UInt8] = [],
        environment: [String: String] = [:]
    ) throws -> Outcome {
        let folder = try Folder()
        try folder.write("input", input)
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = package
        process.standardInput = try FileHandle(forReadingFrom: folder.url("input"))
        // Files, because a pipe that nobody reads fills up.
        process.standardOutput = try folder.handle("output")
        process.standardError = try folder.handle("error")
        try process.run()
        process.waitUntilExit()
        return Outcome(
            exitCode: process.terminationStatus,
            output: try folder.text("output"),
            error: try folder.text("error")
        )
    }

    /// What python3 makes of a JSON text, printed with sorted keys; the judge of our JSON.
    static func python(_ script: String, _ input: String) throws -> Outcome {
        try run(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["python3", "-c", script],
            input: Array(input.utf8)
        )
    }
}

/// Reading of JSON texts in tests.
struct JSONText {
    let object: [String: Any]

    init(_ text: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        object = try #require(value as? [String: Any])
    }

    /// The value under some keys, one inside the other; nil where it is null or absent.
    subscript(path: String...) -> Any? {
        var value: Any? = object
        for key in path { value = (value as? [String: Any])?[key] }
        return value is NSNull ? nil : value
    }

    func text(_ path: String...) -> String? {
        var value: Any? = object
        for key in path { value = (value as? [String: Any])?[key] }
        return value as? String
    }
}
