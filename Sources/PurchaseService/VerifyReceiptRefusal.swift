package import AppStoreModel
import AppStoreVerification
package import CounterfoilBasics

/// Why verifyReceipt answers with another status than 0, where the document itself is not at fault.
package struct VerifyReceiptRefusal: CodedError, Hashable {
    /// One of ``allCodes``.
    package let code: ErrorCode
    /// What was found and expected; free of receipt bytes and secrets.
    package let reason: String

    init(_ code: ErrorCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension VerifyReceiptRefusal {
    /// The request's method is not POST.
    package static let notPOST: ErrorCode = "request.not_post"
    /// The body is empty.
    package static let emptyBody: ErrorCode = "request.empty_body"
    /// The body is not JSON.
    package static let notJSON: ErrorCode = "request.not_json"
    /// The body is JSON but no object.
    package static let notAnObject: ErrorCode = "request.not_an_object"
    /// A key stands twice in one object of the body, so that two readers may see two requests.
    package static let duplicateKey: ErrorCode = "request.duplicate_key"
    /// The body is nested too deep or holds too many values.
    package static let tooComplex: ErrorCode = "request.too_complex"
    /// `receipt-data` is missing or null.
    package static let receiptDataMissing: ErrorCode = "request.receipt_data_missing"
    /// `receipt-data` is not a string.
    package static let receiptDataNotText: ErrorCode = "request.receipt_data_not_text"

    /// A receipt of the sandbox, or of Xcode, at the production address.
    package static let sandboxReceipt: ErrorCode = "environment.sandbox_receipt"
    /// A production receipt at the sandbox address.
    package static let productionReceipt: ErrorCode = "environment.production_receipt"
    /// The app is not configured for the receipt's environment.
    package static let environmentNotServed: ErrorCode = "environment.not_served"

    /// No app of that bundle identifier and realm is configured.
    package static let appNotConfigured: ErrorCode = "app.not_configured"
    /// The certificates lead to an authority that is configured for another app.
    package static let otherAuthority: ErrorCode = "app.other_authority"
    /// The document names no app at all.
    package static let noAppNamed: ErrorCode = "app.none_named"
    /// What is signed is no notification.
    package static let noNotification: ErrorCode = "notification.wrong_kind"
    /// The receipt names another Apple ID than the app's.
    package static let appleIdMismatch = VerificationError.appleIdMismatch

    /// Every code of this layer.
    package static let allCodes: [ErrorCode] = [
        notPOST, emptyBody, notJSON, notAnObject, duplicateKey, tooComplex, receiptDataMissing,
        receiptDataNotText, sandboxReceipt, productionReceipt, environmentNotServed,
        appNotConfigured, otherAuthority, noAppNamed, noNotification,
        appleIdMismatch,
    ]

    /// The status that Apple's endpoint answers with.
    package var status: VerifyReceiptStatus {
        switch code {
        case Self.notPOST, Self.emptyBody, Self.notJSON: .notPOST
        case Self.sandboxReceipt: .sandboxReceipt
        case Self.productionReceipt: .productionReceipt
        case Self.environmentNotServed, Self.appNotConfigured, Self.otherAuthority,
            Self.appleIdMismatch:
            .accountNotFound
        default: .malformed
        }
    }
}

extension VerificationError {
    /// The status that verifyReceipt answers to this refusal of a document: malformed where no
    /// document could be read, not authenticated where one could.
    package var verifyReceiptStatus: VerifyReceiptStatus {
        if isUndecided { return .internalError }
        if code == Self.wrongKind { return .malformed }
        if Self.othersThanReceipts.contains(code) { return .malformed }
        let area = code.rawValue.prefix { $0 != "." }
        return Self.areasOfMalformed.contains(String(area)) ? .malformed : .notAuthenticated
    }

    private static let areasOfMalformed: Set = ["encoding", "asn1", "cms", "plist", "jws", "limit"]

    /// What may be genuine and is neither a receipt nor a transaction.
    private static let othersThanReceipts: Set<ErrorCode> = [wrongKind, kindUnknown]
}
