import CounterfoilBasics

extension Instant {
    /// The last whole second not after this instant: certificates and app receipts have no finer
    /// dates.
    var wholeSecond: Instant {
        let rest = millisecondsSince1970 % 1000
        return advanced(by: .milliseconds(rest < 0 ? -(rest + 1000) : -rest))
    }
}
