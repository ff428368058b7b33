import AppStoreModel
import CounterfoilBasics

/// Delivers what happens in a life as networks do: lost, late, repeated, in another order, signed
/// anew, in version 1 instead of version 2, with receipts of any age in between.
///
///     var deliveries = DeliveryGenerator(seed: 3, faults: .usual)
///     let step = lives.step()
///     for delivery in deliveries.take(step, from: &lives) { … }
///     for delivery in deliveries.rest() { … }   // whatever was still on its way
///
/// The seed decides everything.
public struct DeliveryGenerator: Sendable {
    /// How often what goes wrong, each in hundredths.
    public struct Faults: Hashable, Sendable {
        /// Never arrives, whatever is tried.
        public var lost = 0
        /// Arrives hours or days later.
        public var late = 0
        /// Arrives again, and then perhaps once more, ten times at most in all.
        public var repeated = 0
        /// Arrives again with another date of signing around the same documents.
        public var signedAnew = 0
        /// Arrives in version 1 where the app wants both and there is one.
        public var inVersion1 = 0
        /// How often an app sends a device's receipt after something happened.
        public var receipts = 0
        /// How often an app sends the transaction that something happened to.
        public var transactions = 0

        /// Makes faults, none of them yet.
        public init() {}

        /// Everything arrives once, at once and in order.
        public static let none = Faults()

        /// Everything goes wrong at times, and nothing is lost.
        public static let usual: Faults = {
            var faults = Faults()
            faults.late = 25
            faults.repeated = 15
            faults.signedAnew = 10
            faults.inVersion1 = 30
            faults.receipts = 15
            faults.transactions = 10
            return faults
        }()

        /// As ``usual``, and some is lost.
        public static let lossy: Faults = {
            var faults = usual
            faults.lost = 15
            return faults
        }()
    }

    /// How often what goes wrong.
    public let faults: Faults

    private static let mostCopies = 10
    private var random: SeededRandom
    private var onTheWay: [(delivery: Delivery, order: Int)] = []
    private var order = 0

    /// Makes a generator with nothing on its way.
    public init(seed: UInt64, faults: Faults = .usual) {
        random = SeededRandom(seed: seed)
        self.faults = faults
    }

    /// Sends what happened in a step on its way.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - lives: Whose step it was; receipts are made of its devices.
    /// - Returns: What arrives by now, of this step and of earlier ones, in the order of arrival.
    public mutating func take(
        _ step: LifeGenerator.Step,
        from lives: inout LifeGenerator
    ) -> [Delivery] {
        for happening in step.happenings {
            send(happening, step.number)
            if chance(faults.transactions), let record = happening.purchase {
                send(.transaction(record.transaction), from: happening.at, step.number)
            }
        }
        if !step.happenings.isEmpty, chance(faults.receipts),
            let receipt = lives.someReceipt(&random)
        {
            send(receipt, from: lives.store.now, step.number)
        }
        return arrived(by: lives.store.now)
    }

    /// Whatever is still on its way, in the order of its arrival.
    public mutating func rest() -> [Delivery] { arrived(by: nil) }

    private mutating func arrived(by now: Instant?) -> [Delivery] {
        var due = onTheWay
        if let now {
            due.removeAll { $0.delivery.at > now }
            onTheWay.removeAll { $0.delivery.at <= now }
        } else {
            onTheWay = []
        }
        due.sort { ($0.delivery.at, $0.order) < ($1.delivery.at, $1.order) }
        return due.map(\.delivery)
    }

    private mutating func send(_ happening: Happening, _ step: Int) {
        let v1 = happening.notificationsV1
        if !v1.isEmpty, chance(faults.inVersion1) {
            for notification in v1 { send(.notificationV1(notification), from: happening.at, step) }
            return
        }
        guard let notification = happening.notificationV2 else { return }
        send(.notificationV2(notification), from: happening.at, step)
        guard chance(faults.signedAnew) else { return }
        var anew = notification
        let delay = Duration.milliseconds(Int64.random(in: 1...3_600_000, using: &random))
        anew.notification.signedDate = notification.notification.signedDate?.advanced(by: delay)
        // It cannot arrive before it is signed.
        send(.notificationV2(anew), from: happening.at.advanced(by: delay), step)
    }

    private mutating func send(_ document: DeliveredDocument, from now: Instant, _ step: Int) {
        var copies = 0
        repeat {
            copies += 1
            if chance(faults.lost) { continue }
            var at = now
            if chance(faults.late) {
                let delay = Int64.random(in: 1_000...(4 * 86_400_000), using: &random)
                at = now.advanced(by: .milliseconds(delay))
            }
            onTheWay.append((Delivery(document: document, at: at, step: step), order))
            order += 1
        } while copies < Self.mostCopies && chance(faults.repeated)
    }

    private mutating func chance(_ hundredths: Int) -> Bool {
        hundredths > 0 && Int.random(in: 0..<100, using: &random) < hundredths
    }
}

extension LifeGenerator {
    /// A receipt of some device: that of the app or, at times, the iOS 6-style one of some
    /// transaction; nil where the device has none.
    fileprivate mutating func someReceipt(_ random: inout SeededRandom) -> DeliveredDocument? {
        let device = devices[Int.random(in: 0..<devices.count, using: &random)]
        guard let receipt = receipt(on: device) else { return nil }
        let purchase = receipt.receipt.inApp.randomElement(using: &random)
        guard Int.random(in: 0..<4, using: &random) == 0, let purchase,
            let ofTransaction = transactionReceipt(of: purchase.transactionId, on: device)
        else { return .appReceipt(receipt) }
        return .transactionReceipt(ofTransaction)
    }
}
