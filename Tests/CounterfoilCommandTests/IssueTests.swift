import AppStoreSimulator
import CounterfoilTestSupport
import Foundation
import Testing

/// A folder in which the tool issues, with an authority that is made once.
final class Workbench: Sendable {
    static let shared = Result { try Workbench() }
    static let now = "2026-06-01T12:00:00Z"

    let folder: Folder
    let authority: String

    init() throws {
        folder = try Folder()
        authority = folder.path + "/ca"
        let made = try Tool.run(["issue", "authority", authority, "--at", Self.now])
        try #require(made.exitCode == 0, Comment(rawValue: made.error))
    }

    /// Runs `counterfoil issue` with the shared authority.
    func issue(_ words: [String], _ specification: String? = nil) throws -> Tool.Outcome {
        try Tool.run(
            ["issue"] + words + ["--authority", authority, "--at", Self.now]
                + (specification == nil ? [] : ["-"]),
            input: Array((specification ?? "").utf8)
        )
    }

    /// The document that was issued.
    func document(_ words: [String], _ specification: String? = nil) throws -> [UInt8] {
        let outcome = try issue(words, specification)
        try #require(outcome.exitCode == 0, Comment(rawValue: outcome.error))
        #expect(outcome.lines.count == 2 && outcome.lines[1].isEmpty)
        return Array(outcome.output.utf8)
    }

    /// What `counterfoil verify` says of a document under this authority.
    func verify(_ document: [UInt8], at now: String = now) throws -> JSONText {
        let trust = [
            "--anchor", authority + "/root.pem", "--pinned-certificate",
            authority + "/storekit.pem",
        ]
        return try JSONText(
            Tool.run(["verify", "--at", now] + trust + ["-"], input: document).output
        )
    }
}

@Suite("counterfoil issue")
struct IssueTests {
    private let bench: Workbench

    init() throws { bench = try Workbench.shared.get() }

    @Test(
        "What is issued is verified with the folder's root, and refused without",
        arguments: kinds
    )
    func roundTrip(kind: String) throws {
        let document = try bench.document([kind])
        let verdict = try bench.verify(document)
        #expect(verdict.text("verdict") == "verified")
        #expect(verdict.text("bundleId") == "com.example.app")
        #expect(verdict.text("environment") == "Sandbox")
        #expect(verdict["purchases"] as? Int == 1)
        let refused = try Tool.run(["verify", "-"], input: document)
        #expect(refused.exitCode == 1)
        #expect(try JSONText(refused.output).text("code")?.hasPrefix("chain.") == true)
    }

    static let kinds = ["receipt", "transaction-receipt"]

    @Test("The same authority, SPEC, seed and present give the same bytes", arguments: kinds)
    func repeatable(kind: String) throws {
        let once = try bench.document([kind, "--seed", "7"], "{}")
        #expect(try bench.document([kind, "--seed", "7"]) == once)
        #expect(try bench.document([kind], #"{ "seed": 7 }"#) == once)
        // The option comes before what the specification says.
        #expect(try bench.document([kind, "--seed", "7"], #"{ "seed": 8 }"#) == once)
        #expect(try bench.document([kind, "--seed", "8"]) != once)
        let later = try Tool.run([
            "issue", kind, "--authority", bench.authority, "--seed", "7",
            "--at", "2026-06-01T12:00:01Z",
        ])
        #expect(Array(later.output.utf8) != once)
    }

    @Test("SPEC is a file, standard input, or the JSON itself")
    func specification() throws {
        let text = #"{ "bundleId": "com.example.two", "purchases": 3 }"#
        let piped = try bench.document(["receipt"], text)
        let file = try bench.folder.write("spec.json", Array(text.utf8))
        #expect(try bench.document(["receipt", file]) == piped)
        #expect(try bench.document(["receipt", text]) == piped)
        #expect(try bench.verify(piped).text("bundleId") == "com.example.two")
    }

    @Test(
        "What is wrong with SPEC is named: where, what was found, what was expected",
        arguments: [
            (
                "receipt", #"{"purchases": [{}, {"quantty": 1}]}"#,
                ["issue.unknown_key", "purchases[1].quantty", "quantity"]
            ),
            (
                "receipt", #"{"purchases": [{"quantity": "one"}]}"#,
                ["issue.invalid_value", "purchases[0].quantity", "“one”", "whole number"]
            ),
            (
                "receipt", #"{"purchases": 10001}"#,
                ["issue.invalid_value", "10001 at purchases", "0 to 10000"]
            ),
            (
                "receipt", #"{"creationDate": "yesterday"}"#,
                ["issue.invalid_value", "creationDate", "“yesterday”", "RFC 3339"]
            ),
            (
                "receipt", #"{"creationDate": "9999-12-31T23:59:59-10:00"}"#,
                ["issue.not_representable", "9999"]
            ),
            ("receipt", #"{"flaw": "none"}"#, ["issue.invalid_value", "“none” at flaw"]),
            ("receipt", #"{"purchases": [7]}"#, ["issue.invalid_value", "purchases[0]", "object"]),
            (
                "receipt", #"{"purchases": 0, "flaw": "quantityTooWide"}"#,
                ["issue.flaw_not_applicable", "with purchases"]
            ),
            ("receipt", "{\n\"seed\": 1", ["issue.specification_unreadable", "line 2"]),
            ("receipt", "[]", ["issue.specification_unreadable", "an object"]),
            (
                "transaction-receipt", #"{"version": 4}"#,
                ["issue.invalid_value", "4 at version", "2 or 3"]
            ),
            (
                "transaction-receipt", #"{"purchases": 1}"#,
                ["issue.unknown_key", "purchases", "purchaseDate"]
            ),
        ]
    )
    func wrongSpecification(kind: String, text: String, words: [String]) throws {
        let outcome = try bench.issue([kind], text)
        #expect(outcome.exitCode == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.hasPrefix("counterfoil: "))
        for word in words { #expect(outcome.error.contains(word), "\(outcome.error)") }
    }

    @Test("A list in the place of a specification is said to be no object, not taken for a file")
    func listInline() throws {
        let outcome = try Tool.run(["issue", "receipt", "--authority", bench.authority, "[]"])
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("an object"))
    }

    @Test("A file that is not there is named, and no authority is made for a wrong SPEC")
    func noFile() throws {
        let missing = bench.folder.path + "/missing"
        let outcome = try Tool.run(["issue", "receipt", missing, "--authority", missing + "-ca"])
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("\(missing) cannot be read"))
        #expect(!FileManager.default.fileExists(atPath: missing + "-ca"))
    }

    @Test("Five thousand purchases, or none, are all there")
    func counts() throws {
        for count in [0, 5000] {
            let document = try bench.document(["receipt"], "{ \"purchases\": \(count) }")
            let verdict = try bench.verify(document)
            #expect(verdict.text("verdict") == "verified")
            #expect(verdict["purchases"] as? Int == count)
        }
    }

    @Test("An empty version stays empty, and is not taken for none")
    func emptyVersion() throws {
        let document = try bench.document(["receipt"], #"{ "originalApplicationVersion": "" }"#)
        let words = ["inspect", "--anchor", bench.authority + "/root.pem", "--at", Workbench.now]
        let json = try Tool.run(words + ["--format", "json"], input: document).output
        #expect(try JSONText(json).text("receipt", "originalApplicationVersion") == "")
        let answer = try Tool.run(words + ["--format", "verify-receipt"], input: document).output
        #expect(try JSONText(answer).text("receipt", "original_application_version") == "")
    }

    @Test("No purchases, Xcode's own, and rubbish are three different answers")
    func nothingInIt() throws {
        func verdict(_ input: [UInt8]) throws -> JSONText {
            let words = [
                "verify", "--anchor", bench.authority + "/root.pem", "--at", Workbench.now,
            ]
            return try JSONText(Tool.run(words + ["-"], input: input).output)
        }
        let empty = try verdict(bench.document(["receipt"], #"{ "purchases": 0 }"#))
        #expect(empty.text("verdict") == "verified")
        #expect(empty["purchases"] as? Int == 0)
        let xcode = try verdict(bench.document(["receipt"], #"{ "environment": "Xcode" }"#))
        #expect(xcode.text("code") == "chain.untrusted_root")
        #expect(try verdict(Array("TUxK".utf8)).text("code") == "encoding.unknown_document")
    }

    @Test("Every way to spoil has a name that is listed, and is refused")
    func flaws() throws {
        let list = try Tool.run(["issue", "flaws"])
        #expect(list.exitCode == 0)
        let names = list.lines.compactMap { line in
            line.hasPrefix("  ") ? line.split(separator: " ").first.map(String.init) : nil
        }
        let all =
            ReceiptFlaw.allCases.map(\.name) + TransactionReceiptFlaw.allCases.map(\.name)
            + SignedDataFlaw.allCases.map(\.name)
        #expect(names == all)
        for (kind, flaw, code) in [
            ("receipt", "leafMarkerMissing", "chain.leaf_marker_missing"),
            ("receipt", "contentBitFlipped", "signature.invalid"),
            ("receipt", "ofTheFuture", "time.in_future"),
            ("transaction-receipt", "expiryExtended", "signature.invalid"),
            ("transaction-receipt", "blobTrailing", "encoding.signature_blob"),
        ] {
            let verdict = try bench.verify(bench.document([kind, "--flaw", flaw]))
            #expect(verdict.text("verdict") != "verified")
            #expect(verdict.text("code") == code, "\(flaw)")
        }
    }
}

@Suite("docs/ISSUING.md")
struct IssuingDocumentTests {
    @Test("Every command of it runs in a folder of its own")
    func commands() throws {
        let folder = try Folder()
        let tools = Tool.binary.deletingLastPathComponent().path
        let path = "\(tools):" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let commands = try CodeBlocks.of("sh", in: "docs/ISSUING.md")
            .flatMap { $0.split(separator: "\n").map(String.init) }
        #expect(commands.count >= 12)
        for command in commands {
            let outcome = try Shell.run(command, in: folder.path, environment: ["PATH": path])
            #expect(outcome.exitCode == 0, "\(command): \(outcome.error)\(outcome.output)")
            #expect(outcome.output.isEmpty == command.contains(" > "), "\(command)")
        }
    }

    @Test("Every specification of it is issued, verified, and accepted by openssl")
    func specifications() throws {
        let bench = try Workbench.shared.get()
        let specifications = try CodeBlocks.of("json", in: "docs/ISSUING.md")
        #expect(specifications.count >= 4)
        for text in specifications {
            let document = try bench.document(["receipt"], text)
            let verdict = try bench.verify(document)
            #expect(verdict.text("verdict") == "verified", "\(text)")
            let isOfXcode = verdict.text("environment") == "Xcode"
            let root = bench.authority + (isOfXcode ? "/storekit.pem" : "/root.pem")
            let outcome = try OpenSSLReferee(bench.folder).verify(document, root: root)
            #expect(outcome.exitCode == 0, "\(text)\(outcome.error)")
        }
    }

    @Test("Its tables name every key, and no other")
    func keys() throws {
        let bench = try Workbench.shared.get()
        let text = try String(
            contentsOf: Tool.package.appendingPathComponent("docs/ISSUING.md"),
            encoding: .utf8
        )
        let sections = text.components(separatedBy: "\n## ")
        for (title, kind, nested) in [
            ("App receipts", "receipt", "Each purchase of an array:"),
            ("iOS 6-style receipts", "transaction-receipt", nil),
        ] {
            let section = try #require(sections.first { $0.hasPrefix(title) })
            let parts = nested.map { section.components(separatedBy: $0) } ?? [section]
            let wrong = [#"{"": 0}"#, #"{"purchases": [{"": 0}]}"#]
            for (part, specification) in zip(parts, wrong) {
                let refusal = try bench.issue([kind], specification).error
                let known = try #require(refusal.firstMatch(of: /expected one of ([^\n]*)\n/)).1
                let documented = part.split(separator: "\n").filter { $0.hasPrefix("| `") }
                    .flatMap { $0.split(separator: "|")[0].matches(of: /`([^`]+)`/) }
                    .map { String($0.1) }
                #expect(Set(documented) == Set(known.components(separatedBy: ", ")))
            }
        }
    }
}

/// What openssl says of a document in base 64.
struct OpenSSLReferee {
    private let folder: Folder

    init(_ folder: Folder) { self.folder = folder }

    /// `openssl cms -verify` at the tests' present.
    func verify(_ document: [UInt8], root: String) throws -> Tool.Outcome {
        let seconds = 1_780_315_200
        let bytes = Data(base64Encoded: Data(document), options: .ignoreUnknownCharacters)
        let file = try folder.write("document.der", [UInt8](try #require(bytes)))
        return try Shell.run(
            "openssl cms -verify -binary -inform DER -purpose any -auth_level 0 "
                + "-attime \(seconds) -CAfile \(root) -in \(file) -out /dev/null"
        )
    }

    /// The certificates of a document, each in PEM, the signer's first.
    func certificates(of document: [UInt8]) throws -> [String] {
        let bytes = Data(base64Encoded: Data(document), options: .ignoreUnknownCharacters)
        let file = try folder.write("document.der", [UInt8](try #require(bytes)))
        return try Shell.run("openssl pkcs7 -inform DER -print_certs -in \(file)").output
            .matches(of: /-----BEGIN[^*]*?-----END CERTIFICATE-----\n/).map { String($0.0) }
    }
}
