/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// Apple states every date in milliseconds or coarser, so nothing is lost and two instants are
/// equal exactly when Apple's words were.
public struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z; negative before it.
    public let millisecondsSince1970: Int64

    /// Makes an instant from milliseconds since 1970.
    public init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = millisecondsSince1970
    }

    /// Makes an instant from whole seconds since 1970, saturating at the ends of the range.
    public init(secondsSince1970: Int64) {
        let (product, overflow) = secondsSince1970.multipliedReportingOverflow(by: 1000)
        self.init(
            millisecondsSince1970: overflow ? (secondsSince1970 < 0 ? .min : .max) : product
        )
    }

    /// The earlier instant comes first.
    public static func < (earlier: Instant, later: Instant) -> Bool {
        earlier.millisecondsSince1970 < later.millisecondsSince1970
    }

    /// This instant moved by a duration (rounded toward zero to milliseconds), saturating.
    public func advanced(by duration: Duration) -> Instant {
        let (sum, overflow) = millisecondsSince1970.addingReportingOverflow(duration.milliseconds)
        guard overflow else { return Instant(millisecondsSince1970: sum) }
        return Instant(millisecondsSince1970: duration.milliseconds < 0 ? .min : .max)
    }

    /// The last whole second not after this instant: certificates, receipts and purchases have no
    /// finer dates.
    package var wholeSecond: Instant {
        let rest = millisecondsSince1970 % 1000
        return advanced(by: .milliseconds(rest < 0 ? -(rest + 1000) : -rest))
    }

    /// How long after `earlier` this instant is; negative when it is before it.
    public func duration(since earlier: Instant) -> Duration {
        let (difference, overflow) = millisecondsSince1970.subtractingReportingOverflow(
            earlier.millisecondsSince1970
        )
        guard overflow else { return .milliseconds(difference) }
        return .milliseconds(self < earlier ? Int64.min : Int64.max)
    }
}

extension Instant: CustomStringConvertible {
    /// The instant as RFC 3339 in UTC, with milliseconds only where there are some.
    public var description: String {
        let civil = CivilTime(self)
        if (0...9999).contains(civil.year) { return Self.description(of: civil) }
        let date = "\(CivilTime.padded(civil.year, 4))-\(CivilTime.padded(civil.month, 2))"
        let time = "\(CivilTime.padded(civil.hour, 2)):\(CivilTime.padded(civil.minute, 2))"
        let fraction = civil.millisecond == 0 ? "" : ".\(CivilTime.padded(civil.millisecond, 3))"
        return "\(date)-\(CivilTime.padded(civil.day, 2))T\(time):"
            + "\(CivilTime.padded(civil.second, 2))\(fraction)Z"
    }

    /// The same for the years of four digits, which stand in every log line.
    private static func description(of civil: CivilTime) -> String {
        let hasFraction = civil.millisecond != 0
        return String(unsafeUninitializedCapacity: 24) { text in
            var count = 0
            func put(_ byte: UInt8) {
                text[count] = byte
                count += 1
            }
            func put(_ number: Int, then separator: UInt8) {
                put(UInt8(ascii: "0") + UInt8(number / 10))
                put(UInt8(ascii: "0") + UInt8(number % 10))
                put(separator)
            }
            put(UInt8(ascii: "0") + UInt8(civil.year / 1000))
            put(UInt8(ascii: "0") + UInt8(civil.year / 100 % 10))
            put(civil.year % 100, then: UInt8(ascii: "-"))
            put(civil.month, then: UInt8(ascii: "-"))
            put(civil.day, then: UInt8(ascii: "T"))
            put(civil.hour, then: UInt8(ascii: ":"))
            put(civil.minute, then: UInt8(ascii: ":"))
            put(civil.second, then: UInt8(ascii: hasFraction ? "." : "Z"))
            if hasFraction {
                put(UInt8(ascii: "0") + UInt8(civil.millisecond / 100))
                put(civil.millisecond % 100, then: UInt8(ascii: "Z"))
            }
            return count
        }
    }
}

extension Duration {
    /// The duration in whole milliseconds, rounded toward zero and saturating.
    package var milliseconds: Int64 {
        // Not by its components: a duration of more seconds than 64 bits hold has none, and traps.
        Int64(clamping: attoseconds / 1_000_000_000_000_000)
    }
}
