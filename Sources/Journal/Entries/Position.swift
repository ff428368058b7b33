/// The place of an entry in the journal: 1 for the first, and no number is left out.
package struct Position: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Before the first entry.
    package static let beginning = Position(rawValue: 0)

    /// The place after this one; there is none after the greatest number.
    package var next: Position { Position(rawValue: rawValue < .max ? rawValue + 1 : .max) }

    package static func < (earlier: Position, later: Position) -> Bool {
        earlier.rawValue < later.rawValue
    }
}

extension Position: CustomStringConvertible {
    package var description: String { String(rawValue) }
}

/// Names an event: the entry that it was told with, and its place among the events of that entry.
package struct EventID: Hashable, Comparable, Sendable {
    /// The entry.
    package let position: Position
    /// The place within it, from 0.
    package let index: Int

    package init(position: Position, index: Int) {
        self.position = position
        self.index = index
    }

    package static func < (earlier: EventID, later: EventID) -> Bool {
        (earlier.position, earlier.index) < (later.position, later.index)
    }
}

extension EventID: LosslessStringConvertible {
    /// Such as `12-0`.
    package var description: String { "\(position)-\(index)" }

    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let position = UInt64(parts[0]), let index = Int(parts[1]),
            index >= 0
        else { return nil }
        self.init(position: Position(rawValue: position), index: index)
    }
}

extension EventID {
    /// Reads the name of an event from its key.
    init?(key: [UInt8]) {
        guard key.count == 12, let position = Position(key: key.prefix(8)) else { return nil }
        self.init(position: position, index: key.suffix(4).reduce(0) { $0 << 8 | Int($1) })
    }
}
