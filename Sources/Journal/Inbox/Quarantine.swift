package import CounterfoilBasics

/// A notification that could not be taken in yet, or that was refused and is kept as a sample.
package struct QuarantinedBody: Hashable, Sendable {
    /// Names it.
    package let id: ID
    /// Why it was not taken in.
    package let code: ErrorCode
    /// The same in a sentence.
    package let reason: String
    /// The body; of version 1 without its password.
    package let bytes: [UInt8]
    /// What its password comes to under the journal's key; nil where it had none.
    package let password: SHA256Digest?

    /// Names a body.
    package struct ID: Hashable, Sendable {
        /// The shelf that it stands on.
        package let shelf: Shelf
        /// When it was posted.
        package let postedAt: Instant
        /// SHA-256 over its bytes.
        package let digest: SHA256Digest

        package init(shelf: Shelf, postedAt: Instant, digest: SHA256Digest) {
            self.shelf = shelf
            self.postedAt = postedAt
            self.digest = digest
        }
    }

    /// Bodies of one app that were not taken in for one kind of reason; each shelf is bounded.
    package struct Shelf: Hashable, Sendable {
        /// The app that it says it is of; empty where it says none.
        package let bundleId: String
        /// Whether it may be taken in later.
        package let kind: Kind

        package init(bundleId: String, kind: Kind) {
            self.bundleId = bundleId
            self.kind = kind
        }
    }

    /// Whether it may be taken in later.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Genuine, but of no app or environment that is configured, or at another app's address.
        case notServed
        /// Nobody can say yet whether it is genuine.
        case undecided
        /// Of version 1 with a secret that is not known, around a receipt that is genuine.
        case secretUnknown
        /// Refused: a sample for whoever wonders.
        case refused

        /// Whether it is judged again when the configuration changes.
        package var isWorthRepeating: Bool { self != .refused }

        /// How much of it is kept.
        var bounds: (bodies: Int64, bytes: Int64) {
            self == .refused ? (20, 1 << 20) : (1_000, 16 << 20)
        }
    }

    package init(
        id: ID,
        code: ErrorCode,
        reason: String,
        bytes: [UInt8],
        password: SHA256Digest?
    ) {
        self.id = id
        self.code = code
        self.reason = reason
        self.bytes = bytes
        self.password = password
    }

    /// How long bodies are kept.
    package static let longest = Duration.seconds(60 * 86_400)
}

// MARK: - Rows

extension QuarantinedBody {
    private static let rowVersion: UInt8 = 1

    var row: [UInt8] {
        var row = RowWriter()
        row.write(byte: Self.rowVersion)
        row.write(code.rawValue)
        row.write(reason)
        row.write(optional: password) { $0.write($1) }
        row.write(bytes)
        return row.bytes
    }

    init?(_ id: ID, row bytes: [UInt8]) {
        var row = RowReader(bytes)
        guard row.byte() == Self.rowVersion else { return nil }
        self.id = id
        code = ErrorCode(rawValue: row.text())
        reason = row.text()
        password = row.optional { $0.digest() }
        self.bytes = row.someBytes()
        guard row.isComplete else { return nil }
    }
}

/// How much stands on a shelf.
private struct ShelfSum {
    var bodies: Int64 = 0
    var bytes: Int64 = 0

    init() {}

    var row: [UInt8] {
        var row = RowWriter()
        row.write(bodies)
        row.write(bytes)
        return row.bytes
    }

    init?(row bytes: [UInt8]) {
        var row = RowReader(bytes)
        bodies = row.number()
        self.bytes = row.number()
        guard row.isComplete else { return nil }
    }
}

// MARK: - Putting in and taking out

extension Posting {
    /// Puts a body on its shelf, from which the oldest go where there are too many.
    ///
    /// - Throws: ``StorageError``.
    func quarantine(_ body: QuarantinedBody) throws(StorageError) {
        let key = RowKey.quarantine(body.id).bytes
        guard try rows.value(.quarantine, key) == nil else { return }
        let row = body.row
        try rows.put(.quarantine, key, row)
        var sum = try shelfSum(body.id.shelf)
        sum.bodies += 1
        sum.bytes += Int64(row.count)
        let (bodies, bytes) = body.id.shelf.kind.bounds
        let oldest = body.id.postedAt.advanced(by: .zero - QuarantinedBody.longest)
        for old in try rows.rows(
            .quarantine,
            StorageRange(beginningWith: RowKey.quarantine(body.id.shelf).bytes, limit: 64)
        ) {
            let isTooMuch = sum.bodies > bodies || sum.bytes > bytes
            guard let id = QuarantinedBody.ID(key: old.key) else {
                throw .damagedRow(.quarantine, of: body.id.shelf.bundleId)
            }
            guard isTooMuch || id.postedAt < oldest else { break }
            // The newest stays, wherever it stands among those of its instant.
            guard id != body.id else { continue }
            try rows.remove(.quarantine, old.key)
            sum.bodies -= 1
            sum.bytes -= Int64(old.value.count)
        }
        try rows.put(.properties, RowKey.shelfSum(body.id.shelf).bytes, sum.row)
    }

    /// Takes a body from its shelf.
    ///
    /// - Throws: ``StorageError``.
    func release(_ id: QuarantinedBody.ID) throws(StorageError) {
        let key = RowKey.quarantine(id).bytes
        guard let row = try rows.value(.quarantine, key) else { return }
        try rows.remove(.quarantine, key)
        var sum = try shelfSum(id.shelf)
        sum.bodies -= 1
        sum.bytes -= Int64(row.count)
        try rows.put(.properties, RowKey.shelfSum(id.shelf).bytes, sum.row)
    }

    private func shelfSum(_ shelf: QuarantinedBody.Shelf) throws(StorageError) -> ShelfSum {
        guard let row = try rows.value(.properties, RowKey.shelfSum(shelf).bytes) else {
            return ShelfSum()
        }
        guard let sum = ShelfSum(row: row) else {
            throw .damagedRow(.properties, of: "the quarantine of \(shelf.bundleId)")
        }
        return sum
    }
}
