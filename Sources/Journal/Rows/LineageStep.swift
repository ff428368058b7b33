package import CounterfoilBasics
package import Ledger

/// What a lineage went through with one entry: all steps of a lineage, in their order, make it anew.
package struct LineageStep: Hashable, Sendable {
    /// When the entry was recorded.
    package let recordedAt: Instant
    /// What documents said, each by its stamp and the digest of its claims; empty where only the
    /// clock was read.
    package let said: [SaidOnce]
    /// The events that were told, by their places within the entry.
    package let events: Range<Int>

    /// What one document said.
    package struct SaidOnce: Hashable, Sendable {
        /// When it was said, how well it is proved, and by which document.
        package let stamp: Stamp
        /// Names the claims.
        package let claims: SHA256Digest
    }
}

extension LineageStep {
    private static let version: UInt8 = 1

    var row: [UInt8] {
        var row = RowWriter()
        row.write(byte: Self.version)
        row.write(recordedAt)
        row.write(count: said.count)
        for said in said {
            said.stamp.write(to: &row)
            row.write(said.claims)
        }
        row.write(count: events.lowerBound)
        row.write(count: events.count)
        return row.bytes
    }

    init?(row bytes: [UInt8]) {
        var row = RowReader(bytes)
        guard row.byte() == Self.version else { return nil }
        recordedAt = row.instant()
        var said: [SaidOnce] = []
        for _ in 0..<row.count() {
            guard let stamp = Stamp(from: &row) else { return nil }
            said.append(SaidOnce(stamp: stamp, claims: row.digest()))
        }
        self.said = said
        guard let first = UInt32(exactly: row.unsigned()),
            let count = UInt32(exactly: row.unsigned()), row.isComplete
        else { return nil }
        events = Int(first)..<Int(first) + Int(count)
    }
}
