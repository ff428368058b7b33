import CounterfoilTestSupport
import Foundation
import Testing

/// A folder with an authority, a configuration that believes it, and a ledger.
struct Bookkeeper {
    let folder: Folder
    private let anchor: String

    /// What the products of the configuration are.
    static let products = """
        { "com.example.app.pro.month": { "entitlements": ["pro"], "group": "plans", "level": 2 },
          "com.example.app.pro.year": { "entitlements": ["pro"], "group": "plans", "level": 1 },
          "com.example.coins": { "credits": 100 } }
        """

    init() throws {
        folder = try Folder()
        anchor = try Workbench.shared.get().authority + "/root.pem"
        try configure()
    }

    /// Writes the configuration; `app` are more members of the app's.
    func configure(products: String = products, _ app: String = "") throws {
        let text = """
            { "database": "sqlite:ledger.db",
              "apps": [ { "bundleId": "com.example.app", "realm": "rehearsal",
                          "anchors": ["\(anchor)"], "products": \(products), \(app) } ] }
            """
        try folder.write("counterfoil.json", text)
    }

    var configuration: String { folder.path("counterfoil.json") }

    var database: String { folder.path("ledger.db") }

    /// Writes a document into a file; its path.
    @discardableResult
    func save(
        _ name: String,
        _ words: [String],
        _ specification: String = "{}",
        seed: Int = 0
    ) throws -> String {
        let authority = try Workbench.shared.get().authority
        let issued = try Tool.run(
            ["issue"] + words + ["--authority", authority, "--seed", "\(seed)", "-"],
            input: Array(specification.utf8)
        )
        try #require(issued.exitCode == 0, Comment(rawValue: issued.error))
        return try folder.write(name, Array(issued.output.utf8))
    }

    /// Runs a command of the ledger with the configuration.
    func ledger(_ words: String...) throws -> Tool.Outcome {
        try Tool.run(
            ["ledger", words[0], "--config", configuration]
                + words.dropFirst()
        )
    }

    /// Learns files, of which all must be learned.
    @discardableResult
    func learn(_ paths: String..., options: [String] = []) throws -> Tool.Outcome {
        let outcome = try Tool.run(
            ["ledger", "learn", "--config", configuration] + options + paths
        )
        try #require(outcome.exitCode == 0, Comment(rawValue: outcome.output + outcome.error))
        return outcome
    }

    /// The feed, from the beginning or after an entry.
    func events(after position: Int = 0) throws -> [JSONText] {
        try ledger("events", "--after", "\(position)").jsonLines()
    }

    /// Changes the database behind the ledger's back.
    func damage(_ sql: String) throws {
        let script =
            "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]);"
            + " c.execute(sys.argv[2]); c.commit()"
        let outcome = try Tool.run(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["python3", "-c", script, database, sql]
        )
        try #require(outcome.exitCode == 0, Comment(rawValue: outcome.error))
    }
}

extension Tool.Outcome {
    /// The JSON objects of the output, one a line.
    func jsonLines() throws -> [JSONText] {
        try lines.filter { !$0.isEmpty }.map { try JSONText($0) }
    }
}
