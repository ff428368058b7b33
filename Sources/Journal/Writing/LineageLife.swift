import CounterfoilBasics
import Ledger

/// How a lineage's row changes with each entry, and what is told meanwhile.
///
/// The writer and whoever makes rows anew go through the same steps, so they come to the same bytes.
struct LineageLife {
    private(set) var row: LineageRow
    private let rulesBook: RulesBook
    private(set) var told: [Told] = []

    /// A difference that was told, and why.
    struct Told: Hashable {
        let change: Change
        let cause: Event.Cause
    }

    /// What an entry brings for a lineage.
    enum Input {
        case learned([Statement], from: Event.Cause)
        case clock
    }

    init(_ row: LineageRow, under rulesBook: RulesBook) {
        self.row = row
        self.rulesBook = rulesBook
    }

    /// Begins with a lineage of which nothing is known.
    init(_ lineage: LineageID, at now: Instant, under rulesBook: RulesBook) {
        row = LineageRow(
            told: ToldLineage(lineage, at: now),
            rulesAt: rulesBook.latest,
            position: .beginning
        )
        self.rulesBook = rulesBook
    }

    /// Goes through an entry: first tells what the clock and changed rules did until then.
    ///
    /// - Parameters:
    ///   - input: What it brings.
    ///   - position: Its place.
    ///   - recordedAt: When it was recorded.
    ///   - statements: Gives everything that was said so far, where the rules changed so much that
    ///     it must be joined anew.
    /// - Throws: What `statements` throws.
    mutating func go(
        through input: Input,
        at position: Position,
        recordedAt: Instant,
        rejoining statements: () throws(StorageError) -> [Statement]
    ) throws(StorageError) {
        let scope = row.told.lineage.id.scope
        var rules = rulesBook.rules(at: row.rulesAt, of: scope)
        for revision in rulesBook.revisions(after: row.rulesAt) {
            tell(row.told.advance(to: revision.recordedAt, under: rules), .clock)
            let isJoinedAnew = revision.rules.v1Trust != rules.v1Trust
            rules = revision.rules
            tell(
                row.told.revise(
                    under: rules,
                    rejoining: isJoinedAnew ? try statements() : nil
                ),
                .rules(revision.position)
            )
            row.rulesAt = revision.position
        }
        tell(row.told.advance(to: recordedAt, under: rules), .clock)
        if case .learned(let statements, let cause) = input {
            tell(row.told.learn(statements, under: rules), cause)
        }
        row.position = position
    }

    private mutating func tell(_ changes: [Change], _ cause: Event.Cause) {
        told += changes.map { Told(change: $0, cause: cause) }
    }
}
