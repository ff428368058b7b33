import CounterfoilTestSupport
import Foundation
import Testing

/// Real signed data through the tool, against the corpus's verdicts and an independent decoder.
@Suite(
    "Real signed data through the tool",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct SignedDataCorpusTests {
    private static let verdicts: [[String: String]] =
        ((try? Corpus.table("VERDICTS.tsv")) ?? []).filter { $0["file"]?.hasSuffix(".jws") == true }

    private static let files = Array(Set(verdicts.compactMap { $0["file"] })).sorted()

    /// The codes that say a reason of the table.
    private static let codes = [
        "no x5c": "jws.no_certificates", "root not trusted": "chain.untrusted_root",
        "none of the known kinds": "payload.kind_unknown",
        "lacks marker 6.11.1": "chain.leaf_marker_missing",
        "lacks marker 6.2.1": "chain.intermediate_marker_missing", "had ended": "chain.expired",
    ]

    private static let kinds = [
        "transactions": "transaction", "renewal-info": "renewalInfo",
        "app-transactions": "appTransaction", "notifications-v2": "notification",
    ]

    /// The certificate that a row of the table gives to its document, in a file.
    private func certificate(_ row: [String: String], in folder: Folder) throws -> [String] {
        guard let given = row["given"], given != "Apple roots" else { return [] }
        let text = String(decoding: try Corpus.bytes(#require(row["file"])), as: UTF8.self)
        let header = try #require(text.split(separator: ".").first)
        let letters = header.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - letters.count % 4) % 4)
        let data = try #require(Data(base64Encoded: letters + padding))
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let chain = try #require(object?["x5c"] as? [String])
        let isAnchor = given == "its own root as anchor"
        let certificate = try #require(isAnchor ? chain.last : chain.first)
        let path = try folder.write(
            "certificate.der",
            [UInt8](#require(Data(base64Encoded: certificate)))
        )
        return [isAnchor ? "--anchor" : "--pinned-certificate", path]
    }

    @Test("Every row of the table comes out as it says, by code", arguments: verdicts)
    func verdict(row: [String: String]) throws {
        let folder = try Folder()
        let file = try #require(row["file"])
        let outcome = try Tool.run(
            ["verify", Sample.path(file)] + certificate(row, in: folder)
        )
        let line = try JSONText(outcome.output)
        #expect(line.text("verdict") == row["verdict"], "\(outcome.output)")
        #expect(line.text("kind") == "signedData")
        #expect(outcome.exitCode == (row["verdict"] == "verified" ? 0 : 1))
        guard row["verdict"] == "refused" else {
            #expect(line.text("type") == Self.kinds[String(file.prefix { $0 != "/" })])
            #expect((line["bundleId"] == nil) == file.hasPrefix("renewal-info/"))
            return #expect(line["environment"] != nil)
        }
        let reason = try #require(row["reason"])
        let code = Self.codes.first { reason.contains($0.key) }?.value
        #expect(line.text("code") == code, "\(reason)")
        for key in ["environment", "bundleId", "appMatched", "type", "label"] {
            #expect(line[key] == nil, "\(key) of a document that nobody proved")
        }
        #expect(line["purchases"] as? Int == 0)
    }

    @Test("Nothing was left out of the table")
    func completeness() { #expect(Self.verdicts.count >= 64) }

    @Test("What is shown is what an independent decoder finds, proved or not", arguments: files)
    func payload(file: String) throws {
        let outcome = try Tool.run(["inspect", "--format", "json", Sample.path(file)])
        let json = try JSONText(outcome.output)
        let oracle = String(
            decoding: try Corpus.bytes(String(file.dropLast(4)) + ".decoded.json"),
            as: UTF8.self
        )
        let expected = try #require(JSONText(oracle)["payload"] as? NSDictionary)
        let isProved = try #require(json["proved"] as? Bool)
        let shown = json[isProved ? "signedData" : "unproved", "payload"] as? NSDictionary
        #expect(shown == expected)
        #expect(json[isProved ? "unproved" : "signedData"] == nil)
    }
}
