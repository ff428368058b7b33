import AppStoreModel
import CounterfoilBasics

extension TransactionReceiptFlaw {
    /// What is wrong with the signature, or with what it covers.
    static let ofSignatures: [TransactionReceiptFlaw] = [
        TransactionReceiptFlaw(
            "signatureBitFlipped",
            .signature,
            "one bit of the signature is turned over",
            .signed { draft, context in draft.signature.flipBit(using: &context.random) }
        ),
        TransactionReceiptFlaw(
            "signatureZero",
            .signature,
            "the signature is all zeros",
            .signed { draft, _ in draft.signature = draft.signature.map { _ in 0 } }
        ),
        TransactionReceiptFlaw(
            "signatureByAnotherKey",
            .signature,
            "the signature is of a key that is not the certificate's",
            .unsigned { (draft, _) throws(SimulatorError) in
                draft.key =
                    try draft.version == 2 ? ImpostorKeys.short() : ImpostorKeys.usual()
            }
        ),
        TransactionReceiptFlaw(
            "signatureSHA256",
            .signature,
            "the signature was made with SHA-256, and only SHA-1 is known here",
            .unsigned { draft, _ in draft.digest = .sha256 }
        ),
        TransactionReceiptFlaw(
            "signatureWithoutVersion",
            .signature,
            "the signature does not cover the version of the blob",
            .unsigned { draft, _ in draft.signedInstead = draft.purchaseInfo }
        ),
        TransactionReceiptFlaw(
            "purchaseInfoBitFlipped",
            .signature,
            "one bit of the purchase was turned over after it was signed",
            .signed { draft, context in draft.purchaseInfo.flipBit(using: &context.random) }
        ),
        exchanged("bundleIdExchanged", "bid", "com.example.other"),
        exchanged("productIdExchanged", "product-id", "com.example.other"),
        exchanged("transactionIdExchanged", "transaction-id", "2000000999999999"),
        TransactionReceiptFlaw(
            "expiryExtended",
            .signature,
            "the expiry date was moved after it was signed",
            needs: .subscription,
            .exchangedReceipt { receipt, context in
                let later = context.creationDate.advanced(by: .seconds(3650 * 86_400))
                receipt.set("expires-date", AppStoreDate.milliseconds(later))
            }
        ),
    ]

    private static func exchanged(
        _ name: String,
        _ key: String,
        _ value: String
    ) -> TransactionReceiptFlaw {
        TransactionReceiptFlaw(
            name,
            .signature,
            "the value of \(key) was exchanged after it was signed",
            .exchangedReceipt { receipt, _ in receipt.set(key, value) }
        )
    }
}

extension TransactionReceipt {
    /// Replaces the value of a signed key where it stands, or adds it at the end.
    mutating func set(_ key: String, _ value: String) {
        guard let index = purchaseInfo.firstIndex(where: { $0.key == key }) else {
            purchaseInfo.append(Entry(key: key, value: value))
            return
        }
        purchaseInfo[index].value = value
    }

    /// Removes signed keys.
    mutating func remove(_ keys: String...) {
        purchaseInfo.removeAll { keys.contains($0.key) }
    }
}
