import CounterfoilTestSupport
import Foundation
import Testing

@Suite(
    "counterfoil inspect --format json",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct JSONTests {
    static let keys = [
        "source", "kind", "verdict", "code", "reason", "proved", "at", "realm", "environment",
        "bundleId", "judgedAt", "digest", "appMatched", "deviceMatched", "checks", "certificates",
        "repairs", "notes", "receipt", "unproved", "type", "label", "signedData", "vouched",
        "answer", "documents",
    ]

    @Test(
        "Every document of the corpus is one object with the same keys",
        arguments: Corpus.names(in: "app-receipts", ending: ".b64")
            + Corpus.names(in: "transaction-receipts-ios6", ending: ".b64")
    )
    func keys(name: String) throws {
        let path = Sample.path(name)
        let outcome = try Tool.run(["inspect", path, "--format", "json", "--at", "2026-03-01"])
        let script = """
            import json, sys
            pairs = json.load(sys.stdin, object_pairs_hook=list)
            print("\\n".join(key for key, value in pairs))
            """
        let python = try Tool.python(script, outcome.output)
        #expect(python.exitCode == 0, "\(python.error)")
        #expect(python.output.split(separator: "\n").map(String.init) == Self.keys)
        let json = try JSONText(outcome.output)
        let isProved = try #require(json["proved"] as? Bool)
        #expect(isProved == (outcome.exitCode == 0))
        #expect((json["receipt"] != nil) == isProved)
        #expect(json["unproved"] == nil || !isProved)
        if !isProved {
            for key in ["realm", "environment", "bundleId", "judgedAt", "digest"] {
                #expect(json[key] == nil, "\(key) of a document that nobody proved")
            }
        }
    }

    @Test("Numbers beyond 2^53 are exact")
    func bigNumbers() throws {
        let path = Sample.path(
            "app-receipts/prod-com-ideasoncanvas-mindnode-macos-3iap-sha256-ec2ede.b64"
        )
        let outcome = try Tool.run(["inspect", path, "--format", "json"])
        let script = "import json, sys; print(json.load(sys.stdin)['receipt']['downloadId'])"
        let expected = try JSONText(
            String(
                decoding: Corpus.bytes(
                    "app-receipts/prod-com-ideasoncanvas-mindnode-macos-3iap-sha256-ec2ede"
                        + ".expected.json"
                ),
                as: UTF8.self
            )
        )
        let download = try #require(expected["fields", "download_id"])
        #expect(try Tool.python(script, outcome.output).output == "\(download)\n")
    }
}
