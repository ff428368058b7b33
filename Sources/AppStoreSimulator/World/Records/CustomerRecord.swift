public import AppStoreModel
public import CounterfoilBasics

/// What a customer has of an app, as the store's books had it at one instant: all that receipts,
/// answers of verifyReceipt and notifications of version 1 tell.
public struct CustomerRecord: Hashable, Sendable {
    /// The account as it was then.
    public let account: AppleAccount
    /// The app as it was then.
    public let app: StoreApp
    /// The environment of the store.
    public let environment: StoreEnvironment
    /// Everything that was bought or shared, or as much of it as a device shows, in the order in
    /// which it began.
    public let lineages: [Lineage]
    /// The device that shows it; nil where the App Store tells an app's server.
    public let device: Device?
    /// identifierForVendor of that device, or of the one on which the account bought last; nil
    /// where it never bought.
    let vendorIdentifier: [UInt8]?
    /// The transactions that are listed under ids of a restore, by the id they were bought under.
    var restored: [TransactionNumber: Device.Restored]
    /// When it was looked at.
    public let at: Instant
    /// The date of a receipt that tells of it: a whole second after the dates of all documents that
    /// told of any of its lineages before.
    public internal(set) var signedDate: Instant
}

extension LocalAppStore {
    /// What an account has of an app now, for a receipt that will be signed.
    ///
    /// - Parameters:
    ///   - account: Whose it is.
    ///   - app: The app.
    ///   - device: The device that shows it, which may know less; nil for an app's server.
    /// - Returns: Everything that documents dated at ``CustomerRecord/signedDate`` can tell of it.
    mutating func record(
        of account: AppleAccount.ID,
        in app: StoreApp,
        on device: Device? = nil
    ) -> CustomerRecord {
        let shown =
            device.map { shownIndices(on: $0, of: app.bundleId) }
            ?? indices(of: account, in: app.bundleId)
        let date = receiptDate(of: shown)
        return record(shown, of: account, in: app, on: device, signedDate: date)
    }

    /// What an account has of some lineages now.
    func record(
        _ shown: [Int],
        of account: AppleAccount.ID,
        in app: StoreApp,
        on device: Device?,
        signedDate: Instant
    ) -> CustomerRecord {
        let account = self[account]
        return CustomerRecord(
            account: account,
            app: app,
            environment: environment,
            lineages: shown.map { lineages[$0] },
            device: device,
            vendorIdentifier: (device ?? account.lastDevice.map { self[$0] })?.vendorIdentifier,
            restored: device?.restored ?? [:],
            at: now,
            signedDate: signedDate
        )
    }

    /// The date of the next receipt that tells of lineages.
    ///
    /// Receipts have whole seconds, so it is the present second, or the first one after all that was
    /// signed of any of them, so that of two documents it can always be said which is later.
    mutating func receiptDate(of indices: [Int]) -> Instant {
        var date = now.wholeSecond
        for index in indices where lineages[index].lastSigned >= date {
            date = lineages[index].lastSigned.wholeSecond.advanced(by: .seconds(1))
        }
        for index in indices { lineages[index].lastSigned = date }
        return date
    }
}
