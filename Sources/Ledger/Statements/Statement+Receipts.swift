package import AppStoreModel
package import AppStoreVerification
package import CounterfoilBasics

// What receipts say. A receipt says when a period ends, and that a purchase was taken back where it
// was; it never says that it was not, and nothing of upgrades, ownership, tokens and the renewal. A
// purchase that it does not list is no statement: consumables leave receipts.
extension Statement {
    /// What an app receipt says of each lineage that it lists.
    ///
    /// - Parameters:
    ///   - receipt: The receipt, proved.
    ///   - evidence: The digest of its bytes.
    /// - Returns: A statement for each lineage, in the order of their numbers.
    package static func statements(
        in receipt: Verified<AppReceipt>,
        evidence: SHA256Digest
    ) -> [Statement] {
        let signer = receipt.proof.xcodeSigner
        let stamp = Stamp(
            attestedAt: receipt.content.creationDate,
            grade: .signature,
            digest: evidence
        )
        let claims = receipt.inApp.map { purchase in
            (
                original: purchase.originalTransactionId ?? purchase.transactionId,
                claim: PurchaseClaim(purchase, isOfXcode: signer != nil)
            )
        }
        return Dictionary(grouping: claims, by: \.original).sorted { $0.key < $1.key }
            .map { original, claims in
                Statement(
                    lineage: LineageID(
                        scope: receipt.proof.scope,
                        signer: signer,
                        originalTransactionId: original
                    ),
                    stamp: stamp,
                    purchases: claims.map(\.claim),
                    renewal: .silent
                )
            }
    }

    /// What an iOS 6-style receipt says of its transaction's lineage.
    ///
    /// It is dated by its purchase, because it states no other instant.
    package static func statement(
        in receipt: Verified<TransactionReceipt>,
        evidence: SHA256Digest
    ) -> Statement {
        let content = receipt.content
        var claim = PurchaseClaim(
            id: PurchaseID(
                transactionId: content.transactionId,
                lineItem: content.webOrderLineItemId,
                begin: content.purchaseDate,
                isSubscription: content.isAutoRenewable,
                isOfXcode: false
            ),
            transactionId: content.transactionId,
            purchaseDate: content.purchaseDate,
            originalPurchaseDate: content.originalPurchaseDate
        )
        claim.expiresDate = .says(content.expiresDate)
        claim.productId = .says(content.productId)
        claim.quantity = .present(content.quantity)
        if content.isAutoRenewable { claim.type = .says(.autoRenewableSubscription) }
        return Statement(
            lineage: LineageID(
                scope: receipt.proof.scope,
                originalTransactionId: content.originalTransactionId ?? content.transactionId
            ),
            stamp: Stamp(
                attestedAt: content.purchaseDate,
                grade: .signature,
                digest: evidence
            ),
            purchases: [claim],
            renewal: .silent
        )
    }
}

extension PurchaseClaim {
    /// What a receipt's element says.
    init(_ purchase: InAppPurchase, isOfXcode: Bool) {
        self.init(
            id: PurchaseID(
                transactionId: purchase.transactionId,
                lineItem: purchase.webOrderLineItemId,
                begin: purchase.purchaseDate,
                isSubscription: purchase.isAutoRenewable,
                isOfXcode: isOfXcode
            ),
            transactionId: purchase.transactionId,
            purchaseDate: purchase.purchaseDate,
            originalPurchaseDate: purchase.originalPurchaseDate
        )
        expiresDate = .says(purchase.expiresDate)
        revocation = .present(
            purchase.cancellationDate.map {
                Revocation(date: $0, reason: RevocationReason(words: purchase.cancellationReason))
            }
        )
        productId = .says(purchase.productId)
        type = .present(InAppPurchaseType(purchase))
        quantity = .says(purchase.quantity)
    }
}

extension TransactionReceipt {
    /// How many were bought; nil where the receipt has no number.
    fileprivate var quantity: Int64? {
        purchaseInfo.first { $0.key == "quantity" }.flatMap { Int64($0.value) }
    }
}

extension RevocationReason {
    /// The reason as receipts write it: "0" or "1".
    init?(words: String?) {
        guard let words, let number = Int64(words) else { return nil }
        self.init(rawValue: number)
    }
}

extension InAppPurchaseType {
    /// The kind that a receipt states; nil where it does not, as Xcode's do not.
    fileprivate init?(_ purchase: InAppPurchase) {
        switch purchase.productType {
        case .autoRenewableSubscription?: self = .autoRenewableSubscription
        case .nonConsumable?: self = .nonConsumable
        case .consumable?: self = .consumable
        case .nonRenewingSubscription?: self = .nonRenewingSubscription
        default: return nil
        }
    }
}
