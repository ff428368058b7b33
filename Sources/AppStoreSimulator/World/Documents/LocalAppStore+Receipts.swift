import AppStoreModel
import CounterfoilBasics

// What a device's app receipt says.
extension LocalAppStore {
    /// The app receipt that a device has of an app now, newly made.
    ///
    /// It lists what was bought on the device; everything of its account once purchases were
    /// restored or the receipt was refreshed there; and what the family shares. Of what was bought
    /// elsewhere since, the next refresh tells. While nothing happens and the clock stands, it is the
    /// same receipt again.
    ///
    /// - Throws: `store.unknown_app`; `store.not_possible` where the app is not on the device.
    public mutating func receipt(
        of bundleId: String,
        on device: Device.ID
    ) throws(StoreError) -> StoreReceipt {
        let app = try app(bundleId)
        let id = device
        let device = self[id]
        guard device.apps[bundleId] != nil else {
            throw .notPossible("\(bundleId) is not on the device; install it first")
        }
        if let last = device.lastReceipts[bundleId], last.bookVersion == bookVersion,
            last.signedDate >= now.wholeSecond
        {
            let shown = shownIndices(on: device, of: bundleId)
            return record(
                shown,
                of: device.account,
                in: app,
                on: device,
                signedDate: last.signedDate
            ).receipt
        }
        let record = record(of: device.account, in: app, on: device)
        devices[id.index].lastReceipts[bundleId] = Device.LastReceipt(
            bookVersion: bookVersion,
            signedDate: record.signedDate
        )
        return record.receipt
    }

    /// Refreshes a device's app receipt (Apple, "SKReceiptRefreshRequest"): it lists everything of
    /// its account from then on.
    ///
    /// - Throws: `store.unknown_app`; `store.not_possible` where the app is not on the device.
    public mutating func refreshReceipt(
        of bundleId: String,
        on device: Device.ID
    ) throws(StoreError) {
        _ = try app(bundleId)
        guard self[device].apps[bundleId] != nil else {
            throw .notPossible("\(bundleId) is not on the device; install it first")
        }
        showEverything(of: bundleId, on: device)
    }

    /// Lets a device's receipts list everything that its account has of an app at present.
    mutating func showEverything(of bundleId: String, on device: Device.ID) {
        bookVersion += 1
        let everything = indices(of: self[device].account, in: bundleId)
        devices[device.index].shown.formUnion(everything)
    }

    /// The lineages that a device's receipts list, by where they are.
    func shownIndices(on device: Device, of bundleId: String) -> [Int] {
        indices(of: device.account, in: bundleId).filter {
            device.shows(lineages[$0], at: $0)
        }
    }

    /// The lineages of an account's in an app, by where they are.
    func indices(of account: AppleAccount.ID, in bundleId: String) -> [Int] {
        lineagesOfAccounts[account.index].filter { lineages[$0].bundleId == bundleId }
    }
}

extension Device {
    /// Whether the device's receipts list a lineage, which is at an index.
    func shows(_ lineage: Lineage, at index: Int) -> Bool {
        shown.contains(index) || lineage.ownership == .familyShared
    }
}
