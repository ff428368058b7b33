import CounterfoilBasics
import Ledger

// Lineages as rows hold them, and what they went through.
extension StorageReader {
    /// A lineage as it stands; nil where nothing is known.
    func lineage(_ lineage: LineageID) throws(StorageError) -> LineageRow? {
        guard let bytes = try value(.lineages, RowKey.lineage(lineage).bytes) else { return nil }
        guard let row = LineageRow(lineage, row: bytes) else {
            throw .damagedRow(.lineages, of: lineage.originalTransactionId)
        }
        return row
    }

    /// What a lineage went through, in its order.
    func steps(
        of lineage: LineageID,
        upTo position: Position? = nil
    ) throws(StorageError) -> [(position: Position, step: LineageStep)] {
        var range = StorageRange(beginningWith: RowKey.lineage(lineage).bytes)
        if let position { range.upTo = RowKey.step(lineage, position.next).bytes }
        var steps: [(Position, LineageStep)] = []
        for row in try rows(.statements, range) {
            guard let position = Position(key: row.key.suffix(8)),
                let step = LineageStep(row: row.value)
            else { throw .damagedRow(.statements, of: lineage.originalTransactionId) }
            steps.append((position, step))
        }
        return steps
    }

    /// Everything that was said of a lineage, in the order in which it came.
    func statements(
        of lineage: LineageID,
        upTo position: Position? = nil
    ) throws(StorageError) -> [Statement] {
        var statements: [Statement] = []
        for (_, step) in try steps(of: lineage, upTo: position) {
            statements += try self.statements(of: step, lineage)
        }
        return statements
    }

    /// What was said with one step.
    func statements(
        of step: LineageStep,
        _ lineage: LineageID
    ) throws(StorageError) -> [Statement] {
        var statements: [Statement] = []
        for said in step.said {
            guard let claims = try value(.claims, said.claims.bytes),
                // What is wrong with claims of ours tells less than whose they are.
                let statement = try? Statement(
                    lineage: lineage,
                    stamp: said.stamp,
                    claims: claims
                )
            else { throw .damagedRow(.claims, of: said.claims.description) }
            statements.append(statement)
        }
        return statements
    }
}
