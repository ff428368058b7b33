/// An amount of money in thousandths of a currency's unit: 1.99 USD is 1990, 300 JPY is 300000.
///
/// The currency stands beside it, in another member. Apple's amounts are not for accounting.
public struct Milliunits: RawRepresentable, Hashable, Comparable, Sendable, OpenFieldValue {
    /// Thousandths of the currency's unit, in 64 bits.
    public let rawValue: Int64

    /// Makes an amount from thousandths of the currency's unit.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The smaller amount comes first; of the same currency only.
    public static func < (smaller: Milliunits, larger: Milliunits) -> Bool {
        smaller.rawValue < larger.rawValue
    }
}

/// A share in thousandths of a percent: 100000 is all of it, 50000 is one half.
public struct Millipercent: RawRepresentable, Hashable, Comparable, Sendable, OpenFieldValue {
    /// Thousandths of a percent; Apple writes 0 to 100000.
    public let rawValue: Int64

    /// Makes a share from thousandths of a percent.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The smaller share comes first.
    public static func < (smaller: Millipercent, larger: Millipercent) -> Bool {
        smaller.rawValue < larger.rawValue
    }
}

/// The length of an offer or a subscription as an ISO 8601 duration: `P3D`, `P1W`, `P1M`, `P1Y`.
public struct CalendarPeriod: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// The duration as written.
    public let rawValue: String

    /// Makes a period from a duration as Apple writes it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A unit of the calendar.
    public enum Unit: Character, Hashable, Sendable {
        /// A day.
        case day = "D"
        /// Seven days.
        case week = "W"
        /// A calendar month.
        case month = "M"
        /// A calendar year.
        case year = "Y"
    }

    /// How many of which unit, for a duration of one unit as Apple writes them; else nil.
    public var length: (count: Int, unit: Unit)? {
        guard rawValue.first == "P", let last = rawValue.last, let unit = Unit(rawValue: last)
        else { return nil }
        let digits = rawValue.dropFirst().dropLast()
        guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ 48...57 ~= $0 }),
            let count = Int(digits)
        else { return nil }
        return (count, unit)
    }
}
