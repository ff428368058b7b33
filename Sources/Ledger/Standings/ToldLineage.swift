package import CounterfoilBasics

/// A lineage with what was told of it last: where events come from.
///
/// Before something is learned, what the clock did since is told, each at its own instant; then the
/// news is joined, and the difference is told. So news that changes nothing makes no event, and the
/// answer before each event is the answer after the one before it.
package struct ToldLineage: Hashable, Sendable {
    /// The lineage.
    package private(set) var lineage: Lineage
    /// The answer that was told last; nil where none was.
    package private(set) var standing: Standing?
    /// Up to when the clock's doings are told.
    package private(set) var toldUpTo: Instant

    /// Begins to tell of a lineage of which nothing is known.
    package init(_ id: LineageID, at now: Instant) {
        lineage = Lineage(id)
        toldUpTo = now
    }

    /// When there will be something to tell by itself; nil where there will not.
    package var nextChangeAt: Instant? { nextInstant }

    /// Tells what the clock did by an instant; an earlier one than before tells nothing.
    package mutating func advance(to now: Instant, under rules: Rules) -> [Change] {
        var told: [Change] = []
        while let next = nextInstant, next > toldUpTo, next <= now {
            toldUpTo = next
            told += tell(at: next, under: rules)
        }
        toldUpTo = max(toldUpTo, now)
        return told
    }

    /// Learns statements at an instant, and tells what is different then.
    package mutating func learn(
        _ statements: some Sequence<Statement>,
        at now: Instant,
        under rules: Rules
    ) -> [Change] {
        let told = advance(to: now, under: rules)
        for statement in statements { lineage.join(statement) }
        return told + tell(at: toldUpTo, under: rules)
    }

    private mutating func tell(at instant: Instant, under rules: Rules) -> [Change] {
        guard let after = lineage.standing(at: instant, under: rules) else { return [] }
        defer { standing = after }
        return changes(from: standing, to: after, under: rules)
    }

    /// The next instant at which the answer changes by itself; before the first one, when that will
    /// be.
    private var nextInstant: Instant? {
        standing.map(\.nextChangeAt) ?? lineage.purchases.first?.purchaseDate
    }
}
