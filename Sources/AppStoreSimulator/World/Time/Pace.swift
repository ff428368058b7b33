import AppStoreModel
import CounterfoilBasics

/// How long the store's periods take: as long as they say, or much shorter, as in Apple's test
/// environments (StoreKit Test, "SKTestSession.TimeRate"; App Store Connect Help, "Test
/// subscriptions").
public struct Pace: Hashable, Sendable {
    /// Calendar time, or how long a month takes.
    enum Rate: Hashable, Sendable {
        case calendar
        case accelerated(Accelerated)
    }

    /// The lengths of one rate.
    struct Accelerated: Hashable, Sendable {
        let week: Duration
        let month: Duration
        let graceOfWeekly: Duration
        let graceOfOthers: Duration
        let billingRetry: Duration
        /// How long an offer of days takes, each day.
        let day: Duration
    }

    let rate: Rate
    /// How many times a subscription renews before the store turns its renewal off; nil for ever.
    public var renewalLimit: Int?

    /// As long as they say, as in production.
    public static let real = Pace(rate: .calendar, renewalLimit: nil)

    /// A month in five minutes: the sandbox's default.
    public static let monthInFiveMinutes = accelerated(
        week: .seconds(180),
        month: .seconds(300),
        grace: (.seconds(154), .seconds(150)),
        billingRetry: .seconds(600)
    )
    /// A month in fifteen minutes.
    public static let monthInFifteenMinutes = accelerated(
        week: .seconds(300),
        month: .seconds(900),
        grace: (.seconds(257), .seconds(450)),
        billingRetry: .seconds(1800)
    )
    /// A month in half an hour.
    public static let monthInThirtyMinutes = accelerated(
        week: .seconds(600),
        month: .seconds(1800),
        grace: (.seconds(514), .seconds(900)),
        billingRetry: .seconds(3600)
    )
    /// A month in an hour.
    public static let monthInAnHour = accelerated(
        week: .seconds(900),
        month: .seconds(3600),
        grace: (.seconds(771), .seconds(1800)),
        billingRetry: .seconds(7200)
    )
    /// A month in half a minute, which Xcode alone offers.
    public static let monthInThirtySeconds = accelerated(
        week: .seconds(10),
        month: .seconds(30),
        grace: (.seconds(9), .seconds(15)),
        billingRetry: .seconds(60)
    )

    private static func accelerated(
        week: Duration,
        month: Duration,
        grace: (weekly: Duration, others: Duration),
        billingRetry: Duration
    ) -> Pace {
        Pace(
            rate: .accelerated(
                Accelerated(
                    week: week,
                    month: month,
                    graceOfWeekly: grace.weekly,
                    graceOfOthers: grace.others,
                    billingRetry: billingRetry,
                    // Apple says nothing of offers of days; testers saw three of them take two
                    // minutes where a week takes three.
                    day: .seconds(week.components.seconds * 2 / 9)
                )
            ),
            renewalLimit: 12
        )
    }
}

extension Pace {
    /// Whether periods take as long as they say, however often they renew.
    var isReal: Bool { rate == .calendar }

    /// When so many periods end that run from an anchor without a gap.
    func end(of period: CalendarPeriod, count: Int = 1, from anchor: Instant) -> Instant {
        var length = CalendarLength(period)
        length.count *= count
        return end(of: length, from: anchor)
    }

    /// When a run of periods ends.
    func end(of run: PeriodRun) -> Instant { end(of: run.length, from: run.anchor) }

    private func end(of length: CalendarLength, from anchor: Instant) -> Instant {
        let count = length.count
        switch (rate, length.unit) {
        case (.calendar, .days): return anchor.advanced(by: .seconds(86_400 * count))
        case (.calendar, .weeks): return anchor.advanced(by: .seconds(7 * 86_400 * count))
        case (.calendar, .months): return CivilTime(anchor).adding(months: count).instant
        case (.accelerated(let lengths), .days): return anchor.advanced(by: lengths.day * count)
        case (.accelerated(let lengths), .weeks): return anchor.advanced(by: lengths.week * count)
        case (.accelerated(let lengths), .months):
            return anchor.advanced(by: lengths.month * count)
        }
    }

    /// How long access is kept while the payment of a period fails.
    func gracePeriod(_ length: GracePeriod.Length, of period: CalendarPeriod) -> Duration {
        switch rate {
        case .calendar:
            let days = period == .week ? min(length.rawValue, 6) : length.rawValue
            return .seconds(86_400 * days)
        case .accelerated(let lengths):
            return period == .week ? lengths.graceOfWeekly : lengths.graceOfOthers
        }
    }

    /// How long the store goes on trying to charge.
    var billingRetry: Duration {
        switch rate {
        case .calendar: .seconds(60 * 86_400)
        case .accelerated(let lengths): lengths.billingRetry
        }
    }

    /// So many days, as an extension counts them; none is left of a few at a fast rate.
    func days(_ count: Int) -> Duration {
        switch rate {
        case .calendar: .seconds(86_400 * count)
        case .accelerated(let lengths): lengths.month * count / 30
        }
    }

    /// Lapses up to so long do not interrupt a run of paid service.
    var forgivenLapse: Duration { days(60) }
}

extension CivilTime {
    /// The same day and time so many months later, or the last day of a month that is shorter.
    func adding(months: Int) -> CivilTime {
        var later = self
        let index = year * 12 + month - 1 + months
        later.year = index / 12
        later.month = index % 12 + 1
        later.day = min(day, Self.daysInMonth(later.month, year: later.year))
        return later
    }
}
