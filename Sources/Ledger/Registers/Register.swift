/// A value that one register can hold.
///
/// Two values of one document about one thing have the same stamp; which of them counts must not
/// depend on which was read first, so values have an order, and the greater one counts.
package protocol RegisterValue: Hashable, Sendable {
    /// Any text that differs where values do.
    var tieBreaker: String { get }
}

/// Fields that change together, and the word about them that counts: that with the greatest stamp.
///
/// Joining is associative, commutative and idempotent, so the order of arrival and repetition
/// change nothing.
package struct Register<Value: RegisterValue>: Hashable, Sendable {
    /// The value; nil where nobody said one.
    package private(set) var value: Value?
    /// Who said so.
    package private(set) var stamp: Stamp?

    package init() {}

    init(_ value: Value, _ stamp: Stamp) {
        self.value = value
        self.stamp = stamp
    }

    /// Takes in what a document says.
    package mutating func join(_ said: Said<Value>, _ stamp: Stamp) {
        guard case .says(let value) = said else { return }
        take(value, stamp)
    }

    /// Takes in what another register holds.
    package mutating func join(_ other: Register) {
        if let value = other.value, let stamp = other.stamp { take(value, stamp) }
    }

    private mutating func take(_ new: Value, _ newStamp: Stamp) {
        if let value, let stamp {
            if newStamp < stamp { return }
            if newStamp == stamp, new.tieBreaker <= value.tieBreaker { return }
        }
        value = new
        stamp = newStamp
    }
}
