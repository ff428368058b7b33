import CounterfoilBasics

/// Figures as people read them.
enum Figure {
    /// A count with a comma between thousands: `1,234,567`.
    static func count(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (offset, digit) in digits.enumerated() {
            if offset > 0, (digits.count - offset).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// A count of things, by their name for one and for several: `1 entry`, `2,000 entries`.
    static func count(_ number: Int, _ one: String, _ several: String) -> String {
        "\(count(number)) \(number == 1 ? one : several)"
    }

    /// A time in the units that say something: `0.04 s`, `12.5 s`, `3 min 20 s`, `2 h 5 min`.
    static func duration(_ duration: Duration) -> String {
        if duration < .seconds(10) { return "\(decimal(duration.seconds, digits: 2)) s" }
        if duration < .seconds(60) { return "\(decimal(duration.seconds, digits: 1)) s" }
        let seconds = Int(duration.seconds.rounded())
        if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }

    /// A time that may be tiny or large, in whatever unit: `0.42`, `27.8`, `10,550`.
    static func time(_ time: Double) -> String {
        decimal(time, digits: time < 10 ? 2 : time < 1_000 ? 1 : 0)
    }

    /// How many times as much one thing is as another: `1.4`, `210`.
    static func ratio(_ ratio: Double) -> String { decimal(ratio, digits: ratio < 100 ? 1 : 0) }

    /// A number with so many digits behind the point, and commas between thousands before it.
    static func decimal(_ number: Double, digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        guard let scaled = Int(exactly: (abs(number) * scale).rounded()) else { return "-" }
        let sign = number < 0 && scaled > 0 ? "-" : ""
        let whole = count(scaled / Int(scale))
        guard digits > 0 else { return sign + whole }
        return "\(sign)\(whole).\(CivilTime.padded(scaled % Int(scale), digits))"
    }
}

extension Duration {
    /// The whole time in seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
