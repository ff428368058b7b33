import AppStoreClient
import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON
import HTTP
import Testing
import VerifyReceiptTestSupport

/// A question with an answer each, asked of a client that takes no time.
private struct Scene {
    static let receipt: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x05]

    let client: FakeClient
    let pace = VirtualPace()
    private let apple: VerifyReceiptClient

    /// Gives the answers to a host's calls one after the other; the last one goes on.
    init(
        production: [FakeClient.Answer],
        sandbox: [FakeClient.Answer] = [],
        patience: Patience = Patience(),
        taking duration: Duration = .zero
    ) {
        let turns = Turns()
        let pace = pace
        client = FakeClient { call in
            pace.pass(duration)
            let answers = call.url.host.hasPrefix("sandbox") ? sandbox : production
            return answers[min(turns.next(call.url.host), answers.count - 1)]
        }
        apple = VerifyReceiptClient(client, patience: patience, pace: pace)
    }

    func ask(
        _ route: VerifyReceiptClient.Route = .from(.production)
    ) async -> Result<AppleAnswer, AppleFailure> {
        do throws(AppleFailure) {
            return .success(try await apple.ask(VerifyReceiptQuestion(about: Self.receipt), route))
        } catch {
            return .failure(error)
        }
    }

    /// The status that came of asking; nil where there is none.
    func status(_ route: VerifyReceiptClient.Route = .from(.production)) async -> Int? {
        try? await ask(route).get().statusNumber
    }

    /// The code of the failure; nil where there is none.
    func code() async -> ErrorCode? {
        if case .failure(let failure) = await ask() { failure.code } else { nil }
    }

    /// The hosts that were asked.
    var hosts: [String] { client.asked.map(\.url.host) }
}

private func answer(_ text: String) -> FakeClient.Answer {
    .success(HTTPResponse(.ok, body: Array(text.utf8)))
}

private func status(_ number: Int, _ others: String = "") -> FakeClient.Answer {
    answer("{\"status\":\(number)\(others)}")
}

private func failure(_ code: ErrorCode) -> FakeClient.Answer {
    .failure(HTTPCallError(code, "host: words"))
}

@Suite("Asking Apple's verifyReceipt")
struct VerifyReceiptClientTests {
    private static let apple = ["buy.itunes.apple.com", "sandbox.itunes.apple.com"]

    @Test("Production is asked first, and the sandbox on 21007 alone")
    func route() async {
        let sandboxed = Scene(production: [status(21007)], sandbox: [status(0)])
        #expect(await sandboxed.status() == 0)
        #expect(sandboxed.hosts == Self.apple)
        for number in [0, 21000, 21003, 21004, 21006, 21008, 21010, 22000] {
            let scene = Scene(production: [status(number)], sandbox: [status(0)])
            #expect(await scene.status() == number)
            #expect(scene.hosts == [Self.apple[0]], "\(number)")
        }
    }

    @Test("From the sandbox, production is asked on 21008, and each address once")
    func noLoop() async {
        let scene = Scene(production: [status(21007)], sandbox: [status(21008)])
        #expect(await scene.status() == 21008)
        #expect(scene.hosts == Self.apple)
        let back = Scene(production: [status(0)], sandbox: [status(21008)])
        #expect(await back.status(.from(.sandbox)) == 0)
        #expect(back.hosts == Self.apple.reversed())
    }

    @Test("Where one address alone is to be asked, the other is not")
    func onlyOne() async {
        let scene = Scene(production: [status(21007)], sandbox: [status(0)])
        #expect(await scene.status(.only(.production)) == 21007)
        #expect(scene.hosts == [Self.apple[0]])
    }

    @Test("The question is Apple's, with the secret and the option only where they are given")
    func question() async throws {
        let scene = Scene(production: [status(0)])
        _ = await scene.ask()
        let call = try #require(scene.client.asked.first)
        #expect(call.method == .post)
        #expect(call.url.text == "https://buy.itunes.apple.com/verifyReceipt")
        #expect(call.fields[.contentType] == "application/json")
        let plain = try JSONValue(parsing: #require(call.body))
        #expect(plain == ["receipt-data": "MAMCAQU="])

        let client = FakeClient { _ in status(0) }
        _ = try await VerifyReceiptClient(client).ask(
            VerifyReceiptQuestion(
                about: Scene.receipt,
                password: Redacted("s\"ecret"),
                excludingOldTransactions: true
            )
        )
        let full = try JSONValue(parsing: #require(client.asked.first?.body))
        #expect(
            full == [
                "receipt-data": "MAMCAQU=", "password": "s\"ecret",
                "exclude-old-transactions": true,
            ]
        )
    }

    @Test(
        "A passing status is asked again, as far as it says so in whatever spelling and type",
        arguments: [
            ("21005", "", true), ("21009", "", true), ("21100", "", true), ("21199", "", true),
            ("\"21104\"", ", \"is_retryable\": true", true),
            ("21104", ", \"is-retryable\": 1", true), ("21104", ", \"is-retryable\": \"1\"", true),
            ("21104", ", \"is_retryable\": \"true\"", true),
            ("21104", ", \"is_retryable\": false", false),
            ("21104", ", \"is-retryable\": 0", false),
            ("21104", ", \"is_retryable\": \"0\"", false),
            ("21104", ", \"is-retryable\": \"false\"", false),
            ("21009", ", \"is_retryable\": false", false),
            ("21104", ", \"is_retryable\": \"perhaps\"", true),
            ("21104", ", \"is_retryable\": null, \"is-retryable\": 0", false),
            ("21010", ", \"is_retryable\": true", false), ("21200", "", false),
            ("21003", "", false), ("21004", "", false),
        ]
    )
    func retrying(number: String, others: String, isAskedAgain: Bool) async {
        let first = answer("{\"status\": \(number)\(others)}")
        let scene = Scene(production: [first, status(0)])
        let found = await scene.status()
        #expect(scene.hosts.count == (isAskedAgain ? 2 : 1))
        #expect((found == 0) == isAskedAgain)
    }

    @Test("It is asked three times at the most, with growing pauses, and the last answer counts")
    func bounded() async {
        let scene = Scene(production: [status(21005)])
        #expect(await scene.status() == 21005)
        #expect(scene.hosts.count == 3)
        #expect(scene.pace.waits.count == 2)
        #expect((Duration.milliseconds(200)...(.milliseconds(250))).contains(scene.pace.waits[0]))
        #expect((Duration.milliseconds(400)...(.milliseconds(500))).contains(scene.pace.waits[1]))
    }

    @Test("21002, which Apple also says when it is broken itself, is asked again once")
    func malformed() async {
        let scene = Scene(production: [status(21002)])
        #expect(await scene.status() == 21002)
        #expect(scene.hosts.count == 2)
    }

    @Test("Each call has its deadline, and all together have theirs")
    func deadlines() async throws {
        var patience = Patience()
        patience.callDeadline = .seconds(4)
        patience.deadline = .seconds(6)
        patience.attempts = 10
        let scene = Scene(
            production: [failure(HTTPCallError.timeout)],
            patience: patience,
            taking: .seconds(4)
        )
        #expect(await scene.code() == AppleFailure.timedOut)
        let deadlines = scene.client.asked.compactMap(\.deadline)
        #expect(deadlines.count == 2)
        #expect(deadlines[0] == .seconds(4))
        #expect(deadlines[1] < .seconds(2), "no more than is left of the whole")
        #expect(scene.client.asked.allSatisfy { $0.responseBytes == 24 << 20 })
    }

    @Test(
        "What stands between us and Apple has a code each, and is tried again where that may help",
        arguments: [
            (failure(HTTPCallError.hostUnknown), AppleFailure.unreachable, 3),
            (failure(HTTPCallError.unreachable), AppleFailure.unreachable, 3),
            (failure(HTTPCallError.connectTimeout), AppleFailure.unreachable, 3),
            (failure(HTTPCallError.timeout), AppleFailure.timedOut, 3),
            (failure(HTTPCallError.cut), AppleFailure.cut, 3),
            (failure(HTTPCallError.malformed), AppleFailure.cut, 3),
            (failure(HTTPCallError.untrusted), AppleFailure.untrusted, 1),
            (failure(HTTPCallError.tooLarge), AppleFailure.tooLarge, 1),
            (failure(HTTPCallError.tooMany), AppleFailure.busy, 1),
            (failure(HTTPCallError.stopped), AppleFailure.failed, 1),
            (.success(HTTPResponse(.notFound)), AppleFailure.httpStatus, 1),
            (.success(HTTPResponse(.seeOther)), AppleFailure.httpStatus, 1),
            (.success(HTTPResponse(.tooManyRequests)), AppleFailure.httpStatus, 3),
            (.success(HTTPResponse(.serviceUnavailable)), AppleFailure.httpStatus, 3),
            (answer(""), AppleFailure.empty, 3),
            (answer("<html></html>"), AppleFailure.notJSON, 3),
            (answer("[]"), AppleFailure.notJSON, 3),
            (answer("{\"status\":0"), AppleFailure.notJSON, 3),
            (answer("{\"status\":0,\"status\":21003}"), AppleFailure.notJSON, 3),
            (answer("{}"), AppleFailure.noStatus, 3),
            (answer("{\"status\":\"ok\"}"), AppleFailure.noStatus, 3),
            (answer("{\"status\":null}"), AppleFailure.noStatus, 3),
        ] as [(FakeClient.Answer, ErrorCode, Int)]
    )
    func failures(first: FakeClient.Answer, code: ErrorCode, calls: Int) async {
        let scene = Scene(production: [first])
        #expect(await scene.code() == code)
        #expect(scene.hosts.count == calls)
        // And where it passes, nobody hears of it.
        let passing = Scene(production: [first, status(0)])
        #expect(await passing.status() == (calls > 1 ? 0 : nil))
    }

    @Test("A failure says which host and which cause, and nothing of the question")
    func words() async throws {
        let client = FakeClient { _ in .success(HTTPResponse(.badGateway)) }
        let apple = VerifyReceiptClient(client, pace: VirtualPace())
        let error = await #expect(throws: AppleFailure.self) {
            _ = try await apple.ask(
                VerifyReceiptQuestion(about: Scene.receipt, password: Redacted("hush"))
            )
        }
        #expect(
            error?.description == "apple.http_status: buy.itunes.apple.com answers with the status "
                + "502, expected 200"
        )
        let question = VerifyReceiptQuestion(about: Scene.receipt, password: Redacted("hush"))
        #expect(!"\(question)".contains("hush"))
    }

    @Test("Who no longer waits is not kept waiting")
    func cancellation() async {
        let scene = Scene(production: [status(21005)])
        let task = Task { () async -> ErrorCode? in
            withUnsafeCurrentTask { $0?.cancel() }
            return await scene.code()
        }
        #expect(await task.value == AppleFailure.failed)
        #expect(scene.hosts.count == 1)
    }
}

@Suite("Addresses of verifyReceipt")
struct VerifyReceiptAddressTests {
    @Test(
        "Receipts and secrets go out over TLS, or to this machine, and nowhere else",
        arguments: [
            ("https://relay.example.com/apple", true), ("https://relay.example.com:8443", true),
            ("http://127.0.0.1:8080/verifyReceipt", true), ("http://[::1]:8080/x", true),
            ("http://localhost:1/x", true), ("http://relay.example.com/apple", false),
            ("http://10.0.0.1/", false), ("http://127.0.0.1.example.com/", false),
            ("http://localhost.example.com/", false), ("relay.example.com", false), ("", false),
            ("https://user:word@relay.example.com/", false),
        ]
    )
    func addresses(text: String, isTaken: Bool) {
        let apple = "https://buy.itunes.apple.com/verifyReceipt"
        #expect((VerifyReceiptAddresses(production: text, sandbox: apple) != nil) == isTaken)
        #expect((VerifyReceiptAddresses(production: apple, sandbox: text) != nil) == isTaken)
    }

    @Test("Apple's are known for Apple's, also when one stands beside another's")
    func areApples() throws {
        #expect(VerifyReceiptAddresses.apple.areApples)
        #expect(!VerifyReceiptAddresses.apple.areOnThisMachine)
        #expect(try #require(VerifyReceiptAddresses(below: "http://[::1]:1")).areOnThisMachine)
        #expect(try !#require(VerifyReceiptAddresses(below: "http://127.0.0.1:1/")).areApples)
        let mixed = VerifyReceiptAddresses(
            production: "https://relay.example.com/",
            sandbox: "https://sandbox.itunes.apple.com/verifyReceipt"
        )
        #expect(try #require(mixed).areApples)
    }
}
