import CounterfoilBasics
import CounterfoilCryptography
import HTTP
import Synchronization
import Testing

@testable import AppStoreClient

@Suite("Schedule of refreshing")
struct RefreshScheduleTests {
    private let start = Questions.now

    @Test("A certificate is asked about at once, once, and again halfway to the answer's end")
    func halfway() throws {
        let question = try Questions.question()
        var schedule = RefreshSchedule(seed: 1)
        #expect(schedule.begin([question], now: start) == [question])
        #expect(schedule.begin([question], now: start).isEmpty)
        schedule.succeed(question, until: start.advanced(by: .seconds(3600)), now: start)
        let early = start.advanced(by: .seconds(1800 * 4 / 5 - 1))
        #expect(schedule.begin([question], now: early).isEmpty)
        let half = start.advanced(by: .seconds(1800))
        #expect(schedule.begin([question], now: half) == [question])
    }

    @Test("However short or long an answer holds, there is a minute and no more than half a day")
    func bounds() throws {
        let question = try Questions.question()
        for (seconds, first, last) in [(1, 48, 60), (10_000_000, 34_560, 43_200)] {
            var schedule = RefreshSchedule(seed: 2)
            _ = schedule.begin([question], now: start)
            schedule.succeed(question, until: start.advanced(by: .seconds(seconds)), now: start)
            let before = start.advanced(by: .seconds(first - 1))
            #expect(schedule.begin([question], now: before).isEmpty)
            let after = start.advanced(by: .seconds(last))
            #expect(schedule.begin([question], now: after) == [question])
        }
    }

    @Test(
        "After failures it is asked at distances that grow to ten minutes, and anew after success"
    )
    func backoff() throws {
        let question = try Questions.question()
        var schedule = RefreshSchedule(seed: 3)
        var now = start
        for distance in [5, 10, 20, 40, 80, 160, 320, 600, 600, 600] {
            #expect(schedule.begin([question], now: now) == [question])
            schedule.fail(question, now: now)
            let early = now.advanced(by: .seconds(distance * 4 / 5 - 1))
            #expect(schedule.begin([question], now: early).isEmpty)
            now = now.advanced(by: .seconds(distance))
        }
        _ = schedule.begin([question], now: now)
        schedule.succeed(question, until: now.advanced(by: .seconds(60)), now: now)
        now = now.advanced(by: .seconds(60))
        _ = schedule.begin([question], now: now)
        schedule.fail(question, now: now)
        #expect(schedule.begin([question], now: now.advanced(by: .seconds(5))) == [question])
    }

    @Test("A seed decides the distances, and another seed others")
    func seeds() throws {
        let question = try Questions.question()
        func due(_ seed: UInt64) -> Int? {
            var schedule = RefreshSchedule(seed: seed)
            _ = schedule.begin([question], now: start)
            schedule.succeed(question, until: start.advanced(by: .seconds(36_000)), now: start)
            return (0...18_000).first { second in
                var copy = schedule
                return !copy.begin([question], now: start.advanced(by: .seconds(second))).isEmpty
            }
        }
        #expect(due(1) == due(1))
        #expect(Set((1...8).map(due)).count > 4)
    }

    @Test("A certificate that has ended is not asked about")
    func ended() throws {
        let question = try Questions.question()
        var schedule = RefreshSchedule(seed: 4)
        let end = question.certificate.validity.notAfter
        #expect(schedule.begin([question], now: end.advanced(by: .seconds(1))).isEmpty)
        #expect(schedule.begin([question], now: end) == [question])
    }
}

@Suite("Refreshing")
struct OCSPRefresherTests {
    private let clock = VirtualClock(at: Questions.now)
    private let rules = HostRules(["*.example.com"])!

    private func refresher(
        _ desk: FakeDesk,
        _ client: FakeClient,
        observer: @escaping @Sendable (OCSPOutcome) -> Void = { _ in }
    ) -> OCSPRefresher<FakeDesk> {
        OCSPRefresher(
            desk,
            fetcher: OCSPFetcher(client, hosts: rules),
            clock: clock,
            seed: 1,
            observer: observer
        )
    }

    @Test("Each certificate is asked about once a period, however often one looks")
    func once() async throws {
        let desk = FakeDesk(try (1...3).map { try Questions.question(serial: $0) })
        let client = FakeClient { _ in .success(HTTPResponse(.ok, body: [1])) }
        let refresher = refresher(desk, client)
        for _ in 0..<10 { await refresher.refresh() }
        #expect(client.asked.count == 3)
        #expect(Set(desk.answered) == Set(desk.questions()))
        clock.advance(to: clock.now.advanced(by: .seconds(1800)))
        for _ in 0..<10 { await refresher.refresh() }
        #expect(client.asked.count == 6)
    }

    @Test("All that are due are asked at once, and a slow responder holds up no other")
    func parallel() async throws {
        let slow = try Questions.question(at: ["http://slow.example.com/"], serial: 1)
        let quick = try Questions.question(serial: 2)
        let desk = FakeDesk([slow, quick])
        let client = FakeClient { call in
            if call.url.host == "slow.example.com" { try? await Task.sleep(for: .seconds(600)) }
            return .success(HTTPResponse(.ok, body: [1]))
        }
        let refresher = refresher(desk, client)
        let running = Task { await refresher.run(every: .milliseconds(1)) }
        while desk.answered != [quick] { try await Task.sleep(for: .milliseconds(1)) }
        let late = try Questions.question(serial: 3)
        desk.add(late)
        while desk.answered != [quick, late] { try await Task.sleep(for: .milliseconds(1)) }
        #expect(client.asked.count == 3)
        running.cancel()
        await running.value
    }

    @Test("Failures are told and tried again; those of a refresher that ends are not")
    func failures() async throws {
        let desk = FakeDesk([try Questions.question()])
        let isUp = Atomic(false)
        let client = FakeClient { _ in
            .success(HTTPResponse(.ok, body: isUp.load(ordering: .relaxed) ? [1] : []))
        }
        let events = Mutex<[ErrorCode?]>([])
        let refresher = refresher(desk, client) { outcome in
            events.withLock { $0.append(outcome.error?.code) }
        }
        await refresher.refresh()
        await refresher.refresh()
        #expect(client.asked.count == 1)
        isUp.store(true, ordering: .relaxed)
        clock.advance(to: clock.now.advanced(by: .seconds(5)))
        await refresher.refresh()
        #expect(events.withLock { $0 } == [HTTPCallError.failed, nil])
    }
}
