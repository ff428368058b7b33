/// What a certificate of the local App Store is for.
public enum AuthorityRole: String, CaseIterable, Hashable, Sendable {
    /// The anchor that receipts chain to; RSA-2048.
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
    /// What StoreKit testing in Xcode signs receipts with: a certificate without issuer.
    case storeKit
    /// The anchor that signed data (JWS) chains to, as Apple Root CA – G3 is; P-384.
    case signedDataRoot
    /// The issuer of signers of signed data; P-384.
    case signedDataIntermediate
    /// What signs transactions, renewal info, app transactions and notifications; P-256.
    case signedDataSigner
    /// What StoreKit testing in Xcode signs signed data with: a certificate without issuer; P-256.
    case storeKitSignedData

    /// Who issues certificates of this role; nil for those that sign themselves.
    public var issuer: AuthorityRole? {
        switch self {
        case .root, .storeKit, .signedDataRoot, .storeKitSignedData: nil
        case .intermediate, .transactionReceiptIssuer: .root
        case .receiptSigner: .intermediate
        case .transactionReceiptSigner: .transactionReceiptIssuer
        case .signedDataIntermediate: .signedDataRoot
        case .signedDataSigner: .signedDataIntermediate
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
        case .signedDataRoot: "signed-data-root"
        case .signedDataIntermediate: "signed-data-intermediate"
        case .signedDataSigner: "signed-data-signer"
        case .storeKitSignedData: "storekit-signed-data"
        }
    }

    /// The roles whose certificates this one issues.
    var subordinates: [AuthorityRole] { Self.allCases.filter { $0.issuer == self } }

    /// Whether whoever verifies must be given certificates of this role: iOS 6 receipts hold no
    /// issuer, signed data holds all but the root.
    var isKnownToVerifiers: Bool {
        switch self {
        case .root, .intermediate, .transactionReceiptIssuer, .signedDataRoot: true
        default: false
        }
    }

    /// Whether a verifier pins certificates of this role instead of asking who issued them.
    var isPinned: Bool { self == .storeKit || self == .storeKitSignedData }

    /// Makes a new key of the kind that this role has.
    func newKey() throws(SimulatorError) -> SigningKey {
        switch self {
        case .transactionReceiptSigner: try .rsa(bits: 1024)
        case .root, .intermediate, .receiptSigner, .transactionReceiptIssuer, .storeKit:
            try .rsa(bits: 2048)
        case .signedDataRoot, .signedDataIntermediate: try .p384()
        case .signedDataSigner, .storeKitSignedData: try .p256()
        }
    }
}
