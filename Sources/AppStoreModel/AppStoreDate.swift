public import CounterfoilBasics

/// The forms in which the App Store writes dates, read from any and written in Apple's three.
///
/// Nothing here depends on the locale or the time zone of the machine.
public enum AppStoreDate {
    /// Reads a date in any form that the App Store has used; nil for text that is none.
    ///
    /// RFC 3339 with or without fraction, with `Z`, `±hh:mm` or `±hhmm`; `yyyy-MM-dd HH:mm:ss`
    /// followed by `Etc/GMT`, `GMT`, `UTC` or `America/Los_Angeles`; milliseconds in decimal.
    /// Los Angeles times in the hour that occurs twice are taken as the first of the two.
    public static func parse(_ text: some StringProtocol) -> Instant? {
        let bytes = Array(text.utf8)
        return parse(bytes.span)
    }

    /// Reads a date, given as ASCII, in any form that the App Store has used.
    public static func parse(_ text: Span<UInt8>) -> Instant? {
        guard text.count <= maximumLength else { return nil }
        guard text.count >= 19, text[4] == 0x2D else { return milliseconds(text) }
        guard let year = number(text, 0, 4), text[7] == 0x2D, let month = number(text, 5, 2),
            let day = number(text, 8, 2), text[10] == 0x54 || text[10] == 0x20,
            let hour = number(text, 11, 2), text[13] == 0x3A, let minute = number(text, 14, 2),
            text[16] == 0x3A, let second = number(text, 17, 2)
        else { return nil }
        var civil = CivilTime(
            year: year,
            month: month,
            day: day,
            hour: hour,
            minute: minute,
            second: second
        )
        guard civil.isValid else { return nil }
        var offset = 19
        if text[10] == 0x54, offset < text.count, text[offset] == 0x2E {
            guard let (millisecond, end) = fraction(text, after: offset) else { return nil }
            civil.millisecond = millisecond
            offset = end
        }
        return text[10] == 0x54
            ? applyOffset(text, from: offset, to: civil) : applyZoneName(text, from: 19, to: civil)
    }

    /// `yyyy-MM-dd HH:mm:ss Etc/GMT`, the rendering without a suffix.
    public static func gmt(_ instant: Instant) -> String {
        rendered { append(gmt: instant, to: &$0) }
    }

    /// `yyyy-MM-dd HH:mm:ss America/Los_Angeles`, the rendering with the suffix `_pst`.
    public static func pst(_ instant: Instant) -> String {
        rendered { append(pst: instant, to: &$0) }
    }

    /// Milliseconds since 1970 in decimal, the rendering with the suffix `_ms`.
    public static func milliseconds(_ instant: Instant) -> String {
        String(instant.millisecondsSince1970)
    }

    package static func append(gmt instant: Instant, to text: inout [UInt8]) {
        append(CivilTime(instant), zone: " Etc/GMT", to: &text)
    }

    package static func append(pst instant: Instant, to text: inout [UInt8]) {
        append(LosAngelesTime.civilTime(at: instant), zone: " America/Los_Angeles", to: &text)
    }

    /// The longest text that can be a date; anything longer is refused unread.
    private static let maximumLength = 64

    private static func rendered(_ body: (inout [UInt8]) -> Void) -> String {
        var text: [UInt8] = []
        body(&text)
        return String(decoding: text, as: UTF8.self)
    }
}

// MARK: - Reading

extension AppStoreDate {
    private static func number(_ text: Span<UInt8>, _ start: Int, _ length: Int) -> Int? {
        guard start + length <= text.count else { return nil }
        var value = 0
        for offset in start..<start + length {
            guard (0x30...0x39).contains(text[offset]) else { return nil }
            value = value * 10 + Int(text[offset] - 0x30)
        }
        return value
    }

    private static func milliseconds(_ text: Span<UInt8>) -> Instant? {
        let isNegative = text.count > 1 && text[0] == 0x2D
        let first = isNegative ? 1 : 0
        guard text.count > first, text.count - first <= 18,
            let value = number(text, first, text.count - first)
        else { return nil }
        return Instant(millisecondsSince1970: Int64(isNegative ? -value : value))
    }

    private static func fraction(_ text: Span<UInt8>, after dot: Int) -> (Int, Int)? {
        var end = dot + 1
        var millisecond = 0
        while end < text.count, (0x30...0x39).contains(text[end]) {
            if end - dot <= 3 { millisecond = millisecond * 10 + Int(text[end] - 0x30) }
            end += 1
        }
        let digits = end - dot - 1
        guard digits > 0 else { return nil }
        for _ in digits..<max(digits, 3) { millisecond *= 10 }
        return (millisecond, end)
    }

    private static func applyOffset(
        _ text: Span<UInt8>,
        from start: Int,
        to civil: CivilTime
    ) -> Instant? {
        guard start < text.count else { return nil }
        if text[start] == 0x5A || text[start] == 0x7A {
            return start + 1 == text.count ? civil.instant : nil
        }
        guard text[start] == 0x2B || text[start] == 0x2D, let hours = number(text, start + 1, 2)
        else { return nil }
        let colon = start + 3 < text.count && text[start + 3] == 0x3A ? 1 : 0
        guard let minutes = number(text, start + 3 + colon, 2), start + 5 + colon == text.count,
            hours <= 23, minutes <= 59
        else { return nil }
        let seconds = (hours * 60 + minutes) * 60
        return civil.instant.advanced(by: .seconds(text[start] == 0x2B ? -seconds : seconds))
    }

    private static func applyZoneName(
        _ text: Span<UInt8>,
        from start: Int,
        to civil: CivilTime
    ) -> Instant? {
        if matches(text, from: start, " Etc/GMT") || matches(text, from: start, " GMT")
            || matches(text, from: start, " UTC")
        {
            return civil.instant
        }
        guard matches(text, from: start, " America/Los_Angeles") else { return nil }
        let daylight = civil.instant.advanced(by: .seconds(25_200))
        if LosAngelesTime.civilTime(at: daylight) == civil { return daylight }
        return civil.instant.advanced(by: .seconds(28_800))
    }

    private static func matches(
        _ text: Span<UInt8>,
        from start: Int,
        _ zone: StaticString
    ) -> Bool {
        guard text.count - start == zone.utf8CodeUnitCount else { return false }
        return zone.withUTF8Buffer { expected in
            expected.indices.allSatisfy { expected[$0] == text[start + $0] }
        }
    }
}

// MARK: - Writing

extension AppStoreDate {
    private static func append(
        _ civil: CivilTime,
        zone: StaticString,
        to text: inout [UInt8]
    ) {
        append(civil.year, width: 4, to: &text)
        text.append(0x2D)
        append(civil.month, width: 2, to: &text)
        text.append(0x2D)
        append(civil.day, width: 2, to: &text)
        text.append(0x20)
        append(civil.hour, width: 2, to: &text)
        text.append(0x3A)
        append(civil.minute, width: 2, to: &text)
        text.append(0x3A)
        append(civil.second, width: 2, to: &text)
        zone.withUTF8Buffer { text.append(contentsOf: $0) }
    }

    private static func append(_ number: Int, width: Int, to text: inout [UInt8]) {
        guard number >= 0, number < (width == 4 ? 10_000 : 100) else {
            text.append(contentsOf: CivilTime.padded(number, width).utf8)
            return
        }
        if width == 4 {
            text.append(0x30 + UInt8(number / 1000))
            text.append(0x30 + UInt8(number / 100 % 10))
        }
        text.append(0x30 + UInt8(number / 10 % 10))
        text.append(0x30 + UInt8(number % 10))
    }
}
