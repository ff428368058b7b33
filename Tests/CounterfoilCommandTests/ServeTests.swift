import CounterfoilTestSupport
import Foundation
import Testing

@Suite("counterfoil serve")
struct ServeTests {
    private func post(_ text: String, to url: String) throws -> JSONText {
        let script =
            #"printf '{"receipt-data":"%s"}' "$(cat \#(text))" | curl -s --data-binary @- \#(url)"#
        return try JSONText(Shell.run(script).output)
    }

    @Test(
        "It says where it listens, answers there, and ends well at a signal",
        arguments: [SIGTERM, SIGINT]
    )
    func serve(signal: Int32) throws {
        let server = try RunningTool(["serve", "--listen", "127.0.0.1:0"])
        #expect(server.output == "Listening at \(server.url). Ctrl-C stops it.\n")
        #expect(try Shell.run("curl -s \(server.url)/healthz").output == "ok\n")
        let nothing = try Shell.run("curl -s -d '{}' \(server.url)/verifyReceipt")
        #expect(try JSONText(nothing.output)["status"] as? Int == 21002)
        server.send(signal)
        #expect(server.exitCode() == 0)
        #expect(server.error.contains("\"event\":\"server.stopped\""))
        for line in server.error.split(separator: "\n") { _ = try JSONText(String(line)) }
    }

    @Test(
        "Without a configuration it answers Apple's receipts of any app",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
    )
    func anyApp() throws {
        let server = try RunningTool(["serve", "--listen", "127.0.0.1:0"])
        let production = try post(Sample.production, to: server.url + "/verifyReceipt")
        #expect(production["status"] as? Int == 0)
        let sandbox = try post(Sample.sandbox, to: server.url + "/verifyReceipt")
        #expect(sandbox["status"] as? Int == 21007)
        let again = try post(Sample.sandbox, to: server.url + "/sandbox/verifyReceipt")
        #expect(again["environment"] as? String == "Sandbox")
        let forged = try post(Sample.foreign, to: server.url + "/verifyReceipt")
        #expect(forged["status"] as? Int == 21003)
    }

    @Test("A configuration says what is served; --listen wins over it")
    func configuration() throws {
        let folder = try Folder()
        let text = #"{ "listen": "127.0.0.1:1", "apps": [ { "bundleId": "com.example.app" } ] }"#
        let file = try folder.write("counterfoil.json", Array(text.utf8))
        let server = try RunningTool(["serve", "--config", file, "--listen", "127.0.0.1:0"])
        #expect(server.error.contains("\"apps\":1"))
    }

    @Test("What is wrong with a configuration is one line with its place")
    func wrongConfiguration() throws {
        let folder = try Folder()
        let file = try folder.write("counterfoil.json", Array("{\n  \"lisen\": 1\n}".utf8))
        let outcome = try Tool.run(["serve", "--config", file])
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("configuration.unknown_key"))
        #expect(outcome.error.split(separator: "\n").count == 1)
        let missing = try Tool.run(["serve", "--config", folder.path + "/none.json"])
        #expect(missing.exitCode == 2)
        #expect(missing.error.contains("there is no such file"))
    }

    @Test("An address that is taken is said, with a way out")
    func addressInUse() throws {
        let server = try RunningTool(["serve", "--listen", "127.0.0.1:0"])
        let address = String(server.url.dropFirst("http://".count))
        let outcome = try Tool.run(["serve", "--listen", address])
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("http.address_in_use"))
        #expect(outcome.error.contains("\nhint: --listen 127.0.0.1:0"))
    }

    @Test(
        "An address that is none is wrong usage",
        arguments: ["8080", "here:80", "127.0.0.1:99999"]
    )
    func wrongAddress(text: String) throws {
        #expect(try Tool.run(["serve", "--listen", text]).exitCode == 64)
    }
}

@Suite("counterfoil demo", .serialized)
struct DemoTests {
    /// The command lines that it prints for pasting.
    private func commands(_ demo: RunningTool) -> [String] {
        demo.output.split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("  printf") || $0.contains(" inspect ") }
    }

    @Test("Every command that it prints works as it stands, and its files go with it")
    func commands() throws {
        let demo = try RunningTool(["demo", "--listen", "127.0.0.1:0"])
        let commands = commands(demo)
        try #require(commands.count == 4)
        let app = try JSONText(Shell.run(commands[0]).output)
        #expect(app["status"] as? Int == 0)
        #expect((app["latest_receipt_info"] as? [Any])?.count == 3)
        let transaction = try JSONText(Shell.run(commands[1]).output)
        #expect(transaction["receipt", "product_id"] as? String == "com.example.app.coins")
        let inspection = try Shell.run(commands[3])
        #expect(inspection.exitCode == 0)
        #expect(inspection.output.contains("realm rehearsal"))
        let file = try #require(demo.output.firstMatch(of: /\S+receipt\.b64/)).0
        #expect(FileManager.default.fileExists(atPath: String(file)))
        demo.send(SIGINT)
        #expect(demo.exitCode() == 0)
        let folder = URL(fileURLWithPath: String(file)).deletingLastPathComponent()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test(
        "A receipt of your own is answered, in base 64 or as it is",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
    )
    func ownReceipt() throws {
        let demo = try RunningTool(["demo", "--listen", "127.0.0.1:0"])
        let command = commands(demo)[2]
        let folder = try Folder()
        let binary = try folder.write("receipt", Sample.bytes(Sample.production))
        for file in [Sample.production, binary] {
            let own = command.replacingOccurrences(of: "YOUR-RECEIPT", with: file)
            let answer = try JSONText(Shell.run(own).output)
            #expect(answer["status"] as? Int == 0)
            #expect(answer["receipt", "bundle_id"] as? String == "org.getpure.pure-iphone")
        }
    }

    @Test("Once means until the first answer")
    func once() throws {
        let demo = try RunningTool(["demo", "--once", "--listen", "127.0.0.1:0"])
        let answer = try JSONText(Shell.run(commands(demo)[0]).output)
        #expect(answer["status"] as? Int == 0)
        #expect(demo.exitCode() == 0)
    }
}
