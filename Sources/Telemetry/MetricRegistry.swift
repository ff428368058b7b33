import Synchronization

/// All metrics of a process, by name.
///
/// Instruments are made once, at start, and kept by those who count; counting never touches the
/// registry. Names, help and label names are fixed texts of ours; label values may come from
/// outside, and a family takes only so many combinations of them.
package final class MetricRegistry: Sendable {
    private let families = Mutex<[any ExposableFamily]>([])
    private let seriesLimit: Int

    /// - Parameter seriesLimit: the most combinations of label values of one family; beyond it
    ///   every further one is counted as `other`.
    package init(seriesLimit: Int = 200) { self.seriesLimit = seriesLimit }

    /// A counter without labels; its name ends in `_total`.
    package func counter(_ name: StaticString, _ help: StaticString) -> Counter {
        counters(name, help, labels: [])()
    }

    /// Counters told apart by labels.
    package func counters(
        _ name: StaticString,
        _ help: StaticString,
        labels: [StaticString]
    ) -> MetricFamily<Counter> {
        register(name, help, labels) { Counter() }
    }

    /// A gauge without labels.
    package func gauge(_ name: StaticString, _ help: StaticString) -> Gauge {
        gauges(name, help, labels: [])()
    }

    /// Gauges told apart by labels.
    package func gauges(
        _ name: StaticString,
        _ help: StaticString,
        labels: [StaticString]
    ) -> MetricFamily<Gauge> {
        register(name, help, labels) { Gauge() }
    }

    /// A histogram without labels; of durations, its name ends in `_seconds`.
    package func histogram(
        _ name: StaticString,
        _ help: StaticString,
        _ buckets: Histogram.Buckets = .latency
    ) -> Histogram {
        histograms(name, help, buckets, labels: [])()
    }

    /// Histograms told apart by labels.
    package func histograms(
        _ name: StaticString,
        _ help: StaticString,
        _ buckets: Histogram.Buckets = .latency,
        labels: [StaticString]
    ) -> MetricFamily<Histogram> {
        register(name, help, labels) { Histogram(buckets) }
    }

    /// A gauge whose value is asked for when the metrics are read.
    package func observedGauge(
        _ name: StaticString,
        _ help: StaticString,
        _ value: @escaping @Sendable () -> Double
    ) {
        _ = register(name, help, []) { Observed(kind: "gauge", value: value) }()
    }

    /// A counter whose value is asked for when the metrics are read.
    package func observedCounter(
        _ name: StaticString,
        _ help: StaticString,
        _ value: @escaping @Sendable () -> Double
    ) {
        _ = register(name, help, []) { Observed(kind: "counter", value: value) }()
    }

    private func register<Instrument: Exposable>(
        _ name: StaticString,
        _ help: StaticString,
        _ labels: [StaticString],
        _ make: @escaping @Sendable () -> Instrument
    ) -> MetricFamily<Instrument> {
        precondition(MetricName.isValid(name.description), "\(name) is no metric name")
        precondition(
            labels.allSatisfy { MetricName.isValidLabel($0.description) },
            "the labels of \(name) are no label names"
        )
        let family = MetricFamily(
            name: name.description,
            help: help.description,
            labels: labels.map(\.description),
            limit: seriesLimit,
            make: make
        )
        families.withLock { families in
            precondition(!families.contains { $0.name == family.name }, "\(name) is taken")
            families.append(family)
        }
        return family
    }

    /// The media type of ``exposition()``.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// All metrics in Prometheus' text format 0.0.4: families in the order of their making, series
    /// in the order of their label values.
    package func exposition() -> [UInt8] {
        var text = ExpositionText()
        for family in families.withLock({ $0 }) { family.expose(&text) }
        return text.bytes
    }
}

/// Metrics of one name, told apart by the values of their labels.
package final class MetricFamily<Instrument: Sendable>: Sendable {
    let name: String
    private let help: String
    private let labels: [String]
    private let limit: Int
    private let make: @Sendable () -> Instrument
    private let series = Mutex<[[String]: Instrument]>([:])

    init(
        name: String,
        help: String,
        labels: [String],
        limit: Int,
        make: @escaping @Sendable () -> Instrument
    ) {
        self.name = name
        self.help = help
        self.labels = labels
        self.limit = limit
        self.make = make
    }

    /// The instrument of some label values, in the order of the label names; to be asked for once
    /// and kept where counting must be cheap.
    package func callAsFunction(_ values: String...) -> Instrument {
        precondition(values.count == labels.count, "\(name) has the labels \(labels)")
        return series.withLock { series in
            if let known = series[values] { return known }
            let key = series.count < limit ? values : labels.map { _ in "other" }
            if let known = series[key] { return known }
            let made = make()
            series[key] = made
            return made
        }
    }
}

/// What an instrument writes about itself.
protocol Exposable: Sendable {
    var kind: String { get }
    func expose(_ text: inout ExpositionText, name: String, labels: [(String, String)])
}

/// What the registry knows of a family.
protocol ExposableFamily: Sendable {
    var name: String { get }
    func expose(_ text: inout ExpositionText)
}

extension MetricFamily: ExposableFamily where Instrument: Exposable {
    func expose(_ text: inout ExpositionText) {
        let all = series.withLock { series in
            series.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        }
        guard let first = all.first else { return }
        text.head(name: name, kind: first.value.kind, help: help)
        for (values, instrument) in all {
            instrument.expose(&text, name: name, labels: Array(zip(labels, values)))
        }
    }
}

extension Counter: Exposable {
    var kind: String { "counter" }

    func expose(_ text: inout ExpositionText, name: String, labels: [(String, String)]) {
        text.sample(name, labels, String(value))
    }
}

extension Gauge: Exposable {
    var kind: String { "gauge" }

    func expose(_ text: inout ExpositionText, name: String, labels: [(String, String)]) {
        text.sample(name, labels, String(value))
    }
}

extension Histogram: Exposable {
    var kind: String { "histogram" }

    func expose(_ text: inout ExpositionText, name: String, labels: [(String, String)]) {
        let now = snapshot
        for (bound, count) in now.cumulative {
            text.sample(name + "_bucket", labels + [("le", bound)], String(count))
        }
        text.sample(name + "_bucket", labels + [("le", "+Inf")], String(now.total))
        text.sample(name + "_sum", labels, now.sum)
        text.sample(name + "_count", labels, String(now.total))
    }
}

/// A metric whose value is asked for.
private struct Observed: Exposable {
    let kind: String
    let value: @Sendable () -> Double

    func expose(_ text: inout ExpositionText, name: String, labels: [(String, String)]) {
        text.sample(name, labels, ExpositionText.number(value()))
    }
}
