package import CounterfoilBasics
import CounterfoilJSON

/// A request to verifyReceipt, whatever brought it.
package struct VerifyReceiptRequest: Sendable {
    /// The two addresses of Apple's endpoint.
    package enum Address: String, Sendable, CaseIterable {
        /// `buy.itunes.apple.com/verifyReceipt`
        case production
        /// `sandbox.itunes.apple.com/verifyReceipt`
        case sandbox
    }

    /// The address that it came to.
    package var address: Address
    /// Whether its method is POST.
    package var isPOST: Bool
    /// Its body.
    package var body: [UInt8]
    /// When it came.
    package var receivedAt: Instant

    /// Makes a request.
    package init(
        _ address: Address,
        isPOST: Bool = true,
        body: [UInt8],
        receivedAt: Instant
    ) {
        self.address = address
        self.isPOST = isPOST
        self.body = body
        self.receivedAt = receivedAt
    }
}

/// The body of a request to verifyReceipt (Apple, "requestBody"); unknown keys are ignored.
struct VerifyReceiptBody: Sendable {
    /// `receipt-data` as it stands in the body.
    let receiptData: [UInt8]
    /// `password`, where it is a string; nothing here compares it, and Apple's endpoint does.
    let password: Redacted<String>?
    /// `exclude-old-transactions`; anything but true, 1 and these in a string means false.
    let excludesOldTransactions: Bool

    /// Reads a body.
    ///
    /// - Throws: `request.…`, in the order: empty, not JSON, not an object, no receipt in it.
    init(_ body: [UInt8], limits: JSONLimits) throws(VerifyReceiptRefusal) {
        let envelope: JSONEnvelope
        do {
            envelope = try JSONEnvelope(parsing: body, limits: limits)
        } catch {
            throw VerifyReceiptRefusal(error)
        }
        let receiptData = envelope.withString("receipt-data") { text in
            text.withUnsafeBufferPointer { Array($0) }
        }
        guard let receiptData else {
            throw Self.refusal(ofReceiptData: envelope["receipt-data"])
        }
        self.receiptData = receiptData
        password = envelope["password"]?.string.map { Redacted($0) }
        excludesOldTransactions =
            switch envelope["exclude-old-transactions"] {
            case .bool(let value): value
            case .number(let number): number.int64 == 1
            case .string(let text): text == "true" || text == "1"
            default: false
            }
    }

    private static func refusal(ofReceiptData value: JSONValue?) -> VerifyReceiptRefusal {
        guard let value, !value.isNull else {
            return VerifyReceiptRefusal(
                VerifyReceiptRefusal.receiptDataMissing,
                value == nil
                    ? "the body has no receipt-data; expected the receipt in base 64"
                    : "receipt-data is null; expected the receipt in base 64"
            )
        }
        return VerifyReceiptRefusal(
            VerifyReceiptRefusal.receiptDataNotText,
            "receipt-data is \(value.kindInWords); expected the receipt in base 64"
        )
    }
}

extension VerifyReceiptRefusal {
    /// What a body that cannot be read means.
    fileprivate init(_ error: JSONError) {
        let code =
            switch error.code {
            case JSONError.empty: Self.emptyBody
            case JSONError.wrongType: Self.notAnObject
            case JSONError.duplicateKey: Self.duplicateKey
            case JSONError.tooLarge, JSONError.tooDeep, JSONError.tooManyValues: Self.tooComplex
            default: Self.notJSON
            }
        self.init(code, "the body: \(error.reason)")
    }
}
