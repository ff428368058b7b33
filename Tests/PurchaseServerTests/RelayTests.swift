import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON
import HTTP
import PurchaseService
import Telemetry
import Testing
import VerifyReceiptTestSupport

@testable import PurchaseServer

@Suite("Asking Apple before the answer")
struct RelayTests {
    /// A receipt in Apple's words, with a key that none of our answers has.
    private static let receipt = """
        {"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.app"},"by":"A"}
        """

    /// Answers of Apple's that decide, with what the table of each mode calls them.
    private static let answers: [(AppleStandIn.Reply, String)] = [
        (.text(receipt), "receipt"),
        (.text(receipt.replacing("\"status\":0", with: "\"status\":\"21006\"")), "receipt"),
        (.status(21007), "otherAddress"), (.status(21008), "otherAddress"),
        (.status(21003), "no"), (.status(21004), "no"), (.status(21010), "no"),
    ]

    /// Everything that is no answer, with the code that says why; nil where Apple says it itself.
    private static let silences: [(AppleStandIn.Reply, ErrorCode?)] = [
        (.status(21000), nil), (.status(21002), nil), (.status(21005), nil), (.status(21009), nil),
        (.text("{\"status\":21104,\"is-retryable\":0}"), nil), (.status(22000), nil),
        (.http(404), "apple.http_status"), (.http(503), "apple.http_status"),
        (.html, "apple.not_json"), (.empty, "apple.empty"), (.cut, "apple.cut"),
        (.text("{\"status\":\"fine\"}"), "apple.no_status"),
        (.text("{\"status\":0}"), "apple.other_receipt"),
        (.text(receipt.replacing("example.app", with: "example.b")), "apple.other_receipt"),
        (.text(receipt.replacing("\"Production\"", with: "\"Sandbox\"")), "apple.other_receipt"),
        (.after(.seconds(20), .text(receipt)), "apple.timed_out"),
    ]

    /// Whose answer the client is given, by what we and Apple find.
    private static let table: [RelayMode: [RelayScene.Sent: Set<String>]] = [
        .off: [:], .shadow: [:],
        .fallback: [.undecided: ["receipt", "otherAddress", "no"]],
        .primary: [
            .proved: ["receipt"], .undecided: ["receipt", "otherAddress", "no"],
            .refused: ["receipt", "otherAddress"],
        ],
    ]

    @Test("Every mode with every answer of Apple's", arguments: RelayMode.allCases)
    func answers(mode: RelayMode) async throws {
        try await RelayScene.with(mode) { scene, _ in
            for sent in RelayScene.Sent.allCases {
                for (reply, kind) in Self.answers {
                    scene.give(reply)
                    let answer = try await scene.send(sent.receipt)
                    let isApples = Self.table[mode]?[sent]?.contains(kind) ?? false
                    try Self.check(answer, sent, isApples: isApples, "\(mode) \(sent) \(reply)")
                    #expect(answer.field("Counterfoil-Relay-Code") == nil)
                }
            }
        }
    }

    @Test("Every mode with every way in which there is no answer", arguments: RelayMode.allCases)
    func silences(mode: RelayMode) async throws {
        try await RelayScene.with(mode, ", \"callDeadline\": \"500ms\"") { scene, _ in
            for sent in RelayScene.Sent.allCases {
                for (reply, code) in Self.silences {
                    scene.give(reply)
                    let answer = try await scene.send(sent.receipt)
                    try Self.check(answer, sent, isApples: false, "\(mode) \(sent) \(reply)")
                    let isAsked = mode == .primary || mode == .fallback && sent == .undecided
                    let expected = isAsked ? code?.rawValue : nil
                    #expect(answer.field("Counterfoil-Relay-Code") == expected)
                }
            }
        }
    }

    /// Whether an answer is whose it should be, whole.
    private static func check(
        _ answer: HTTPExchange,
        _ sent: RelayScene.Sent,
        isApples: Bool,
        _ words: Comment
    ) throws {
        #expect(answer.status == .ok, words)
        let vouchedBy = answer.field("Counterfoil-Vouched-By")
        #expect((vouchedBy?.hasPrefix("127.0.0.1:") ?? false) == isApples, words)
        guard !isApples else { return }
        let status = try answer.json["status"]
        #expect(status == sent.status, words)
        #expect((answer.field("Counterfoil-Code") == nil) == (sent == .proved), words)
        #expect((answer.field("Retry-After") != nil) == (sent == .undecided), words)
    }

    @Test("Apple's answer is passed on as it came, and says on whose word it rests")
    func passedOn() async throws {
        try await RelayScene.with(.fallback) { scene, standIn in
            let text = " {\"receipt\": {\"bundle_id\": \"com.example.app\"}, \"status\": \"0\"}\n"
            scene.give(.text(text))
            let answer = try await scene.send(RelayScene.Sent.undecided.receipt)
            #expect(answer.text == text)
            #expect(answer.field("Counterfoil-Inferred") == nil)
            #expect(answer.field("Counterfoil-Notes") == nil)
            #expect(answer.field("Retry-After") == nil)
            let line = try #require(try scene.sink.lines(of: "request").last)
            #expect(line["status"] == 0)
            #expect(line["code"] == .null)
            #expect(line["bundleId"] == "com.example.app")
            #expect(line["environment"] == "Production")
            #expect(line["vouchedBy"]?.string == answer.field("Counterfoil-Vouched-By"))
            let settled = try #require(try scene.sink.lines(of: "relay.settlement").last)
            #expect(settled["ours"] == "undecided")
            #expect(settled["answered"] == "apples")
            #expect(settled["requestId"] == line["requestId"])

            scene.give(.status(21004))
            let refused = try await scene.send(RelayScene.Sent.undecided.receipt)
            #expect(refused.text == "{\"status\":21004}")
            #expect(refused.field("Counterfoil-Code") == "apple.refused")
        }
    }

    @Test("Apple is asked at the address that the request came to, with what came with it")
    func question() async throws {
        try await RelayScene.with(.primary) { scene, standIn in
            let receipt = RelayScene.Sent.undecided.receipt
            let others = ",\"password\":\"s3cret\",\"exclude-old-transactions\":\"1\",\"x\":1"
            _ = try await scene.send(receipt, others)
            let asked = try #require(standIn.questions.first)
            #expect(
                asked.body == [
                    "receipt-data": .string(Base64.encode(receipt.span)), "password": "s3cret",
                    "exclude-old-transactions": true,
                ]
            )
            scene.give(.status(21003))
            _ = try await scene.send(receipt, to: "/sandbox/verifyReceipt")
            #expect(standIn.paths.last == AppleStandIn.sandbox)
            #expect(Set(standIn.paths.dropLast()) == [AppleStandIn.production])
            // 21007 is the client's own to follow.
            scene.give(.status(21007))
            let answer = try await scene.send(receipt)
            #expect(try answer.json == ["status": 21007])
            #expect(answer.field("Counterfoil-Code") == "environment.sandbox_receipt")
            #expect(standIn.paths.last == AppleStandIn.production)
        }
    }

    @Test("For backends that cannot ask twice, the sandbox is asked on 21007")
    func automatic() async throws {
        try await RelayScene.with(.primary, rules: ", \"environment\": \"auto\"") {
            scene,
            standIn in
            scene.give(.status(21007))
            _ = try await scene.send(RelayScene.Sent.undecided.receipt)
            #expect(standIn.paths == [AppleStandIn.production, AppleStandIn.sandbox])
            // Of a proved receipt it is known whom to ask.
            let receipt = try Rehearsal.sign(.productionSandbox)
            scene.give(.text(Self.receipt.replacing("\"Production\"", with: "\"Sandbox\"")))
            let answer = try await scene.send(receipt)
            #expect(try answer.json["by"] == "A")
            #expect(standIn.paths.dropFirst(2) == [AppleStandIn.sandbox])
        }
    }

    @Test("Nobody is asked about what could not be a receipt of the app")
    func notAsked() async throws {
        try await RelayScene.with(.primary) { scene, standIn in
            let other = try Rehearsal.sign(.production, bundleId: "com.example.b")
            for receipt in [other, [0x30, 0x03, 0x02, 0x01, 0x05], Array("junk".utf8), []] {
                _ = try await scene.send(receipt)
            }
            // A sandbox receipt at the production address is told to ask elsewhere.
            let sandbox = try await scene.send(try Rehearsal.sign(.productionSandbox))
            #expect(try sandbox.json == ["status": 21007])
            #expect(standIn.questions.isEmpty)
        }
    }

    @Test("A contradiction is a warning, and a mass of 21002 no verdict")
    func reports() async throws {
        try await RelayScene.with(.primary) { scene, _ in
            scene.give(.status(21003))
            _ = try await scene.send(Rehearsal.receipt)
            let line = try #require(try scene.sink.lines(of: "relay.contradiction").first)
            #expect(line["level"] == "warning")
            #expect(line["ours"] == "proved")
            #expect(line["appleStatus"] == 21003)
            #expect(line["answered"] == "ours")
            scene.give(.status(21002))
            for _ in 0..<5 { _ = try await scene.send(Rehearsal.receipt) }
            #expect(try scene.sink.lines(of: "relay.silence").count == 5)
            let answers = #"counterfoil_relay_answers_total{mode="primary",result="21002"}"#
            #expect(try await scene.sample(answers) == "5")
            let verdicts =
                "counterfoil_relay_verdicts_total"
                + #"{mode="primary",verdicts="contradiction",answered="ours"}"#
            #expect(try await scene.sample(verdicts) == "1")
        }
    }

    @Test("While as many wait for Apple as may, further ones are answered here at once")
    func busy() async throws {
        try await RelayScene.with(.primary, ", \"parallel\": 1") { scene, standIn in
            let latch = Latch()
            scene.give(.behind(latch, .text(Self.receipt)))
            async let first = scene.send(Rehearsal.receipt)
            try await scene.wait { !standIn.questions.isEmpty }
            let second = try await scene.send(Rehearsal.receipt)
            #expect(second.field("Counterfoil-Relay-Code") == "apple.busy")
            #expect(try second.json["status"] == 0)
            latch.open()
            #expect(try await first.json["by"] == "A")
            let third = try await scene.send(Rehearsal.receipt)
            #expect(try third.json["by"] == "A")
        }
    }
}
