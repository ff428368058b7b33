import CommandLineInterface
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Streams")
struct StreamTests {
    static let file = Terminal(isInteractive: false, showsStyles: false)

    @Test("A reader that goes away ends the writing quietly")
    func brokenPipe() throws {
        Output.ignoreBrokenPipes()
        let pipe = Pipe()
        let output = Output(
            descriptor: pipe.fileHandleForWriting.fileDescriptor,
            terminal: Self.file
        )
        try output.line("read")
        #expect(output.hasReader)
        try pipe.fileHandleForReading.close()
        try output.line("lost")
        #expect(!output.hasReader)
        try output.line("not even tried")
    }

    @Test("A full disk is an error")
    func fullDisk() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let output = Output(descriptor: full.fileDescriptor, terminal: Self.file)
        let error = #expect(throws: OutputError.self) { try output.line("x") }
        #expect(error?.description == "the output could not be written: the disk is full")
    }

    @Test("Much is written whole, even into a pipe that does not wait")
    func nonBlocking() async throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
        let received = pipe.fileHandleForReading.readingToEnd()
        let writing = Task.detached {
            try Output(descriptor: descriptor, terminal: Self.file).write(bytes: bytes)
            try pipe.fileHandleForWriting.close()
        }
        try await writing.value
        #expect(await [UInt8](received()) == bytes)
    }

    @Test("A file that is no terminal gets no styles, whatever the environment says")
    func noTerminal() {
        let terminal = Terminal(
            descriptor: 0,
            environment: { ["TERM": "xterm", "COLUMNS": "132"][$0] }
        )
        if isatty(0) == 0 {
            #expect(terminal == Terminal(isInteractive: false, showsStyles: false, columns: 132))
        }
    }

    @Test(
        "A terminal shows styles unless it is dumb or they are forbidden",
        .enabled(if: CLibrary.hasTerminals, "there are no pseudo terminals here"),
        arguments: [
            (["TERM": "xterm"], false, true), (["TERM": "dumb"], false, false), ([:], false, false),
            (["TERM": "xterm", "NO_COLOR": "1"], false, false),
            (["TERM": "xterm", "NO_COLOR": ""], false, true), (["TERM": "xterm"], true, false),
        ] as [([String: String], Bool, Bool)]
    )
    func colours(environment: [String: String], noColor: Bool, shown: Bool) throws {
        let (controller, device) = try CLibrary.openTerminal()
        defer {
            close(device)
            close(controller)
        }
        var size = winsize(ws_row: 24, ws_col: 97, ws_xpixel: 0, ws_ypixel: 0)
        #expect(ioctl(controller, UInt(TIOCSWINSZ), &size) == 0)
        let terminal = Terminal(
            descriptor: device,
            noColor: noColor,
            environment: { environment[$0] }
        )
        #expect(terminal == Terminal(isInteractive: true, showsStyles: shown, columns: 97))
    }
}

@Suite("Reading of files")
struct InputTests {
    private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try body(url.path)
    }

    @Test(
        "A file of exactly the limit is read, one byte more is refused",
        arguments: [0, 1, 70_000, 131_072]
    )
    func limit(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        try withFile(bytes) { path in
            let read = try Input.read(path, limit: size)
            #expect(read == bytes)
        }
        try withFile(bytes + [0]) { path in
            let error = #expect(throws: InputError.self) { try Input.read(path, limit: size) }
            #expect(error?.reason == .tooLarge(limit: size))
            #expect(
                error?.description
                    == "\(path) holds more than the \(size) bytes that are accepted"
            )
        }
    }

    @Test("An endless file ends at the limit")
    func endless() {
        let error = #expect(throws: InputError.self) { try Input.read("/dev/zero", limit: 1000) }
        #expect(error?.reason == .tooLarge(limit: 1000))
    }

    @Test(
        "What cannot be read is said with the reason",
        arguments: [
            ("/nonexistent/x", "there is no such file"), ("/tmp", "it is a folder"),
            ("/dev/null/x", "a part of its path is not a folder"),
        ]
    )
    func refusals(path: String, reason: String) {
        let error = #expect(throws: InputError.self) { try Input.read(path, limit: 10) }
        #expect(error?.description == "\(path) cannot be read: \(reason)")
    }

    @Test("A pipe is read to its end")
    func pipe() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("abc".utf8))
        try pipe.fileHandleForWriting.close()
        let bytes = try Input.read(
            descriptor: pipe.fileHandleForReading.fileDescriptor,
            name: "standard input",
            limit: 3
        )
        #expect(bytes == Array("abc".utf8))
    }
}
