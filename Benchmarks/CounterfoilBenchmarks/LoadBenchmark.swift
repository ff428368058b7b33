import AppStoreSimulator
import Benchmarking
import CounterfoilBasics
import Glibc
import HTTP
import HTTPServer
import Telemetry

/// A server to be measured under load by `wrk`: the real one, or the empty one.
enum LoadBenchmark {
    private static let bodies = 32

    /// Serves until SIGTERM; prints the port, and writes what `wrk` sends into a folder.
    static func serve(_ kind: MeasuredServer.Kind, folder: String) async throws {
        let receipts = try SampleReceipts(now: SystemClock().now)
        let requests = try requests(receipts)
        try write(script(requests), to: "\(folder)/post.lua")
        let server = try await server(kind, receipts, sample: requests[0])
        let bound = try await server.start()
        print("\(bound) \(requests[0].count) \(server.answerBytes)")
        fflush(nil)
        for await _ in TerminationSignals.stream() { break }
        await server.stop()
    }

    /// Answers so many requests in memory, for a profiler to look at.
    static func profile(requests count: Int) async throws {
        let receipts = try SampleReceipts(now: SystemClock().now)
        let requests = try requests(receipts)
        let server = try await server(.verifyReceipt, receipts, sample: requests[0])
        for index in 0..<count {
            let body = requests[index % requests.count]
            _ = await server.handler(HTTPRequest(.post, MeasuredServer.path, body: body))
        }
    }

    private static func requests(_ receipts: SampleReceipts) throws -> [[UInt8]] {
        try (0..<bodies).map { try receipts.request($0, purchases: 10) }
    }

    private static func server(
        _ kind: MeasuredServer.Kind,
        _ receipts: SampleReceipts,
        sample: [UInt8]
    ) async throws -> MeasuredServer {
        try await MeasuredServer(
            kind,
            anchors: Array(receipts.authority.anchorsPEM.utf8),
            sample: sample,
            log: StandardErrorSink()
        )
    }

    /// A script for `wrk` that posts each of the bodies in turn.
    private static func script(_ requests: [[UInt8]]) -> [UInt8] {
        var text = "local bodies = {\n"
        for request in requests { text += "'\(String(decoding: request, as: UTF8.self))',\n" }
        text += """
            }
            local i = 0
            wrk.method = "POST"
            wrk.headers["Content-Type"] = "application/json"
            function request()
              i = i % #bodies + 1
              return wrk.format(nil, "\(MeasuredServer.path)", nil, bodies[i])
            end
            function done(summary, latency, requests)
              io.write(string.format("result %d %d %d %d %d\\n", summary.requests,
                summary.duration, latency:percentile(50), latency:percentile(99),
                summary.errors.connect + summary.errors.read + summary.errors.write
                + summary.errors.status + summary.errors.timeout))
            end

            """
        return Array(text.utf8)
    }

    /// Writes a file anew.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = fopen(path, "w")
        precondition(file != nil, "the folder can be written to")
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
