import CMicroHTTPD
import Glibc
import HTTP
import Synchronization

/// What the watch does to a connection, on its own thread.
extension Connection {
    /// Ends what has taken too long, and notices that a waiting client has left.
    func inspect(_ now: MonotonicTime, tick: Int32) {
        var aftermath = Aftermath()
        let event: HTTPServerEvent? = state.withLock { state in
            switch state.phase {
            case .closed: nil
            case .idle: now < state.deadline ? nil : endIdle(&state)
            case .readingHead: now < state.deadline ? nil : endReading(&state, .head)
            case .readingBody: now < state.deadline ? nil : endReading(&state, .body)
            case .handling: inspectHandler(&state, now, tick, &aftermath)
            case .answering: inspectWriting(&state, now)
            case .awaitingChunk: inspectStream(&state, now, &aftermath)
            }
        }
        settle(aftermath)
        if let event { engine.report(event) }
    }

    private func endIdle(_ state: inout State) -> HTTPServerEvent {
        state.deadline = .never
        shutDown(&state)
        return .deadlinePassed(state.number == 0 ? .head : .idle)
    }

    private func endReading(
        _ state: inout State,
        _ deadline: HTTPServerEvent.Deadline
    ) -> HTTPServerEvent {
        state.deadline = .never
        state.lingers = true
        send(.requestTimeout)
        shutDown(&state)
        return .deadlinePassed(deadline)
    }

    private func inspectHandler(
        _ state: inout State,
        _ now: MonotonicTime,
        _ tick: Int32,
        _ aftermath: inout Aftermath
    ) -> HTTPServerEvent? {
        guard state.isSuspended else { return nil }
        if now >= state.deadline {
            aftermath = replaceHandler(&state, with: .handlerTimeout)
            return .deadlinePassed(.handler)
        }
        // Only handlers that have been at work for a tick are worth a system call.
        let age = engine.deadlines.handler - Int64(tick)
        guard !state.hasClientLeft, state.deadline < now.advanced(byMilliseconds: age),
            Self.polls(descriptor, Self.hangUpOrHalfClose)
        else { return nil }
        // Only a hint: a client that closed its sending side alone still gets the answer of a
        // handler that does not heed the cancellation.
        state.hasClientLeft = true
        state.task?.cancel()
        return .clientLeft
    }

    /// Gives a refusal in place of a handler whose answer will be ignored.
    private func replaceHandler(
        _ state: inout State,
        with refusal: HTTPRefusal
    ) -> Aftermath {
        state.task?.cancel()
        state.task = nil
        state.number += 1
        state.answer = self.refusal(refusal, isClosing: true)
        state.lingers = true
        state.deadline = .never
        return Aftermath(mustResume: endSuspension(&state))
    }

    private func inspectWriting(_ state: inout State, _ now: MonotonicTime) -> HTTPServerEvent? {
        if state.acknowledged == 0 {
            // The first look at a slow answer: what was acknowledged so far does not count.
            state.acknowledged = max(1, counterfoil_acknowledged_bytes(descriptor))
        }
        guard now >= state.deadline else { return nil }
        let acknowledged = counterfoil_acknowledged_bytes(descriptor)
        if acknowledged >= state.acknowledged &+ UInt64(clamping: engine.limits.writeProgress) {
            state.acknowledged = acknowledged
            state.deadline = now.advanced(byMilliseconds: engine.deadlines.write)
            return nil
        }
        state.deadline = .never
        shutDown(&state)
        return .deadlinePassed(.write)
    }

    private func inspectStream(
        _ state: inout State,
        _ now: MonotonicTime,
        _ aftermath: inout Aftermath
    ) -> HTTPServerEvent? {
        guard state.isSuspended else { return nil }
        if now >= state.deadline {
            aftermath = cutStream(&state)
            return .deadlinePassed(.chunk)
        }
        guard Self.polls(descriptor, Self.hangUp) else { return nil }
        aftermath = cutStream(&state)
        return .clientLeft
    }

    /// Ends the connection because the server stops now.
    func cut() {
        let aftermath: Aftermath = state.withLock { state in
            switch state.phase {
            case .handling where state.isSuspended:
                return replaceHandler(&state, with: .stopping)
            case .handling, .closed: break
            case .answering, .awaitingChunk:
                let aftermath = cutStream(&state)
                shutDown(&state)
                return aftermath
            case .idle, .readingHead, .readingBody: shutDown(&state)
            }
            return Aftermath()
        }
        settle(aftermath)
    }

    /// Closes a connection that has nothing in flight, because the server begins to stop.
    func closeIfIdle() {
        state.withLock { state in
            if state.phase == .idle { shutDown(&state) }
        }
    }

    private static let hangUp = Int16(POLLHUP) | Int16(POLLERR)
    /// POLLRDHUP: the peer has closed its sending side, or the whole connection.
    private static let hangUpOrHalfClose = hangUp | 0x2000

    private static func polls(_ descriptor: Int32, _ events: Int16) -> Bool {
        var interest = pollfd(fd: descriptor, events: events, revents: 0)
        return unsafe poll(&interest, 1, 0) == 1 && interest.revents & events != 0
    }
}
