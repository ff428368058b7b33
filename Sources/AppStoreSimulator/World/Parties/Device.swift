import AppStoreModel
import CounterfoilBasics

/// A device on which an account is signed in.
public struct Device: Hashable, Sendable {
    /// Names a device of one store.
    public struct ID: Hashable, Sendable {
        let index: Int
    }

    /// Names it.
    public let id: ID
    /// Who is signed in.
    public let account: AppleAccount.ID
    /// identifierForVendor: the 16 bytes that receipts are bound to.
    public let vendorIdentifier: [UInt8]
    /// The versions of the apps on it, by bundle identifier.
    public internal(set) var apps: [String: String] = [:]
    /// The transactions that its receipts show under ids of its own since they were restored, by
    /// the id they were bought under.
    var restored: [TransactionNumber: Restored] = [:]
    /// The lineages that its receipts list, by where they are.
    var shown: Set<Int> = []

    /// The receipts that it was given last, by bundle identifier.
    var lastReceipts: [String: LastReceipt] = [:]

    /// A receipt that a device was given: while nothing is booked, asking again gives it again.
    struct LastReceipt: Hashable, Sendable {
        let bookVersion: Int
        let signedDate: Instant
    }

    /// How a device's receipts show a purchase that was restored on it.
    struct Restored: Hashable, Sendable {
        let number: TransactionNumber
        let date: Instant
    }
}
