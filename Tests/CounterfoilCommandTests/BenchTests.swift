import CounterfoilTestSupport
import Foundation
import Testing

@Suite("counterfoil bench")
struct BenchTests {
    private func numbers(_ value: Any?) throws -> [String: Double] {
        try #require(value as? [String: Any]).compactMapValues { ($0 as? NSNumber)?.doubleValue }
    }

    @Test("Receipts of every size are measured beside the raw signature")
    func receipts() throws {
        let outcome = try Tool.run(["bench", "receipts", "--brief", "--format", "json"])
        #expect(outcome.exitCode == 0)
        let rows = try #require(JSONText(outcome.output)["receipts"] as? [Any]).map(numbers)
        #expect(rows.map { $0["purchases"] } == [1, 10, 200, 5000])
        for row in rows {
            let raw = try #require(row["rawMicroseconds"])
            let known = try #require(row["knownMicroseconds"])
            let cold = try #require(row["coldMicroseconds"])
            #expect(raw > 5)
            #expect(known > raw, "Nothing verifies below the signature's own cost.")
            #expect(cold > known * 0.8)
            let ratio = try #require(row["knownToRaw"])
            #expect(abs(ratio - known / raw) < 0.01 * ratio + 0.01)
            let rate = try #require(row["knownPerSecond"])
            #expect(abs(rate * known / 1e6 - 1) < 0.2)
        }
    }

    @Test("A person sees a table that fits a small screen")
    func table() throws {
        let outcome = try Tool.run(["bench", "receipts", "--brief"])
        #expect(outcome.exitCode == 0)
        #expect(outcome.fits(columns: 80, rows: 24))
        #expect(outcome.output.contains(/\n *purchases +bytes +raw +hash +known +per s +x raw/))
        #expect(outcome.output.contains(#/\n +5,000 +[0-9,]+ +[0-9]/#))
    }

    @Test("A person sees signed data in a table that fits a small screen")
    func signedDataTable() throws {
        let outcome = try Tool.run(["bench", "jws", "--brief"])
        #expect(outcome.exitCode == 0)
        #expect(outcome.fits(columns: 80, rows: 24))
        #expect(outcome.output.contains(/\ndocument +bytes +raw +known +per s +x raw +raw +cold/))
        #expect(outcome.output.contains(#/\nnotification +[0-9,]+ +[0-9]/#))
    }

    @Test("Signed data of every kind is measured beside the signatures in it")
    func signedData() throws {
        let outcome = try Tool.run(["bench", "jws", "--brief", "--format", "json"])
        #expect(outcome.exitCode == 0)
        let report = try JSONText(outcome.output)
        let objects = try #require(report["documents"] as? [[String: Any]])
        #expect(
            objects.compactMap { $0["kind"] as? String } == [
                "transaction", "renewalInfo", "notification",
            ]
        )
        let rows = try objects.map(numbers)
        #expect(rows.map { $0["signatures"] } == [1, 1, 3])
        for row in rows {
            let raw = try #require(row["rawMicroseconds"])
            let known = try #require(row["knownMicroseconds"])
            let rawWithChain = try #require(row["rawWithChainMicroseconds"])
            let cold = try #require(row["coldMicroseconds"])
            #expect(raw > 10)
            #expect(known > raw * 0.8, "Nothing verifies below the signatures' own cost.")
            #expect(rawWithChain > raw && cold > rawWithChain * 0.8)
            let ratio = try #require(row["coldToRaw"])
            #expect(abs(ratio - cold / rawWithChain) < 0.01 * ratio + 0.01)
        }
        let scaling = try #require(report["twoThreadsToOne"] as? Double)
        #expect(scaling > 0.2 && scaling < 4)
    }

    @Test("A server in here is loaded beside an empty one, and fails no request")
    func load() throws {
        let outcome = try Tool.run([
            "bench", "load", "--seconds", "1", "--receipts", "20", "--connections", "4", "--format",
            "json",
        ])
        #expect(outcome.exitCode == 0, "\(outcome.error)")
        #expect(outcome.error.isEmpty)
        let report = try JSONText(outcome.output)
        let servers = try #require(report["servers"] as? [[String: Any]])
        #expect(servers.compactMap { $0["name"] as? String } == ["empty handler", "verifyReceipt"])
        for server in try servers.map(numbers) {
            #expect(server["errors"] == 0)
            #expect(try #require(server["answers"]) > 10)
            let p50 = try #require(server["p50Milliseconds"])
            #expect(try p50 > 0 && #require(server["p99Milliseconds"]) >= p50)
        }
        let ratio = try #require(report["rateRatio"] as? Double)
        #expect(ratio > 0 && ratio < 1.5)
    }

    @Test("A server elsewhere is sent receipts of an authority that it believes, or not")
    func elsewhere() throws {
        let folder = try Folder()
        let authority = folder.path + "/ca"
        #expect(try Tool.run(["issue", "authority", authority]).exitCode == 0)
        let text = """
            {"apps": [{"bundleId": "com.example.app", "realm": "rehearsal",
                       "anchors": ["ca/root.pem"]}]}
            """
        let file = try folder.write("counterfoil.json", Array(text.utf8))
        func load(_ server: RunningTool) throws -> Tool.Outcome {
            try Tool.run([
                "bench", "load", "--url", server.url, "--authority", authority, "--seconds", "1",
                "--receipts", "5", "--connections", "2",
            ])
        }
        let believes = try RunningTool(["serve", "--config", file, "--listen", "127.0.0.1:0"])
        let outcome = try load(believes)
        #expect(outcome.exitCode == 0, "\(outcome.error)")
        #expect(outcome.output.contains(/\nverifyReceipt +[0-9,]+ .* +0\n/))
        let doubts = try RunningTool(["serve", "--listen", "127.0.0.1:0"])
        let refused = try load(doubts)
        #expect(refused.exitCode == 1)
        #expect(refused.output.contains(/\nverifyReceipt +0 +0.00 +0.00 +0 +[1-9]/))
    }

    @Test("Where nobody listens, that is said")
    func nobody() throws {
        let folder = try Folder()
        let outcome = try Tool.run([
            "bench", "load", "--url", "http://127.0.0.1:1", "--authority", folder.path + "/ca",
            "--receipts", "1",
        ])
        #expect(outcome.exitCode == 2)
        #expect(outcome.error == "counterfoil: nobody listens at 127.0.0.1:1\n")
    }

    @Test(
        "What does not go together is wrong usage",
        arguments: [
            ["--url", "http://127.0.0.1:1"], ["--authority", "ca"], ["--url", "https://a.example"],
            ["--connections", "0"],
        ]
    )
    func usage(words: [String]) throws {
        #expect(try Tool.run(["bench", "load"] + words).exitCode == 64)
    }
}
