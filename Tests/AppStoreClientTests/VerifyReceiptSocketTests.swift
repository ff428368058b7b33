import AppStoreClient
import AppStoreModel
import CounterfoilBasics
import HTTP
import HTTPClient
import Testing
import VerifyReceiptTestSupport

@Suite("Asking a stand-in for Apple over sockets")
struct VerifyReceiptSocketTests {
    /// Asks a stand-in once, by the real client.
    private static func ask(
        _ replies: [AppleStandIn.Reply],
        callDeadline: Duration = .seconds(30)
    ) async throws -> (result: Result<AppleAnswer, AppleFailure>, calls: Int) {
        var result: Result<AppleAnswer, AppleFailure>?
        var calls = 0
        try await AppleStandIn.with(AppleStandIn.giving(production: replies)) { standIn, address in
            var patience = Patience()
            patience.callDeadline = callDeadline
            patience.deadline = .seconds(60)
            let client = VerifyReceiptClient(
                try CurlClient(),
                at: try #require(VerifyReceiptAddresses(below: address)),
                patience: patience,
                pace: VirtualPace()
            )
            do throws(AppleFailure) {
                result = .success(try await client.ask(VerifyReceiptQuestion(about: [0x30])))
            } catch {
                result = .failure(error)
            }
            calls = standIn.questions.count
        }
        return (try #require(result), calls)
    }

    @Test("An answer comes back as it was sent, byte for byte")
    func answer() async throws {
        let text = "{ \"status\" : \"0\" , \"new\" : [1e400, 12345678901234567890123] }\n"
        let (result, calls) = try await Self.ask([.text(text)])
        let answer = try result.get()
        #expect(answer.body == Array(text.utf8))
        #expect(answer.status == .ok)
        #expect(answer.side == .production)
        #expect(answer.host.hasPrefix("127.0.0.1:"))
        #expect(calls == 1)
    }

    @Test(
        "Cut connections, pages of HTML, nothing at all and HTTP's errors, each of them passing",
        arguments: [
            AppleStandIn.Reply.cut, .html, .empty, .http(500), .http(503), .http(429),
            .status(21005), .status(21009), .status(21150),
        ]
    )
    func passing(reply: AppleStandIn.Reply) async throws {
        let (result, calls) = try await Self.ask([reply, .status(0)])
        #expect(try result.get().status == .ok)
        #expect(calls == 2)
    }

    @Test(
        "And lasting",
        arguments: [
            (AppleStandIn.Reply.cut, AppleFailure.cut, 3), (.html, AppleFailure.notJSON, 3),
            (.empty, AppleFailure.empty, 3), (.http(503), AppleFailure.httpStatus, 3),
            (.http(404), AppleFailure.httpStatus, 1),
        ] as [(AppleStandIn.Reply, ErrorCode, Int)]
    )
    func lasting(reply: AppleStandIn.Reply, code: ErrorCode, calls: Int) async throws {
        let found = try await Self.ask([reply])
        let failure = #expect(throws: AppleFailure.self) { try found.result.get() }
        #expect(failure?.code == code)
        #expect(found.calls == calls)
    }

    @Test("Who is slow is given up at the deadline of the call, and asked again")
    func slow() async throws {
        let slow = AppleStandIn.Reply.after(.seconds(20), .status(0))
        let found = try await Self.ask([slow, .status(0)], callDeadline: .milliseconds(300))
        #expect(try found.result.get().status == .ok)
        #expect(found.calls == 2)
    }

    @Test("More bytes than an answer can have are not waited for")
    func tooLarge() async throws {
        let (result, calls) = try await Self.ask([
            .bytes([UInt8](repeating: 0x20, count: (24 << 20) + 1))
        ])
        let failure = #expect(throws: AppleFailure.self) { try result.get() }
        #expect(failure?.code == AppleFailure.tooLarge)
        #expect(calls == 1)
    }

    @Test("Nobody there")
    func unreachable() async throws {
        let client = VerifyReceiptClient(
            try CurlClient(),
            at: try #require(VerifyReceiptAddresses(below: "http://127.0.0.1:1")),
            pace: VirtualPace()
        )
        let failure = await #expect(throws: AppleFailure.self) {
            _ = try await client.ask(VerifyReceiptQuestion(about: [0x30]))
        }
        #expect(failure?.code == AppleFailure.unreachable)
    }
}
