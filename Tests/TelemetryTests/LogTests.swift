import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Telemetry
import Testing

@Suite("Log lines")
struct LogTests {
    private static let start = Instant(millisecondsSince1970: 1_700_000_000_000)

    private static func log(_ sink: MemorySink, from level: LogLevel = .info) -> Log {
        Log(to: sink, from: level, clock: VirtualClock(at: start))
    }

    private static func object(_ line: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(object as? [String: Any])
    }

    @Test("A line is one JSON object, time, level and event first")
    func shape() {
        let sink = MemorySink()
        Self.log(sink).info(
            "server.started",
            [
                "address": "127.0.0.1:80", "port": 80, "ratio": 0.5, "ready": true, "none": .null,
                "took": .duration(.microseconds(1500)), "at": .instant(Self.start),
                "list": .list([1, "two", .list([1])]),
            ]
        )
        #expect(
            sink.lines == [
                """
                {"time":"2023-11-14T22:13:20.000Z","level":"info","event":"server.started",\
                "address":"127.0.0.1:80","port":80,"ratio":0.5,"ready":true,"none":null,\
                "took":1.500,"at":"2023-11-14T22:13:20.000Z","list":[1,"two","1 values"]}
                """
            ]
        )
    }

    @Test(
        "No value can end its string, its line, or move a terminal's cursor",
        arguments: [
            "a\nb", "a\r\n{\"level\":\"error\"}", "\",\"level\":\"error", "\\", "\\\"", "\0",
            "\u{1B}[2J",
            "\u{7F}", "\u{9B}31m", "\u{2028}", "\u{202E}txt", "\u{FEFF}", "é€😀", "\u{200F}",
        ]
    )
    func forging(value: String) throws {
        let sink = MemorySink()
        Self.log(sink).warning("x", ["value": .string(value)])
        let line = try #require(sink.lines.first)
        #expect(sink.lines.count == 1)
        #expect(try Self.object(line)["value"] as? String == value)
        #expect(try Self.object(line)["level"] as? String == "warning")
        let hasControl = line.unicodeScalars.contains { scalar in
            scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value || 0x2028...0x202E ~= scalar.value
        }
        #expect(!hasControl)
    }

    @Test("Random strings come back unchanged")
    func random() throws {
        var random = SeededRandom(seed: 11)
        let sink = MemorySink()
        let log = Self.log(sink)
        for _ in 0..<200 {
            let scalars = (0..<20).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0..<0x3000, using: &random))
            }
            let text = String(String.UnicodeScalarView(scalars))
            log.info("x", ["value": .string(text)])
            let value = try Self.object(try #require(sink.lines.last))["value"] as? String
            #expect(value.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test("A secret is never shown, however it is handed over")
    func secrets() {
        let sink = MemorySink()
        let secret = Redacted("hunter2")
        Self.log(sink).info("x", ["a": LogValue(secret), "b": "\(secret)", "c": .redacted])
        #expect(sink.lines.allSatisfy { !$0.contains("hunter2") })
        #expect(
            sink.lines.first?.contains(#""a":"‹redacted›","b":"‹redacted›","c":"‹redacted›""#)
                == true
        )
    }

    @Test("Long values are cut, and the line says so")
    func long() throws {
        let sink = MemorySink()
        let many = [LogValue](repeating: 1, count: 1000)
        Self.log(sink).info(
            "x",
            ["v": .string(String(repeating: "é", count: 5000)), "l": .list(many)]
        )
        let line = try #require(sink.lines.first)
        #expect(line.utf8.count < 4500)
        #expect(try (Self.object(line)["v"] as? String)?.hasSuffix("… (10000 bytes)") == true)
        #expect(try (Self.object(line)["l"] as? [Any])?.count == 64)
    }

    @Test("An error is written by code and reason; a foreign one by its type alone")
    func errors() throws {
        struct Ours: CodedError {
            let code: ErrorCode = "x.y"
            let reason = "found this"
        }
        struct Foreign: Error, CustomStringConvertible { let description = "secret inside" }
        let sink = MemorySink()
        let log = Self.log(sink)
        log.error("failed", Ours(), ["where": "here"])
        log.error("failed", Foreign())
        #expect(
            sink.lines[0].hasSuffix(
                #""event":"failed","where":"here","code":"x.y","reason":"found this"}"#
            )
        )
        #expect(sink.lines[1].contains("Foreign"))
        #expect(!sink.lines[1].contains("secret"))
    }

    @Test("Context goes into every line, a line's own fields replace it, no key comes twice")
    func context() throws {
        let sink = MemorySink()
        let log = Self.log(sink).with(["request": "r1", "app": "a"])
        log.with(["app": "b"]).info("x", ["request": "r2", "time": "mine", "event": "mine"])
        #expect(
            sink.lines[0].hasSuffix(
                #""event":"x","request":"r2","app":"b","time_":"mine","event_":"mine"}"#
            )
        )
    }

    @Test("Lines below the threshold are not even made")
    func threshold() {
        let sink = MemorySink()
        let log = Self.log(sink, from: .warning)
        func unexpected() -> LogFields {
            Issue.record("made")
            return [:]
        }
        log.debug("x", unexpected())
        log.info("x", unexpected())
        log.warning("x")
        log.error("x")
        #expect(sink.lines.count == 2)
    }
}

@Suite("The sink of standard error")
struct StandardErrorSinkTests {
    private static func pipeEnds() -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        return (ends[0], ends[1])
    }

    @Test("Each line arrives whole, from many threads")
    func whole() async throws {
        let ends = Self.pipeEnds()
        let log = Log(to: StandardErrorSink(descriptor: ends.write))
        let reading = FileHandle(fileDescriptor: ends.read, closeOnDealloc: true).readingToEnd()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for index in 0..<200 {
                        let text = String(repeating: "x", count: index * 10)
                        log.info("x", ["task": .integer(Int64(task)), "text": .string(text)])
                    }
                }
            }
        }
        close(ends.write)
        let lines = String(decoding: await reading(), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 800)
        for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }

    @Test("A lossy sink drops lines, but not errors, while nobody reads; it counts them")
    func lossy() throws {
        let ends = Self.pipeEnds()
        defer {
            close(ends.read)
            close(ends.write)
        }
        // The pipe holds 64 KiB; an error must still find room.
        let sink = StandardErrorSink(descriptor: ends.write, isLossy: true)
        let log = Log(to: sink)
        let text = LogValue.string(String(repeating: "x", count: 3000))
        for _ in 0..<100 { log.info("x", ["text": text]) }
        #expect(sink.droppedLines > 70)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        #expect(read(ends.read, &buffer, buffer.count) > 40_000)
        log.error("x")
        #expect(read(ends.read, &buffer, buffer.count) > 0)
    }

    @Test("A descriptor that is gone costs the line, nothing else")
    func gone() {
        let sink = StandardErrorSink(descriptor: -1)
        Log(to: sink).error("x")
        #expect(sink.droppedLines == 1)
    }
}
