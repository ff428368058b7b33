import AppStoreModel
import CommandLineInterface
import CounterfoilBasics
import DocumentInspection

// MARK: - Purchases

/// The purchases are grouped by product, subscriptions also by their original transaction, so that
/// long identifiers stand once above their rows and these fit into 80 columns.
extension InspectionReport {
    var purchases: [StyledText] {
        let rows = inspection.purchases
        switch inspection.content {
        case .appReceipt, .transactionReceipt: break
        case .signedData, .notificationV1, .answer, nil: return []
        }
        guard !rows.isEmpty else { return [heading("Purchases"), "  none"] }
        // A person at a terminal sees the newest; a file, a pager or grep gets all.
        let limit = terminal.isInteractive ? Self.mostRowsOnScreen : rows.count
        let newestFirst = rows.sorted { PurchaseOrder($0) > PurchaseOrder($1) }
        let groups = PurchaseGroup.groups(of: newestFirst.prefix(limit), counted: rows)
        let order = rows.count > 1 ? ", newest first" : ""
        var lines = [heading("Purchases") + " \("(\(rows.count)\(order), UTC)", .dim)"]
        for group in groups { lines += self.lines(of: group) }
        if rows.count > limit {
            let rest = "\(rows.count - limit) older ones are not shown on a terminal"
            lines.append("  \(rest, .dim)\("; see them all with | less", .dim)")
        }
        return lines
    }

    private static let mostRowsOnScreen = 60

    private func lines(of group: PurchaseGroup) -> [StyledText] {
        var title: StyledText =
            "  \(group.key.productId.isEmpty ? "(no product)" : group.key.productId, .cyan)"
        title += "  \(group.typeName)"
        if group.total > 1 {
            title += ", \(group.total) \(group.isSubscription ? "periods" : "times")"
        }
        var lines = [title]
        if group.isSubscription, let original = group.key.original {
            lines.append("    \("original", .dim) \(original)\(ending(of: group))")
        }
        var columns: [Column] = [Column("transaction") { "\($0.transactionId)" }]
        if group.showsOriginals { columns.append(Column("original", original)) }
        columns.append(Column("purchased") { "\($0.purchaseDate?.shortWords ?? "")" })
        if group.isSubscription {
            columns.append(Column("expires") { "\($0.expiresDate?.shortWords ?? "")" })
        }
        columns.append(Column("", remarks))
        var table = Table(
            columns.map { Table.Column($0.title, .leading, $0.title.isEmpty ? .wrap : .stay) }
        )
        for row in group.rows { table.append(columns.map { $0.cell(row) }) }
        let width = terminal.lineLimit.map { $0 - 4 }
        return lines + table.lines(width: width).map { $0.isEmpty ? $0 : "    \($0)" }
    }

    /// A column of a group's table.
    private struct Column {
        let title: String
        let cell: (PurchaseRow) -> StyledText

        init(_ title: String, _ cell: @escaping (PurchaseRow) -> StyledText) {
            self.title = title
            self.cell = cell
        }
    }

    private func original(of row: PurchaseRow) -> StyledText {
        let original = row.originalTransactionId ?? ""
        return original == row.transactionId ? "\("the same", .dim)" : "\(original)"
    }

    private func remarks(on row: PurchaseRow) -> StyledText {
        var remarks: [StyledText] = []
        if let refunded = row.cancellationDate {
            remarks.append("\("refunded \(refunded.shortWords.prefix(10))", .red)")
        }
        if row.isTrialPeriod == true { remarks.append("\("trial", good)") }
        if row.isInIntroOfferPeriod == true { remarks.append("\("intro", good)") }
        if let offer = row.promotionalOfferId { remarks.append("\("offer \(offer)", good)") }
        if let quantity = row.quantity, quantity != 1 { remarks.append("quantity \(quantity)") }
        return remarks.dropFirst().reduce(remarks.first ?? "") { $0 + ", " + $1 }
    }

    /// The colour of good news, which a claim that nobody proved is not.
    var good: Style { inspection.isProved ? .green : [] }

    /// When the subscription's newest listed period ends.
    private func ending(of group: PurchaseGroup) -> StyledText {
        guard let last = group.lastExpiry else { return "" }
        let age = Age(of: last, at: now)
        return last > now ? ", \("runs out \(age)", good)" : ", \("ran out \(age)", .dim)"
    }
}

/// Purchases that stand under one title.
private struct PurchaseGroup {
    /// What they have in common.
    struct Key: Hashable {
        let productId: String
        let type: ProductType?
        /// The original transaction of a subscription.
        let original: String?
        let isSubscription: Bool

        init(_ row: PurchaseRow) {
            productId = row.productId
            type = row.productType
            isSubscription = row.isSubscriptionPeriod
            original = isSubscription ? row.originalTransactionId : nil
        }
    }

    let key: Key
    /// The rows that are shown.
    var rows: [PurchaseRow]
    /// How many there are, shown or not.
    let total: Int

    var isSubscription: Bool { key.isSubscription }

    var typeName: String {
        guard let type = key.type else {
            return isSubscription ? "subscription" : "type not stated"
        }
        return type.name?.lowercased() ?? "type \(type.rawValue), which nobody here knows"
    }

    /// Whether any was made under another transaction first.
    var showsOriginals: Bool {
        !isSubscription
            && rows.contains { $0.originalTransactionId ?? $0.transactionId != $0.transactionId }
    }

    var lastExpiry: Instant? { rows.compactMap(\.expiresDate).max() }

    /// Groups rows in their order; `all` are counted.
    static func groups(
        of rows: some Sequence<PurchaseRow>,
        counted all: [PurchaseRow]
    ) -> [PurchaseGroup] {
        var counts: [Key: Int] = [:]
        for row in all { counts[Key(row), default: 0] += 1 }
        var places: [Key: Int] = [:]
        var groups: [PurchaseGroup] = []
        for row in rows {
            let key = Key(row)
            if let place = places[key] {
                groups[place].rows.append(row)
            } else {
                places[key] = groups.count
                groups.append(PurchaseGroup(key: key, rows: [row], total: counts[key] ?? 0))
            }
        }
        return groups
    }
}

/// The order of purchases: by date, then by transaction, so that it never depends on the input's.
private struct PurchaseOrder: Comparable {
    private let date: Int64
    private let transaction: String

    init(_ row: PurchaseRow) {
        date = row.purchaseDate?.millisecondsSince1970 ?? .min
        transaction = row.transactionId
    }

    static func < (left: PurchaseOrder, right: PurchaseOrder) -> Bool {
        // Ids of equal length compare as numbers do.
        (left.date, left.transaction.utf8.count, left.transaction)
            < (right.date, right.transaction.utf8.count, right.transaction)
    }
}
