import CounterfoilTestSupport
import Foundation
import Testing

@Suite(
    "Real notifications of version 1 through the tool",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct NotificationV1Tests {
    private static let names = Corpus.names(in: "notifications-v1", ending: ".json")

    /// The one that was published with its receipts whole.
    private static let whole = "notifications-v1/INITIAL_BUY-PROD-educreations-ac39ed.json"

    private func body(_ name: String) throws -> [String: Any] {
        try JSONText(String(decoding: Corpus.bytes(name), as: UTF8.self)).object
    }

    @Test(
        "Each is decoded whole but for its password, and refused without a secret",
        arguments: names
    )
    func decoded(name: String) throws {
        let outcome = try Tool.run(["inspect", "--format", "json", Sample.path(name)])
        #expect(outcome.exitCode == 1)
        let json = try JSONText(outcome.output)
        #expect(json.text("kind") == "notificationV1")
        #expect(json.text("code") == "notification.password_unknown")
        #expect(json["proved"] as? Bool == false)
        var expected = try body(name)
        let password = try #require(expected.removeValue(forKey: "password") as? String)
        #expect(json["unproved", "body"] as? NSDictionary == expected as NSDictionary)
        // Whole, because published passwords were written over with what also stands in receipts.
        #expect(!outcome.output.contains("\"\(password)\""))
        #expect(json.text("unproved", "reading", "label") != "unknown")
        let receipts = json["documents"] as? [[String: Any]] ?? []
        let proved = receipts.filter { $0["proved"] as? Bool == true }
        #expect(proved.count == (name == Self.whole ? 2 : 0))
        let human = try Tool.run(["inspect", Sample.path(name)])
        #expect(human.exitCode == 1)
        #expect(!human.output.contains(password))
    }

    @Test("Its password in a file vouches for each that says its app", arguments: names)
    func vouched(name: String) throws {
        let folder = try Folder()
        let password = try #require(body(name)["password"] as? String)
        let other = try folder.write("other", Array("not-it".utf8))
        let secret = try folder.write("secret", Array("  \(password)\r\n".utf8))
        let options = ["--shared-secret-file", other, "--shared-secret-file", secret]
        let outcome = try Tool.run(["verify", Sample.path(name)] + options)
        let line = try JSONText(outcome.output)
        guard line.text("code") != "payload.field_missing" else {
            // Articles left the app out.
            return #expect(try body(name)["bid"] == nil)
        }
        #expect(line.text("verdict") == "vouched", "\(outcome.output)")
        #expect(outcome.exitCode == 0)
        #expect(line["label"] != nil)
        let human = try Tool.run(["inspect", Sample.path(name)] + options)
        #expect(human.output.hasPrefix("VOUCHED    Notification of version 1 of "))
        let sentence = human.output.replacing(/\s+/, with: " ")
        #expect(sentence.contains("Signed by nobody; the shared secret \(secret) vouches for it"))
        #expect(!human.output.contains(password))
        let wrong = try Tool.run(["verify", Sample.path(name), "--shared-secret-file", other])
        #expect(try JSONText(wrong.output).text("code") == "notification.password_unknown")
        #expect(wrong.exitCode == 1)
    }

    @Test("Receipts in it stand for themselves, and their purchases count")
    func receipts() throws {
        let outcome = try Tool.run(["inspect", Sample.path(Self.whole)])
        #expect(
            outcome.output.contains("App receipt, in unified_receipt.latest_receipt\n  VERIFIED")
        )
        #expect(outcome.output.contains("iOS 6-style receipt, in latest_receipt\n  VERIFIED"))
        #expect(outcome.output.contains("Notification of version 1, unproved\n"))
        let line = try JSONText(Tool.run(["verify", Sample.path(Self.whole)]).output)
        #expect(line["purchases"] as? Int == 2)
        #expect(line["documents"] as? Int == 2)
        #expect(line["bundleId"] == nil, "Nobody vouches for what the notification says.")
    }

    @Test("The byte order mark of a file is no part of the secret in it")
    func byteOrderMark() throws {
        let folder = try Folder()
        let password = try #require(body(Self.whole)["password"] as? String)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let secret = try folder.write("secret", mark + Array("\(password)\r\n".utf8))
        let options = ["--shared-secret-file", secret]
        let outcome = try Tool.run(["verify", Sample.path(Self.whole)] + options)
        #expect(try JSONText(outcome.output).text("verdict") == "vouched")
        let marked = try folder.write("marked", mark + [0x0A])
        let empty = try Tool.run(
            ["verify", Sample.path(Self.whole), "--shared-secret-file", marked]
        )
        #expect(empty.exitCode == 64)
    }

    @Test("A file without a secret is wrong usage, and one that is not there is said")
    func files() throws {
        let folder = try Folder()
        let empty = try folder.write("empty", Array(" \n".utf8))
        let blank = try Tool.run(["verify", Sample.path(Self.whole), "--shared-secret-file", empty])
        #expect(blank.exitCode == 64)
        #expect(blank.error.contains("there is no secret in it"))
        let two = try folder.write("two", Array("first\nsecond\n".utf8))
        let several = try Tool.run(["verify", Sample.path(Self.whole), "--shared-secret-file", two])
        #expect(several.exitCode == 64)
        #expect(several.error.contains("there are several lines in it"))
        #expect(!several.error.contains("second"))
        let missing = try Tool.run(["inspect", "--shared-secret-file", "/no/such"])
        #expect(missing.exitCode == 2)
        #expect(missing.error.contains("/no/such cannot be read"))
    }
}

@Suite(
    "Answers of the App Store Server API through the tool",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct ServerAnswerTests {
    @Test(
        "Published examples are refused: nothing in them is signed, or what is is a word",
        arguments: Corpus.names(in: "server-api", ending: ".json").filter {
            !$0.contains(".decoded")
        }
    )
    func examples(name: String) throws {
        let outcome = try Tool.run(["verify", Sample.path(name)])
        #expect(outcome.exitCode == 1)
        let text = String(decoding: try Corpus.bytes(name), as: UTF8.self)
        let hasDocuments =
            text.contains("\"signedT") || text.contains("\"signedR") || text.contains("\"signedA")
            || text.contains("\"signedP")
        let line = try JSONText(outcome.output)
        #expect(
            line.text("code") == (hasDocuments ? "jws.not_compact" : "encoding.unknown_document")
        )
        #expect((line.text("kind") == "serverAnswer") == hasDocuments)
    }

    @Test(
        "Real documents in an answer are verified in their places; one changed letter refuses all"
    )
    func real() throws {
        let names = Corpus.names(in: "transactions", ending: ".jws").filter {
            $0.contains("/apple-")
        }
        let texts = try names.map { String(decoding: try Corpus.bytes($0), as: UTF8.self).trimmed }
        let history = #"{"revision": "r", "hasMore": false, "signedTransactions": ["#
        func answer(_ texts: [String]) -> [UInt8] {
            Array((history + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]}").utf8)
        }
        let good = try JSONText(Tool.run(["verify", "-"], input: answer(texts)).output)
        #expect(good.text("verdict") == "verified")
        #expect(good["documents"] as? Int == texts.count)
        #expect(good["purchases"] as? Int == texts.count)
        #expect(good.text("bundleId") == "com.loki-project.loki-messenger")
        var forged = texts
        forged[1] = forged[1].dropLast(6) + "AAAAAA"
        let bad = try JSONText(Tool.run(["verify", "-"], input: answer(forged)).output)
        #expect(bad.text("verdict") == "refused")
        #expect(bad.text("code") == "signature.invalid")
        #expect(bad.text("reason")?.hasPrefix("in signedTransactions[1]: ") == true)
        #expect(bad["bundleId"] == nil)
        let human = try Tool.run(["inspect"], input: answer(forged)).output
        #expect(human.contains("Transaction, in signedTransactions[0]\n"))
        #expect(human.contains("Transaction, in signedTransactions[1], unproved\n  REFUSED"))
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
