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
        rendered { append(gmt: CivilTime(instant), to: &$0) }
    }

    /// `yyyy-MM-dd HH:mm:ss America/Los_Angeles`, the rendering with the suffix `_pst`.
    public static func pst(_ instant: Instant) -> String {
        rendered { append(pst: LosAngelesTime.civilTime(at: instant), to: &$0) }
    }

    /// Milliseconds since 1970 in decimal, the rendering with the suffix `_ms`.
    public static func milliseconds(_ instant: Instant) -> String {
        String(instant.millisecondsSince1970)
    }

    /// The most bytes that ``append(gmt:to:)`` and ``append(pst:to:)`` append.
    package static let longestText = 64

    /// Appends the rendering without a suffix; `civil` is the date's civil time in UTC.
    package static func append(gmt civil: CivilTime, to text: inout OutputSpan<UInt8>) {
        append(civil, zone: " Etc/GMT", to: &text)
    }

    /// Appends the rendering with the suffix `_pst`; `civil` is its civil time in Los Angeles.
    package static func append(pst civil: CivilTime, to text: inout OutputSpan<UInt8>) {
        append(civil, zone: " America/Los_Angeles", to: &text)
    }

    /// The longest text that can be a date; anything longer is refused unread.
    private static let maximumLength = 64

    private static func rendered(_ body: (inout OutputSpan<UInt8>) -> Void) -> String {
        var text: [UInt8] = []
        text.append(addingCapacity: longestText, initializingWith: body)
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
        to text: inout OutputSpan<UInt8>
    ) {
        precondition(text.freeCapacity >= longestText, "there is no room for a date")
        text.withUnsafeMutableBufferPointer { buffer, count in
            let room = UnsafeMutableRawBufferPointer(
                UnsafeMutableBufferPointer(rebasing: buffer[count...])
            )
            var length: Int
            if (0...9999).contains(civil.year) {
                let characters = Characters(civil)
                room.storeBytes(of: characters.date.littleEndian, as: UInt64.self)
                room.storeBytes(
                    of: characters.time.littleEndian,
                    toByteOffset: 8,
                    as: UInt64.self
                )
                room.storeBytes(
                    of: characters.seconds.littleEndian,
                    toByteOffset: 16,
                    as: UInt32.self
                )
                length = Characters.count
            } else {
                length = write(farDate: civil, to: room)
            }
            zone.withUTF8Buffer { name in
                UnsafeMutableRawBufferPointer(rebasing: room[length...]).copyBytes(from: name)
                length += name.count
            }
            count += length
        }
    }

    /// `yyyy-MM-dd HH:mm:ss` in three words, the first character in the lowest byte: an answer
    /// holds hundreds of dates, and this is a tenth of the work of a character at a time.
    private struct Characters {
        static let count = 19
        // `yyyy-MM-`
        let date: UInt64
        // `dd HH:mm`
        let time: UInt64
        // `:ss`
        let seconds: UInt32

        /// The characters of a date in the years 0 to 9999.
        init(_ civil: CivilTime) {
            date =
                Self.digits(civil.year / 100) | Self.digits(civil.year % 100) << 16
                | Self.digits(civil.month) << 40 | 0x2D00_002D_0000_0000
            time =
                Self.digits(civil.day) | Self.digits(civil.hour) << 24
                | Self.digits(civil.minute) << 48 | 0x0000_3A00_0020_0000
            seconds = UInt32(truncatingIfNeeded: Self.digits(civil.second) << 8 | 0x3A)
        }

        private static func digits(_ number: Int) -> UInt64 {
            UInt64(truncatingIfNeeded: number / 10 | (number % 10) << 8) | 0x3030
        }
    }

    /// The same for years of another length, of which no receipt was ever seen; at most 28 bytes.
    private static func write(
        farDate civil: CivilTime,
        to room: UnsafeMutableRawBufferPointer
    ) -> Int {
        let pairs = [civil.month, civil.day, civil.hour, civil.minute, civil.second].map {
            CivilTime.padded($0, 2)
        }
        let text =
            "\(CivilTime.padded(civil.year, 4))-\(pairs[0])-\(pairs[1]) "
            + "\(pairs[2]):\(pairs[3]):\(pairs[4])"
        room.copyBytes(from: text.utf8)
        return text.utf8.count
    }
}
