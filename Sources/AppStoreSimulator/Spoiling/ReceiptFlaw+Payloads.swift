import AppStoreModel
import CounterfoilASN1
import CounterfoilBasics

// Genuinely signed by the right certificates: only a reader of what was signed can refuse these.
extension ReceiptFlaw {
    /// What was signed is no set of attributes.
    static let ofPayloads: [ReceiptFlaw] = [
        ReceiptFlaw(
            "payloadEmpty",
            .payload,
            "nothing was signed",
            .content { content, _ in content = [] }
        ),
        ReceiptFlaw(
            "payloadRandom",
            .payload,
            "random bytes were signed",
            .content { content, context in
                // Not a tag of any string, lest the bytes begin like an encoding after all.
                content =
                    [0xFF]
                    + (0..<200).map { _ in UInt8.random(in: 0...255, using: &context.random) }
            }
        ),
        ReceiptFlaw(
            "payloadTruncated",
            .payload,
            "the last bytes of what was signed are missing",
            .content { content, context in
                content.removeLast(Int.random(in: 1..<content.count, using: &context.random))
            }
        ),
        ReceiptFlaw(
            "payloadTrailing",
            .payload,
            "something follows the attributes in what was signed",
            .content { content, _ in content += [0x05, 0x00] }
        ),
        ReceiptFlaw(
            "payloadSequence",
            .payload,
            "the attributes are in a SEQUENCE and not in a SET",
            .content { content, _ in
                content = DERWriter.bytes { writer in
                    writer.sequence { $0.sequence { $0.null() } }
                }
            }
        ),
        ReceiptFlaw(
            "attributeNoSequence",
            .payload,
            "the attributes are numbers",
            .content { content, _ in
                content = DERWriter.bytes { writer in writer.set { $0.integer(2) } }
            }
        ),
        ReceiptFlaw(
            "attributeWithoutValue",
            .payload,
            "an attribute has no value",
            .content { content, _ in
                content = DERWriter.bytes { writer in
                    writer.set { set in
                        set.sequence { attribute in
                            attribute.integer(2)
                            attribute.integer(1)
                        }
                    }
                }
            }
        ),
    ]

    /// An attribute that a receipt needs is missing, repeated or no value of its type.
    static let ofAttributes: [ReceiptFlaw] = ofReceiptAttributes + ofPurchaseAttributes

    private static let ofReceiptAttributes: [ReceiptFlaw] = [
        receipt("bundleIdMissing", "there is no bundle identifier") { $0.remove(2) },
        receipt("bundleIdNoText", "the bundle identifier is a number") { $0.set(2, .integer(2)) },
        receipt("bundleIdNotUTF8", "the bundle identifier is not in UTF-8") {
            $0.set(2, .octets([0x0C, 0x02, 0xC3, 0x28]))
        },
        receipt("bundleIdTrailing", "something follows the bundle identifier in its value") {
            let value = $0[2]?.value ?? []
            $0.set(2, .octets(value + [0x05, 0x00]))
        },
        receipt("creationDateMissing", "there is no creation date") { $0.remove(12) },
        receipt("creationDateUnreadable", "the creation date is no date") {
            $0.set(12, .asciiText("yesterday"))
        },
        receipt("creationDateEmpty", "the creation date is empty") { $0.set(12, .asciiText("")) },
        receipt("receiptTypeMissing", "there is no receipt type") { $0.remove(0) },
        receipt("receiptTypeNoText", "the receipt type is a number") { $0.set(0, .integer(0)) },
    ]

    private static let ofPurchaseAttributes: [ReceiptFlaw] = [
        ReceiptFlaw(
            "purchaseNoSet",
            .payload,
            "a purchase is a text",
            .payload { payload, _ in
                payload.receipt.append(ReceiptAttribute(17, .text("a purchase")))
            }
        ),
        purchase("quantityNoNumber", "a quantity is a text") { $0.set(1701, .text("1")) },
        purchase("quantityTooWide", "a quantity has more than 64 bits") {
            $0.set(1701, .octets([0x02, 0x09, 1, 0, 0, 0, 0, 0, 0, 0, 0]))
        },
        purchase("productIdMissing", "a purchase has no product") { $0.remove(1702) },
        purchase("transactionIdMissing", "a purchase has no transaction") { $0.remove(1703) },
        purchase("purchaseDateUnreadable", "a purchase date is no date") {
            $0.set(1704, .asciiText("2026-02-30T00:00:00Z"))
        },
        purchase("expiresDateUnreadable", "an expiry date is no date") {
            $0.set(1708, .asciiText("never"))
        },
        purchase("lineItemIdTooWide", "a line item has more than 64 bits") {
            $0.set(1711, .octets([0x02, 0x09, 1, 0, 0, 0, 0, 0, 0, 0, 0]))
        },
    ]

    /// Everything is in order, and the receipt is not the one that was asked for.
    static let ofClaims: [ReceiptFlaw] = [
        ReceiptFlaw(
            "otherApp",
            .app,
            "it is of the app com.example.other",
            .payload { payload, _ in payload.receipt.set(2, .text("com.example.other")) }
        ),
        ReceiptFlaw(
            "otherEnvironment",
            .environment,
            "it is of production where the sandbox's was meant, or the reverse",
            needs: .appStoreSigner,
            .payload { payload, _ in
                let isProduction = payload.isOfType(.production) || payload.isOfType(.productionVPP)
                let other: ReceiptType = isProduction ? .productionSandbox : .production
                payload.receipt.set(0, .text(other.rawValue))
            }
        ),
        ReceiptFlaw(
            "xcodeOfAppStore",
            .environment,
            "it says that it is Xcode's, and the App Store signed it",
            needs: .appStoreSigner,
            .payload { payload, _ in
                payload.receipt.set(0, .text(ReceiptType.xcode.rawValue))
            }
        ),
        ReceiptFlaw(
            "appStoreOfXcode",
            .environment,
            "it says that it is the App Store's, and Xcode signed it",
            needs: .storeKitSigner,
            .payload { payload, _ in
                payload.receipt.set(0, .text(ReceiptType.production.rawValue))
            }
        ),
        ReceiptFlaw(
            "ofTheFuture",
            .time,
            "it says that it was made a year later than it was",
            needs: .creationDate,
            .payload { (payload, context) throws(SimulatorError) in
                let later = context.creationDate.advanced(by: .seconds(365 * 86_400))
                payload.receipt.set(12, try .date(later))
            }
        ),
    ]

    private static func receipt(
        _ name: String,
        _ reason: String,
        _ change: @escaping @Sendable (inout AttributeSet) -> Void
    ) -> ReceiptFlaw {
        ReceiptFlaw(name, .payload, reason, .payload { payload, _ in change(&payload.receipt) })
    }

    private static func purchase(
        _ name: String,
        _ reason: String,
        _ change: @escaping @Sendable (inout AttributeSet) -> Void
    ) -> ReceiptFlaw {
        ReceiptFlaw(
            name,
            .payload,
            reason,
            needs: .purchases,
            .payload { payload, context in
                let index = Int.random(in: payload.purchases.indices, using: &context.random)
                change(&payload.purchases[index])
            }
        )
    }
}

extension ReceiptPayload {
    func isOfType(_ type: ReceiptType) -> Bool {
        receipt[0]?.value.elementsEqual(AttributeValue.text(type.rawValue).encoding) ?? false
    }
}
