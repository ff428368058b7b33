import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

/// Documents that are nothing but large, through the tool, with little memory.
@Suite("Hostile sizes through the tool")
struct HostileSizeTests {
    /// Below the most bytes of a document, which is 6 MB.
    private static let bytes = Soak.size(400_000, soak: 6_200_000)

    /// A document, and the code that it is refused with.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: String
        let text: @Sendable () -> String
    }

    private static func filled(
        _ head: String,
        _ tail: String,
        bytes: Int = bytes,
        _ item: (Int) -> String
    ) -> String {
        var text = head
        for index in 0... {
            let item = (index == 0 ? "" : ",") + item(index)
            guard text.utf8.count + item.utf8.count + tail.utf8.count <= bytes else { break }
            text += item
        }
        return text + tail
    }

    private static func signed(_ payload: String) -> String {
        let segments = [#"{"alg":"ES256","x5c":["AAAA"]}"#, payload].map { text in
            Base64.encode(Array(text.utf8).span, .urlSafe)
        }
        return segments.joined(separator: ".") + ".AAAA"
    }

    static let cases = [
        Case(testDescription: "one giant string", code: "jws.not_compact") {
            #"{"signedTransactionInfo": ""# + String(repeating: "A", count: bytes) + #""}"#
        },
        Case(testDescription: "a giant string beside a document", code: "jws.not_compact") {
            let text = String(repeating: #"\n"#, count: bytes / 2)
            return #"{"signedTransactionInfo": "x", "note": ""# + text + #""}"#
        },
        Case(testDescription: "many members", code: "jws.not_compact") {
            filled(#"{"signedTransactionInfo": "x", "#, "}") { #""k\#($0)":\#($0)"# }
        },
        Case(testDescription: "tiny texts like signed data", code: "limit.answer_documents") {
            filled(#"{"signedTransactions": ["#, "]}") { _ in #""eyJ.e.e""# }
        },
        Case(testDescription: "deep nesting", code: "encoding.unknown_document") {
            #"{"signed":"# + String(repeating: "[", count: bytes)
        },
        Case(testDescription: "signed data with a giant payload", code: "chain.certificate_") {
            signed(#"{"a":""# + String(repeating: "x", count: bytes * 3 / 4) + #""}"#)
        },
        Case(testDescription: "signed data with many members", code: "chain.certificate_") {
            signed(filled("{", "}", bytes: bytes * 3 / 4) { #""k\#($0)":\#($0)"# })
        },
        Case(testDescription: "version 1 with many purchases", code: "notification.password_") {
            filled(
                #"{"notification_type": "CANCEL", "unified_receipt": {"latest_receipt_info": ["#,
                "]}}"
            ) { _ in #"{"product_id":"a"}"# }
        },
    ]

    @Test("Each is refused for what it is, and needs little memory", arguments: cases)
    func refused(hostile: Case) throws {
        let input = Array(hostile.text().utf8)
        for call in ["verify -", "inspect --format json", "inspect", "verify --batch -"] {
            let outcome = try Tool.run(
                URL(fileURLWithPath: "/bin/sh"),
                ["-c", "ulimit -v 1500000; exec \"$0\" \(call)", Tool.binary.path],
                input: input
            )
            #expect(outcome.exitCode == 1, "\(call): \(outcome.error.prefix(500))")
            let isBatch = call.contains("batch")
            let isSaid = outcome.output.prefix(2_000).contains(isBatch ? "refused" : hostile.code)
            #expect(isSaid, "\(call): \(outcome.output.prefix(500))")
        }
    }
}
