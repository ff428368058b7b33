import CommandLineInterface
import Foundation

/// Streams that lead into temporary files, to see what a user would.
struct Capture {
    let streams: Streams
    private let files: [FileHandle]

    init(styled: Bool = false, columns: Int = 80) throws {
        files = try (0..<2).map { _ in try Self.temporaryFile() }
        let terminal = Terminal(isInteractive: styled, showsStyles: styled, columns: columns)
        streams = Streams(
            output: Output(descriptor: files[0].fileDescriptor, terminal: terminal),
            error: Output(descriptor: files[1].fileDescriptor, terminal: terminal)
        )
    }

    var output: String { Self.text(files[0]) }
    var error: String { Self.text(files[1]) }

    private static func text(_ file: FileHandle) -> String {
        file.seek(toFileOffset: 0)
        return String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
    }

    private static func temporaryFile() throws -> FileHandle {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try FileHandle(forUpdating: url)
    }
}

/// What a program did with a command line.
struct Outcome: Equatable {
    var exitCode: ExitCode
    var output: String
    var error: String
}

extension Program {
    func outcome(_ line: String, styled: Bool = false, columns: Int = 80) async throws -> Outcome {
        try await outcome(
            line.split(separator: " ").map(String.init),
            styled: styled,
            columns: columns
        )
    }

    func outcome(
        _ words: [String],
        styled: Bool = false,
        columns: Int = 80
    ) async throws -> Outcome {
        let capture = try Capture(styled: styled, columns: columns)
        let exitCode = await run(words, capture.streams)
        return Outcome(exitCode: exitCode, output: capture.output, error: capture.error)
    }
}
