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
        let canShrink: Bool

        /// Makes a column; one that `canShrink` is cut first where the screen is too narrow.
        package init(
            _ title: String,
            _ alignment: Alignment = .leading,
            canShrink: Bool = false
        ) {
            self.title = title
            self.alignment = alignment
            self.canShrink = canShrink
        }
    }

    /// Blanks between columns.
    private static let gap = 2

    /// No column is cut below this.
    private static let narrowest = 8

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

    /// The lines of the table; where `width` is given, none is wider if columns can shrink to it.
    package func lines(width: Int? = nil) -> [StyledText] {
        let hasTitles = columns.contains { !$0.title.isEmpty }
        let titles = columns.map { StyledText($0.title, .dim) }
        let all = hasTitles ? [titles] + rows : rows
        let widths = fitted(
            columns.indices.map { column in all.map { $0[column].width }.max() ?? 0 },
            into: width
        )
        return all.map { row in line(row, widths) }
    }

    private func fitted(_ natural: [Int], into width: Int?) -> [Int] {
        guard let width else { return natural }
        var widths = natural
        var excess = natural.reduce(0, +) + Self.gap * (natural.count - 1) - width
        while excess > 0 {
            // The widest one gives first, down to the next widest, so that none starves.
            let shrinkable = columns.indices
                .filter { columns[$0].canShrink && widths[$0] > Self.narrowest }
                .sorted { widths[$0] > widths[$1] }
            guard let widest = shrinkable.first else { break }
            let next = shrinkable.dropFirst().first.map { widths[$0] } ?? Self.narrowest
            let given = min(excess, max(1, widths[widest] - max(next, Self.narrowest)))
            widths[widest] -= given
            excess -= given
        }
        return widths
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
