import CommandLineInterface
import Foundation
import Testing

@Suite("Reading line by line")
struct LineReaderTests {
    /// The lines of a text by number, `nil` for one that is too long, however the reader cuts it.
    private func lines(
        of text: String,
        lineBytes: Int = 1000,
        partBytes: Int,
        partLines: Int = 1000
    ) throws -> [String] {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(text.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        var limits = LineReader.Limits(lineBytes: lineBytes)
        limits.partBytes = partBytes
        limits.partLines = partLines
        let reader = try LineReader(url.path, limits: limits)
        var found: [String] = []
        while true {
            switch try reader.next() {
            case .end:
                #expect(reader.consumed == text.utf8.count)
                #expect(reader.size == text.utf8.count)
                return found
            case .nothingYet: Issue.record("A file is always ready.")
            case .tooLong(let line): found.append("\(line) too long")
            case .lines(let lines):
                #expect(lines.bytes.count <= partBytes + lineBytes + 2)
                lines.forEach { number, bytes in
                    found.append("\(number) \(String(decoding: bytes, as: UTF8.self))")
                }
            }
        }
    }

    @Test("Every way of cutting gives the same lines", arguments: [1, 2, 3, 5, 7, 64, 4096])
    func cuts(partBytes: Int) throws {
        let text = "a\nbc\r\n\n\r\ndefgh\n\ni"
        let expected = ["1 a", "2 bc", "3 ", "4 ", "5 defgh", "6 ", "7 i"]
        for partLines in [1, 2, 100] {
            let found = try lines(of: text, partBytes: partBytes, partLines: partLines)
            #expect(found == expected)
            let ended = try lines(of: text + "\n", partBytes: partBytes, partLines: partLines)
            #expect(ended == expected)
        }
        #expect(try lines(of: "", partBytes: partBytes) == [])
        #expect(try lines(of: "\n", partBytes: partBytes) == ["1 "])
    }

    @Test("A line at the limit is read, one byte more is passed over", arguments: [1, 4, 9, 4096])
    func limit(partBytes: Int) throws {
        let text = "12345\n123456\n12\n1234567890123\n12345"
        let expected = ["1 12345", "2 too long", "3 12", "4 too long", "5 12345"]
        #expect(try lines(of: text, lineBytes: 5, partBytes: partBytes) == expected)
        let open = try lines(of: text + "6", lineBytes: 5, partBytes: partBytes)
        #expect(open == expected.dropLast() + ["5 too long"])
    }

    @Test(
        "The carriage return before a line feed is no byte of the line",
        arguments: [1, 4, 5, 6, 7, 9, 4096]
    )
    func limitBeforeReturn(partBytes: Int) throws {
        let text = "12345\r\n123456\r\n12345\r\n1234\r5\r\n12345\r6\n12345\r"
        let expected = ["1 12345", "2 too long", "3 12345", "4 too long", "5 too long", "6 12345"]
        #expect(try lines(of: text, lineBytes: 5, partBytes: partBytes) == expected)
        let open = try lines(of: "123456\r", lineBytes: 5, partBytes: partBytes)
        #expect(open == ["1 too long"])
    }

    @Test("A pipe that is quiet says so instead of waiting, and its size is not known")
    func quietPipe() throws {
        let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        // Open for both, so that opening does not wait for the other end.
        let writer = open(path, O_RDWR)
        let reader = try LineReader(path, limits: LineReader.Limits(lineBytes: 100))
        #expect(reader.size == nil)
        #expect(reader.identity == nil)
        guard case .nothingYet = try reader.next() else {
            Issue.record("There is nothing.")
            return
        }
        #expect(write(writer, "ab\ncd", 5) == 5)
        guard case .lines(let lines) = try reader.next() else {
            Issue.record("There is a line.")
            return
        }
        #expect(lines.bytes == Array("ab\n".utf8))
        guard case .nothingYet = try reader.next() else {
            Issue.record("The second line is not whole.")
            return
        }
        close(writer)
        guard case .lines(let rest) = try reader.next() else {
            Issue.record("The second line ends with the pipe.")
            return
        }
        #expect(rest.first == 2)
        #expect(rest.bytes == Array("cd".utf8))
    }
}
