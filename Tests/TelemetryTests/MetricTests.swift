import Foundation
import Telemetry
import Testing

@Suite("Metrics")
struct MetricTests {
    private static func text(_ registry: MetricRegistry) -> String {
        String(decoding: registry.exposition(), as: UTF8.self)
    }

    @Test("The exposition is the text format of Prometheus, to the letter")
    func exposition() {
        let registry = MetricRegistry()
        let plain = registry.counter("requests_total", "Requests.\nTwo lines, a \\ and \"quotes\".")
        let family = registry.counters("answers_total", "Answers.", labels: ["route", "status"])
        let gauge = registry.gauge("connections", "Open connections.")
        let histogram = registry.histogram("size_bytes", "Sizes.", .counts([1, 10]))
        registry.observedGauge("ratio", "A ratio.") { 0.5 }
        plain.increment(by: 3)
        family("/b", "200").increment()
        family("/a\"\\\n", "404").increment(by: 2)
        gauge.set(5)
        gauge.add(-7)
        for value in [0, 1, 2, 11] { histogram.observe(value) }
        #expect(
            Self.text(registry) == """
                # HELP requests_total Requests.\\nTwo lines, a \\\\ and "quotes".
                # TYPE requests_total counter
                requests_total 3
                # HELP answers_total Answers.
                # TYPE answers_total counter
                answers_total{route="/a\\"\\\\\\n",status="404"} 2
                answers_total{route="/b",status="200"} 1
                # HELP connections Open connections.
                # TYPE connections gauge
                connections -2
                # HELP size_bytes Sizes.
                # TYPE size_bytes histogram
                size_bytes_bucket{le="1"} 2
                size_bytes_bucket{le="10"} 3
                size_bytes_bucket{le="+Inf"} 4
                size_bytes_sum 14
                size_bytes_count 4
                # HELP ratio A ratio.
                # TYPE ratio gauge
                ratio 0.5

                """
        )
    }

    @Test("Latencies are counted from 50 microseconds to 10 seconds and shown in seconds")
    func latency() throws {
        let registry = MetricRegistry()
        let family = registry.histograms("answer_seconds", "Time.", labels: ["route"])
        let histogram = family("/x")
        let durations: [Duration] = [
            .zero, .microseconds(50), .microseconds(51), .milliseconds(1), .seconds(10),
            .seconds(11),
        ]
        for duration in durations { histogram.observe(duration) }
        let text = Self.text(registry)
        #expect(text.contains("answer_seconds_bucket{route=\"/x\",le=\"0.00005\"} 2\n"))
        #expect(text.contains("answer_seconds_bucket{route=\"/x\",le=\"0.0001\"} 3\n"))
        #expect(text.contains("answer_seconds_bucket{route=\"/x\",le=\"0.001\"} 4\n"))
        #expect(text.contains("answer_seconds_bucket{route=\"/x\",le=\"10\"} 5\n"))
        #expect(text.contains("answer_seconds_bucket{route=\"/x\",le=\"+Inf\"} 6\n"))
        #expect(text.contains("answer_seconds_sum{route=\"/x\"} 21.001101\n"))
        #expect(text.contains("answer_seconds_count{route=\"/x\"} 6\n"))
    }

    @Test("Label values from outside cannot make more series than the limit")
    func cardinality() {
        let registry = MetricRegistry(seriesLimit: 10)
        let family = registry.counters("x_total", "X.", labels: ["a", "b"])
        for index in 0..<1000 { family("\(index)", "b").increment() }
        let lines = Self.text(registry).split(separator: "\n").filter { $0.hasPrefix("x_total{") }
        #expect(lines.count == 11)
        #expect(lines.contains("x_total{a=\"other\",b=\"other\"} 990"))
    }

    @Test("The same label values are the same instrument")
    func identity() {
        let registry = MetricRegistry()
        let family = registry.gauges("x", "X.", labels: ["a"])
        #expect(family("1") === family("1"))
        #expect(family("1") !== family("2"))
    }

    @Test("Nothing is lost when many count at once")
    func concurrency() async {
        let registry = MetricRegistry()
        let counter = registry.counter("x_total", "X.")
        let histogram = registry.histogram("y_seconds", "Y.")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for index in 0..<10_000 {
                        counter.increment()
                        histogram.observe(.microseconds(index))
                    }
                }
            }
        }
        #expect(counter.value == 80_000)
        #expect(Self.text(registry).contains("y_seconds_count 80000\n"))
    }

    @Test("A process tells its memory, time, descriptors and threads")
    func process() throws {
        let registry = MetricRegistry()
        registry.addProcessMetrics()
        for name in ["resident_memory_bytes", "cpu_seconds_total", "open_fds", "threads"] {
            let line = try #require(
                Self.text(registry).split(separator: "\n").first {
                    $0.hasPrefix("process_\(name) ")
                }
            )
            let value = try #require(Double(line.split(separator: " ")[1]))
            #expect(value > 0, "\(line)")
        }
    }
}
