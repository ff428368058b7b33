import CounterfoilTestSupport
import Foundation

/// Another process that writes a journal.
final class WritingProcess {
    private let process = Process()
    private let folder: Folder
    private let leash = Pipe()

    /// Starts it; what its arguments mean is said where it is.
    init(_ arguments: [String: String]) throws {
        folder = try Folder()
        process.executableURL = BuiltProgram.url("JournalWritingProcess")
        process.arguments = arguments.map { "\($0)=\($1)" }
        process.standardInput = leash
        process.standardOutput = try folder.handle("output")
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { kill() }

    /// A document that it keeps, and where.
    struct Kept: Hashable {
        let document: String
        let position: UInt64
    }

    /// The lines that it said so far, only whole ones.
    var lines: [Substring] {
        let text = (try? folder.text("output")) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    var kept: [Kept] {
        lines.compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "kept", let position = UInt64(words[2]) else {
                return nil
            }
            return Kept(document: String(words[1]), position: position)
        }
    }

    /// By which the system knows it.
    var number: Int32 { process.processIdentifier }

    /// What it was refused.
    var refusals: [Substring] { lines.filter { $0.hasPrefix("refused") } }

    /// Waits until it said so many lines, or ended.
    func wait(forLines count: Int) {
        while process.isRunning, lines.count < count { usleep(500) }
    }

    /// Ends it between two of its instructions.
    func kill() {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Lets it end, and waits until it has; whether it was killed.
    @discardableResult
    func waitUntilExit() -> Bool {
        try? leash.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
    }
}
