import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import HTTP
import PurchaseService
import Synchronization
import Telemetry
import Testing
import VerifyReceiptTestSupport

@testable import PurchaseServer

@Suite("Asking Apple behind the answer")
struct ShadowTests {
    private static let secret = "5ecre7"

    /// Our answer, when it is over that Apple has nothing to say of it.
    private static func firstAnswer(_ scene: RelayScene) async throws -> HTTPExchange {
        scene.give(.http(404))
        let answer = try await scene.send(Rehearsal.receipt)
        try await scene.wait { try !scene.sink.lines(of: "relay.silence").isEmpty }
        return answer
    }

    @Test("The client has its answer before Apple has the question answered")
    func behind() async throws {
        try await RelayScene.with(.shadow) { scene, standIn in
            let latch = Latch()
            scene.give(.behind(latch, .status(21003)))
            let answer = try await scene.send(Rehearsal.receipt)
            #expect(try answer.json["status"] == 0)
            #expect(answer.field("Counterfoil-Vouched-By") == nil)
            #expect(try scene.sink.lines(of: "relay.contradiction").isEmpty)
            latch.open()
            try await scene.wait { try !scene.sink.lines(of: "relay.contradiction").isEmpty }
            let line = try #require(try scene.sink.lines(of: "relay.contradiction").first)
            #expect(line["requestId"]?.string == answer.field("Counterfoil-Request-Id"))
            #expect(line["answered"] == "ours")
        }
    }

    @Test("What is not genuine here is asked about, too: Apple may know better")
    func refused() async throws {
        try await RelayScene.with(.shadow) { scene, _ in
            scene.give(.text("{\"status\":0,\"receipt\":{\"bundle_id\":\"com.example.app\"}}"))
            let answer = try await scene.send(RelayScene.Sent.refused.receipt)
            #expect(try answer.json == ["status": 21003])
            try await scene.wait { try !scene.sink.lines(of: "relay.contradiction").isEmpty }
        }
    }

    @Test("Each field that differs is counted and written down, and no value of any")
    func differences() async throws {
        try await RelayScene.with(.shadow) { scene, _ in
            let first = try await Self.firstAnswer(scene)
            var apples = try #require(try first.json.object)
            apples["status"] = "0"
            apples["app_account_token"] = "8c3bd3b5"
            apples["pending_renewal_info"] = nil
            apples["latest_receipt"] = "newer"
            scene.give(.bytes(JSONValue.object(apples).document()))
            _ = try await scene.send(Rehearsal.receipt, ",\"password\":\"\(Self.secret)\"")
            try await scene.wait { try scene.sink.lines(of: "relay.difference").count >= 3 }
            let lines = try scene.sink.lines(of: "relay.difference")
            #expect(
                lines.map { "\($0["field"]?.string ?? "") | \($0["difference"]?.string ?? "")" }
                    == [
                        "app_account_token | only Apple's", "pending_renewal_info | only ours",
                        "status | another form",
                    ]
            )
            #expect(lines.allSatisfy { $0["count"] == 1 && $0["bundleId"] == "com.example.app" })
            let sample =
                "counterfoil_relay_differences_total"
                + #"{field="pending_renewal_info",difference="only ours"}"#
            #expect(try await scene.sample(sample) == "1")
            let log = scene.sink.lines.joined()
            let bytes = Rehearsal.receipt
            let receipt = Base64.encode(bytes.span)
            for part in [Self.secret, "8c3bd3b5", "200000000000001", String(receipt.prefix(40))] {
                #expect(!log.contains(part))
            }
        }
    }

    @Test("The same answer makes no line")
    func same() async throws {
        try await RelayScene.with(.shadow) { scene, standIn in
            let first = try await Self.firstAnswer(scene)
            scene.give(.bytes(first.body))
            _ = try await scene.send(Rehearsal.receipt)
            let answers = #"counterfoil_relay_answers_total{mode="shadow",result="0"}"#
            try await scene.wait { try await scene.sample(answers) == "1" }
            #expect(try scene.sink.lines(of: "relay.difference").isEmpty)
        }
    }

    @Test("Beyond those that may wait, questions are dropped and counted, and no answer is slower")
    func dropped() async throws {
        let settings = ", \"parallel\": 1, \"waiting\": 1"
        try await RelayScene.with(.shadow, settings) { scene, standIn in
            let latch = Latch()
            scene.give(.behind(latch, .status(21010)))
            _ = try await scene.send(Rehearsal.receipt)
            try await scene.wait { standIn.questions.count == 1 }
            for _ in 0..<4 {
                #expect(try await scene.send(Rehearsal.receipt).json["status"] == 0)
            }
            #expect(try await scene.sample("counterfoil_relay_dropped_total") == "3")
            #expect(try await scene.sample("counterfoil_relay_waiting") == "1")
            latch.open()
            try await scene.wait { standIn.questions.count == 2 }
            try await scene.wait { try await scene.sample("counterfoil_relay_waiting") == "0" }
        }
    }

    @Test("A server that stops does not wait for Apple")
    func stop() async throws {
        let watch = Stopwatch()
        try await RelayScene.with(.shadow, ", \"deadline\": \"25s\"") { scene, standIn in
            scene.give(.after(.seconds(60), .status(0)))
            for _ in 0..<3 { _ = try await scene.send(Rehearsal.receipt) }
            try await scene.wait { !standIn.questions.isEmpty }
        }
        #expect(watch.elapsed < .seconds(20))
    }

    @Test("An app without a relay has nobody asked, and no metric")
    func off() async throws {
        try await RelayScene.with(.off) { scene, standIn in
            _ = try await scene.send(Rehearsal.receipt)
            #expect(try await scene.sample("counterfoil_relay_dropped_total") == nil)
            #expect(standIn.questions.isEmpty)
        }
    }
}

@Suite(
    "A shadow beside the published answer to a real receipt",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct RealShadowTests {
    private static let folder = "verify-receipt-responses"
    private static let published =
        "\(folder)/RevenueCat-ios7-s0-com-revenuecat-sampleapp-3815e0.json"
    private static let receipt =
        "app-receipts/sandbox-com-revenuecat-sampleapp-9iap-sha1-d18b7c.b64"

    @Test("It finds what the document says that it finds, and nothing else")
    func pair() async throws {
        let published = try Corpus.bytes(Self.published)
        let requestDate = try JSONValue(parsing: published)["receipt"]?["request_date_ms"]?.string
        let now = Instant(
            millisecondsSince1970: try #require(requestDate.flatMap { Int64($0) })
        )
        let sink = MemorySink()
        let script = AppleStandIn.giving(production: [.status(21007)], sandbox: [.bytes(published)])
        try await AppleStandIn.with(script) { standIn, address in
            let text = """
                { "appleVerifyReceipt": { "production": "\(address)/verifyReceipt",
                                          "sandbox": "\(address)/sandbox/verifyReceipt" },
                  "apps": [ { "bundleId": "com.revenuecat.sampleapp",
                              "verifyReceipt": { "relay": "shadow" } } ] }
                """
            let server = try Server(
                Configuration(parsing: Array(text.utf8)),
                clock: VirtualClock(at: now),
                log: sink
            )
            try await server.runLive { bound in
                let text = String(decoding: try Corpus.bytes(Self.receipt), as: UTF8.self)
                let receipt = text.filter { !$0.isWhitespace }
                let body = Array("{\"receipt-data\":\"\(receipt)\"}".utf8)
                let answer = try await PatientClient(bound).exchange(
                    HTTPRequest(.post, "/sandbox/verifyReceipt", body: body)
                )
                #expect(try answer.json["status"] == 0)
                for _ in 0..<3000 where try sink.lines(of: "relay.difference").isEmpty {
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            #expect(standIn.paths == [AppleStandIn.sandbox])
        }
        let found = try sink.lines(of: "relay.difference").map { line in
            ["`\(line["field"]?.string ?? "")`", line["difference"]?.string ?? ""]
        }
        let explained = try ProjectDocument("docs/RELAY.md").rows(under: "### A real pair")
        #expect(found == explained.map { Array($0.prefix(2)) })
    }
}
