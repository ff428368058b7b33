import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A stream that the process writes to, unbuffered; each call's bytes stay together.
///
/// When the reader goes away (`counterfoil … | head`), what is written is dropped without a word
/// and the command ends with its own exit code, because the verdict does not depend on who reads
/// it. Any other failure, such as a full disk, is thrown.
package final class Output: Sendable {
    /// What is at the other end.
    package let terminal: Terminal

    private let descriptor: Descriptor
    /// What the user calls it, where it has a name.
    private let name: String?
    private let readerIsGone = Mutex(false)

    /// Makes a stream of an open descriptor, which stays the caller's to close.
    package convenience init(descriptor: Int32, terminal: Terminal) {
        self.init(Descriptor(number: descriptor), terminal, name: nil)
    }

    fileprivate init(_ descriptor: Descriptor, _ terminal: Terminal, name: String?) {
        self.descriptor = descriptor
        self.terminal = terminal
        self.name = name
    }

    /// Where it leads, if to a regular file; to see whether that is also read.
    package var identity: FileIdentity? { FileIdentity(of: descriptor) }

    /// Whether anybody still reads; a command that would go on for ever asks for it.
    package var hasReader: Bool { readerIsGone.withLock { !$0 } }

    /// Writes a text and a line feed.
    package func line(_ text: StyledText) throws(OutputError) { try write(text + "\n") }

    /// Writes lines.
    package func lines(_ lines: [StyledText]) throws(OutputError) {
        let styled = terminal.showsStyles
        try write(bytes: lines.flatMap { Array($0.rendered(styled: styled).utf8) + [0x0A] })
    }

    /// Writes a text.
    package func write(_ text: StyledText) throws(OutputError) {
        try write(bytes: Array(text.rendered(styled: terminal.showsStyles).utf8))
    }

    /// Writes JSON, in which characters that act on a terminal or that nobody sees are escaped.
    package func write(json: [UInt8]) throws(OutputError) {
        try write(bytes: ControlCharacters.escaped(inJSON: json))
    }

    /// Writes bytes as they are: for formats that another program reads, and that are themselves
    /// free of control characters.
    package func write(bytes: [UInt8]) throws(OutputError) {
        let failure = readerIsGone.withLock { isGone -> OutputError? in
            guard !isGone else { return nil }
            let code = descriptor.writeAll(bytes)
            isGone = code == EPIPE
            guard code != 0, !isGone else { return nil }
            return OutputError(cause: SystemError(number: code), name: name)
        }
        if let failure { throw failure }
    }

    /// Lets a write to a closed pipe fail with `EPIPE` instead of ending the process.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}

/// A stream that could not be written.
package struct OutputError: Error, Hashable, CustomStringConvertible {
    /// What the system says.
    package let cause: SystemError

    /// The file's name, where it is a file that the user named.
    package var name: String?

    package var description: String {
        "\(name ?? "the output") could not be written: \(cause)"
    }
}

/// A file that a command writes its answer to.
package final class OutputFile {
    /// The stream that leads there.
    package let output: Output

    private let descriptor: Descriptor
    private let name: String
    private var isOpen = true

    /// Opens a file and leaves what is in it until ``empty()`` is called; makes it where there is
    /// none.
    ///
    /// - Throws: `OutputError`.
    package init(_ name: String) throws(OutputError) {
        let number = FileName.withCString(of: name) {
            open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        }
        // Kept before anything else is asked of the system.
        let cause = SystemError(number: errno)
        self.name = name
        descriptor = Descriptor(number: number)
        output = Output(descriptor, Terminal(descriptor: number), name: name)
        guard number >= 0 else {
            isOpen = false
            throw OutputError(cause: cause, name: name)
        }
    }

    deinit { if isOpen { close(descriptor.number) } }

    /// Removes what is in a regular file; a device or a pipe is left as it is.
    ///
    /// - Throws: `OutputError`.
    package func empty() throws(OutputError) {
        guard output.identity != nil, ftruncate(descriptor.number, 0) != 0 else { return }
        throw OutputError(cause: SystemError(number: errno), name: name)
    }

    /// Ends writing; some systems say only now that the disk is full.
    ///
    /// - Throws: `OutputError`.
    package func end() throws(OutputError) {
        isOpen = false
        guard close(descriptor.number) != 0, errno != EINTR else { return }
        throw OutputError(cause: SystemError(number: errno), name: name)
    }
}

/// Where a command writes its answer, and where its complaints.
package struct Streams: Sendable {
    /// The answer.
    package let output: Output

    /// Complaints and hints.
    package let error: Output

    /// Makes a pair of streams.
    package init(output: Output, error: Output) {
        self.output = output
        self.error = error
    }

    /// The process's own.
    package static func standard(noColor: Bool) -> Streams {
        func stream(_ descriptor: Int32) -> Output {
            let terminal = Terminal(descriptor: descriptor, noColor: noColor)
            return Output(descriptor: descriptor, terminal: terminal)
        }
        return Streams(output: stream(STDOUT_FILENO), error: stream(STDERR_FILENO))
    }
}
