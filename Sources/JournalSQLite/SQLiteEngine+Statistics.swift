import Glibc
package import Journal

extension SQLiteEngine {
    /// Counts every row, which takes as long as reading all keys; others read meanwhile.
    package func statistics() async throws(StorageError) -> StorageStatistics {
        let path = path
        return try await withReader { connection throws(StorageError) in
            var tables: [StorageTable: StorageStatistics.Table] = [:]
            for table in StorageTable.allCases {
                tables[table] = try StorageStatistics.Table(table, in: connection)
            }
            return StorageStatistics(
                tables: tables,
                files: StorageStatistics.Files(
                    mainBytes: bytes(ofFile: path),
                    logBytes: bytes(ofFile: path + "-wal"),
                    pageBytes: Int(try connection.number("PRAGMA page_size")),
                    pages: Int(try connection.number("PRAGMA page_count")),
                    freePages: Int(try connection.number("PRAGMA freelist_count"))
                )
            )
        }
    }
}

extension StorageStatistics.Table {
    fileprivate init(_ table: StorageTable, in connection: Connection) throws(StorageError) {
        let counts = try connection.query(
            "SELECT count(*), sum(length(k)), sum(length(v)) FROM \(table.rawValue)"
        ) { row in
            // Of no rows the sums are null, which is read as 0.
            (0..<3).map { Int(row.integer($0)) }
        }
        let row = counts.first ?? [0, 0, 0]
        self.init(rows: row[0], keyBytes: row[1], valueBytes: row[2])
    }
}

/// The size of a file; 0 where there is none.
private func bytes(ofFile path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
}
