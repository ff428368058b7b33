import CounterfoilBasics
import HTTP
import Synchronization
import Testing

@Suite("Admission")
struct AdmissionTests {
    /// Work that runs until it is let go, and tells when it has begun.
    private final class Stage: Sendable {
        private let started = Mutex<[String]>([])
        private let (stream, gate) = AsyncStream.makeStream(of: Void.self)

        var order: [String] { started.withLock { $0 } }

        func perform(_ name: String) async {
            started.withLock { $0.append(name) }
            for await _ in stream { return }
        }

        func letOneGo() { gate.yield() }
    }

    /// How many run, and ran at most.
    private final class Tally: Sendable {
        private let counts = Mutex((now: 0, most: 0))

        var most: Int { counts.withLock { $0.most } }

        func begin() {
            counts.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
        }

        func end() { counts.withLock { $0.now -= 1 } }

        private let ends = Mutex<[String: Int]>([:])

        var outcomes: [String: Int] { ends.withLock { $0 } }

        func count(_ outcome: String) { ends.withLock { $0[outcome, default: 0] += 1 } }
    }

    private static func until(_ condition: () -> Bool) async throws {
        for _ in 0..<1000 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
        try #require(condition())
    }

    @Test("The urgent run before the ordinary, each in the order of arrival")
    func order() async throws {
        let admission = AdmissionControl(running: 1, waiting: 10)
        let stage = Stage()
        var tasks: [Task<Void, any Error>] = []
        let arrivals: [(String, AdmissionControl.Priority)] = [
            ("first", .ordinary), ("o1", .ordinary), ("o2", .ordinary), ("u1", .urgent),
            ("u2", .urgent),
        ]
        for (index, (name, priority)) in arrivals.enumerated() {
            tasks.append(Task { try await admission.run(priority) { await stage.perform(name) } })
            try await Self.until { admission.occupancy == (1, index) }
        }
        try await Self.until { stage.order.count == 1 }
        for count in 1...5 {
            stage.letOneGo()
            if count < 5 { try await Self.until { stage.order.count == count + 1 } }
        }
        for task in tasks { try await task.value }
        #expect(stage.order == ["first", "u1", "u2", "o1", "o2"])
        #expect(admission.occupancy == (0, 0))
    }

    @Test("A full line refuses the ordinary, and the last ordinary for the sake of the urgent")
    func full() async throws {
        let admission = AdmissionControl(running: 1, waiting: 1)
        let stage = Stage()
        let running = Task { try await admission.run(.ordinary) { await stage.perform("running") } }
        try await Self.until { admission.occupancy == (1, 0) }
        let evicted = Task { try await admission.run(.ordinary) { await stage.perform("evicted") } }
        try await Self.until { admission.occupancy == (1, 1) }
        await #expect(throws: HTTPRefusal.overloaded) {
            try await admission.run(.ordinary) { await stage.perform("refused") }
        }
        let urgent = Task { try await admission.run(.urgent) { await stage.perform("urgent") } }
        await #expect(throws: HTTPRefusal.overloaded) { try await evicted.value }
        await #expect(throws: HTTPRefusal.overloaded) {
            try await admission.run(.urgent) { await stage.perform("refused") }
        }
        stage.letOneGo()
        stage.letOneGo()
        try await running.value
        try await urgent.value
        #expect(stage.order == ["running", "urgent"])
    }

    @Test("Cancelled work leaves the line")
    func cancelled() async throws {
        let admission = AdmissionControl(running: 1, waiting: 5)
        let stage = Stage()
        let running = Task { try await admission.run(.urgent) { await stage.perform("running") } }
        try await Self.until { admission.occupancy == (1, 0) }
        let waiting = Task { try await admission.run(.urgent) { await stage.perform("waiting") } }
        try await Self.until { admission.occupancy == (1, 1) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(admission.occupancy == (1, 0))
        stage.letOneGo()
        try await running.value
        #expect(admission.occupancy == (0, 0))
    }

    @Test("Never more runs than may, nothing is lost, whatever is cancelled or fails")
    func storm() async throws {
        struct Failure: Error {}
        let admission = AdmissionControl(running: 3, waiting: 1000)
        let tally = Tally()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<600 {
                group.addTask {
                    let task = Task {
                        try await admission.run(index % 3 == 0 ? .urgent : .ordinary) {
                            tally.begin()
                            defer { tally.end() }
                            await Task.yield()
                            if index % 5 == 0 { throw Failure() }
                        }
                    }
                    if index % 7 == 0 { task.cancel() }
                    let outcome =
                        switch await task.result {
                        case .success: "done"
                        case .failure(let error): "\(type(of: error))"
                        }
                    tally.count(outcome)
                }
            }
        }
        #expect(tally.most <= 3)
        #expect(admission.occupancy == (0, 0))
        #expect(tally.outcomes.values.reduce(0, +) == 600)
        #expect(tally.outcomes["HTTPRefusal"] == nil)
    }
}
