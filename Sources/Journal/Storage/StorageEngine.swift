/// Reads rows, all as they were at one moment.
package protocol StorageReader {
    /// The value of a row; nil where there is none.
    ///
    /// - Throws: ``StorageError``.
    func value(_ table: StorageTable, _ key: [UInt8]) throws(StorageError) -> [UInt8]?

    /// The rows whose keys are in a range, in their order.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - range: Which rows, in which order, and how many at most.
    /// - Returns: The rows.
    /// - Throws: ``StorageError``.
    func rows(_ table: StorageTable, _ range: StorageRange) throws(StorageError) -> [StorageRow]
}

/// Reads rows and changes them; all changes are kept together, or none.
package protocol StorageWriter: StorageReader {
    /// Adds a row, or replaces the one with that key.
    ///
    /// - Throws: ``StorageError``.
    func put(_ table: StorageTable, _ key: [UInt8], _ value: [UInt8]) throws(StorageError)

    /// Adds a row where there is none with that key; one that is there stays as it is.
    ///
    /// - Returns: Whether it was added.
    /// - Throws: ``StorageError``.
    @discardableResult
    func putIfAbsent(
        _ table: StorageTable,
        _ key: [UInt8],
        _ value: [UInt8]
    ) throws(StorageError) -> Bool

    /// Takes a row out, if there is one.
    ///
    /// - Throws: ``StorageError``.
    func remove(_ table: StorageTable, _ key: [UInt8]) throws(StorageError)
}

extension StorageWriter {
    package func putIfAbsent(
        _ table: StorageTable,
        _ key: [UInt8],
        _ value: [UInt8]
    ) throws(StorageError) -> Bool {
        guard try self.value(table, key) == nil else { return false }
        try put(table, key, value)
        return true
    }
}

/// Keeps rows: in memory, or on disk.
package protocol StorageEngine: Sendable {
    /// Reads rows as they are at one moment, whatever is written meanwhile.
    ///
    /// - Throws: ``StorageError``, and what the body throws.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReader) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result

    /// Changes rows. When it returns, all changes are durable; when it throws, nothing is changed.
    ///
    /// One body runs at a time.
    ///
    /// - Throws: ``StorageError``, and what the body throws.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriter) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result

    /// Counts what is stored, at one moment.
    ///
    /// - Throws: ``StorageError``.
    func statistics() async throws(StorageError) -> StorageStatistics

    /// Lets go of what it holds; nothing can be read or written after it.
    func close() async
}

/// A row of a table.
package struct StorageRow: Hashable, Sendable {
    /// By which it is found and ordered.
    package let key: [UInt8]
    /// What is in it.
    package let value: [UInt8]

    package init(key: [UInt8], value: [UInt8]) {
        self.key = key
        self.value = value
    }
}

/// Which rows of a table, in which order, and how many at most.
package struct StorageRange: Hashable, Sendable {
    /// The first key; nil for the beginning.
    package var from: [UInt8]?
    /// The key before which it ends; nil for the end of the table.
    package var upTo: [UInt8]?
    /// Whether the greatest key comes first.
    package var isDescending = false
    /// How many rows at most.
    package var limit: Int

    /// Makes a range of keys.
    package init(
        from: [UInt8]? = nil,
        upTo: [UInt8]? = nil,
        isDescending: Bool = false,
        limit: Int = .max
    ) {
        self.from = from
        self.upTo = upTo
        self.isDescending = isDescending
        self.limit = limit
    }

    /// The keys that begin with some bytes.
    package init(beginningWith prefix: [UInt8], isDescending: Bool = false, limit: Int = .max) {
        self.init(
            from: prefix,
            upTo: Self.successor(of: prefix),
            isDescending: isDescending,
            limit: limit
        )
    }

    /// The least key that is greater than all that begin with some bytes; nil where there is none.
    private static func successor(of prefix: [UInt8]) -> [UInt8]? {
        guard let last = prefix.lastIndex(where: { $0 < 0xFF }) else { return nil }
        var successor = Array(prefix[...last])
        successor[last] += 1
        return successor
    }

    /// Whether a key is in the range.
    package func contains(_ key: [UInt8]) -> Bool {
        if let from, key.lexicographicallyPrecedes(from) { return false }
        if let upTo, !key.lexicographicallyPrecedes(upTo) { return false }
        return true
    }
}
