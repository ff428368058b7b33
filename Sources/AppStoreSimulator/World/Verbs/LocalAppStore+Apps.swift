import AppStoreModel
public import CounterfoilBasics

// What concerns an app rather than a purchase.
extension LocalAppStore {
    /// Sends a test notification (Apple, "Request a Test Notification").
    ///
    /// - Throws: `store.unknown_app`.
    public mutating func requestTestNotification(
        of bundleId: String
    ) throws(StoreError) {
        let app = try app(bundleId)
        tell(.test, .app(AppRecord(app: app, environment: environment, signedDate: now)))
    }

    /// Reminds the developer of a purchase outside of the App Store that was not reported.
    ///
    /// - Parameters:
    ///   - bundleId: The app.
    ///   - created: When its token was made; a day ago when nil.
    /// - Returns: The token's identifier, which begins with SANDBOX in the sandbox.
    /// - Throws: `store.unknown_app`.
    @discardableResult
    public mutating func remindOfExternalPurchase(
        in bundleId: String,
        created: Instant? = nil
    ) throws(StoreError) -> String {
        let app = try app(bundleId)
        let id = (environment == .production ? "" : "SANDBOX_") + numbers.uuid()
        var record = AppRecord(app: app, environment: environment, signedDate: now)
        record.externalPurchaseToken = AppRecord.ExternalPurchaseToken(
            id: id,
            date: created ?? now.advanced(by: .seconds(-86_400))
        )
        tell(.externalPurchaseUnreported, .app(record))
        return id
    }

    /// Lets a parent withdraw the consent to a child's use of an app.
    ///
    /// - Throws: `store.unknown_app`; `store.not_possible` where the account has not the app.
    public mutating func rescindConsent(
        to bundleId: String,
        for account: AppleAccount.ID
    ) throws(StoreError) {
        tell(.consentRescinded, .download(try download(of: bundleId, by: account)))
    }

    /// A download as the books have it now.
    func download(
        of bundleId: String,
        by account: AppleAccount.ID
    ) throws(StoreError) -> DownloadRecord {
        let app = try app(bundleId)
        guard accounts[account.index].downloads[bundleId] != nil else {
            throw .notPossible("the account never downloaded \(bundleId)")
        }
        return DownloadRecord(
            account: accounts[account.index],
            app: app,
            environment: environment,
            signedDate: now
        )
    }
}
