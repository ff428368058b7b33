import CounterfoilTestSupport
import Foundation
import Testing

@Suite("counterfoil verify", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
struct VerifyTests {
    static let keys = [
        "source", "kind", "verdict", "code", "reason", "environment", "bundleId", "appMatched",
        "purchases", "type", "label", "documents",
    ]

    /// The corpus's own verdicts of receipts, in one realm.
    private static func verdicts(realm: String) throws -> [[String: String]] {
        try Corpus.table("VERDICTS.tsv").filter { row in
            let folder = row["file"]?.split(separator: "/").first
            return row["realm"] == realm
                && (folder == "app-receipts" || folder == "transaction-receipts-ios6")
        }
    }

    private func check(_ rows: [[String: String]], _ options: [String]) throws {
        let files = rows.compactMap { $0["file"] }
        try #require(!files.isEmpty)
        let outcome = try Tool.run(["verify"] + options + files.map(Sample.path))
        let lines = try outcome.lines.dropLast().map(JSONText.init)
        try #require(lines.count == files.count)
        for (row, line) in zip(rows, lines) {
            let file = try #require(row["file"])
            #expect(line["source"] as? String == Sample.path(file))
            #expect(line["verdict"] as? String == row["verdict"], "\(file)")
            let reason = try #require(row["reason"])
            if let environment = ["Production", "Sandbox"].first(where: reason.contains) {
                #expect(line["environment"] as? String == environment, "\(file)")
            }
        }
    }

    @Test("It agrees with the corpus about every receipt, with Apple's roots")
    func appStore() throws { try check(Self.verdicts(realm: "appStore"), []) }

    @Test("It agrees with the corpus about receipts of other authorities, given as anchors")
    func rehearsal() throws {
        let anchors = Corpus.names(in: "certs", ending: ".pem").filter {
            $0.contains("/Fake-Apple-Inc") || $0.contains("/Fake-Apple-Root")
                || $0.contains("/testCA")
        }
        try check(
            Self.verdicts(realm: "rehearsal"),
            anchors.flatMap { ["--anchor", Sample.path($0)] }
        )
    }

    @Test("It agrees with the corpus about receipts of Xcode, given their certificates")
    func xcode() throws {
        let pinned = Corpus.names(in: "certs", ending: ".pem").filter { $0.contains("/StoreKit") }
        try check(
            Self.verdicts(realm: "xcode"),
            pinned.flatMap { ["--pinned-certificate", Sample.path($0)] }
        )
    }

    @Test("Folders are walked in the order of names; every file is a line with the same keys")
    func folders() throws {
        let outcome = try Tool.run(["verify", Sample.path("app-receipts")])
        #expect(outcome.exitCode == 1)
        let sources = try outcome.lines.dropLast().map { line in
            let script = """
                import json, sys
                print(",".join(k for k, v in json.load(sys.stdin, object_pairs_hook=list)))
                """
            if line.contains("\"purchases\":4,") {
                #expect(
                    try Tool.python(script, line).output == Self.keys.joined(separator: ",") + "\n"
                )
            }
            return try #require(JSONText(line)["source"] as? String)
        }
        #expect(sources == sources.sorted { Array($0.utf8).lexicographicallyPrecedes($1.utf8) })
        let files = try FileManager.default.contentsOfDirectory(atPath: Sample.path("app-receipts"))
        #expect(sources.count == files.count)
    }

    @Test("The lines come in the order of the command line")
    func order() throws {
        let files = [Sample.sandbox, Sample.foreign, Sample.production, Sample.sandbox]
        let outcome = try Tool.run(["verify"] + files)
        #expect(try outcome.lines.dropLast().map { try JSONText($0)["source"] as? String } == files)
        #expect(outcome.exitCode == 1)
    }

    @Test("A file that cannot be read is a line, and the exit code is 2")
    func unreadable() throws {
        let outcome = try Tool.run(["verify", Sample.foreign, "/no/such", Sample.production])
        #expect(outcome.exitCode == 2)
        let lines = try outcome.lines.dropLast().map(JSONText.init)
        try #require(lines.count == 3)
        #expect(lines[1]["source"] as? String == "/no/such")
        #expect(lines[1]["verdict"] as? String == "undecided")
        #expect(lines[1]["code"] as? String == "input.unreadable")
        #expect(lines[2]["verdict"] as? String == "verified")
    }

    @Test("A file that is too large is a line of its own")
    func tooLarge() throws {
        let folder = try Folder()
        let path = try folder.write("big", [UInt8](repeating: 0x41, count: 9 << 20))
        let outcome = try Tool.run(["verify", path])
        #expect(outcome.exitCode == 2)
        #expect(try JSONText(outcome.output)["code"] as? String == "input.too_large")
    }

    @Test("The app is compared only when one is named, and any of several will do")
    func apps() throws {
        func verify(_ options: [String]) throws -> JSONText {
            try JSONText(Tool.run(["verify", Sample.production] + options).output)
        }
        #expect(try verify([])["appMatched"] == nil)
        let mine = "org.getpure.pure-iphone"
        for options in [["--bundle-id", mine], ["--bundle-id", "a", "--bundle-id", mine]] {
            let line = try verify(options)
            #expect(line["appMatched"] as? Bool == true)
            #expect(line["verdict"] as? String == "verified")
        }
        let other = try verify(["--bundle-id", "com.other"])
        #expect(other["appMatched"] as? Bool == false)
        #expect(other["verdict"] as? String == "refused")
        #expect(other["code"] as? String == "app.bundle_mismatch")
        #expect(other["bundleId"] as? String == mine)
        let forged = try JSONText(Tool.run(["verify", Sample.foreign, "--bundle-id", mine]).output)
        #expect(forged["appMatched"] == nil)
        #expect(forged["bundleId"] == nil)
        #expect(forged["purchases"] as? Int == 0)
    }

    @Test("Standard input is one document")
    func standardInput() throws {
        let bytes = try Sample.bytes(Sample.production)
        let outcome = try Tool.run(["verify", "-"], input: bytes)
        #expect(outcome.exitCode == 0)
        #expect(try JSONText(outcome.output)["source"] as? String == "-")
        #expect(try JSONText(outcome.output)["purchases"] as? Int == 4)
    }

    @Test("An empty folder is no error, and there is nothing to say")
    func emptyFolder() throws {
        let folder = try Folder()
        let outcome = try Tool.run(["verify", folder.path])
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.isEmpty)
    }
}
