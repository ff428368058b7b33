import CounterfoilBasics

extension TransactionReceiptFlaw {
    /// What is wrong with the outer property list or the signature blob.
    static let ofStructure: [TransactionReceiptFlaw] = [
        TransactionReceiptFlaw(
            "truncated",
            .structure,
            "the property list ends before it is closed",
            .bytes { bytes, context in
                bytes.removeLast(Int.random(in: 1..<bytes.count, using: &context.random))
            }
        ),
        TransactionReceiptFlaw(
            "trailingText",
            .structure,
            "text follows the property list",
            .bytes { bytes, _ in bytes += "{}".utf8 }
        ),
        TransactionReceiptFlaw(
            "signatureMissing",
            .structure,
            "there is no signature",
            .signed { draft, _ in draft.outer.removeAll { $0 == .signature } }
        ),
        TransactionReceiptFlaw(
            "purchaseInfoMissing",
            .structure,
            "there is nothing that was signed",
            .signed { draft, _ in draft.outer.removeAll { $0 == .purchaseInfo } }
        ),
        TransactionReceiptFlaw(
            "purchaseInfoTwice",
            .structure,
            "there are two things that were signed",
            .signed { draft, _ in draft.outer.append(.purchaseInfo) }
        ),
        outerText("signatureNotBase64", "the signature is no base 64", .signature, "signature"),
        outerText(
            "purchaseInfoNotBase64",
            "what was signed is no base 64",
            .purchaseInfo,
            "purchase-info"
        ),
        TransactionReceiptFlaw(
            "blobEmpty",
            .structure,
            "the signature has no bytes",
            .signed { draft, _ in
                draft.replace(.signature, by: .text(key: "signature", value: ""))
            }
        ),
        TransactionReceiptFlaw(
            "blobTruncated",
            .structure,
            "the signature blob ends inside the certificate",
            .signed { draft, context in
                draft.certificateLength = draft.certificate.count
                let count = Int.random(in: 1..<draft.certificate.count, using: &context.random)
                draft.certificate.removeLast(count)
            }
        ),
        TransactionReceiptFlaw(
            "blobTrailing",
            .structure,
            "a byte follows the certificate in the signature blob",
            .signed { draft, _ in draft.blobTrailing = [0] }
        ),
        TransactionReceiptFlaw(
            "blobLengthTooLarge",
            .structure,
            "the certificate's length is stated as almost 4 GiB",
            .signed { draft, _ in draft.certificateLength = 0xFFFF_FFFF }
        ),
        TransactionReceiptFlaw(
            "blobVersionUnknown",
            .structure,
            "the signature blob is of version 99",
            .unsigned { draft, _ in draft.version = 99 }
        ),
        TransactionReceiptFlaw(
            "blobOfOtherVersion",
            .structure,
            "the signature blob states the version with another length of signature",
            .unsigned { draft, _ in draft.version = draft.version == 2 ? 3 : 2 }
        ),
        TransactionReceiptFlaw(
            "certificateRandom",
            .certificates,
            "random bytes stand where the certificate belongs",
            .signed { draft, context in
                draft.certificate = draft.certificate.map { _ in
                    UInt8.random(in: 0...255, using: &context.random)
                }
            }
        ),
    ]

    private static func outerText(
        _ name: String,
        _ reason: String,
        _ entry: TransactionReceiptDraft.OuterEntry,
        _ key: String
    ) -> TransactionReceiptFlaw {
        TransactionReceiptFlaw(
            name,
            .structure,
            reason,
            .signed { draft, _ in draft.replace(entry, by: .text(key: key, value: "!!!!")) }
        )
    }
}

extension TransactionReceiptDraft {
    fileprivate mutating func replace(_ entry: OuterEntry, by replacement: OuterEntry) {
        for index in outer.indices where outer[index] == entry { outer[index] = replacement }
    }
}
