import CounterfoilTestSupport
import Foundation
import Testing

/// The tool as a server, from its announcement to its end.
final class RunningTool {
    /// Where it listens: `http://127.0.0.1:40123`.
    let url: String

    private let process = Process()
    private let folder: Folder

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        folder = try Folder()
        process.executableURL = Tool.binary
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = Tool.package
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try folder.handle("output")
        process.standardError = try folder.handle("error")
        try process.run()
        url = try Self.announcedURL(of: process, in: folder)
    }

    deinit { if process.isRunning { process.terminate() } }

    var output: String { (try? folder.text("output")) ?? "" }
    var error: String { (try? folder.text("error")) ?? "" }
    var isRunning: Bool { process.isRunning }

    /// Sends a signal; it may be that nobody is there any more.
    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits for the end, and says how it was.
    func exitCode() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    private static func announcedURL(of process: Process, in folder: Folder) throws -> String {
        // Making the demo's keys takes seconds on a busy machine.
        for _ in 0..<1200 {
            let output = try folder.text("output")
            let url = /http:\/\/([0-9.]+|\[[0-9a-f:.]+\]):[0-9]+/
            if let match = output.firstMatch(of: url), output.hasSuffix("\n") {
                return String(match.0)
            }
            let error = try folder.text("error")
            try #require(process.isRunning, "it ended: \(error)")
            usleep(100_000)
        }
        process.terminate()
        throw CocoaError(.fileReadUnknown)
    }
}

/// A line of shell, run as a user pastes it.
enum Shell {
    static func run(
        _ script: String,
        in folder: String = Tool.package.path,
        environment: [String: String] = [:]
    ) throws -> Tool.Outcome {
        try Tool.run(
            URL(fileURLWithPath: "/bin/bash"),
            ["-c", "cd \"$1\" && eval \"$2\"", "bash", folder, script],
            environment: environment
        )
    }
}
