package import CounterfoilBasics

/// How much a log line matters.
package enum LogLevel: String, Sendable, Hashable, CaseIterable, Comparable {
    case debug, info, warning, error

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }

    package static func < (one: LogLevel, other: LogLevel) -> Bool { one.rank < other.rank }
}

/// Structured log lines: one JSON object each, `time`, `level` and `event` first.
///
/// Events and keys are fixed texts of ours, values come from anywhere: no value can end its
/// string, its line, or change how the line looks on a terminal.
package struct Log: Sendable {
    private let sink: any LogSink
    private let threshold: LogLevel
    private let clock: any WallClock
    private let context: LogFields

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - sink: where the lines go.
    ///   - threshold: the least level that is written.
    ///   - clock: where the time comes from.
    package init(
        to sink: any LogSink,
        from threshold: LogLevel = .info,
        clock: any WallClock = SystemClock()
    ) {
        self.init(sink, threshold, clock, [:])
    }

    private init(
        _ sink: any LogSink,
        _ threshold: LogLevel,
        _ clock: any WallClock,
        _ context: LogFields
    ) {
        self.sink = sink
        self.threshold = threshold
        self.clock = clock
        self.context = context
    }

    /// A log that adds fields to each of its lines.
    package func with(_ fields: LogFields) -> Log {
        Log(sink, threshold, clock, context.overridden(by: fields))
    }

    package func debug(_ event: StaticString, _ fields: @autoclosure () -> LogFields = [:]) {
        write(.debug, event, fields)
    }

    package func info(_ event: StaticString, _ fields: @autoclosure () -> LogFields = [:]) {
        write(.info, event, fields)
    }

    package func warning(_ event: StaticString, _ fields: @autoclosure () -> LogFields = [:]) {
        write(.warning, event, fields)
    }

    package func error(_ event: StaticString, _ fields: @autoclosure () -> LogFields = [:]) {
        write(.error, event, fields)
    }

    /// Writes an error: its code and reason, or, of one that promises nothing about what its
    /// description holds, its type alone.
    package func error(
        _ event: StaticString,
        _ error: any Error,
        _ fields: @autoclosure () -> LogFields = [:]
    ) {
        let described: LogFields =
            if let coded = error as? any CodedError {
                ["code": .string(coded.code.rawValue), "reason": .string(coded.reason)]
            } else {
                ["error": .string(String(reflecting: type(of: error)))]
            }
        write(.error, event) { fields().overridden(by: described) }
    }

    private func write(_ level: LogLevel, _ event: StaticString, _ fields: () -> LogFields) {
        guard level >= threshold else { return }
        var line = JSONLine()
        line.add("time", .instant(clock.now))
        line.add("level", .string(level.rawValue))
        line.add("event", .string(event.description))
        for (key, value) in context.overridden(by: fields()).pairs {
            line.add(key, isReserved: key.isReserved, value)
        }
        sink.write(line.finished(), level: level)
    }
}

/// Keys and values of a log line, in order.
package struct LogFields: Sendable, ExpressibleByDictionaryLiteral {
    fileprivate private(set) var pairs: [(key: StaticString, value: LogValue)]

    /// Fields in the order written; `time`, `level` and `event` are the log's own and get an
    /// underscore.
    package init(dictionaryLiteral elements: (StaticString, LogValue)...) {
        pairs = []
        pairs.reserveCapacity(16)
        for (key, value) in elements { set(key, value) }
    }

    /// Adds a field, or replaces the value it has.
    package mutating func set(_ key: StaticString, _ value: LogValue) {
        if let index = pairs.firstIndex(where: { $0.key.isSame(as: key) }) {
            pairs[index].value = value
        } else {
            pairs.append((key, value))
        }
    }

    fileprivate func overridden(by other: LogFields) -> LogFields {
        if other.pairs.isEmpty { return self }
        if pairs.isEmpty { return other }
        var all = self
        for (key, value) in other.pairs { all.set(key, value) }
        return all
    }
}

extension StaticString {
    /// Whether the text is the same; the same literal is found without looking at it.
    fileprivate func isSame(as other: StaticString) -> Bool {
        utf8CodeUnitCount == other.utf8CodeUnitCount
            && (utf8Start == other.utf8Start
                || withUTF8Buffer { left in
                    other.withUTF8Buffer { right in left.elementsEqual(right) }
                })
    }

    /// Whether a line begins with a key of this name.
    fileprivate var isReserved: Bool {
        isSame(as: "time") || isSame(as: "level") || isSame(as: "event")
    }
}

/// A value of a log line.
package enum LogValue: Sendable, Hashable {
    case string(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)
    /// Written in milliseconds, to the microsecond.
    case duration(Duration)
    /// Written as RFC 3339 in UTC.
    case instant(Instant)
    case list([LogValue])
    case null
    /// Written as `‹redacted›`.
    case redacted

    /// Whatever secret it wraps is not even kept.
    package init<Secret>(_ secret: Redacted<Secret>) { self = .redacted }
}

extension LogValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringInterpolation
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
}
