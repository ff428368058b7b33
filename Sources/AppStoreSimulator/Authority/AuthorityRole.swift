/// What a certificate of the local App Store is for.
public enum AuthorityRole: String, CaseIterable, Hashable, Sendable {
    /// The anchor that everything but StoreKit testing chains to; RSA-2048.
    case root
    /// The issuer of receipt signers, as Apple's Worldwide Developer Relations authority is; it
    /// issues the signers of version 3 iOS 6 receipts, too.
    case intermediate
    /// What signs app receipts and version 3 iOS 6 receipts.
    case receiptSigner
    /// The issuer of version 2 iOS 6 receipt signers, as Apple's iTunes Store authority was.
    case transactionReceiptIssuer
    /// What signs version 2 iOS 6 receipts; RSA-1024.
    case transactionReceiptSigner
    /// What StoreKit testing in Xcode signs with: a certificate without issuer.
    case storeKit

    /// Who issues certificates of this role; nil for those that sign themselves.
    public var issuer: AuthorityRole? {
        switch self {
        case .root, .storeKit: nil
        case .intermediate, .transactionReceiptIssuer: .root
        case .receiptSigner: .intermediate
        case .transactionReceiptSigner: .transactionReceiptIssuer
        }
    }

    /// The role's name in text: `receipt-signer`.
    public var name: String {
        switch self {
        case .root: "root"
        case .intermediate: "intermediate"
        case .receiptSigner: "receipt-signer"
        case .transactionReceiptIssuer: "transaction-receipt-issuer"
        case .transactionReceiptSigner: "transaction-receipt-signer"
        case .storeKit: "storekit"
        }
    }

    /// The roles whose certificates this one issues.
    var subordinates: [AuthorityRole] { Self.allCases.filter { $0.issuer == self } }

    /// Whether whoever verifies must be given certificates of this role: iOS 6 receipts hold no
    /// issuer.
    var isKnownToVerifiers: Bool { self == .root || !subordinates.isEmpty }

    /// The length of an RSA key of this role.
    var keyBits: Int { self == .transactionReceiptSigner ? 1024 : 2048 }
}
