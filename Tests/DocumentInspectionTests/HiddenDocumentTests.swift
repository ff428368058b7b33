import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import DocumentInspection
import Testing

// What somebody hides in the JSON around documents, where a reader less careful would believe it.
extension SignedDataInspectionTests {
    private static func encoded(_ text: String) -> String {
        Base64.encode(Array(text.utf8).span, .urlSafe)
    }

    private static let claim = encoded(#"{"productId":"com.example.pro"}"#)

    /// Forgeries that one reader or another would take apart.
    private static let forgeries = [
        "eyJhbGciOiJub25lIn0.\(claim).AA", " eyJhbGciOiJub25lIn0.\(claim).AA",
        "\teyJhbGciOiJub25lIn0.\(claim).AA", "\u{FEFF}eyJhbGciOiJub25lIn0.\(claim).AA",
        "\u{A0}eyJhbGciOiJub25lIn0.\(claim).AA", "e yJhbGciOiJub25lIn0.\(claim).AA",
        "\(encoded(#" {"alg":"none"}"#)).\(claim).AA",
        "\(encoded("\r\n\t {\n\"alg\":\"none\"}")).\(claim).AA",
        " \(encoded(#"  {"alg":"none"}"#)) . \(claim) . AA",
        "\(encoded(#"{}"#)).\(claim).AA", "nonsense.\(claim).AA", "nonsense. \(claim).",
        "\(encoded("\u{FEFF}{\"alg\":\"none\"}")).\(claim).AA",
    ]

    private func answer(with member: String) throws -> String {
        #"{"signedTransactionInfo": "\#(try issue(.transaction))", \#(member)}"#
    }

    @Test("Whatever looks like a JWS is judged, whatever its key and however it begins")
    func hidden() throws {
        for forgery in Self.forgeries {
            let text = JSONValue.string(forgery).description
            for member in ["\"more\": \(text)", "\"more\": [{\"x\": [\(text)]}]"] {
                let inspection = try inspect(answer(with: member))
                #expect(inspection.judgement.verdict == .refused, "\(forgery)")
                #expect(inspection.parts.count == 2, "\(forgery)")
            }
        }
    }

    @Test(
        "Whatever stands under a key that begins with signed is judged, whatever it is",
        arguments: [
            #""signedRenewalInfo": 5"#, #""signedRenewalInfo": true"#,
            #""signedRenewalInfo": {"jws": "word"}"#, #""signedRenewalInfo": {"more": {"x": 1}}"#,
            #""signedRenewalInfo": [["word"]]"#, "\"signed\u{301}\": \"word\"",
            #""signedRenewalInfo": """#,
        ]
    )
    func named(member: String) throws {
        let inspection = try inspect(answer(with: member))
        #expect(inspection.judgement.verdict == .refused)
        #expect(inspection.judgement.objection?.member != nil)
        #expect(inspection.parts.count == 2)
    }

    @Test("Nothing is taken for a document that could not be read as one")
    func innocent() throws {
        let members = [
            #""bundleId": "com.example.app""#, #""bundleId": "eyewear.example.app""#,
            #""productId": "example.eyebrow.ew""#, #""appVersion": "1.2.3""#,
            #""notice": "Expired. Ask again. eyJ""#, #""url": "https://example.com/a.b.c""#,
            #""signedRenewalInfo": null"#, #""signedTransactions": []"#,
            // Of a payload that somebody wrote down decoded.
            #""signedDate": 1780315200000"#,
        ]
        for member in members {
            let inspection = try inspect(answer(with: member))
            #expect(inspection.judgement.verdict == .verified, "\(member)")
            #expect(inspection.parts.count == 1, "\(member)")
        }
    }

    @Test("Two apps whose names only look the same are not one that an answer's documents share")
    func twins() throws {
        let texts = try ["K", "\u{212A}"].map {
            try issue(.transaction, #"{"bundleId": "com.example.\#($0)"}"#)
        }
        func app(_ texts: [String]) throws -> String? {
            let list = texts.map { "\"\($0)\"" }.joined(separator: ",")
            let inspection = try inspect("{\"signedTransactions\": [\(list)]}")
            #expect(inspection.judgement.verdict == .verified)
            return inspection.judgement.proof?.bundleId
        }
        #expect(try app([texts[0], texts[0]]) == "com.example.K")
        #expect(try app(texts) == nil)
    }
}
