/// How much is stored, at one moment.
package struct StorageStatistics: Hashable, Sendable {
    /// How much is in each table.
    package let tables: [StorageTable: Table]
    /// What the storage takes on a disk; nil where it takes nothing there.
    package let files: Files?

    package init(tables: [StorageTable: Table], files: Files? = nil) {
        self.tables = tables
        self.files = files
    }

    /// How much is in a table; what the storage needs beside keys and values is not counted.
    package struct Table: Hashable, Sendable {
        /// How many rows.
        package let rows: Int
        /// The bytes of their keys.
        package let keyBytes: Int
        /// The bytes of their values.
        package let valueBytes: Int
        /// The bytes of both.
        package var bytes: Int { keyBytes + valueBytes }

        package init(rows: Int, keyBytes: Int, valueBytes: Int) {
            self.rows = rows
            self.keyBytes = keyBytes
            self.valueBytes = valueBytes
        }
    }

    /// What a database takes on a disk.
    package struct Files: Hashable, Sendable {
        /// The bytes of the database's file.
        package let mainBytes: Int
        /// The bytes of the log beside it, from which the database is brought up to date.
        package let logBytes: Int
        /// The bytes of a page, the log's included.
        package let pageBytes: Int
        /// How many pages the database has.
        package let pages: Int
        /// How many of them hold nothing any more, and will be used again.
        package let freePages: Int

        package init(mainBytes: Int, logBytes: Int, pageBytes: Int, pages: Int, freePages: Int) {
            self.mainBytes = mainBytes
            self.logBytes = logBytes
            self.pageBytes = pageBytes
            self.pages = pages
            self.freePages = freePages
        }
    }
}
