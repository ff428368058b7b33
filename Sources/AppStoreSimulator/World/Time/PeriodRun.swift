import AppStoreModel
import CounterfoilBasics

/// Periods one after the other from an anchor, measured from it all together.
///
/// So a subscription begun on the 31st ends on the last day of short months and on the 31st again
/// after them, also where months and years follow each other.
struct PeriodRun: Hashable, Sendable {
    /// When the first of them began.
    let anchor: Instant
    /// How long they are together.
    private(set) var length: CalendarLength

    /// A first period.
    init(from anchor: Instant, _ period: CalendarPeriod) {
        self.anchor = anchor
        length = CalendarLength(period)
    }

    /// The run with one more period at its end; nil where that is not measured in the same unit.
    func followed(by period: CalendarPeriod) -> PeriodRun? {
        let more = CalendarLength(period)
        guard more.unit == length.unit else { return nil }
        var longer = self
        longer.length.count += more.count
        return longer
    }
}

/// A number of days, weeks or months.
struct CalendarLength: Hashable, Sendable {
    enum Unit: Hashable, Sendable {
        case days
        case weeks
        case months
    }

    let unit: Unit
    var count: Int

    /// The length of a period; nothing of one in no known form, which no catalogue should have.
    init(_ period: CalendarPeriod) {
        let (count, unit) = period.length ?? (0, .day)
        switch unit {
        case .day: (self.count, self.unit) = (count, .days)
        case .week: (self.count, self.unit) = (count, .weeks)
        case .month: (self.count, self.unit) = (count, .months)
        case .year: (self.count, self.unit) = (12 * count, .months)
        }
    }
}
