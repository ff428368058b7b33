import AppStoreModel
import AppStoreVerification
import CounterfoilBasics
import Ledger

extension Entry {
    private static let version: UInt8 = 1

    var row: [UInt8] {
        var row = RowWriter()
        row.write(byte: Self.version)
        row.write(recordedAt)
        switch input {
        case .learned(let evidence):
            row.write(byte: 1)
            row.write(count: evidence.count)
            for digest in evidence { row.write(digest) }
        case .clock: row.write(byte: 2)
        case .rules(let scope):
            row.write(byte: 3)
            scope.write(to: &row)
        }
        row.write(count: lineages)
        row.write(count: events)
        return row.bytes
    }

    init?(_ position: Position, row bytes: [UInt8]) {
        var row = RowReader(bytes)
        guard row.byte() == Self.version else { return nil }
        self.position = position
        recordedAt = row.instant()
        switch row.byte() {
        case 1: input = .learned((0..<row.count()).map { _ in row.digest() })
        case 2: input = .clock
        case 3:
            guard let scope = Scope(from: &row) else { return nil }
            input = .rules(scope)
        default: return nil
        }
        lineages = Int(clamping: row.unsigned())
        events = Int(clamping: row.unsigned())
        guard row.isComplete else { return nil }
    }
}

extension Scope {
    func write(to row: inout RowWriter) {
        row.write(realm.rawValue)
        row.write(bundleId)
        row.write(environment.rawValue)
    }

    init?(from row: inout RowReader) {
        guard let realm = Realm(rawValue: row.text()) else { return nil }
        let bundleId = row.text()
        let environment = StoreEnvironment(rawValue: row.text())
        self.init(bundleId: bundleId, environment: environment, realm: realm)
    }
}

// MARK: - Evidence

extension KeptEvidence {
    private static let version: UInt8 = 1

    var row: [UInt8] {
        var row = RowWriter()
        row.write(byte: Self.version)
        row.write(unsigned: position.rawValue)
        row.write(evidence.kind.rawValue)
        row.write(byte: evidence.grade.rawValue)
        row.write(optional: evidence.attestedAt) { $0.write($1) }
        row.write(optional: evidence.signer) { $0.write($1) }
        row.write(optional: evidence.envelope) { $0.write($1) }
        return row.bytes
    }

    init?(_ digest: SHA256Digest, row bytes: [UInt8]) {
        var row = RowReader(bytes)
        guard row.byte() == Self.version else { return nil }
        position = Position(rawValue: row.unsigned())
        guard let kind = Evidence.Kind(rawValue: row.text()),
            let grade = Grade(rawValue: row.byte())
        else { return nil }
        evidence = Evidence(
            digest: digest,
            kind: kind,
            grade: grade,
            attestedAt: row.optional { $0.instant() },
            signer: row.optional { $0.digest() },
            envelope: row.optional { $0.digest() }
        )
        guard row.isComplete else { return nil }
    }
}
