import AppStoreModel
import CounterfoilBasics

// Genuinely signed by the right certificate: only a reader of what was signed can refuse these.
extension TransactionReceiptFlaw {
    static let ofContents: [TransactionReceiptFlaw] = [
        TransactionReceiptFlaw(
            "contentRandom",
            .payload,
            "random bytes were signed",
            .unsigned { draft, context in
                let random = (1..<200).map { _ in
                    UInt8.random(in: 0...255, using: &context.random)
                }
                // Begun as no property list begins, so that one fault alone decides.
                draft.purchaseInfo = [0xFF] + random
            }
        ),
        TransactionReceiptFlaw(
            "contentNoDictionary",
            .payload,
            "a list of texts was signed",
            .unsigned { draft, _ in draft.purchaseInfo = Array("( \"bid\", \"bvrs\" )".utf8) }
        ),
        content("bundleIdMissing", "there is no bundle identifier") { $0.remove("bid") },
        content("productIdMissing", "there is no product") { $0.remove("product-id") },
        content("transactionIdMissing", "there is no transaction") { $0.remove("transaction-id") },
        content("purchaseDateMissing", "there is no purchase date") {
            $0.remove("purchase-date", "purchase-date-ms", "purchase-date-pst")
        },
        content("purchaseDateUnreadable", "the purchase date is no date") {
            $0.set("purchase-date", "yesterday")
            $0.set("purchase-date-ms", "yesterday")
        },
        TransactionReceiptFlaw(
            "expiresDateUnreadable",
            .payload,
            "the expiry date is no date",
            needs: .subscription,
            .receipt { receipt, _ in receipt.set("expires-date", "never") }
        ),
    ]

    /// Everything is in order, and the receipt is not the one that was asked for.
    static let ofClaims: [TransactionReceiptFlaw] = [
        TransactionReceiptFlaw(
            "otherApp",
            .app,
            "it is of the app com.example.other",
            .receipt { receipt, _ in receipt.set("bid", "com.example.other") }
        ),
        TransactionReceiptFlaw(
            "environmentRemoved",
            .environment,
            "it is of the sandbox, and its holder removed the unsigned line that said so",
            needs: .sandbox,
            .receipt { receipt, _ in receipt.environment = nil }
        ),
        TransactionReceiptFlaw(
            "environmentForged",
            .environment,
            "it is of the sandbox, and its holder wrote Production beside it",
            needs: .sandbox,
            .receipt { receipt, _ in receipt.environment = "Production" }
        ),
        TransactionReceiptFlaw(
            "ofTheFuture",
            .time,
            "it says that the purchase was made a year later than it was",
            .receipt { receipt, context in
                let later = context.creationDate.advanced(by: .seconds(365 * 86_400))
                receipt.set("purchase-date", AppStoreDate.gmt(later))
                receipt.set("purchase-date-ms", AppStoreDate.milliseconds(later))
                receipt.set("purchase-date-pst", AppStoreDate.pst(later))
            }
        ),
    ]

    private static func content(
        _ name: String,
        _ reason: String,
        _ change: @escaping @Sendable (inout TransactionReceipt) -> Void
    ) -> TransactionReceiptFlaw {
        TransactionReceiptFlaw(name, .payload, reason, .receipt { receipt, _ in change(&receipt) })
    }
}
