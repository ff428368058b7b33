/// The table of targets in docs/ARCHITECTURE.md, which the sources must keep to.
struct Architecture {
    static let document = "docs/ARCHITECTURE.md"

    struct Target {
        let name: String
        let floor: Int
        let uses: Set<String>
    }

    let targets: [String: Target]

    /// Reads the rows `| floor | targets | promise | uses |`; `readers` stands for all targets of
    /// the row that the document marks as such.
    init() {
        let rows = Tree.text(of: Self.document).split(separator: "\n").map { line in
            line.split(separator: "|").map { $0.drop { $0 == " " } }
        }
        let readers: Set = [
            "CounterfoilBasics", "CounterfoilASN1", "CounterfoilJSON", "CounterfoilPropertyList",
            "CounterfoilCryptography",
        ]
        var targets: [String: Target] = [:]
        for row in rows where row.count == 4 {
            guard let floor = Int(row[0].filter(\.isNumber)) else { continue }
            var uses = Set(Self.names(in: row[3]))
            if uses.remove("five readers") != nil { uses.formUnion(readers) }
            for name in Self.names(in: row[1]) {
                targets[name] = Target(name: name, floor: floor, uses: uses)
            }
        }
        self.targets = targets
    }

    /// The words in back quotes.
    private static func names(in cell: Substring) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }
}
