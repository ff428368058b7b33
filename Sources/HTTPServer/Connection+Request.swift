import CMicroHTTPD
import Glibc
import HTTP
import Synchronization

/// The body, the handler, and the end of a request.
extension Connection {
    /// Continues a request whose head has been accepted: a part of the body, its end, or an
    /// answer to be queued.
    func proceed(_ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        let step: Step = state.withLock { state in
            switch state.phase {
            case .readingBody: unsafe take(bytes, &state)
            case .handling: .answer(state.answer.take())
            default: .close
            }
        }
        return carryOut(step)
    }

    /// What a call of the library's leads to.
    private enum Step: ~Copyable {
        case goOn
        case refuse(HTTPRefusal, from: HTTPFields)
        case answer(Answer?)
        case close
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ state: inout State) -> Step {
        guard unsafe bytes.isEmpty else {
            guard var incoming = state.incoming.take() else { return .close }
            let arrived = incoming.request.body.count
            guard bytes.count <= engine.limits.bodyBytes - arrived else {
                return .refuse(.bodyTooLarge, from: incoming.request.fields)
            }
            let counted = max(0, arrived + bytes.count - engine.limits.freeBodyBytes)
            let uncounted = counted - state.countedBytes
            guard engine.reserve(bodyBytes: uncounted) else {
                return .refuse(.overloaded, from: incoming.request.fields)
            }
            state.countedBytes = counted
            unsafe incoming.append(bytes)
            state.incoming = incoming
            return .goOn
        }
        guard let incoming = state.incoming.take() else { return .close }
        guard !engine.isCutting else { return .answer(refusal(.stopping, isClosing: true)) }
        // The library reads the lines between chunks leniently. What could be hidden there is
        // never read as a next request when the connection ends with this answer.
        state.lingers = incoming.isChunked
        dispatch(incoming.request, isClosing: incoming.isChunked, &state)
        return .goOn
    }

    private func carryOut(_ step: consuming Step) -> MHD_Result {
        switch consume step {
        case .goOn: return .YES
        case .close: return .NO
        case .refuse(let refusal, let fields):
            // The library takes no answer in the middle of a body.
            cutShort(with: refusal, from: fields)
            return .NO
        case .answer(.none): return .NO
        case .answer(.some(let answer)):
            return queue(answer)
        }
    }

    // MARK: The handler

    /// Suspends the connection and gives the request to the handler, in a task.
    private func dispatch(_ request: HTTPRequest, isClosing: Bool, _ state: inout State) {
        state.phase = .handling
        state.deadline = engine.deadline(engine.deadlines.handler)
        state.hasClientLeft = false
        suspend(&state)
        let number = state.number
        state.task = Task { await self.run(request, number, isClosing: isClosing) }
    }

    private func run(_ request: HTTPRequest, _ number: UInt64, isClosing: Bool) async {
        let response = await engine.handler(request)
        let isClosing = isClosing || engine.isDraining
        switch response.body {
        case .bytes(let bytes):
            answerArrived(Answer(response, body: bytes, isClosing: isClosing), number, stream: nil)
        case .stream(let stream):
            let answer = Answer(
                response,
                streamOf: self,
                length: stream.length,
                isClosing: isClosing
            )
            // Neither for HEAD nor for a status without content is the producer asked.
            let isBare = request.method == .head || response.status.forbidsContent
            let buffer = isBare ? nil : StreamBuffer(length: stream.length)
            guard answerArrived(answer, number, stream: buffer), !isBare else { return }
            await produce(stream, number)
        }
    }

    /// Puts an answer where the library's thread will find it; false when it comes too late.
    @discardableResult
    private func answerArrived(
        _ answer: consuming Answer?,
        _ number: UInt64,
        stream: StreamBuffer?
    ) -> Bool {
        var answer = answer
        let isInTime = state.withLock { state in
            guard state.number == number, state.phase == .handling, endSuspension(&state) else {
                return false
            }
            state.answer = answer.take()
            state.stream = stream
            if stream == nil { state.task = nil }
            return true
        }
        if isInTime { resume() }
        return isInTime
    }

    /// A refusal in the library's form.
    func refusal(_ refusal: HTTPRefusal, isClosing: Bool) -> Answer? {
        let response = refusal.response
        guard case .bytes(let body) = response.body else { return nil }
        return Answer(response, body: body, isClosing: isClosing)
    }

    private func queue(_ answer: consuming Answer) -> MHD_Result {
        let deadline = engine.deadline(engine.deadlines.write)
        state.withLock { state in
            state.phase = .answering
            state.deadline = deadline
            state.acknowledged = 0
        }
        return answer.queue(on: handle) ? .YES : .NO
    }

    // MARK: Refusing

    /// Answers a head with a refusal, after which the library closes the connection.
    func refuse(_ refusal: HTTPRefusal, from fields: HTTPFields) -> MHD_Result {
        state.withLock { $0.lingers = true }
        report(refusal, from: fields)
        guard let answer = self.refusal(refusal, isClosing: true) else { return .NO }
        return queue(answer)
    }

    /// Writes a refusal past the library, which has written nothing for this request, as far as
    /// the socket takes it at once; the caller closes the connection.
    func cutShort(with refusal: HTTPRefusal, from fields: HTTPFields = [:]) {
        report(refusal, from: fields)
        state.withLock { state in
            guard state.phase != .closed else { return }
            state.lingers = true
            state.deadline = .never
            send(refusal)
        }
    }

    /// Tells of a refusal, with as much of the head as was read.
    private func report(_ refusal: HTTPRefusal, from fields: HTTPFields = [:]) {
        engine.report(.refused(refusal, from: HTTPSender(peer: peer, fields: fields)))
    }

    /// Writes a whole refusal to the socket.
    func send(_ refusal: HTTPRefusal) {
        let response = refusal.response
        guard case .bytes(let body) = response.body else { return }
        let code = refusal.status.code
        let phrase = unsafe String(cString: MHD_get_reason_phrase_for(UInt32(code)))
        var head = "HTTP/1.1 \(code) \(phrase)\r\nConnection: close\r\n"
        for (name, value) in response.fields { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(body.count)\r\n\r\n"
        let bytes = Array(head.utf8) + body
        _ = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.send(
                descriptor,
                buffer.baseAddress,
                buffer.count,
                Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
            )
        }
    }

    // MARK: The end

    /// The library is done with the request, whether it was answered or not.
    func requestEnded() {
        let status = unsafe Int(counterfoil_mhd_status(handle.pointer))
        let idle = engine.deadline(engine.deadlines.idle)
        let (wasReading, waiting): (Bool, [StreamBuffer.Waiter]) = state.withLock { state in
            let wasReading = state.phase == .readingHead
            var stream = state.stream.take()
            let waiting = stream?.takeWaiters() ?? []
            if state.phase == .handling || stream.map({ $0.end == nil }) == true {
                state.task?.cancel()
            }
            state.task = nil
            state.answer = nil
            state.incoming = nil
            engine.release(bodyBytes: state.countedBytes)
            state.countedBytes = 0
            state.number += 1
            state.phase = .idle
            state.deadline = idle
            if engine.isDraining { shutDown(&state) }
            return (wasReading, waiting)
        }
        for waiter in waiting { waiter.resume(throwing: CancellationError()) }
        // What the library itself refused: it never came to our own judgement of the head.
        if wasReading, status >= 400 {
            report(status == 414 || status == 431 ? .headTooLarge : .malformed)
        }
    }
}
