import AppStoreModel
import CounterfoilBasics

extension LocalAppStore {
    /// Opens an account with Apple.
    public mutating func openAccount(in storefront: Storefront = .usa) -> AppleAccount.ID {
        let id = AppleAccount.ID(index: accounts.count)
        accounts.append(AppleAccount(id: id, storefront: storefront))
        registerAccount()
        return id
    }

    /// Signs an account in on a new device.
    public mutating func addDevice(of account: AppleAccount.ID) -> Device.ID {
        let id = Device.ID(index: devices.count)
        devices.append(
            Device(id: id, account: account, vendorIdentifier: numbers.bytes(16))
        )
        return id
    }

    /// An account of this store; another store's is a mistake of the program, as with any index.
    public subscript(id: AppleAccount.ID) -> AppleAccount { accounts[id.index] }

    /// A device in this store; likewise.
    public subscript(id: Device.ID) -> Device { devices[id.index] }

    /// Installs the version of an app that is on sale, or updates the app to it.
    ///
    /// - Throws: `store.unknown_app`.
    public mutating func install(
        _ bundleId: String,
        on device: Device.ID
    ) throws(StoreError) {
        let app = try app(bundleId)
        devices[device.index].apps[bundleId] = app.version
        download(app, devices[device.index].account)
    }

    /// Puts down that an account has an app, if it had not before.
    mutating func download(_ app: StoreApp, _ account: AppleAccount.ID) {
        guard accounts[account.index].downloads[app.bundleId] == nil else { return }
        accounts[account.index].downloads[app.bundleId] = AppleAccount.Download(
            appTransactionId: numbers.download(),
            date: now,
            version: app.version
        )
    }

    /// Lets an account's payments go through from now on, or not.
    ///
    /// Where they go through again, what could not be charged is charged at once.
    public mutating func setPayment(_ payment: AppleAccount.Payment, of account: AppleAccount.ID) {
        accounts[account.index].payment = payment
        guard payment == .works else { return }
        for index in lineagesOfAccounts[account.index]
        where lineages[index].billingFailure != nil && lineages[index].follows == nil {
            recover(index)
        }
    }
}
