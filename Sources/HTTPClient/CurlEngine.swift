import CCurl
import CounterfoilBasics
import Glibc
import HTTP
import Synchronization

/// The one thread that drives a client's transfers, and the orders that it is given.
///
/// Everything of libcurl happens on that thread, save waking it.
@safe final class CurlEngine: Sendable {
    private struct Orders {
        var arrivals: [Order] = []
        var isStopping = false
        /// Whether the thread is done, so that there is nothing left to wake.
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let settings: HTTPClientSettings
    private let orders = Mutex(Orders())

    // Freed by the thread, after `hasEnded` is set.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer

    /// libcurl's own start is not safe on several threads at once.
    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init(_ settings: HTTPClientSettings) throws(HTTPCallError) {
        guard Self.isLibraryReady, let multi = unsafe curl_multi_init() else {
            throw HTTPCallError(HTTPCallError.failed, "libcurl refuses a handle")
        }
        self.settings = settings
        unsafe self.multi = multi
        unsafe counterfoil_curl_keep_connections(multi, settings.parallel)
    }

    /// Starts the thread, which keeps the engine until it ends.
    func start() throws(HTTPCallError) {
        do throws(ThreadRefusal) {
            try OwnThread.start { self.run() }
        } catch {
            orders.withLock { $0.hasEnded = true }
            unsafe curl_multi_cleanup(multi)
            throw HTTPCallError(HTTPCallError.failed, error.description)
        }
    }

    func submit(_ order: Order) {
        let isTaken = orders.withLock { orders in
            guard !orders.isStopping, !orders.hasEnded else { return false }
            orders.arrivals.append(order)
            unsafe curl_multi_wakeup(multi)
            return true
        }
        if !isTaken { order.fail(HTTPCallError.stopped, "the client has stopped") }
    }

    /// Has the thread look at its orders.
    func wake() {
        orders.withLock { orders in
            guard !orders.hasEnded else { return }
            unsafe curl_multi_wakeup(multi)
        }
    }

    func stop(waiter: CheckedContinuation<Void, Never>?) {
        let isOver = orders.withLock { orders in
            guard !orders.hasEnded else { return true }
            orders.isStopping = true
            if let waiter { orders.waiters.append(waiter) }
            unsafe curl_multi_wakeup(multi)
            return false
        }
        if isOver { waiter?.resume() }
    }

    // MARK: The thread

    private func run() {
        var desk = unsafe TransferDesk(multi: multi, settings: settings)
        var isStopping = false
        while !isStopping {
            var arrivals: [Order] = []
            (arrivals, isStopping) = orders.withLock { orders in
                defer { orders.arrivals = [] }
                return (orders.arrivals, orders.isStopping)
            }
            desk.take(arrivals)
            if isStopping { break }
            desk.work()
        }
        desk.failAll()
        let waiters = orders.withLock { orders in
            orders.hasEnded = true
            return orders.waiters
        }
        unsafe curl_multi_cleanup(multi)
        for waiter in waiters { waiter.resume() }
    }
}

/// What the thread has in hand: transfers on their way, and orders that wait for their turn.
@safe private struct TransferDesk {
    let multi: UnsafeMutableRawPointer
    let settings: HTTPClientSettings
    private var active: [CurlTransfer] = []
    private var waiting: [Order] = []

    init(multi: UnsafeMutableRawPointer, settings: HTTPClientSettings) {
        unsafe self.multi = multi
        self.settings = settings
    }

    mutating func take(_ arrivals: [Order]) {
        for order in arrivals {
            guard active.count + waiting.count < settings.parallel + settings.waiting else {
                order.fail(
                    HTTPCallError.tooMany,
                    "\(waiting.count) requests wait already, expected at most \(settings.waiting)"
                )
                continue
            }
            waiting.append(order)
        }
    }

    /// One round: what nobody waits for is dropped, what may begin begins, what has come is read.
    mutating func work() {
        dropAbandoned()
        begin()
        var running: Int32 = 0
        unsafe curl_multi_perform(multi, &running)
        finishEnded()
        // Orders that wait have deadlines, too, which the library does not know of.
        let isIdle = waiting.isEmpty
        guard isIdle || active.count == settings.parallel else { return }
        unsafe curl_multi_poll(multi, nil, 0, isIdle ? 60_000 : 50, nil)
    }

    mutating func failAll() {
        for transfer in active {
            unsafe curl_multi_remove_handle(multi, transfer.handle)
            transfer.order.fail(HTTPCallError.stopped, "the client is stopping")
        }
        for order in waiting { order.fail(HTTPCallError.stopped, "the client is stopping") }
        active = []
        waiting = []
    }

    private mutating func dropAbandoned() {
        active.removeAll { transfer in
            guard transfer.order.ticket.isCancelled else { return false }
            unsafe curl_multi_remove_handle(multi, transfer.handle)
            transfer.order.failCancelled()
            return true
        }
        waiting.removeAll { order in
            if order.ticket.isCancelled {
                order.failCancelled()
                return true
            }
            let deadline = order.call.deadline ?? settings.deadline
            guard order.stopwatch.elapsed >= deadline else { return false }
            order.fail(
                HTTPCallError.timeout,
                "\(deadline) passed while \(active.count) others were on their way"
            )
            return true
        }
    }

    private mutating func begin() {
        while active.count < settings.parallel, !waiting.isEmpty {
            let order = waiting.removeFirst()
            do throws(HTTPCallError) {
                let transfer = try CurlTransfer(order, settings)
                guard unsafe curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else {
                    throw HTTPCallError(HTTPCallError.failed, "libcurl refuses the request")
                }
                active.append(transfer)
            } catch {
                order.fail(error.code, error.reason)
            }
        }
    }

    private mutating func finishEnded() {
        var result = CURLE_OK
        while let handle = unsafe counterfoil_curl_next_ended(multi, &result) {
            unsafe curl_multi_remove_handle(multi, handle)
            guard let index = active.firstIndex(where: { unsafe $0.handle == handle }) else {
                continue
            }
            active.remove(at: index).finish(result)
        }
    }
}
