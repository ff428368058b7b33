import AppStoreModel
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import Testing

@testable import PurchaseService

@Suite("Requests to verifyReceipt that bring no receipt")
struct RequestTests {
    /// A body, and what it is answered with.
    struct Case: Sendable, CustomTestStringConvertible {
        let body: String
        let code: String
        let status: Int
        var testDescription: String { "\(code): \(body.prefix(40))" }

        init(_ body: String, _ code: String, _ status: Int) {
            self.body = body
            self.code = code
            self.status = status
        }
    }

    static let cases: [Case] = [
        Case("", "request.empty_body", 21000),
        Case(" \r\n\t", "request.empty_body", 21000),
        Case("receipt-data=MIIT", "request.not_json", 21000),
        Case("{\"receipt-data\":\"MIIT\"", "request.not_json", 21000),
        Case("{\"receipt-data\":\"MIIT\"} x", "request.not_json", 21000),
        Case("{'receipt-data':'MIIT'}", "request.not_json", 21000),
        Case("{\"receipt-data\":\"\u{1}\"}", "request.not_json", 21000),
        Case("\"MIIT\"", "request.not_an_object", 21002),
        Case("[{\"receipt-data\":\"MIIT\"}]", "request.not_an_object", 21002),
        Case("null", "request.not_an_object", 21002),
        Case("{}", "request.receipt_data_missing", 21002),
        Case("{\"receipt_data\":\"MIIT\"}", "request.receipt_data_missing", 21002),
        Case("{\"receipt-data\":null}", "request.receipt_data_missing", 21002),
        Case("{\"receipt-data\":12}", "request.receipt_data_not_text", 21002),
        Case("{\"receipt-data\":[\"MIIT\"]}", "request.receipt_data_not_text", 21002),
        Case("{\"receipt-data\":{}}", "request.receipt_data_not_text", 21002),
        Case("{\"receipt-data\":true}", "request.receipt_data_not_text", 21002),
        Case(
            "{\"receipt-data\":\"MIIT\",\"receipt-data\":\"MIIU\"}",
            "request.duplicate_key",
            21002
        ),
        Case(
            "{\"receipt-data\":\"MIIT\",\"x\":" + String(repeating: "[", count: 40)
                + String(repeating: "]", count: 40) + "}",
            "request.too_complex",
            21002
        ),
        Case(
            "{\"receipt-data\":\"MIIT\",\"x\":[" + String(repeating: "0,", count: 10_000) + "0]}",
            "request.too_complex",
            21002
        ),
        Case("{\"receipt-data\":\"\"}", "encoding.empty", 21002),
        Case("{\"receipt-data\":\"***\"}", "encoding.not_base64", 21002),
        Case("{\"receipt-data\":\"anVuaw==\"}", "encoding.unknown_document", 21002),
        // PROBLEMS of others: text that begins as a certificate or a receipt would.
        Case("{\"receipt-data\":\"TUlJ\"}", "encoding.", 21002),
        Case("{\"receipt-data\":\"MIIT\"}", "asn1.", 21002),
        Case(
            "{\"receipt-data\":\"eyJhbGciOiJFUzI1NiJ9.e30.AA\"}",
            "jws.no_certificates",
            21002
        ),
        Case("{\"receipt-data\":\"e30=\"}", "", 21002),
        Case("{\"receipt-data\":\"eyB9\"}", "", 21002),
    ]

    @Test("Each is answered with its status alone, and its code beside it", arguments: cases)
    func refused(_ example: Case) throws {
        let (outcome, json) = try answer(Array(example.body.utf8))
        #expect(outcome.status.rawValue == example.status)
        #expect(json == ["status": JSONValue(example.status)])
        let refusal = try #require(outcome.refusal)
        #expect(refusal.code.rawValue.hasPrefix(example.code), "\(refusal)")
        #expect(!refusal.reason.isEmpty)
        #expect(outcome.scope == nil)
        #expect(outcome.appMatched == nil)
        #expect(outcome.purchases == nil)
        #expect(!outcome.isWorthRepeating)
    }

    @Test("Another method is 21000, whatever the body")
    func method() throws {
        let request = VerifyReceiptRequest(
            .production,
            isPOST: false,
            body: body("MIIT"),
            receivedAt: Issued.now
        )
        let outcome = VerifyReceipt().answer(request)
        #expect(outcome.status == .notPOST)
        #expect(outcome.refusal?.code == VerifyReceiptRefusal.notPOST)
    }

    @Test("Every code of a request can be provoked here or by a receipt")
    func codes() {
        let provoked = Set(Self.cases.map(\.code)).union(["request.not_post"])
        let requests = VerifyReceiptRefusal.allCodes.filter { $0.rawValue.hasPrefix("request.") }
        #expect(requests.count == 8)
        for code in requests { #expect(provoked.contains(code.rawValue), "\(code)") }
    }

    @Test("A body that is cut anywhere is refused, never a crash", corpus)
    func truncation() throws {
        let whole = body(try Real.text(Real.revenueCat))
        for length in Spoiling.sample(whole.count, atMost: 300, seed: 21) {
            let (outcome, _) = try answer(Array(whole[..<length]), at: .sandbox)
            #expect(outcome.status == .notPOST)
        }
    }

    @Test("A receipt that is cut anywhere is malformed, never a crash", corpus)
    func truncatedReceipt() throws {
        let whole = try Base64.decode(Array(Real.text(Real.revenueCat).utf8).span)
        for length in Spoiling.sample(whole.count, atMost: 200, seed: 22) where length > 0 {
            let (outcome, _) = try answer(body(Array(whole[..<length])), at: .sandbox)
            #expect(outcome.status == .malformed)
        }
    }
}

@Suite("Requests to verifyReceipt as real clients send them", corpus)
struct TransportTests {
    private static func text() throws -> String { try Real.text(Real.revenueCat) }

    @Test("Keys that nobody knows, a password and white space are passed over")
    func unknownKeys() throws {
        let text = try Self.text()
        let request = """
            \u{FEFF}{ "password": "0123456789abcdef", "bundle_id": 7, "nested": {"a": [null]},
              "receipt-data": "\(text)", "exclude-old-transactions": null }\r\n
            """
        let (outcome, json) = try answer(Array(request.utf8), at: .sandbox)
        #expect(outcome.status == .ok)
        #expect(json["latest_receipt_info"]?.array?.count == 9)
    }

    /// What is done to the base 64, and the note that says so.
    static let repairs: [(String, String, @Sendable (String) -> String)] = [
        ("line breaks", "encoding.white_space_removed", { Self.wrapped($0, "\\r\\n") }),
        ("plain line feeds", "encoding.white_space_removed", { Self.wrapped($0, "\\n") }),
        ("blanks and tabs", "encoding.white_space_removed", { Self.wrapped($0, "\\t ") }),
        (
            "spaces for plus signs", "encoding.spaces_for_plus",
            { $0.replacingOccurrences(of: "+", with: " ") }
        ),
        (
            "the URL-safe alphabet", "encoding.url_safe_letters",
            {
                $0.replacingOccurrences(of: "+", with: "-")
                    .replacingOccurrences(of: "/", with: "_")
            }
        ),
        (
            "missing padding", "encoding.padding_mended",
            { $0.trimmingCharacters(in: CharacterSet(charactersIn: "=")) }
        ),
        (
            "percent signs", "encoding.percent_decoded",
            {
                $0.replacingOccurrences(of: "+", with: "%2B")
                    .replacingOccurrences(of: "/", with: "%2F")
            }
        ),
    ]

    private static func wrapped(_ text: String, _ separator: String) -> String {
        stride(from: 0, to: text.utf8.count, by: 64).map { start in
            String(text.dropFirst(start).prefix(64))
        }.joined(separator: separator)
    }

    @Test("Damage of transport is mended and noted", arguments: repairs.indices)
    func repaired(index: Int) throws {
        let (_, note, damage) = Self.repairs[index]
        let text = try #require(
            Corpus.names(in: "app-receipts", ending: ".b64")
                .filter { $0.contains("sandbox-") }
                .map { try Real.text($0) }
                .first { $0.contains("+") && $0.contains("/") && $0.hasSuffix("=") }
        )
        let (outcome, json) = try answer(body(damage(text)), at: .sandbox)
        #expect(outcome.status == .ok)
        #expect(outcome.notes.map(\.code.rawValue).contains(note), "\(outcome.notes)")
        #expect(json["receipt"]?["bundle_id"] != nil)
    }

    @Test("Escaped solidi are resolved, as PHP writes them")
    func escapedSolidus() throws {
        let text = try Self.text().replacingOccurrences(of: "/", with: "\\/")
        let (outcome, _) = try answer(body(text), at: .sandbox)
        #expect(outcome.status == .ok)
        #expect(!outcome.notes.contains { $0.code.rawValue.hasPrefix("encoding.") })
    }

    @Test(
        "exclude-old-transactions means true in the forms that clients send",
        arguments: [
            ("true", 2), ("1", 2), ("\"true\"", 2), ("\"1\"", 2), ("false", 9), ("0", 9),
            ("\"false\"", 9), ("null", 9), ("\"yes\"", 9), ("2", 9), ("[]", 9), ("{}", 9),
        ]
    )
    func excludeOldTransactions(value: String, count: Int) throws {
        let request = body(try Self.text(), ",\"exclude-old-transactions\":\(value)")
        let (_, json) = try answer(request, at: .sandbox)
        let latest = try #require(json["latest_receipt_info"]?.array)
        #expect(latest.count == count)
        #expect(json["receipt"]?["in_app"]?.array?.count == 9)
        #expect(json["pending_renewal_info"]?.array?.count == 1)
        if count == 2 {
            let products = latest.compactMap { $0["product_id"]?.string }
            #expect(Set(products).count == 2)
            #expect(latest.first?["purchase_date_ms"]?.string == "1595439546000")
        }
    }
}
