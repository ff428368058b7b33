import Synchronization

/// Lets only so much work run at a time, the urgent before the ordinary.
///
/// Work beyond the limit waits in line; beyond the line it is refused with 503, the ordinary
/// before the urgent. So a flood of anonymous requests cannot keep a notification waiting, and
/// what cannot be done soon is refused at once instead of timing out.
package final class AdmissionControl: Sendable {
    /// How soon work is let in.
    package enum Priority: Sendable, Hashable, CaseIterable { case urgent, ordinary }

    private let state: Mutex<State>

    /// Makes a gate.
    ///
    /// - Parameters:
    ///   - running: how much work may run at a time, at least 1.
    ///   - waiting: how much may wait, urgent and ordinary together.
    package init(running: Int, waiting: Int) {
        precondition(running >= 1 && waiting >= 0, "a gate lets something through")
        state = Mutex(State(line: AdmissionLine(running: running, waiting: waiting)))
    }

    /// Runs work when its turn has come.
    ///
    /// - Throws: ``HTTPRefusal/overloaded``; `CancellationError` when cancelled while waiting;
    ///   what the work throws.
    package func run<Value: Sendable>(
        _ priority: Priority,
        _ work: () async throws -> Value
    ) async throws -> Value {
        try await enter(priority)
        defer { leave() }
        return try await work()
    }

    /// How much runs and how much waits.
    package var occupancy: (running: Int, waiting: Int) {
        state.withLock { ($0.line.running, $0.line.waiting) }
    }

    // MARK: Waiting

    private typealias Waiter = CheckedContinuation<Void, any Error>

    private struct State {
        var line: AdmissionLine
        var waiters: [AdmissionLine.Ticket: Waiter] = [:]
        var cancelled: Set<AdmissionLine.Ticket> = []
    }

    private func enter(_ priority: Priority) async throws {
        let (ticket, evicted): (AdmissionLine.Ticket?, Waiter?) = try state.withLock { state in
            switch state.line.arrive(priority) {
            case .enter: return (nil, nil)
            case .refuse: throw HTTPRefusal.overloaded
            case .wait(let ticket, let evicted):
                return (ticket, evicted.flatMap { state.waiters.removeValue(forKey: $0) })
            }
        }
        evicted?.resume(throwing: HTTPRefusal.overloaded)
        guard let ticket else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in wait(ticket, waiter) }
        } onCancel: {
            cancel(ticket)
        }
    }

    private func wait(_ ticket: AdmissionLine.Ticket, _ waiter: Waiter) {
        let outcome: Result<Void, any Error>? = state.withLock { state in
            if state.cancelled.remove(ticket) != nil { return .failure(CancellationError()) }
            switch state.line.standing(of: ticket) {
            case .waiting:
                state.waiters[ticket] = waiter
                return nil
            case .admitted: return .success(())
            case .evicted: return .failure(HTTPRefusal.overloaded)
            }
        }
        if let outcome { waiter.resume(with: outcome) }
    }

    private func cancel(_ ticket: AdmissionLine.Ticket) {
        let waiter = state.withLock { state -> Waiter? in
            guard state.line.withdraw(ticket) else { return nil }
            let waiter = state.waiters.removeValue(forKey: ticket)
            if waiter == nil { state.cancelled.insert(ticket) }
            return waiter
        }
        waiter?.resume(throwing: CancellationError())
    }

    private func leave() {
        let next = state.withLock { state in
            state.line.leave().flatMap { state.waiters.removeValue(forKey: $0) }
        }
        next?.resume()
    }
}

/// Who runs and who waits, without any waiting in it.
struct AdmissionLine {
    typealias Ticket = UInt64

    /// What becomes of an arrival.
    enum Arrival: Equatable {
        case enter
        case refuse
        /// Wait with a ticket, in place of another that is refused now.
        case wait(Ticket, evicting: Ticket?)
    }

    /// Where a ticket stands; that it was evicted or admitted is told once.
    enum Standing { case waiting, admitted, evicted }

    private let mostRunning: Int
    private let mostWaiting: Int
    private(set) var running = 0
    private var urgent: [Ticket] = []
    private var ordinary: [Ticket] = []
    private var next: Ticket = 0
    /// Decided before their holder had begun to wait.
    private var early: [Ticket: Standing] = [:]
    private var waitingFor: Set<Ticket> = []

    init(running: Int, waiting: Int) {
        mostRunning = running
        mostWaiting = waiting
    }

    var waiting: Int { urgent.count + ordinary.count }

    mutating func arrive(_ priority: AdmissionControl.Priority) -> Arrival {
        if running < mostRunning {
            running += 1
            return .enter
        }
        var evicted: Ticket?
        if waiting >= mostWaiting {
            // The one that came last has waited least.
            guard priority == .urgent, let last = ordinary.popLast() else { return .refuse }
            evicted = last
            if !waitingFor.contains(last) { early[last] = .evicted }
            waitingFor.remove(last)
        }
        next += 1
        if priority == .urgent { urgent.append(next) } else { ordinary.append(next) }
        return .wait(next, evicting: evicted)
    }

    /// Where a ticket stands when its holder begins to wait.
    mutating func standing(of ticket: Ticket) -> Standing {
        if let decided = early.removeValue(forKey: ticket) { return decided }
        waitingFor.insert(ticket)
        return .waiting
    }

    /// Takes a ticket out of the line; false when it is not in it any more.
    mutating func withdraw(_ ticket: Ticket) -> Bool {
        let count = waiting
        urgent.removeAll { $0 == ticket }
        ordinary.removeAll { $0 == ticket }
        waitingFor.remove(ticket)
        return waiting < count
    }

    /// Work is done: its place goes to the next in line, whose ticket is returned, or is free.
    mutating func leave() -> Ticket? {
        let ticket = urgent.isEmpty ? nil : urgent.removeFirst()
        guard let ticket = ticket ?? (ordinary.isEmpty ? nil : ordinary.removeFirst()) else {
            running -= 1
            return nil
        }
        if waitingFor.remove(ticket) == nil { early[ticket] = .admitted }
        return ticket
    }
}
