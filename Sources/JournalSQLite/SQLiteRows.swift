import Journal

/// The rows of a database within a transaction.
final class SQLiteRows: StorageWriter {
    let connection: Connection
    private var statements: [StorageTable: TableStatements] = [:]

    init(_ connection: Connection) { self.connection = connection }

    func value(_ table: StorageTable, _ key: [UInt8]) throws(StorageError) -> [UInt8]? {
        try statements(of: table).value(in: connection).first(key) { $0.bytes(0) }
    }

    func rows(_ table: StorageTable, _ range: StorageRange) throws(StorageError) -> [StorageRow] {
        let statement = try statements(of: table).range(range, in: connection)
        let bounds = [range.from, range.upTo].compactMap(\.self)
        return try statement.rows(bounds, limit: range.limit) {
            StorageRow(key: $0.bytes(0), value: $0.bytes(1))
        }
    }

    func put(_ table: StorageTable, _ key: [UInt8], _ value: [UInt8]) throws(StorageError) {
        try statements(of: table).put(in: connection).run(key, value)
    }

    func putIfAbsent(
        _ table: StorageTable,
        _ key: [UInt8],
        _ value: [UInt8]
    ) throws(StorageError) -> Bool {
        try statements(of: table).addition(in: connection).run(key, value)
        return connection.lastRunChangedRows
    }

    func remove(_ table: StorageTable, _ key: [UInt8]) throws(StorageError) {
        try statements(of: table).removal(in: connection).run(key)
    }

    private func statements(of table: StorageTable) -> TableStatements {
        if let known = statements[table] { return known }
        let made = TableStatements(table)
        statements[table] = made
        return made
    }
}

/// The statements of one table, each compiled when it is first needed.
private final class TableStatements {
    private let name: String
    private var value: PreparedStatement?
    private var put: PreparedStatement?
    private var addition: PreparedStatement?
    private var removal: PreparedStatement?
    /// By which ends a range has, and its order.
    private var ranges = [PreparedStatement?](repeating: nil, count: 8)

    init(_ table: StorageTable) { name = table.rawValue }

    func value(in connection: Connection) throws(StorageError) -> PreparedStatement {
        try Self.kept(&value, connection) { "SELECT v FROM \(name) WHERE k = ?" }
    }

    func put(in connection: Connection) throws(StorageError) -> PreparedStatement {
        try Self.kept(&put, connection) {
            "\(insertion) DO UPDATE SET v = excluded.v"
        }
    }

    func addition(in connection: Connection) throws(StorageError) -> PreparedStatement {
        try Self.kept(&addition, connection) { "\(insertion) DO NOTHING" }
    }

    private var insertion: String { "INSERT INTO \(name) (k, v) VALUES (?, ?) ON CONFLICT (k)" }

    func removal(in connection: Connection) throws(StorageError) -> PreparedStatement {
        try Self.kept(&removal, connection) { "DELETE FROM \(name) WHERE k = ?" }
    }

    func range(
        _ range: StorageRange,
        in connection: Connection
    ) throws(StorageError) -> PreparedStatement {
        let kind =
            (range.from == nil ? 0 : 1) + (range.upTo == nil ? 0 : 2)
            + (range.isDescending ? 4 : 0)
        return try Self.kept(&ranges[kind], connection) {
            var conditions: [String] = []
            if range.from != nil { conditions.append("k >= ?") }
            if range.upTo != nil { conditions.append("k < ?") }
            let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
            let order = range.isDescending ? " DESC" : ""
            return "SELECT k, v FROM \(name)\(filter) ORDER BY k\(order)"
        }
    }

    private static func kept(
        _ statement: inout PreparedStatement?,
        _ connection: Connection,
        _ sql: () -> String
    ) throws(StorageError) -> PreparedStatement {
        if let statement { return statement }
        let made = try connection.prepare(sql())
        statement = made
        return made
    }
}
