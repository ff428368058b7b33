import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import Testing

@testable import AppStoreModel

@Suite("docs/NOTIFICATIONS.md")
struct NotificationLabelTests {
    /// The cells of the rows that begin with a word of Apple's.
    private static func rows() throws -> [[String]] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(
            contentsOf: root.appendingPathComponent("docs/NOTIFICATIONS.md"),
            encoding: .utf8
        )
        return text.split(separator: "\n").filter { $0.starts(with: #/\| `[A-Z_]+` \|/#) }.map {
            row in
            row.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    private static func words(_ cell: String) -> [String] {
        cell.split(separator: " ").map { $0.replacingOccurrences(of: "`", with: "") }
    }

    @Test("Every type and subtype of version 2 has its row, its label and its sentence")
    func version2() throws {
        let rows = try Self.rows().filter { $0[2].hasPrefix("`") && $0[2] == $0[2].lowercased() }
        let expected = NotificationLabel.table.map { row in
            [
                "`\(row.type.rawValue)`", row.subtype.map { "`\($0.rawValue)`" } ?? "",
                "`\(row.label.rawValue)`", row.sentence,
            ]
        }
        #expect(rows == expected)
        for row in NotificationLabel.table {
            #expect(NotificationLabel(row.type, row.subtype) == row.label)
            #expect(row.label.sentence == row.sentence)
            #expect(row.label.rawValue.wholeMatch(of: #/[a-z]+(-[a-z]+)*/#) != nil)
            #expect(row.sentence.hasSuffix("."))
        }
    }

    @Test("Every type of version 1 has its rows, with what version 2 would have said")
    func version1() throws {
        let rows = try Self.rows().filter { $0[3].hasPrefix("`") }
        for row in rows {
            let type = Self.words(row[0])[0]
            let body = try Self.body(type, when: row[1])
            let said = [body.equivalentType?.rawValue, body.equivalentSubtype?.rawValue]
            #expect(said.compactMap(\.self) == Self.words(row[2]), "\(row)")
            #expect(NotificationLabel(body).rawValue == Self.words(row[3])[0], "\(row)")
            #expect(NotificationLabel(body) != .unknown)
        }
        let known: Set = [
            "INITIAL_BUY", "DID_RENEW", "DID_RECOVER", "RENEWAL", "INTERACTIVE_RENEWAL",
            "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "DID_FAIL_TO_RENEW", "CANCEL",
            "REFUND", "REVOKE", "PRICE_INCREASE_CONSENT", "CONSUMPTION_REQUEST",
        ]
        #expect(Set(rows.map { Self.words($0[0])[0] }) == known)
    }

    /// A body of a type for which the condition in words holds.
    private static func body(_ type: String, when condition: String) throws -> ResponseBodyV1 {
        var object: JSONObject = ["notification_type": .string(type)]
        switch condition {
        case "", "otherwise": break
        case "`auto_renew_status` is true": object["auto_renew_status"] = "true"
        case "`auto_renew_status` is false": object["auto_renew_status"] = "false"
        case "`auto_renew_product_id` is the product of the newest transaction":
            object["auto_renew_product_id"] = "a"
            object["unified_receipt"] = [
                "latest_receipt_info": [
                    ["product_id": "b", "purchase_date_ms": "1"],
                    ["product_id": "a", "purchase_date_ms": "2"],
                ]
            ]
        case "the newest transaction cut short another of its group, which is marked as upgraded":
            object["unified_receipt"] = [
                "latest_receipt_info": [
                    Self.upgraded(until: "30"), ["transaction_id": "2", "purchase_date_ms": "20"],
                ]
            ]
        case "a grace period runs beyond the newest period":
            object["unified_receipt"] = Self.billingRetry(grace: "31")
        default: Issue.record("an unknown condition: \(condition)")
        }
        return try ResponseBodyV1(object)
    }

    private static func upgraded(until end: JSONValue) -> JSONValue {
        [
            "transaction_id": "1", "purchase_date_ms": "10", "expires_date_ms": end,
            "is_upgraded": "true",
        ]
    }

    private static func billingRetry(grace: JSONValue) -> JSONValue {
        [
            "latest_receipt_info": [["original_transaction_id": "1", "expires_date_ms": "30"]],
            "pending_renewal_info": [
                [
                    "original_transaction_id": "1", "is_in_billing_retry_period": "1",
                    "grace_period_expires_date_ms": grace,
                ]
            ],
        ]
    }

    @Test("A grace period or an upgrade that is over does not count")
    func leftovers() throws {
        let failed = try ResponseBodyV1([
            "notification_type": "DID_FAIL_TO_RENEW",
            "unified_receipt": Self.billingRetry(grace: "29"),
        ])
        #expect(NotificationLabel(failed).rawValue == "billing-failed")
        let renewed = try ResponseBodyV1([
            "notification_type": "INTERACTIVE_RENEWAL",
            "unified_receipt": [
                "latest_receipt_info": [
                    Self.upgraded(until: "20"), ["transaction_id": "2", "purchase_date_ms": "20"],
                ]
            ],
        ])
        #expect(NotificationLabel(renewed).rawValue == "resubscribed")
    }

    @Test("Long lists that somebody made up are told of at once", .timeLimit(.minutes(1)))
    func longLists() throws {
        let count = Soak.size(10_000, soak: 100_000)
        let renewal: JSONValue = ["grace_period_expires_date_ms": "29"]
        let period: JSONValue = ["original_transaction_id": "", "expires_date_ms": "30"]
        let body = try ResponseBodyV1([
            "notification_type": "DID_FAIL_TO_RENEW",
            "unified_receipt": [
                "latest_receipt_info": .array(Array(repeating: period, count: count)),
                "pending_renewal_info": .array(Array(repeating: renewal, count: count)),
            ],
        ])
        #expect(NotificationLabel(body).rawValue == "billing-failed")
    }

    @Test("What nobody knows yet is unknown, and Apple's words stay")
    func unknown() throws {
        let text = #"{"notificationType":"NEW_TYPE","subtype":"NEW","data":{}}"#
        let new = try ResponseBodyV2DecodedPayload(parsing: Array(text.utf8))
        #expect(NotificationLabel(new) == .unknown)
        #expect(new.notificationType?.rawValue == "NEW_TYPE")
        #expect(new.subtype?.rawValue == "NEW")
        #expect(NotificationLabel(.didRenew, Subtype(rawValue: "NEW")) == .unknown)
        #expect(NotificationLabel(nil, nil) == .unknown)
        #expect(!NotificationLabel.unknown.sentence.isEmpty)
        let old = try ResponseBodyV1(["notification_type": "NEW_TYPE"])
        #expect(NotificationLabel(old) == .unknown)
        #expect(old.notificationType?.rawValue == "NEW_TYPE")
    }
}
