public import AppStoreModel
public import CounterfoilBasics

/// A document on its way from the App Store, or from an app, to the app's server.
public struct Delivery: Sendable {
    /// What is delivered.
    public let document: DeliveredDocument
    /// When it arrives, by the store's clock.
    public let at: Instant
    /// The step of the life in which it was made.
    public let step: Int
}

/// A document before it is signed, as a server meets them.
public enum DeliveredDocument: Sendable {
    /// A notification of version 2.
    case notificationV2(StoreNotification)
    /// A notification of version 1.
    case notificationV1(StoreNotificationV1)
    /// A device's app receipt, which the app sends.
    case appReceipt(StoreReceipt)
    /// An iOS 6-style receipt of one transaction, which the app sends.
    case transactionReceipt(TransactionReceipt)
    /// A signed transaction, which the app sends.
    case transaction(JWSTransactionDecodedPayload)

    /// What arrives: a notification's body, or what an app sends as its receipt.
    ///
    /// - Parameter authority: Whose keys sign it, and the documents in it.
    /// - Returns: The bytes; of an app receipt those that it sends in base 64.
    /// - Throws: `issue.not_representable`, `issue.key_unusable`.
    public func signed(by authority: SigningAuthority) throws(SimulatorError) -> [UInt8] {
        let issuer = SignedDataIssuer(authority: authority)
        switch self {
        case .notificationV2(let notification):
            let jws = try issuer.issue(notification.notification, holding: notification.nested)
            return SignedDataIssuer.body(signedPayload: jws)
        case .notificationV1(let notification): return try notification.json(signedBy: authority)
        case .appReceipt(let receipt): return try receipt.signed(by: authority)
        case .transactionReceipt(let receipt):
            return try TransactionReceiptIssuer(authority: authority).issue(receipt)
        case .transaction(let payload): return Array(try issuer.issue(payload).utf8)
        }
    }
}
