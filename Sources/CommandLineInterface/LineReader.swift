#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads a stream some whole lines at a time, so that a file of any size needs little memory.
///
/// A line ends with a line feed; the last one may do without. A line that is longer than the limit
/// is passed over and reported in its place.
package final class LineReader {
    /// The bounds of what is held.
    package struct Limits: Sendable {
        /// The bytes of a line, without its line feed and a carriage return before that.
        package var lineBytes: Int
        /// About how many bytes are handed over at once, where lines are shorter.
        package var partBytes = 256 << 10
        /// The most lines that are handed over at once.
        package var partLines = 1024

        /// Makes limits for lines of so many bytes.
        package init(lineBytes: Int) { self.lineBytes = lineBytes }
    }

    /// What comes next.
    package enum Part: Sendable {
        /// Some whole lines.
        case lines(Lines)
        /// A line with more bytes than the limit, by its number from 1.
        case tooLong(line: Int)
        /// Nothing yet, from somebody who may still write more.
        case nothingYet
        /// No more.
        case end
    }

    /// The bytes of the file from where reading began, where it is a regular file.
    package let size: Int?

    /// How many bytes have been handed over or passed over.
    package private(set) var consumed = 0

    /// What is read, where it is a regular file; to see whether it is also written.
    package var identity: FileIdentity? { FileIdentity(of: descriptor) }

    private let name: String
    private let descriptor: Descriptor
    private let limits: Limits

    private var buffer: [UInt8] = []
    /// How many bytes of the buffer hold no line feed for certain.
    private var searched = 0
    private var nextLine = 1
    private var isPassingOver = false
    private var isAtEnd = false

    /// Opens a file, or standard input when the name is `-`.
    ///
    /// - Throws: `InputError` for what cannot be opened, and for a folder.
    package init(_ name: String, limits: Limits) throws(InputError) {
        let isStandardInput = name == Input.standardInput
        self.name = isStandardInput ? "standard input" : name
        self.limits = limits
        let number =
            isStandardInput
            ? STDIN_FILENO : FileName.withCString(of: name) { open($0, O_RDONLY | O_CLOEXEC) }
        descriptor = Descriptor(number: number)
        guard number >= 0 else {
            size = nil
            throw InputError(name: self.name, .unreadable(SystemError(number: errno)))
        }
        var status = stat()
        // A number that is closed would soon be that of something else, which never ends.
        guard fstat(number, &status) == 0 else {
            size = nil
            throw InputError(name: self.name, .unreadable(SystemError(number: errno)))
        }
        let kind = status.st_mode & S_IFMT
        let position = lseek(number, 0, SEEK_CUR)
        size = kind == S_IFREG && position >= 0 ? max(0, Int(status.st_size - position)) : nil
        if kind == S_IFDIR {
            throw InputError(name: self.name, .unreadable(SystemError(number: EISDIR)))
        }
    }

    deinit { if descriptor.number > STDIN_FILENO { close(descriptor.number) } }

    /// The next lines; never waits for a writer.
    ///
    /// - Throws: `InputError` when the system refuses to read on.
    package func next() throws(InputError) -> Part {
        while true {
            if let part = cut() { return part }
            if isAtEnd { return rest() }
            guard descriptor.isReadable(within: 0) else { return .nothingYet }
            switch descriptor.readSome(atMost: limits.partBytes) {
            case .failure(let cause): throw InputError(name: name, .unreadable(cause))
            case .success([]): isAtEnd = true
            case .success(let bytes): buffer += bytes
            }
        }
    }

    /// Waits until there may be more, but not longer than so many milliseconds.
    package func wait(milliseconds: Int32) { _ = descriptor.isReadable(within: milliseconds) }

    /// The whole lines at the beginning of the buffer, or the end of one that is passed over.
    private func cut() -> Part? {
        if isPassingOver { passOver() }
        var end = 0
        var lines = 0
        while lines < limits.partLines, end < limits.partBytes {
            guard let lineFeed = lineFeed(from: max(end, searched)) else {
                searched = buffer.count
                break
            }
            guard length(from: end, to: lineFeed) <= limits.lineBytes else { break }
            end = lineFeed + 1
            lines += 1
        }
        if lines > 0 {
            defer { drop(end, lines: lines) }
            return .lines(Lines(first: nextLine, bytes: Array(buffer[..<end])))
        }
        let length = length(from: 0, to: lineFeed(from: searched) ?? buffer.count)
        guard length > limits.lineBytes else { return nil }
        isPassingOver = true
        return .tooLong(line: nextLine)
    }

    /// What stands behind the last line feed.
    private func rest() -> Part {
        guard !isPassingOver, !buffer.isEmpty else { return .end }
        defer { drop(buffer.count, lines: 1) }
        return .lines(Lines(first: nextLine, bytes: buffer))
    }

    private func passOver() {
        guard let lineFeed = lineFeed(from: searched) else { return drop(buffer.count, lines: 0) }
        drop(lineFeed + 1, lines: 1)
        isPassingOver = false
    }

    private func drop(_ count: Int, lines: Int) {
        buffer.removeFirst(count)
        searched = max(0, searched - count)
        consumed += count
        nextLine += lines
    }

    /// The bytes of a line that ends before an offset, or may.
    private func length(from start: Int, to end: Int) -> Int {
        end - start - (Lines.hasReturn(in: buffer, from: start, to: end) ? 1 : 0)
    }

    private func lineFeed(from offset: Int) -> Int? {
        Lines.lineFeed(in: buffer, from: offset)
    }
}

extension LineReader {
    /// Whole lines that follow each other.
    package struct Lines: Sendable {
        /// The number of the first one, from 1.
        package let first: Int
        /// The lines with their line feeds.
        package let bytes: [UInt8]

        /// Makes lines of bytes.
        package init(first: Int, bytes: [UInt8]) {
            self.first = first
            self.bytes = bytes
        }

        /// Hands over each line with its number, without its line feed and without a carriage
        /// return before that.
        package func forEach(_ body: (_ number: Int, _ line: ArraySlice<UInt8>) -> Void) {
            var start = 0
            var number = first
            while start < bytes.count {
                let end = Self.lineFeed(in: bytes, from: start) ?? bytes.count
                let hasReturn = Self.hasReturn(in: bytes, from: start, to: end)
                body(number, bytes[start..<(hasReturn ? end - 1 : end)])
                start = end + 1
                number += 1
            }
        }

        fileprivate static func hasReturn(
            in bytes: [UInt8],
            from start: Int,
            to end: Int
        ) -> Bool {
            end > start && bytes[end - 1] == UInt8(ascii: "\r")
        }

        fileprivate static func lineFeed(in bytes: [UInt8], from offset: Int) -> Int? {
            bytes.withUnsafeBytes { buffer in
                guard offset < buffer.count, let base = buffer.baseAddress else { return nil }
                let found = memchr(base + offset, Int32(UInt8(ascii: "\n")), buffer.count - offset)
                return found.map { base.distance(to: UnsafeRawPointer($0)) }
            }
        }
    }
}
