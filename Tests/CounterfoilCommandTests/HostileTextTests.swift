import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Hostile texts in documents")
struct HostileTextTests {
    private static let hostile = [
        "\u{1B}[2J\u{1B}[31mVERIFIED", "a\u{7}\u{8}b", "\u{202E}moc.elpmaxe", "\u{9B}31m",
        "line\u{2028}break", "zero\u{200B}width",
    ]

    @Test("No control or invisible character of a document reaches the reader", arguments: hostile)
    func harmless(text: String) throws {
        let receipt = Sample.transactionReceipt([
            ("bid", text), ("product-id", text), ("transaction-id", text), (text, text),
            ("purchase-date", "2016-01-05 11:00:00 Etc/GMT"),
        ])
        let outcome = try Tool.run(["inspect"], input: receipt)
        #expect(outcome.exitCode == 1)
        #expect(outcome.output.contains("\\u{"))
        let hidden = outcome.output.unicodeScalars.filter { scalar in
            scalar != "\n"
                && [.control, .format, .lineSeparator].contains(scalar.properties.generalCategory)
        }
        #expect(hidden.isEmpty)
    }

    @Test("JSON keeps them, escaped", arguments: hostile)
    func json(text: String) throws {
        let receipt = Sample.transactionReceipt([("bid", text), ("product-id", "p")])
        let outcome = try Tool.run(["inspect", "--format", "json"], input: receipt)
        #expect(!outcome.output.utf8.contains(0x1B))
        let json = try JSONText(outcome.output)
        #expect(json["unproved", "bundleId"] as? String == text)
        #expect(json["receipt"] == nil)
    }

    @Test("A file whose name is not UTF-8 is opened by its bytes and shown escaped")
    func nameOfFile() throws {
        let folder = try Folder()
        let receipt = Sample.transactionReceipt([("bid", "com.example.app"), ("product-id", "p")])
        try folder.write("receipt", receipt)
        let tool = Tool.binary.path
        let made = try Shell.run(
            #"mkdir $'d\xff' && cp receipt $'d\xff/caf\xe9' && cp receipt $'d\xff/\xc3\xa9'"#,
            in: folder.path
        )
        try #require(made.exitCode == 0)
        let walked = try Shell.run("\(tool) verify . | grep -v '\"./receipt\"'", in: folder.path)
        let lines = try walked.lines.dropLast().map(JSONText.init)
        #expect(lines.map { $0.text("source") } == [#"./d\xff/caf\xe9"#, #"./d\xff/é"#])
        #expect(lines.map { $0.text("kind") } == ["transactionReceipt", "transactionReceipt"])
        let named = try Shell.run(#"\#(tool) verify $'d\xff/caf\xe9'"#, in: folder.path)
        #expect(try JSONText(named.output).text("source") == #"d\xff/caf\xe9"#)
        #expect(try JSONText(named.output).text("kind") == "transactionReceipt")
        let json = try Shell.run(
            #"\#(tool) inspect --format json $'d\xff/caf\xe9'"#,
            in: folder.path
        )
        #expect(try JSONText(json.output).text("source") == #"d\xff/caf\xe9"#)
        let missing = try Shell.run(#"\#(tool) inspect $'d\xff/caf\xe8'"#, in: folder.path)
        #expect(missing.exitCode == 2)
        #expect(missing.error.contains(#"d\xff/caf\xe8 cannot be read: there is no such file"#))
    }

    @Test("A line break in a text makes no second line")
    func lineBreak() throws {
        let forged = "x\\nVERIFIED   App receipt of com.example.app, Production."
        let receipt = Sample.transactionReceipt([("bid", forged), ("product-id", "p")])
        let outcome = try Tool.run(["inspect"], input: receipt)
        #expect(!outcome.lines.contains { $0.hasPrefix("VERIFIED") })
    }

    @Test(
        "A bundle id with an escape sequence in a PKCS#7 receipt is shown as text",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
    )
    func signedContainer() throws {
        var bytes = try Sample.bytes(Sample.ofXcode)
        let name = Array("com.nutcall.alert".utf8)
        let place = try #require(bytes.firstRange(of: name))
        bytes.replaceSubrange(place, with: Array("\u{1B}[31m\u{1B}[1mVERIFIED".utf8))
        let outcome = try Tool.run(["inspect"], input: bytes)
        #expect(outcome.exitCode == 1)
        #expect(outcome.output.contains("\\u{1b}[31m\\u{1b}[1mVERIFIED"))
        #expect(!outcome.output.contains("\u{1B}"))
    }
}
