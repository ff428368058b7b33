import Foundation
import Testing

@testable import Benchmarking

@Suite("Load")
struct LoadTests {
    @Test(
        "An address is a host, a port and a path",
        arguments: [
            ("http://127.0.0.1:8080", "127.0.0.1", 8080, "/sandbox/verifyReceipt"),
            ("http://[::1]:8080/verifyReceipt", "::1", 8080, "/verifyReceipt"),
            ("http://shop.example/a?b=c", "shop.example", 80, "/a?b=c"),
            ("http://[::1]/", "::1", 80, "/"),
        ]
    )
    func targets(url: String, host: String, port: UInt16, path: String) throws {
        let target = try #require(LoadTarget(url))
        #expect(target.host == host)
        #expect(target.port == port)
        #expect(target.path == path)
    }

    @Test(
        "What is no such address is none",
        arguments: [
            "https://a.example", "a.example", "http://", "http://:80", "http://a:b", "http://a:0",
            "http://a:70000", "http://me@a.example", "http://a b", "http://a\r\nX: y",
            "http://[::1",
        ]
    )
    func noTargets(url: String) { #expect(LoadTarget(url) == nil) }

    /// How an answer is read when it arrives in pieces of some size.
    private func read(_ text: String, pieces: Int) -> LoadAnswer.Progress {
        var answer = LoadAnswer()
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            let part = Array(bytes[start..<min(start + pieces, bytes.count)])
            part.withUnsafeBytes { answer.append($0) }
            let progress = answer.progress()
            if progress != .incomplete { return progress }
        }
        return .incomplete
    }

    @Test("An answer ends where its length says, however it arrives", arguments: [1, 7, 1000])
    func answers(pieces: Int) {
        func answer(_ status: String, _ fields: String, _ body: String) -> LoadAnswer.Progress {
            let head = "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n"
            return read(head + body, pieces: pieces)
        }
        let good = #"{"receipt":{},"status":0}"#
        #expect(answer("200 OK", "", good) == .complete(accepted: true, keepsAlive: true))
        #expect(
            answer("200 OK", "connection:  Close\r\n", good)
                == .complete(accepted: true, keepsAlive: false)
        )
        #expect(
            answer("200 OK", "", #"{"status":21003}"#)
                == .complete(accepted: false, keepsAlive: true)
        )
        #expect(
            answer("503 Busy", "Retry-After: 1\r\n", good)
                == .complete(accepted: false, keepsAlive: true)
        )
        let withoutLength = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(read(withoutLength, pieces: pieces) == .unreadable)
        #expect(read("nonsense\r\n\r\n", pieces: pieces) == .unreadable)
        let negative = "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"
        #expect(read(negative, pieces: pieces) == .unreadable)
    }

    @Test("A head without an end is given up")
    func endlessHead() {
        #expect(read(String(repeating: "a", count: 70_000), pieces: 4096) == .unreadable)
    }

    @Test("Percentiles are right to less than two in a hundred, also far out")
    func percentiles() {
        var latencies = Latencies()
        #expect(latencies.percentile(99) == 0)
        for microseconds in 1...100_000 { latencies.add(microseconds: microseconds) }
        for percent in [1.0, 50, 90, 99, 99.9, 100] {
            let error = latencies.percentile(percent) / percent - 1
            #expect((0...0.017).contains(error), "\(percent): \(error)")
        }
        latencies.add(microseconds: .max)
        latencies.add(microseconds: -1)
        #expect(latencies.percentile(100) > 1e12)
    }
}
