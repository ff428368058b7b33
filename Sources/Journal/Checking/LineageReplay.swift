import CounterfoilBasics
import Ledger

/// A lineage made anew from all that it went through.
struct LineageReplay {
    /// The row that it comes to.
    let row: LineageRow
    /// The events that are told on the way.
    private(set) var events: [Event] = []
    /// Every number by which somebody may ask for it.
    private(set) var numbers: Set<String> = []

    /// Goes through everything again.
    ///
    /// - Throws: ``StorageError`` where a row is damaged or missing.
    init?(of lineage: LineageID, in rows: any StorageReader) throws(StorageError) {
        let rulesBook = try RulesBook(of: lineage.scope, in: rows)
        var life: LineageLife?
        var heard: [Statement] = []
        for (position, step) in try rows.steps(of: lineage) {
            // Only rules that were known then count.
            let known = rulesBook.known(at: position)
            var next =
                life.map { LineageLife($0.row, under: known) }
                ?? LineageLife(lineage, at: step.recordedAt, under: known)
            let statements = try rows.statements(of: step, lineage)
            let input: LineageLife.Input =
                statements.isEmpty
                ? .clock
                : .learned(statements, from: try Self.cause(of: position, in: rows))
            let before = heard
            try next.go(
                through: input,
                at: position,
                recordedAt: step.recordedAt,
                rejoining: { before }
            )
            heard += statements
            for statement in statements { numbers.formUnion(statement.numbers) }
            for (index, told) in zip(step.events, next.told) {
                events.append(
                    Event(
                        told,
                        id: EventID(position: position, index: index),
                        recordedAt: step.recordedAt,
                        lineage: lineage
                    )
                )
            }
            // More or fewer than were told would be a difference too.
            if next.told.count != step.events.count { return nil }
            life = next
        }
        guard let life else { return nil }
        row = life.row
    }

    private static func cause(
        of position: Position,
        in rows: any StorageReader
    ) throws(StorageError) -> Event.Cause {
        guard case .learned(let evidence) = try rows.entry(position).input,
            let document = evidence.first
        else { throw .damagedRow(.journal, of: "entry \(position)") }
        return .learned(document)
    }
}

extension Event {
    /// An event of a difference in a lineage.
    init(
        _ told: LineageLife.Told,
        id: EventID,
        recordedAt: Instant,
        lineage: LineageID
    ) {
        self.init(
            id: id,
            recordedAt: recordedAt,
            occurredAt: told.change.occurredAt,
            scope: lineage.scope,
            lineage: lineage,
            cause: told.cause,
            content: .change(told.change)
        )
    }
}
