import AppStoreClient
import CounterfoilBasics
import PurchaseService
import Telemetry

/// What a server counts of asking Apple, under names that docs/RELAY.md lists.
struct RelayMetrics: Sendable {
    /// Questions for which there was no room behind the answers.
    let dropped: Counter

    private let answers: MetricFamily<Counter>
    private let verdicts: MetricFamily<Counter>
    private let differences: MetricFamily<Counter>
    private let latency: Histogram

    init(_ registry: MetricRegistry, waiting: @escaping @Sendable () -> Double) {
        answers = registry.counters(
            "counterfoil_relay_answers_total",
            "Questions to Apple, by mode and by Apple's status or the code of the failure.",
            labels: ["mode", "result"]
        )
        verdicts = registry.counters(
            "counterfoil_relay_verdicts_total",
            "Verdicts of Apple beside ours, by mode, their relation, and whose answer was given.",
            labels: ["mode", "verdicts", "answered"]
        )
        differences = registry.counters(
            "counterfoil_relay_differences_total",
            "Answers in which a field differs from Apple's, by field and kind.",
            labels: ["field", "difference"]
        )
        dropped = registry.counter(
            "counterfoil_relay_dropped_total",
            "Questions for which there was no room behind the answers."
        )
        latency = registry.histogram(
            "counterfoil_relay_duration_seconds",
            "Time until Apple answered or was given up."
        )
        registry.observedGauge(
            "counterfoil_relay_waiting",
            "Questions that wait behind the answers.",
            waiting
        )
    }

    /// Counts what came of a question.
    func count(_ finding: RelayFinding, _ mode: RelayMode, _ duration: Duration) {
        let status = finding.answer.map { String($0.statusNumber) }
        answers(mode.rawValue, status ?? finding.failure?.code.rawValue ?? "none").increment()
        verdicts(
            mode.rawValue,
            finding.decision.report.rawValue,
            finding.decision.answer.rawValue
        ).increment()
        latency.observe(duration)
    }

    /// Counts an answer in which a field differs.
    func count(_ field: DifferingField) {
        differences(String(field.field.prefix(128)), field.kind.rawValue).increment()
    }
}
