import AppStoreModel
import CounterfoilASN1
import CounterfoilBasics

extension ReceiptFlaw {
    /// What is wrong with the signature, or with what it covers.
    static let ofSignatures: [ReceiptFlaw] = ofSignatureBytes + ofCoveredBytes + ofSignedAttributes

    private static let ofSignatureBytes: [ReceiptFlaw] = [
        ReceiptFlaw(
            "signatureBitFlipped",
            .signature,
            "one bit of the signature is turned over",
            .signed { draft, context in
                draft.signers[0].signature.flipBit(using: &context.random)
            }
        ),
        ReceiptFlaw(
            "signatureShortened",
            .signature,
            "the last byte of the signature is missing",
            .signed { draft, _ in draft.signers[0].signature.removeLast() }
        ),
        ReceiptFlaw(
            "signatureLengthened",
            .signature,
            "a zero follows the signature",
            .signed { draft, _ in draft.signers[0].signature.append(0) }
        ),
        ReceiptFlaw(
            "signatureEmpty",
            .signature,
            "the signature has no bytes",
            .signed { draft, _ in draft.signers[0].signature = [] }
        ),
        ReceiptFlaw(
            "signatureZero",
            .signature,
            "the signature is all zeros",
            .signed { draft, _ in
                draft.signers[0].signature = draft.signers[0].signature.map { _ in 0 }
            }
        ),
        ReceiptFlaw(
            "signatureRandom",
            .signature,
            "the signature is random bytes",
            .signed { draft, context in
                draft.signers[0].signature = draft.signers[0].signature.map { _ in
                    UInt8.random(in: 0...255, using: &context.random)
                }
            }
        ),
        ReceiptFlaw(
            "signatureByAnotherKey",
            .signature,
            "the signature is of a key that is not the certificate's",
            .unsigned { (draft, _) throws(SimulatorError) in
                draft.signers[0].key = try ImpostorKeys.usual()
            }
        ),
    ]

    private static let ofCoveredBytes: [ReceiptFlaw] = [
        ReceiptFlaw(
            "signatureOverOtherDigest",
            .signature,
            "the signature was made with another digest than the signer names",
            .unsigned { draft, _ in draft.signers[0].digest = draft.signers[0].digest.other }
        ),
        ReceiptFlaw(
            "signatureOverWholeElement",
            .signature,
            "the signature covers the content with its tag and length",
            needs: .noSignedAttributes,
            .unsigned { draft, _ in
                let octets = draft.content.octets
                draft.signers[0].signedInstead = DERWriter.bytes { $0.octetString(octets) }
            }
        ),
        ReceiptFlaw(
            "contentBitFlipped",
            .signature,
            "one bit of the content was turned over after it was signed",
            .signed { draft, context in
                var octets = draft.content.octets
                octets.flipBit(using: &context.random)
                draft.content = .octets(octets)
            }
        ),
        ReceiptFlaw(
            "bundleIdExchanged",
            .signature,
            "the bundle identifier was exchanged after it was signed",
            .exchangedPayload { payload, _ in payload.receipt.set(2, .text("com.example.other")) }
        ),
        ReceiptFlaw(
            "typeExchanged",
            .signature,
            "the receipt type was exchanged after it was signed",
            .exchangedPayload { payload, _ in
                let isVolumePurchase = payload.isOfType(.productionVPP)
                let other: ReceiptType = isVolumePurchase ? .production : .productionVPP
                payload.receipt.set(0, .text(other.rawValue))
            }
        ),
        ReceiptFlaw(
            "purchaseAdded",
            .signature,
            "a purchase was added after the others were signed",
            needs: .purchases,
            .exchangedPayload { payload, context in
                var purchase = payload.purchases[payload.purchases.count - 1]
                let number = Int64.random(in: 1...999_999_999, using: &context.random)
                purchase.set(1703, .text(String(2_000_000_000_000_000 + number)))
                payload.purchases.append(purchase)
            }
        ),
        ReceiptFlaw(
            "expiryExtended",
            .signature,
            "an expiry date was moved after it was signed",
            needs: [.purchases, .creationDate],
            .exchangedPayload { (payload, context) throws(SimulatorError) in
                let later = context.creationDate.advanced(by: .seconds(3650 * 86_400))
                payload.purchases[0].set(1708, try .date(later))
            }
        ),
    ]

    private static let ofSignedAttributes: [ReceiptFlaw] = [
        ReceiptFlaw(
            "messageDigestWrong",
            .signature,
            "the digest among the signed attributes is not the content's",
            needs: .signedAttributes,
            .unsigned { draft, _ in
                draft.changeAttribute(OID.messageDigestAttribute) { value in
                    value[value.count - 1] ^= 1
                }
            }
        ),
        ReceiptFlaw(
            "messageDigestMissing",
            .signature,
            "there is no digest among the signed attributes",
            needs: .signedAttributes,
            .unsigned { draft, _ in draft.removeAttribute(OID.messageDigestAttribute) }
        ),
        ReceiptFlaw(
            "messageDigestTwice",
            .signature,
            "there are two digests among the signed attributes",
            needs: .signedAttributes,
            .unsigned { draft, _ in
                let attributes = draft.signers[0].signedAttributes ?? []
                let digests = attributes.filter { $0.type == OID.messageDigestAttribute }
                draft.signers[0].signedAttributes = attributes + digests
            }
        ),
        ReceiptFlaw(
            "contentTypeAttributeWrong",
            .signature,
            "the signed attributes speak of another type of content",
            needs: .signedAttributes,
            .unsigned { draft, _ in
                draft.changeAttribute(OID.contentTypeAttribute) { value in
                    value = DERWriter.bytes { $0.objectIdentifier(OID.timeStampToken) }
                }
            }
        ),
        ReceiptFlaw(
            "contentTypeAttributeMissing",
            .signature,
            "the signed attributes do not say what type the content is of",
            needs: .signedAttributes,
            .unsigned { draft, _ in draft.removeAttribute(OID.contentTypeAttribute) }
        ),
        ReceiptFlaw(
            "attributesSignedWithImplicitTag",
            .signature,
            "the signature covers the signed attributes with the tag of the document",
            needs: .signedAttributes,
            .unsigned { draft, _ in
                draft.signers[0].signedInstead = draft.signers[0].signedAttributes.map {
                    SignedDataDraft.Signer.encoding(of: $0, tag: .contextSpecific(0))
                }
            }
        ),
    ]
}

extension SignedDataDraft {
    fileprivate mutating func changeAttribute(
        _ type: ASN1ObjectIdentifier,
        _ change: (inout [UInt8]) -> Void
    ) {
        var attributes = signers[0].signedAttributes ?? []
        for index in attributes.indices where attributes[index].type == type {
            change(&attributes[index].value)
        }
        signers[0].signedAttributes = attributes
    }

    fileprivate mutating func removeAttribute(_ type: ASN1ObjectIdentifier) {
        signers[0].signedAttributes?.removeAll { $0.type == type }
    }
}

extension [UInt8] {
    /// Turns over one bit at a place that the random numbers decide.
    mutating func flipBit(using random: inout SeededRandom) {
        guard !isEmpty else { return }
        let index = Int.random(in: indices, using: &random)
        self[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
    }
}
