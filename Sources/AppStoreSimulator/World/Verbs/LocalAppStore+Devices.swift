import AppStoreModel
import CounterfoilBasics

// What happens on devices.
extension LocalAppStore {
    /// Tells the store that the app delivered a purchase: a finished consumable is in no later
    /// receipt.
    ///
    /// - Throws: `store.unknown_transaction`.
    public mutating func finish(_ number: TransactionNumber) throws(StoreError) {
        let index = try index(of: number)
        bookVersion += 1
        for position in lineages[index].purchases.indices
        where lineages[index].purchases[position].number == number {
            lineages[index].purchases[position].isFinished = true
        }
    }

    /// Restores an account's purchases on a device: its receipts list them from then on, under
    /// numbers of its own where the store's rules say so.
    ///
    /// Consumables cannot be restored. A subscription's periods keep their line items and dates; the
    /// dates of other purchases become that of the restore.
    ///
    /// - Throws: `store.unknown_app`.
    public mutating func restore(
        _ bundleId: String,
        on device: Device.ID
    ) throws(StoreError) {
        if devices[device.index].apps[bundleId] == nil { try install(bundleId, on: device) }
        showEverything(of: bundleId, on: device)
        guard rules.restoringRenumbers else { return }
        for index in lineagesOfAccounts[devices[device.index].account.index]
        where lineages[index].bundleId == bundleId {
            for purchase in lineages[index].purchases where purchase.type != .consumable {
                let number = numbers.transaction()
                devices[device.index].restored[purchase.number] = Device.Restored(
                    number: number,
                    date: bookingDate
                )
                register(number, of: index)
            }
        }
    }

    /// Asks a parent for a purchase (Ask to Buy): nothing is bought until ``decide(_:approve:)``.
    ///
    /// - Returns: What the parent decides about.
    /// - Throws: `store.unknown_app`, `store.unknown_product`.
    public mutating func askToBuy(
        _ productId: String,
        of bundleId: String,
        on device: Device.ID
    ) throws(StoreError) -> PendingPurchase {
        _ = try product(productId, of: bundleId)
        return PendingPurchase(productId: productId, bundleId: bundleId, device: device)
    }

    /// Lets a parent decide about a purchase.
    ///
    /// - Returns: The transaction; nil where it was declined.
    /// - Throws: What buying it throws.
    @discardableResult
    public mutating func decide(
        _ pending: PendingPurchase,
        approve: Bool
    ) throws(StoreError) -> TransactionNumber? {
        guard approve else { return nil }
        return try buy(pending.productId, of: pending.bundleId, on: pending.device)
    }
}

/// A purchase that waits for a parent's word; the store's books know nothing of it.
public struct PendingPurchase: Hashable, Sendable {
    let productId: String
    let bundleId: String
    let device: Device.ID
}
