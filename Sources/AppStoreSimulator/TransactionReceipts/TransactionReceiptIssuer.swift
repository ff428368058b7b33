public import AppStoreModel
import CounterfoilBasics

/// Issues iOS 6-style receipts of one transaction, signed by a local authority.
///
///     let issuer = TransactionReceiptIssuer(authority: authority)
///     let purchase = TransactionPurchase(
///         bundleId: "com.example.app",
///         productId: "com.example.coins",
///         transactionId: "1000000000000001",
///         purchaseDate: now
///     )
///     let bytes = try issuer.issue(purchase.receipt)
public struct TransactionReceiptIssuer: Sendable {
    /// How the signature blob is laid out, and who signs.
    public enum BlobVersion: UInt8, CaseIterable, Hashable, Sendable {
        /// Until the spring of 2016: RSA-1024, ``AuthorityRole/transactionReceiptSigner``.
        case two = 2
        /// Since then: RSA-2048, ``AuthorityRole/receiptSigner``.
        case three = 3

        var signer: AuthorityRole {
            self == .two ? .transactionReceiptSigner : .receiptSigner
        }
    }

    /// Whose keys and certificates sign.
    public var authority: SigningAuthority

    /// Makes an issuer.
    public init(authority: SigningAuthority) { self.authority = authority }

    /// Issues a receipt.
    ///
    /// - Parameters:
    ///   - receipt: What it says: `purchaseInfo` is signed as it
    ///     stands; environment, pod and signing status are written beside it where they are set.
    ///     The other fields are not looked at.
    ///   - version: How it is signed; as on its purchase date when nil.
    /// - Returns: The receipt's bytes, of which apps send the base 64 text.
    /// - Throws: `issue.key_unusable`.
    public func issue(
        _ receipt: TransactionReceipt,
        version: BlobVersion? = nil
    ) throws(SimulatorError) -> [UInt8] {
        var draft = draft(receipt, version ?? Self.usualVersion(at: receipt.purchaseDate))
        try draft.sign()
        return draft.bytes
    }

    /// When the App Store began to sign blobs of version 3.
    private static let versionThreeSince = CivilTime(year: 2016, month: 5, day: 18).instant

    static func usualVersion(at purchaseDate: Instant) -> BlobVersion {
        purchaseDate < versionThreeSince ? .two : .three
    }

    func draft(_ receipt: TransactionReceipt, _ version: BlobVersion) -> TransactionReceiptDraft {
        let identity = authority[version.signer]
        let unsigned = [
            ("environment", receipt.environment), ("pod", receipt.pod),
            ("signing-status", receipt.signingStatus),
        ]
        return TransactionReceiptDraft(
            purchaseInfo: Self.encoding(of: receipt.purchaseInfo),
            version: version.rawValue,
            key: identity.key,
            certificate: identity.certificate.der,
            outer: [.signature, .purchaseInfo]
                + unsigned.compactMap { key, value in
                    value.map { .text(key: key, value: $0) }
                }
        )
    }

    static func encoding(of purchaseInfo: [TransactionReceipt.Entry]) -> [UInt8] {
        PropertyListText.dictionary(purchaseInfo.map { (key: $0.key, value: $0.value) })
    }
}
