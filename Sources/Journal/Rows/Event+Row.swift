import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import Ledger

extension Event {
    private static let version: UInt8 = 1

    var row: [UInt8] {
        var row = RowWriter()
        row.write(byte: Self.version)
        row.write(recordedAt)
        row.write(occurredAt)
        scope.write(to: &row)
        row.write(optional: lineage) { $0.write(lineage: $1) }
        cause.write(to: &row)
        switch content {
        case .change(let change):
            row.write(byte: 1)
            change.write(to: &row)
        case .occurrence(let occurrence):
            row.write(byte: 2)
            row.write(occurrence.kind.rawValue)
            row.write(occurrence.key)
            row.write(JSONValue.object(occurrence.details).document())
        }
        return row.bytes
    }

    init?(_ id: EventID, row bytes: [UInt8]) {
        var row = RowReader(bytes)
        guard row.byte() == Self.version else { return nil }
        self.id = id
        recordedAt = row.instant()
        occurredAt = row.instant()
        guard let scope = Scope(from: &row) else { return nil }
        self.scope = scope
        lineage = row.optional { $0.lineage(in: scope) }
        guard let cause = Cause(from: &row) else { return nil }
        self.cause = cause
        switch row.byte() {
        case 1:
            guard let change = Change(occurredAt, from: &row) else { return nil }
            content = .change(change)
        case 2:
            guard let kind = Occurrence.Kind(rawValue: row.text()) else { return nil }
            let key = row.text()
            // Whoever asked for the row says that it is damaged, and which one it is.
            guard let details = try? JSONValue(parsing: row.someBytes()).object else { return nil }
            content = .occurrence(
                Occurrence(
                    kind: kind,
                    key: key,
                    scope: scope,
                    occurredAt: occurredAt,
                    lineage: lineage,
                    details: details
                )
            )
        default: return nil
        }
        guard row.isComplete else { return nil }
    }
}

extension RowWriter {
    /// A lineage beside its scope.
    fileprivate mutating func write(lineage: LineageID) {
        write(optional: lineage.signer) { $0.write($1) }
        write(lineage.originalTransactionId)
    }
}

extension RowReader {
    fileprivate mutating func lineage(in scope: Scope) -> LineageID {
        let signer = optional { $0.digest() }
        return LineageID(scope: scope, signer: signer, originalTransactionId: text())
    }
}

extension Event.Cause {
    fileprivate func write(to row: inout RowWriter) {
        switch self {
        case .learned(let digest):
            row.write(byte: 1)
            row.write(digest)
        case .clock: row.write(byte: 2)
        case .rules(let position):
            row.write(byte: 3)
            row.write(unsigned: position.rawValue)
        }
    }

    fileprivate init?(from row: inout RowReader) {
        switch row.byte() {
        case 1: self = .learned(row.digest())
        case 2: self = .clock
        case 3: self = .rules(Position(rawValue: row.unsigned()))
        default: return nil
        }
    }
}
