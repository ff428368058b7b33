import AppStoreSimulator
import Benchmarking
import CommandLineInterface
import CounterfoilBasics
import CounterfoilJSON
import Telemetry

/// `counterfoil bench load`: what verifyReceipt does under load.
enum BenchLoadCommand {
    static let command = Command(
        "load",
        "what verifyReceipt does under load",
        discussion: [
            "Sends receipts that are all different over connections that stay open. Without --url a"
                + " server runs in this process, and beside it one of the same engine that only"
                + " returns as many bytes. With --url, receipts of the authority in DIR are sent to"
                + " a server that believes it: give it DIR/root.pem first."
        ],
        options: [url, authority, connections, seconds, purchases, bodies, BenchCommand.format],
        examples: [
            Command.Example(
                "counterfoil bench load --url http://127.0.0.1:8080 --authority ca",
                "a server elsewhere; without options, one in here"
            )
        ],
        action: run
    )

    private static let url = Option.value(
        "url",
        ValueReader(
            "an address such as http://127.0.0.1:8080; https ends before the server",
            placeholder: "URL",
            read: { LoadTarget($0) }
        ),
        "where to send it"
    )
    private static let authority = Option.value(
        "authority",
        .directory.named("DIR"),
        "a folder of 'counterfoil issue'; goes with --url"
    )
    private static let connections = Option.value(
        "connections",
        .integer(in: 1...1000),
        default: 64,
        "requests at once"
    )
    private static let seconds = Option.value(
        "seconds",
        .integer(in: 1...3600),
        default: 8,
        "how long each"
    )
    private static let purchases = Option.value(
        "purchases",
        .integer(in: 1...5_000),
        default: 10,
        "in each receipt"
    )
    private static let bodies = Option.value(
        "receipts",
        .integer(in: 1...100_000),
        default: 500,
        "how many different ones"
    )

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        guard (invocation[url] == nil) == (invocation[authority] == nil) else {
            throw UsageError("--url and --authority go together")
        }
        let receipts = try receipts(invocation)
        let report = try await Interruption.watched { interruption in
            let requests = try await requests(receipts, invocation, interruption)
            let bench = LoadBench(
                requests: requests,
                connections: invocation[connections],
                duration: .seconds(invocation[seconds]),
                interruption: interruption
            )
            if let target = invocation[url] { return try await bench.measure(target) }
            return try await bench.measureHere(anchors: receipts.authority.anchorsPEM)
        }
        switch invocation[BenchCommand.format] {
        case .human: try streams.output.lines(report.lines)
        case .json: try streams.output.write(bytes: report.json)
        }
        return report.exitCode
    }

    private static func receipts(_ invocation: Invocation) throws -> SampleReceipts {
        let now = SystemClock().now
        guard let folder = invocation[authority] else { return try SampleReceipts(now: now) }
        let authority = try AuthorityFolder(path: folder).authority(
            orMaking: AuthorityProfile(now: now)
        )
        return SampleReceipts(authority: authority, now: now)
    }

    /// The requests' bodies; signing them takes a millisecond each.
    private static func requests(
        _ receipts: SampleReceipts,
        _ invocation: Invocation,
        _ interruption: Interruption
    ) async throws -> [[UInt8]] {
        let count = invocation[bodies]
        let purchases = invocation[purchases]
        return try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            var requests = [[UInt8]](repeating: [], count: count)
            for index in 0..<count {
                if index >= BatchVerification.processors, let (done, body) = try await group.next()
                {
                    requests[done] = body
                }
                guard interruption.signal == nil else { break }
                group.addTask { (index, try receipts.request(index, purchases: purchases)) }
            }
            for try await (done, body) in group { requests[done] = body }
            return requests.filter { !$0.isEmpty }
        }
    }
}

/// Load on a server elsewhere, or on two in this process.
private struct LoadBench {
    /// How long connections and memories are warmed before anything counts.
    private static let warmUp = Duration.seconds(1)

    let requests: [[UInt8]]
    let connections: Int
    let duration: Duration
    let interruption: Interruption

    func measure(_ target: LoadTarget) async throws -> LoadReport {
        var report = report()
        report.results.append(("verifyReceipt", try await load(target)))
        return report
    }

    func measureHere(anchors: String) async throws -> LoadReport {
        var report = report()
        guard let sample = requests.first else { return report }
        for (name, kind) in [
            ("empty handler", MeasuredServer.Kind.empty), ("verifyReceipt", .verifyReceipt),
        ] where interruption.signal == nil {
            let server = try await MeasuredServer(
                kind,
                anchors: Array(anchors.utf8),
                sample: sample,
                log: Silence()
            )
            let address = try await server.start()
            report.answerBytes = server.answerBytes
            guard let target = LoadTarget("http://\(address)") else { return report }
            do {
                report.results.append((name, try await load(target)))
                await server.stop()
            } catch {
                await server.stop()
                throw error
            }
        }
        return report
    }

    private func load(_ target: LoadTarget) async throws -> LoadResult {
        guard !requests.isEmpty else { return LoadResult() }
        let generator = LoadGenerator(target, bodies: requests, connections: connections)
        let isStopped = { @Sendable [interruption] in interruption.signal != nil }
        _ = try await generator.run(for: Self.warmUp, until: isStopped)
        return try await generator.run(for: duration, until: isStopped)
    }

    private func report() -> LoadReport {
        LoadReport(
            connections: connections,
            requestBytes: requests.first?.count ?? 0,
            receipts: requests.count,
            interruption: interruption
        )
    }
}

/// Log lines of a server that is only measured.
private struct Silence: LogSink {
    func write(_ line: [UInt8], level: LogLevel) {}
}

/// What came of it.
private struct LoadReport {
    let connections: Int
    let requestBytes: Int
    let receipts: Int
    let interruption: Interruption
    var answerBytes: Int?
    var results: [(name: String, load: LoadResult)] = []

    /// 1 where a server did not accept every receipt.
    var exitCode: ExitCode {
        if interruption.signal != nil { return .interrupted }
        return results.allSatisfy { $0.load.errors == 0 && $0.load.answers > 0 }
            ? .success : .refused
    }

    var lines: [StyledText] {
        var table = Table(
            [Table.Column("")]
                + ["requests/s", "p50 ms", "p99 ms", "answers", "errors"].map {
                    Table.Column($0, .trailing)
                }
        )
        for (name, load) in results {
            table.append(
                [
                    name, Figure.count(Int(load.rate)), Figure.time(load.latencies.percentile(50)),
                    Figure.time(load.latencies.percentile(99)), Figure.count(load.answers),
                    Figure.count(load.errors),
                ].map { StyledText($0) }
            )
        }
        if let ratios {
            table.append(
                ["ratio"] + ratios.map { StyledText(Figure.decimal($0, digits: 2)) } + ["", ""]
            )
        }
        let answers = answerBytes.map { ", \(Figure.count($0)) out" } ?? ""
        return [
            "\(Figure.count(receipts)) different receipts over \(connections) connections, "
                + "\(Figure.count(requestBytes)) bytes in\(answers)",
            "",
        ] + table.lines()
    }

    /// The second as a multiple of the first: rate, p50 and p99.
    private var ratios: [Double]? {
        guard results.count == 2 else { return nil }
        let (empty, full) = (results[0].load, results[1].load)
        return [full.rate / empty.rate]
            + [50, 99].map { full.latencies.percentile($0) / empty.latencies.percentile($0) }
    }

    var json: [UInt8] {
        var writer = JSONWriter(.pretty)
        writer.object { writer in
            writer.member("receipts", Int64(receipts))
            writer.member("connections", Int64(connections))
            writer.member("requestBytes", Int64(requestBytes))
            writer.member("answerBytes", answerBytes.map { Int64($0) })
            writer.key("servers")
            writer.array { writer in
                for (name, load) in results {
                    writer.objectOnOneLine { writer in
                        writer.member("name", name)
                        writer.decimal("requestsPerSecond", load.rate, digits: 1)
                        writer.decimal("p50Milliseconds", load.latencies.percentile(50), digits: 3)
                        writer.decimal("p99Milliseconds", load.latencies.percentile(99), digits: 3)
                        writer.member("answers", Int64(load.answers))
                        writer.member("errors", Int64(load.errors))
                    }
                }
            }
            for (index, name) in (["rateRatio", "p50Ratio", "p99Ratio"] as [StaticString])
                .enumerated()
            {
                writer.decimal(name, ratios?[index] ?? .nan, digits: 3)
            }
        }
        return writer.finish() + [0x0A]
    }
}
