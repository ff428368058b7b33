import AppStoreModel
import CommandLineInterface
import CounterfoilBasics
import DocumentInspection
import Ledger

// What was bought, newest first: neighbours of one product stand together under its name.
extension LineageReport {
    /// How many purchases a screen shows.
    private static let mostOnScreen = 12

    var purchases: [StyledText] {
        let all = Array(lineage.purchases.reversed())
        guard !all.isEmpty else { return [] }
        // A person at a terminal sees the newest; a file, a pager or grep gets all.
        let shown = all.prefix(terminal.isInteractive ? Self.mostOnScreen : all.count)
        let order = all.count > 1 ? "\(Figure.count(all.count)), newest first, UTC" : "UTC"
        var lines: [StyledText] = ["\("Purchases", .bold) \("(\(order))", .dim)"]
        for run in Self.runs(of: shown) { lines += self.lines(of: run, isOnly: all.count == 1) }
        return lines + notShown(all.count - shown.count)
    }

    /// What is said of things that a screen has no room for.
    func notShown(_ count: Int) -> [StyledText] {
        guard count > 0 else { return [] }
        let rest = "\(Figure.count(count)) older ones are not shown on a terminal"
        return fitted("  \(rest, .dim)\("; see them all with | less", .dim)", indent: 4)
    }

    /// Neighbours of one product.
    private static func runs(of purchases: ArraySlice<Purchase>) -> [[Purchase]] {
        purchases.reduce(into: []) { runs, purchase in
            let last = runs.last?.last
            if last?.productId == purchase.productId, last?.isPeriod == purchase.isPeriod {
                runs[runs.count - 1].append(purchase)
            } else {
                runs.append([purchase])
            }
        }
    }

    private func lines(of run: [Purchase], isOnly: Bool) -> [StyledText] {
        let first = run[0]
        var title: StyledText = "  \(first.productId ?? "(no product named)", .cyan)"
        if let type = first.registers.type.value { title += "  \(type.rawValue.lowercased())" }
        if run.count > 1 { title += ", \(run.count) periods" }
        var columns: [Table.Column] = [.init("transaction"), .init("from")]
        if first.isPeriod { columns.append(.init("until")) }
        var table = Table(columns + [.init("", .leading, .wrap)])
        for row in run.flatMap({ rows(of: $0, isOnly: isOnly) }) { table.append(row) }
        return fitted(title, indent: 4)
            + indented(table.lines(width: terminal.lineLimit.map { $0 - 4 }), 4)
    }

    /// A row for each transaction that the purchase was shown with, the first one first.
    private func rows(of purchase: Purchase, isOnly: Bool) -> [[StyledText]] {
        Self.transactions(of: purchase).enumerated().map { index, id in
            let isFirst = index == 0
            let begin = purchase.registers.transactions[id]?.purchaseDate
            let from = isFirst ? purchase.purchaseDate : begin
            var row: [StyledText] = ["\(id)", "\(from?.shortWords ?? "")"]
            if purchase.isPeriod {
                row.append("\(isFirst ? purchase.expiresDate?.shortWords ?? "" : "")")
            }
            return row + [isFirst ? remarks(on: purchase, isOnly: isOnly) : "\("the same", .dim)"]
        }
    }

    /// The transactions that a purchase was shown with, the first one first.
    private static func transactions(of purchase: Purchase) -> [String] {
        purchase.registers.transactions.sorted { left, right in
            let begins = (left.value.purchaseDate, right.value.purchaseDate)
            if let first = begins.0, let second = begins.1, first != second {
                return first < second
            }
            return left.key < right.key
        }
        .map(\.key)
    }

    private func remarks(on purchase: Purchase, isOnly: Bool) -> StyledText {
        let registers = purchase.registers
        var remarks: [StyledText] = []
        if !isOnly, purchase.id == standing?.purchase { remarks.append("\("decides", .bold)") }
        if registers.isUpgraded.value == true || isReplaced(purchase) {
            remarks.append("upgraded")
        } else if let revocation = purchase.revocation {
            let day = revocation.date.shortWords.prefix(10)
            remarks.append("\("\(revocation.words.lowercased()) \(day)", .red)")
        }
        if let quantity = registers.quantity.value, quantity != 1 {
            remarks.append("quantity \(Figure.count(Int(quantity)))")
        }
        if let price = registers.price.value {
            remarks.append("\(price.milliunits.inWords(price.currency))")
        }
        if let offer = registers.offer.value { remarks.append("\(offer.words, .green)") }
        if registers.ownership.value == .familyShared { remarks.append("family") }
        return remarks.dropFirst().reduce(remarks.first ?? "") { $0 + ", " + $1 }
    }

    /// Whether it was taken back because a period that began then took its place, as receipts show
    /// upgrades: the ledger counts that as no revocation.
    private func isReplaced(_ purchase: Purchase) -> Bool {
        guard let date = purchase.revocation?.date else { return false }
        let next = lineage.purchases.first { $0.purchaseDate > purchase.purchaseDate }
        guard let next, next.isPeriod else { return false }
        let gap = next.purchaseDate.duration(since: date)
        return gap <= .seconds(5) && gap >= .seconds(-5)
    }
}

// MARK: - Every register

extension LineageReport {
    /// The registers of the purchase that decides, and of the renewal.
    var registers: [StyledText] {
        guard let standing else { return [] }
        let purchase = lineage.purchases.first { $0.id == standing.purchase }
        let shown = (purchase?.shownRegisters ?? []) + lineage.shownRegisters
        let isSigned = shown.allSatisfy { $0.stamp.grade == .signature }
        var columns: [Table.Column] = [
            .init("register"), .init("value", .leading, .wrap), .init("said"), .init("document"),
        ]
        if !isSigned { columns.append(.init("by")) }
        var table = Table(columns)
        for register in shown {
            let stamp = register.stamp
            let by: StyledText =
                stamp.grade == .signature ? "a signature" : "\(stamp.grade.words, .yellow)"
            table.append(
                [
                    "\(register.name)", "\(register.words)", "\(stamp.attestedAt.shortWords)",
                    "\(stamp.digest.short, .dim)",
                ] + (isSigned ? [] : [by])
            )
        }
        let signed = isSigned ? ", all of it signed" : ""
        return section("What is known of \(standing.purchase.words) (UTC)\(signed)", table)
    }
}

extension PurchaseID {
    fileprivate var words: String {
        switch self {
        case .period(let lineItem): "the period \(lineItem)"
        case .undocumentedPeriod(let begin): "the period from \(begin.shortWords)"
        case .oneTime: "it"
        case .xcode(let transactionId, _): "transaction \(transactionId)"
        }
    }
}
