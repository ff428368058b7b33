import AppStoreModel
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON

extension Inspection {
    /// The inspection as one JSON object (keys: docs/COMMANDS.md).
    ///
    /// Every key is always there; what is absent or unknown is null. Content stands under the key of
    /// its kind only when it is proved, or vouched for, else under `unproved`, so that nobody takes a
    /// claim for a fact by reading the wrong key. `source` names where the document came from.
    package func json(source: String) -> [UInt8] {
        var writer = JSONWriter(.pretty)
        write(as: "source", source, to: &writer)
        return writer.finish()
    }

    /// Writes the object, which begins with where the document was found.
    private func write(
        as name: StaticString,
        _ place: String,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member(name, place)
            writer.nullable("kind", judgement.document?.kind.rawValue)
            writer.member("verdict", judgement.verdict.rawValue)
            writer.nullable("code", judgement.objection?.code.rawValue)
            writer.nullable("reason", judgement.objection?.reason)
            writer.member("proved", isProved)
            writer.member("at", judgement.now.description)
            writeProof(to: &writer)
            writer.nullable("appMatched", judgement.appMatched)
            writer.nullable("deviceMatched", judgement.deviceMatched)
            writer.array("checks", checks) { $1.write(to: &$0) }
            writer.array("certificates", certificates) { $1.write(to: &$0) }
            writer.array("repairs", repairs) { $1.write(to: &$0) }
            writer.array("notes", notes) { $1.write(to: &$0) }
            writeContent(to: &writer)
            writer.array("documents", parts) { writer, part in
                part.inspection.write(as: "path", part.path, to: &writer)
            }
        }
    }

    private func writeProof(to writer: inout JSONWriter) {
        let proof = judgement.proof
        writer.nullable("realm", proof?.realm?.rawValue)
        writer.nullable("environment", proof?.environment?.rawValue)
        writer.nullable("bundleId", proof?.bundleId)
        writer.nullable("judgedAt", proof?.judgedAt?.description)
        writer.nullable("digest", proof?.digest)
    }

    /// Where content stands: a key of its own for each kind that can be believed, and one for what
    /// cannot.
    private enum Place: String, CaseIterable {
        case receipt
        case unproved
        case signedData
        case vouched
        case answer
    }

    private var place: Place? {
        switch judgement.proved {
        case .receipt: .receipt
        case .signedData, .renewalInfo: .signedData
        case .vouched: .vouched
        case nil where content == nil: nil
        case nil: judgement.document?.kind == .serverAnswer ? .answer : .unproved
        }
    }

    private func writeContent(to writer: inout JSONWriter) {
        for place in Place.allCases {
            if place == .signedData {
                writer.nullable("type", judgement.type?.rawValue)
                writer.nullable("label", judgement.label?.rawValue)
            }
            writer.key(text: place.rawValue)
            if place == self.place { writeValue(to: &writer) } else { writer.null() }
        }
    }

    private func writeValue(to writer: inout JSONWriter) {
        switch content {
        case .appReceipt(let receipt): write(receipt, to: &writer)
        case .transactionReceipt(let receipt): write(receipt, to: &writer)
        case .signedData(let content): content.write(to: &writer)
        case .notificationV1(let body): write(body, to: &writer)
        case .answer(let object): writer.value(.object(object))
        case nil: writer.null()
        }
    }

    private func write(_ body: ResponseBodyV1, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.nullable("voucher", judgement.proof?.voucher)
            writer.member("body", value: .object(body.object))
            let label = NotificationLabel(body)
            writer.key("reading")
            writer.object { writer in
                writer.member("label", label.rawValue)
                writer.member("sentence", label.sentence)
                writer.nullable("equivalentType", body.equivalentType?.rawValue)
                writer.nullable("equivalentSubtype", body.equivalentSubtype?.rawValue)
            }
        }
    }

    private func write(_ receipt: AppReceipt, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.stated("receiptType", receipt.receiptType.rawValue)
            writer.stated("bundleId", receipt.bundleId)
            writer.nullable("applicationVersion", receipt.applicationVersion)
            writer.nullable("originalApplicationVersion", receipt.originalApplicationVersion)
            writer.nullable("creationDate", signingDate)
            writer.nullable("originalCreationDate", receipt.originalCreationDate)
            writer.nullable("originalPurchaseDate", receipt.originalPurchaseDate)
            writer.nullable("preorderDate", receipt.preorderDate)
            writer.nullable("expirationDate", receipt.expirationDate)
            writer.nullable("appItemId", receipt.appItemId)
            writer.nullable("downloadId", receipt.downloadId)
            writer.nullable("versionExternalIdentifier", receipt.versionExternalIdentifier)
            writer.array("purchases", purchases) { $1.write(to: &$0, hasAttributes: true) }
            // The purchases have a key of their own.
            let own = receipt.attributes.filter { $0.type != 17 }
            writer.array("attributes", own) { AttributeReading($1).write(to: &$0) }
        }
    }

    private func write(_ receipt: TransactionReceipt, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.stated("bundleId", receipt.bundleId)
            writer.nullable(
                "applicationVersion",
                receipt.purchaseInfo.first { $0.key == "bvrs" }?.value
            )
            writer.nullable("uniqueVendorIdentifier", receipt.uniqueVendorIdentifier)
            writer.array("purchases", purchases) { $1.write(to: &$0, hasAttributes: false) }
            writer.array("purchaseInfo", receipt.purchaseInfo) { writer, entry in
                writer.objectOnOneLine { writer in
                    writer.member("key", entry.key)
                    writer.member("value", entry.value)
                    writer.member("known", PurchaseInfoKey.isKnown(entry.key))
                }
            }
            writer.key("unsigned")
            writer.object { writer in
                writer.nullable("environment", receipt.environment)
                writer.nullable("pod", receipt.pod)
                writer.nullable("signingStatus", receipt.signingStatus)
            }
        }
    }
}

extension PurchaseRow {
    fileprivate func write(to writer: inout JSONWriter, hasAttributes: Bool) {
        writer.object { writer in
            writer.stated("productId", productId)
            writer.nullable("productType", productType?.name)
            writer.nullable("quantity", quantity)
            writer.stated("transactionId", transactionId)
            writer.nullable("originalTransactionId", originalTransactionId)
            writer.nullable("purchaseDate", purchaseDate)
            writer.nullable("originalPurchaseDate", originalPurchaseDate)
            writer.nullable("expiresDate", expiresDate)
            writer.nullable("cancellationDate", cancellationDate)
            writer.nullable("cancellationReason", cancellationReason)
            writer.nullable("webOrderLineItemId", webOrderLineItemId)
            writer.nullable("isTrialPeriod", isTrialPeriod)
            writer.nullable("isInIntroOfferPeriod", isInIntroOfferPeriod)
            writer.nullable("promotionalOfferId", promotionalOfferId)
            guard hasAttributes else { return }
            writer.array("attributes", Array(attributes)) { AttributeReading($1).write(to: &$0) }
        }
    }
}

extension AttributeReading {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.objectOnOneLine { writer in
            writer.member("type", type)
            writer.member("version", version)
            writer.nullable("name", name?.name)
            writer.member("documented", name?.isDocumented ?? false)
            writer.nullable("asn1", asn1Type)
            switch value {
            case .text(let text): writer.member("value", text)
            case .integer(let number): writer.member("value", number)
            case .bytes, .purchase: writer.nullable("value", String?.none)
            }
            writer.nullable("gloss", gloss)
            guard case .bytes(let bytes) = value else {
                return writer.nullable("hex", String?.none)
            }
            writer.member("hex", Hexadecimal.encode(bytes))
        }
    }
}

extension Check {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.objectOnOneLine { writer in
            writer.member("check", subject.rawValue)
            writer.member("outcome", outcome.rawValue)
            writer.nullable("detail", detail.isEmpty ? nil : detail)
        }
    }
}

extension ChainLink {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", summary.name)
            writer.nullable("issuer", issuer)
            writer.member("serialNumber", summary.serialNumber)
            writer.member("key", summary.key)
            writer.nullable("notBefore", summary.notBefore)
            writer.nullable("notAfter", summary.notAfter)
            writer.member("sha256", summary.fingerprint.description)
            writer.array("markers", markers) { $0.string($1.identifier) }
        }
    }
}

extension VerificationNote {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.objectOnOneLine { writer in
            writer.member("code", code.rawValue)
            writer.member("text", text)
        }
    }
}

extension JSONWriter {
    mutating func array<Element>(
        _ name: StaticString,
        _ elements: [Element],
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        array { writer in
            for element in elements { write(&writer, element) }
        }
    }

    /// A text that an unproved receipt may lack: empty means that nobody stated it.
    fileprivate mutating func stated(_ name: StaticString, _ text: String) {
        nullable(name, text.isEmpty ? nil : text)
    }

    mutating func nullable(_ name: StaticString, _ instant: Instant?) {
        nullable(name, instant?.description)
    }
}
