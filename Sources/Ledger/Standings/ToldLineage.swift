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
    package private(set) var answer: Answer?
    /// Up to when the clock's doings are told.
    package private(set) var toldUpTo: Instant
    /// When there will be something to tell by itself; nil where there will not.
    package private(set) var nextChangeAt: Instant?

    /// Begins to tell of a lineage of which nothing is known.
    package init(_ id: LineageID, at now: Instant) {
        lineage = Lineage(id)
        toldUpTo = now
    }

    /// Tells what the clock did by an instant; an earlier one than before tells nothing.
    package mutating func advance(to now: Instant, under rules: Rules) -> [Change] {
        var told: [Change] = []
        while let next = nextChangeAt, next > toldUpTo, next <= now {
            toldUpTo = next
            told += tell(under: rules)
        }
        toldUpTo = max(toldUpTo, now)
        return told
    }

    /// Learns statements, as of the instant up to which the clock's doings are told, and tells what
    /// is different then.
    package mutating func learn(
        _ statements: some Sequence<Statement>,
        under rules: Rules
    ) -> [Change] {
        for statement in statements where rules.admits(statement.stamp.grade) {
            lineage.join(statement)
        }
        return tell(under: rules)
    }

    /// Tells what other rules make different, as of the instant up to which the clock's doings are
    /// told.
    ///
    /// - Parameters:
    ///   - rules: The rules from now on.
    ///   - statements: All statements so far, where the rules admit others than those before; nil
    ///     where they admit the same.
    /// - Returns: What is different.
    package mutating func revise(
        under rules: Rules,
        rejoining statements: [Statement]? = nil
    ) -> [Change] {
        if let statements {
            lineage = Lineage(lineage.id)
            for statement in statements where rules.admits(statement.stamp.grade) {
                lineage.join(statement)
            }
        }
        return tell(under: rules)
    }

    private mutating func tell(under rules: Rules) -> [Change] {
        let standing = lineage.standing(at: toldUpTo, under: rules)
        let told = changes(from: answer, to: standing, at: toldUpTo, under: rules)
        answer = standing?.answer
        // Before the first answer there will be one when the first purchase begins.
        nextChangeAt = standing.map(\.nextChangeAt) ?? lineage.firstBegin
        return told
    }
}

// MARK: - As a row

extension ToldLineage {
    /// Adds the bytes of a row.
    package func write(to row: inout RowWriter) {
        row.write(toldUpTo)
        row.write(optional: nextChangeAt) { $0.write($1) }
        row.write(optional: answer) { $1.write(to: &$0) }
        lineage.write(to: &row)
    }

    /// Reads what ``write(to:)`` wrote; nil for other bytes.
    package init?(_ id: LineageID, from row: inout RowReader) {
        toldUpTo = row.instant()
        nextChangeAt = row.optional { $0.instant() }
        answer = row.optional { Answer(from: &$0) } ?? nil
        guard let lineage = Lineage(id, from: &row) else { return nil }
        self.lineage = lineage
    }
}
