/// Rows in aligned columns.
package struct Table: Sendable {
    /// A column and how its cells stand in it.
    package struct Column: Sendable {
        /// Where shorter cells stand.
        package enum Alignment: Sendable {
            /// Words.
            case leading
            /// Numbers.
            case trailing
        }

        let title: String
        let alignment: Alignment
        let overflow: Overflow

        /// What becomes of cells where the screen is too narrow for all.
        package enum Overflow: Sendable {
            /// They stay as they are.
            case stay
            /// They are cut.
            case cut
            /// They go on in the next line.
            case wrap
        }

        /// Makes a column; one whose cells need not stay as they are gives way first.
        package init(
            _ title: String,
            _ alignment: Alignment = .leading,
            _ overflow: Overflow = .stay
        ) {
            self.title = title
            self.alignment = alignment
            self.overflow = overflow
        }
    }

    /// Blanks between columns.
    private static let gap = 2

    /// No column is cut below this.
    private static let narrowest = 8

    /// Below this a cut cell says nothing.
    private static let readable = 12

    private let columns: [Column]
    private var rows: [[StyledText]] = []

    /// Makes a table without rows.
    ///
    /// Where all titles are empty, there is no line of titles.
    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row with one cell for each column.
    package mutating func append(_ row: [StyledText]) {
        precondition(row.count == columns.count, "a row has one cell for each column")
        rows.append(row)
    }

    /// The lines of the table.
    ///
    /// Where `width` is given, none is wider if columns can shrink to it. If they cannot, or not
    /// without becoming unreadable, and have titles, each row becomes a list of its cells behind
    /// their titles.
    package func lines(width: Int? = nil) -> [StyledText] {
        let hasTitles = columns.contains { !$0.title.isEmpty }
        let titles = columns.map { StyledText($0.title, .dim) }
        let all = hasTitles ? [titles] + rows : rows
        let natural = columns.indices.map { column in all.map { $0[column].width }.max() ?? 0 }
        let widths = fitted(natural, into: width)
        if let width, hasTitles, isCramped(natural, in: widths, width) {
            return lists(width: width)
        }
        return all.flatMap { row in lines(of: row, widths) }
    }

    /// Whether the rows do not fit, or fit only with so little of a cell that nobody can read it.
    private func isCramped(_ natural: [Int], in widths: [Int], _ width: Int) -> Bool {
        Self.width(of: widths) > width
            || columns.indices.contains { column in
                widths[column] < min(Self.readable, natural[column])
            }
    }

    private static func width(of widths: [Int]) -> Int {
        widths.reduce(0, +) + gap * (widths.count - 1)
    }

    /// The rows as lists, parted by empty lines.
    private func lists(width: Int) -> [StyledText] {
        let columnWidth = (columns.map { StyledText($0.title).width }.max() ?? 0) + Self.gap
        return Array(
            rows.map { row in
                zip(columns, row).filter { !$1.isEmpty }.flatMap { column, cell -> [StyledText] in
                    let title = StyledText(column.title, .dim)
                    let blanks = String(repeating: " ", count: columnWidth - title.width)
                    let line = title + StyledText(blanks) + cell
                    return column.overflow == .cut
                        ? [line.truncated(to: width)]
                        : line.wrapped(to: width, indent: columnWidth)
                }
            }.joined(separator: [""])
        )
    }

    private func fitted(_ natural: [Int], into width: Int?) -> [Int] {
        guard let width else { return natural }
        var widths = natural
        var excess = Self.width(of: natural) - width
        while excess > 0 {
            // The widest one gives first, down to the next widest, so that none starves.
            let shrinkable = columns.indices
                .filter { columns[$0].overflow != .stay && widths[$0] > Self.narrowest }
                .sorted { widths[$0] > widths[$1] }
            guard let widest = shrinkable.first else { break }
            let next = shrinkable.dropFirst().first.map { widths[$0] } ?? Self.narrowest
            let given = min(excess, max(1, widths[widest] - max(next, Self.narrowest)))
            widths[widest] -= given
            excess -= given
        }
        return widths
    }

    /// The line of a row, and those in which its wrapped cells go on.
    private func lines(of row: [StyledText], _ widths: [Int]) -> [StyledText] {
        let cells = columns.indices.map { column in
            columns[column].overflow == .wrap
                ? row[column].wrapped(to: widths[column]) : [row[column]]
        }
        let count = cells.map(\.count).max() ?? 0
        return (0..<count).map { index in
            line(cells.map { index < $0.count ? $0[index] : "" }, widths)
        }
    }

    private func line(_ row: [StyledText], _ widths: [Int]) -> StyledText {
        var line: StyledText = ""
        var owed = 0
        for (column, cell) in zip(columns.indices, row) {
            let cut = cell.truncated(to: widths[column])
            let blanks = widths[column] - cut.width
            let before = columns[column].alignment == .trailing ? blanks : 0
            // Blanks are owed until something follows, so that no line ends in them.
            if !cut.isEmpty {
                line += "\(String(repeating: " ", count: owed + before))\(cut)"
                owed = 0
            }
            owed += (cut.isEmpty ? widths[column] : blanks - before) + Self.gap
        }
        return line
    }
}
