package import CounterfoilBasics

/// Dates as HTTP writes them (RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The instant in the preferred form, milliseconds dropped.
    package static func text(_ instant: Instant) -> String {
        let civil = CivilTime(instant)
        let day = CivilTime.padded(civil.day, 2)
        let time = [civil.hour, civil.minute, civil.second].map { CivilTime.padded($0, 2) }
        return "\(days[civil.weekday]), \(day) \(months[civil.month - 1]) "
            + "\(CivilTime.padded(civil.year, 4)) \(time.joined(separator: ":")) GMT"
    }

    /// The instant of a date in the preferred form; nil for any other text.
    ///
    /// The two obsolete forms are not read: a recipient may treat what it cannot read as absent.
    package static func instant(_ text: some StringProtocol) -> Instant? {
        let bytes = Array(text.utf8)
        guard bytes.count == 29 else { return nil }
        func number(_ range: Range<Int>) -> Int {
            bytes[range].reduce(0) { value, byte in
                value < 0 || !(0x30...0x39 ~= byte) ? -1 : value * 10 + Int(byte - 0x30)
            }
        }
        let month = months.firstIndex(of: String(decoding: bytes[8..<11], as: UTF8.self))
        let civil = CivilTime(
            year: number(12..<16),
            month: (month ?? -1) + 1,
            day: number(5..<7),
            hour: number(17..<19),
            minute: number(20..<22),
            second: number(23..<25)
        )
        // Writing it again also proves the weekday, the blanks and the zone.
        guard civil.isValid, self.text(civil.instant).utf8.elementsEqual(bytes) else { return nil }
        return civil.instant
    }
}
