import AppStoreModel
import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import DocumentInspection

// MARK: - What the receipt says

extension InspectionReport {
    /// A line about the receipt: a name and what is said.
    private typealias Fact = (name: StaticString, text: String?)

    var receiptFacts: [StyledText] {
        var table = Table([.init(""), .init("", .leading, .wrap)])
        for fact in facts {
            guard let text = fact.text, !text.isEmpty else { continue }
            table.append(["\(fact.name.description, .dim)", "\(text)"])
        }
        return section(inspection.isProved ? "Receipt" : "Claims", table)
    }

    private var facts: [Fact] {
        switch inspection.content {
        case .appReceipt(let receipt): facts(of: receipt)
        case .transactionReceipt(let receipt): facts(of: receipt)
        case .signedData, .notificationV1, .answer, nil: []
        }
    }

    private func facts(of receipt: AppReceipt) -> [Fact] {
        let type = receipt.receiptType
        let environment = type.environment.rawValue
        let typed = type.rawValue == environment ? "" : " (receipt type \(type.rawValue))"
        return [
            ("app", receipt.bundleId),
            ("environment", type.rawValue.isEmpty ? nil : environment + typed),
            ("version", version(of: receipt)),
            ("signed", inspection.signingDate.map(when)),
            ("re-issue of", original(of: receipt)),
            ("app bought", receipt.originalPurchaseDate.map { bought($0, type) }),
            ("preordered", receipt.preorderDate.map(when)),
            ("ends", receipt.expirationDate.map(end)),
            ("app item id", receipt.appItemId.flatMap(identifier)),
            ("download id", receipt.downloadId.flatMap(identifier)),
            ("version id", receipt.versionExternalIdentifier.flatMap(identifier)),
            ("device", deviceFact),
        ]
    }

    private func facts(of receipt: TransactionReceipt) -> [Fact] {
        let proved = inspection.judgement.proof?.environment
        let stated = receipt.environment.map { "unsigned: \($0)" } ?? "unsigned: none stated"
        let environment = proved.map { "\($0.rawValue) (\(stated))" } ?? stated
        return [
            ("app", receipt.bundleId),
            ("environment", environment),
            ("version", receipt.purchaseInfo.first { $0.key == "bvrs" }?.value),
            ("bought", inspection.signingDate.map(when)),
            ("vendor id", receipt.uniqueVendorIdentifier),
            ("device", deviceFact),
        ]
    }

    private func version(of receipt: AppReceipt) -> String? {
        guard let version = receipt.applicationVersion else { return nil }
        // The sandbox says 1.0 of every app.
        guard let first = receipt.originalApplicationVersion, !first.isEmpty,
            receipt.receiptType.environment == .production
        else { return version }
        return "\(version) (first bought as \(first))"
    }

    /// The receipt that was sent when this one was made, if that was another one.
    private func original(of receipt: AppReceipt) -> String? {
        guard let original = receipt.originalCreationDate, original != inspection.signingDate else {
            return nil
        }
        return "the receipt of \(when(original))"
    }

    private func bought(_ instant: Instant, _ type: ReceiptType) -> String {
        type.environment == .sandbox && instant == Self.sandboxPurchase
            ? "\(instant.shortWords) UTC, as the sandbox says of every app" : when(instant)
    }

    private static let sandboxPurchase = CivilTime(year: 2013, month: 8, day: 1, hour: 7).instant

    /// 0 is what the sandbox and Xcode have where production has an identifier.
    private func identifier(_ number: Int64) -> String? { number == 0 ? nil : String(number) }

    private func end(_ instant: Instant) -> String {
        // Xcode writes a date in the year 4001 for "never".
        CivilTime(instant).year >= 4000 ? "never (\(instant.shortWords) UTC)" : when(instant)
    }

    private var deviceFact: String? {
        switch inspection.judgement.deviceMatched {
        case true?: "the one asked for"
        case false?: "not the one asked for"
        case nil: "not compared"
        }
    }
}

// MARK: - Every attribute

extension InspectionReport {
    var attributes: [StyledText] {
        switch inspection.content {
        case .appReceipt(let receipt): attributes(of: receipt)
        case .transactionReceipt(let receipt): keys(of: receipt)
        case .signedData(let content): members(of: content)
        case .notificationV1, .answer, nil: []
        }
    }

    private func attributes(of receipt: AppReceipt) -> [StyledText] {
        let own = receipt.attributes.filter { $0.type != 17 }
        var lines = section("Attributes", table(of: own.map { (AttributeReading($0), "") }))
        let inPurchases = Self.summary(ofPurchases: receipt)
        guard !inPurchases.isEmpty else { return lines }
        lines.append("")
        return lines + section("Attributes of the purchases", table(of: inPurchases))
    }

    private func table(of attributes: [(reading: AttributeReading, count: String)]) -> Table {
        let hasCounts = attributes.contains { !$0.count.isEmpty }
        var table = Table([
            .init("no.", .trailing), .init("name", .leading, hasCounts ? .cut : .stay),
            .init("meaning"),
            .init(hasCounts ? "times" : "", .trailing),
            .init(hasCounts ? "for example" : "value", .leading, .cut),
        ])
        for (reading, count) in attributes.sorted(by: { $0.reading.type < $1.reading.type }) {
            let known: StyledText =
                switch reading.name?.isDocumented {
                case true?: "\("documented", .dim)"
                case false?: "inferred"
                case nil: "\("unknown", [.bold, .yellow])"
                }
            table.append([
                "\(reading.type)", "\(reading.name?.name ?? "?")", known, "\(count)",
                value(of: reading),
            ])
        }
        return table
    }

    private func value(of reading: AttributeReading) -> StyledText {
        switch reading.value {
        case .text(""): "\("empty", .dim)"
        case .text(let text): "\(text)"
        case .integer(let number): reading.gloss.map { "\(number)  \($0, .dim)" } ?? "\(number)"
        case .purchase: "\("a purchase", .dim)"
        case .bytes(let bytes):
            "\(bytes.count) bytes  \(Hexadecimal.encode(bytes), .dim)"
        }
    }

    /// Each kind of attribute that purchases have, with how many have it and the first value.
    private static func summary(
        ofPurchases receipt: AppReceipt
    ) -> [(reading: AttributeReading, count: String)] {
        var first: [Int64: ReceiptAttribute] = [:]
        var counts: [Int64: Int] = [:]
        for attribute in receipt.inApp.lazy.flatMap(\.attributes) {
            counts[attribute.type, default: 0] += 1
            if first[attribute.type] == nil { first[attribute.type] = attribute }
        }
        return first.values.map { (AttributeReading($0), "\(counts[$0.type] ?? 0)") }
    }

    private func keys(of receipt: TransactionReceipt) -> [StyledText] {
        var table = Table([.init("key"), .init("known"), .init("value", .leading, .cut)])
        for entry in receipt.purchaseInfo.sorted(by: { $0.key < $1.key }) {
            let isKnown = PurchaseInfoKey.isKnown(entry.key)
            table.append([
                "\(entry.key)", isKnown ? "\("known", .dim)" : "\("unknown", [.bold, .yellow])",
                "\(entry.value)",
            ])
        }
        let unsigned: [(StaticString, String?)] = [
            ("environment", receipt.environment), ("pod", receipt.pod),
            ("signing-status", receipt.signingStatus),
        ]
        for case (let key, let value?) in unsigned {
            table.append(["\(key.description)", "\("unsigned", .yellow)", "\(value)"])
        }
        return section("Keys", table)
    }
}
