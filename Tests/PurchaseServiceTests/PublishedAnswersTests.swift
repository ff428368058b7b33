import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import Testing

@testable import PurchaseService

/// Published answers of Apple's endpoint against ours for the same content: the receipt that each
/// tells of is made again from it, answered here, and both are compared key by key.
///
/// Most were masked or edited before they were published, so it is keys, types and formats that
/// are compared; docs/VERIFY_RECEIPT.md lists every difference with its reason.
@Suite("Keys, types and formats of published answers", corpus)
struct PublishedAnswersTests {
    static let names = Corpus.names(in: "verify-receipt-responses", ending: ".json")

    /// Written by hand as tests of libraries, with a few keys only.
    static let handwritten = ["jnbt-", "youknowone-ios7-s0-test-regression"]

    @Test("Every difference stands in the document, and every one there is met")
    func differences() throws {
        var found: [Difference: Set<String>] = [:]
        for name in Self.names where !Self.handwritten.contains(where: { name.contains($0) }) {
            let published = try JSONValue(parsing: Corpus.bytes(name))
            for difference in try Comparison(published).differences {
                found[difference, default: []].insert(name)
            }
        }
        let documented = try Difference.documented()
        for (difference, names) in found where !documented.contains(difference) {
            Issue.record("\(difference) is not in the document: \(names.sorted())")
        }
        for difference in documented where found[difference] == nil {
            Issue.record("\(difference) is in the document and in no answer")
        }
        #expect(Self.names.count > 35)
    }

    @Test("What was left out is named in the document")
    func handwritten() throws {
        let text = try Difference.document()
        for part in Self.handwritten { #expect(text.contains("`\(part)")) }
    }
}

/// A way in which an answer of ours differs from a published one.
struct Difference: Hashable, CustomStringConvertible {
    /// Where, as a key path without numbers: `latest_receipt_info[].app_account_token`.
    let path: String
    /// `only Apple's`, `only ours`, or the two types or formats.
    let kind: String

    var description: String { "`\(path)` | \(kind)" }

    static func document() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(
            contentsOf: root.appendingPathComponent("docs/VERIFY_RECEIPT.md"),
            encoding: .utf8
        )
    }

    /// The rows `| key | Apple | Counterfoil | why |` of the document's tables of differences.
    static func documented() throws -> Set<Difference> {
        var rows: Set<Difference> = []
        var isInTable = false
        for line in try document().split(separator: "\n", omittingEmptySubsequences: false) {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4 else {
                isInTable = false
                continue
            }
            if isInTable, cells[0].hasPrefix("`") {
                let path = cells[0].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
                rows.insert(Difference(path: path, kind: kind(apple: cells[1], ours: cells[2])))
            }
            isInTable = isInTable || cells == ["key", "Apple", "Counterfoil", "why"]
        }
        return rows
    }

    private static func kind(apple: String, ours: String) -> String {
        switch (apple, ours) {
        case ("sent", "–"): "only Apple's"
        case ("–", "sent"): "only ours"
        default: "\(apple) for \(ours)"
        }
    }
}

/// A published answer and ours to the same content.
struct Comparison {
    private(set) var differences: Set<Difference> = []

    init(_ published: JSONValue) throws {
        let ours = try JSONValue(parsing: Self.answer(to: published).json)
        compare(published, ours, at: "")
    }

    /// What this server answers to the receipt that an answer tells of.
    static func answer(to published: JSONValue) throws -> VerifyReceiptResponse {
        let status = try #require(published["status"]?.number?.int64)
        guard status == 0 || status == 21006,
            published["environment"] != nil
                || published["receipt"]?["in_app"] != nil
        else {
            return try flatAnswer(to: published, status)
        }
        let receipt = AppReceipt(published: published)
        let milliseconds = published["receipt"]?["request_date_ms"].flatMap(integer)
        let answer = AppReceiptAnswer(
            receipt,
            latestReceipt: [1],
            requestDate: milliseconds.map { Instant(millisecondsSince1970: $0) }
                ?? receipt.creationDate
        )
        return VerifyReceiptResponse(answer, environment: receipt.receiptType.environment)
    }

    private static func flatAnswer(
        to published: JSONValue,
        _ status: Int64
    ) throws -> VerifyReceiptResponse {
        guard status == 0 || status == 21006 else {
            var response = VerifyReceiptResponse(status: .init(rawValue: Int(status)))
            guard response.status == .accountNotFound else { return response }
            response.environment = .production
            response.isRetryable = false
            return response
        }
        let receipt = try TransactionReceipt(published: #require(published["receipt"]?.object))
        return VerifyReceiptResponse(
            TransactionReceiptAnswer(
                receipt,
                latestReceipt: [1],
                requestDate: status == 0
                    ? receipt.purchaseDate
                    : receipt.expiresDate ?? receipt.purchaseDate
            )
        )
    }

    // MARK: Comparing

    private mutating func compare(_ apple: JSONValue, _ ours: JSONValue, at path: String) {
        switch (apple, ours) {
        case (.object(let apple), .object(let ours)):
            for key in Set(apple.keys).union(ours.keys) {
                let below = path.isEmpty ? key : "\(path).\(key)"
                switch (apple[key], ours[key]) {
                case (let apple?, let ours?): compare(apple, ours, at: below)
                case (_?, nil): note(below, "only Apple's")
                case (nil, _?): note(below, "only ours")
                case (nil, nil): break
                }
            }
        case (.array(let apple), .array(let ours)):
            for element in apple {
                let identity =
                    element["transaction_id"].flatMap(text)
                    ?? element["product_id"].flatMap(text)
                let twin = ours.first {
                    ($0["transaction_id"] ?? $0["product_id"]).flatMap(text) == identity
                }
                if let twin { compare(element, twin, at: path + "[]") }
            }
        default:
            let (apple, ours) = (Self.form(apple), Self.form(ours))
            if apple != ours { note(path, "\(apple) for \(ours)") }
        }
    }

    private mutating func note(_ path: String, _ kind: String) {
        differences.insert(Difference(path: path, kind: kind))
    }

    /// The type of a value and, of strings, their format.
    private static func form(_ value: JSONValue) -> String {
        guard let text = value.string else {
            return value.bool == nil ? value.kindInWords : "a boolean"
        }
        if text.hasSuffix("Etc/GMT") || text.hasSuffix("America/Los_Angeles") {
            let day = #/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z].*/#
            return text.wholeMatch(of: day) == nil ? "another date" : "a date"
        }
        return "a string"
    }
}

private func text(_ value: JSONValue) -> String? { value.string ?? value.number?.text }

private func integer(_ value: JSONValue) -> Int64? { text(value).flatMap { Int64($0) } }

private func instant(_ element: JSONValue?, _ key: String) -> Instant? {
    let value = element?[key + "_ms"] ?? element?[key]
    return value.flatMap(text).flatMap { AppStoreDate.parse($0) }
}

// MARK: - Receipts made from answers

extension AppReceipt {
    /// The receipt that an answer tells of, and what it lists of purchases in either place.
    init(published: JSONValue) {
        let receipt = published["receipt"]
        self.init(
            receiptType: ReceiptType(
                rawValue: receipt?["receipt_type"]?.string
                    ?? (published["environment"] == "Sandbox" ? "ProductionSandbox" : "Production")
            ),
            bundleId: receipt?["bundle_id"]?.string ?? "com.example.app",
            creationDate: instant(receipt, "receipt_creation_date")
                ?? instant(receipt, "request_date") ?? Issued.now
        )
        appItemId = receipt?["app_item_id"].flatMap(integer)
        applicationVersion = receipt?["application_version"].flatMap(text)
        downloadId = receipt?["download_id"].flatMap(integer)
        versionExternalIdentifier = receipt?["version_external_identifier"].flatMap(integer)
        originalPurchaseDate = instant(receipt, "original_purchase_date")
        originalApplicationVersion = receipt?["original_application_version"].flatMap(text)
        preorderDate = instant(receipt, "preorder_date")
        expirationDate = instant(receipt, "expiration_date")
        var seen: Set<String> = []
        let latest = published["latest_receipt_info"]?.array ?? []
        for element in (receipt?["in_app"]?.array ?? []) + latest {
            let purchase = InAppPurchase(published: element)
            if seen.insert(purchase.transactionId).inserted { inApp.append(purchase) }
        }
    }
}

extension InAppPurchase {
    init(published element: JSONValue) {
        self.init(
            productId: element["product_id"].flatMap(text) ?? "",
            transactionId: element["transaction_id"].flatMap(text) ?? ""
        )
        quantity = element["quantity"].flatMap(integer) ?? 1
        originalTransactionId = element["original_transaction_id"].flatMap(text)
        purchaseDate = instant(element, "purchase_date")
        originalPurchaseDate = instant(element, "original_purchase_date")
        expiresDate = instant(element, "expires_date")
        cancellationDate = instant(element, "cancellation_date")
        cancellationReason = element["cancellation_reason"].flatMap(text)
        webOrderLineItemId = element["web_order_line_item_id"].flatMap(text)
        isTrialPeriod = element["is_trial_period"].flatMap(text).map { $0 == "true" }
        isInIntroOfferPeriod = element["is_in_intro_offer_period"].flatMap(text).map {
            $0 == "true"
        }
        promotionalOfferId = element["promotional_offer_id"].flatMap(text)
        productType = expiresDate == nil ? .nonConsumable : .autoRenewableSubscription
    }
}

extension TransactionReceipt {
    /// The receipt whose keys an answer shows with low lines for hyphens.
    init(published receipt: JSONObject) throws {
        self.init(
            bundleId: receipt["bid"]?.string ?? "",
            productId: receipt["product_id"]?.string ?? "",
            transactionId: receipt["transaction_id"]?.string ?? "",
            purchaseDate: instant(.object(receipt), "purchase_date") ?? Issued.now,
            purchaseInfo: receipt.map { key, value in
                Entry(
                    key: key.replacingOccurrences(of: "_", with: "-"),
                    value: text(value) ?? ""
                )
            }
        )
        expiresDate = receipt["expires_date"]?.string.flatMap { AppStoreDate.parse($0) }
    }
}
