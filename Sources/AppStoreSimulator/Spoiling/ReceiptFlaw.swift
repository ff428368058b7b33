public import AppStoreModel
import CounterfoilBasics

/// One way to spoil an app receipt that is otherwise in order.
///
///     for flaw in ReceiptFlaw.allCases where flaw.applies(to: receipt, form: form) {
///         let bytes = try issuer.issue(receipt, form: form, spoiledBy: flaw)
///         // … must be refused for a reason of flaw.reasonClass.
///     }
public struct ReceiptFlaw: DocumentFlaw {
    /// The flaw's name, which stays the same in later versions.
    public let name: String
    /// The kind of reason for which the receipt must be refused.
    public let reasonClass: ReasonClass
    /// Why it must be refused: what follows "because" in a sentence.
    public let reason: String

    let needs: Needs
    let change: Change

    /// What a receipt must have to be spoiled in this way.
    struct Needs: OptionSet, Sendable {
        let rawValue: Int

        static let purchases = Needs(rawValue: 1)
        static let signedAttributes = Needs(rawValue: 2)
        static let noSignedAttributes = Needs(rawValue: 4)
        static let appStoreSigner = Needs(rawValue: 8)
        static let storeKitSigner = Needs(rawValue: 16)
        static let openLengths = Needs(rawValue: 32)
        static let creationDate = Needs(rawValue: 64)
    }

    /// What is changed, on the way from the authority to the bytes.
    enum Change: Sendable {
        /// The certificates that sign.
        case authority(SpoilStep<SigningAuthority>)
        /// The attributes that are signed.
        case payload(SpoilStep<ReceiptPayload>)
        /// The octets that are signed.
        case content(SpoilStep<[UInt8]>)
        /// The parts of the document, before they are signed.
        case unsigned(SpoilStep<SignedDataDraft>)
        /// The parts of the document, after they were signed.
        case signed(SpoilStep<SignedDataDraft>)
        /// The attributes in the document, after others were signed.
        case exchangedPayload(SpoilStep<ReceiptPayload>)
        /// The bytes of the document.
        case bytes(SpoilStep<[UInt8]>)
    }

    init(
        _ name: String,
        _ reasonClass: ReasonClass,
        _ reason: String,
        needs: Needs = [],
        _ change: Change
    ) {
        self.name = name
        self.reasonClass = reasonClass
        self.reason = reason
        self.needs = needs
        self.change = change
    }
}

/// Changes a part of a document on its way to the bytes.
typealias SpoilStep<Subject> =
    @Sendable (
        _ subject: inout Subject, _ context: inout SpoilContext
    ) throws(SimulatorError) -> Void

/// What is known where a document is spoiled.
struct SpoilContext {
    /// When the receipt says it was made.
    let creationDate: Instant
    var random: SeededRandom
}

extension ReceiptFlaw {
    /// Every flaw.
    public static let allCases: [ReceiptFlaw] =
        ofStructure + ofAlgorithms + ofSignatures + ofKeys + ofChains + ofIssuers + ofPayloads
        + ofAttributes + ofClaims
}

extension ReceiptFlaw {
    /// Whether a receipt of a form can be spoiled in this way.
    public func applies(to receipt: AppReceipt, form: AppReceiptForm) -> Bool {
        lacking(hasPurchases: !receipt.inApp.isEmpty, hasCreationDate: true, form).isEmpty
    }

    /// Whether a payload in a form can be spoiled in this way.
    public func applies(to payload: ReceiptPayload, form: AppReceiptForm) -> Bool {
        lacking(in: payload, form).isEmpty
    }

    /// What a payload in a form has not and would have to have.
    func lacking(in payload: ReceiptPayload, _ form: AppReceiptForm) -> Needs {
        lacking(
            hasPurchases: !payload.purchases.isEmpty,
            hasCreationDate: payload.creationDate != nil,
            form
        )
    }

    private func lacking(
        hasPurchases: Bool,
        hasCreationDate: Bool,
        _ form: AppReceiptForm
    ) -> Needs {
        var has: Needs = form.signer == .storeKit ? .storeKitSigner : .appStoreSigner
        has.insert(form.hasSignedAttributes ? .signedAttributes : .noSignedAttributes)
        if hasPurchases { has.insert(.purchases) }
        if hasCreationDate { has.insert(.creationDate) }
        if case .indefinite = form.encoding { has.insert(.openLengths) }
        return needs.subtracting(has)
    }
}

extension ReceiptFlaw.Needs {
    /// The needs in words, to complete "a receipt …".
    var words: String {
        let all: KeyValuePairs<ReceiptFlaw.Needs, String> = [
            .purchases: "with purchases", .signedAttributes: "with signed attributes",
            .noSignedAttributes: "without signed attributes",
            .appStoreSigner: "that the App Store's signer signs",
            .storeKitSigner: "that StoreKit testing signs",
            .openLengths: "whose lengths are left open (BER)",
            .creationDate: "with a creation date",
        ]
        return all.filter { contains($0.key) }.map(\.value).joined(separator: ", ")
    }
}

extension ReceiptPayload {
    /// When the receipt says it was made, if it does.
    var creationDate: Instant? {
        guard let value = receipt[12]?.value, value.count > 2, value.count < 0x80 else {
            return nil
        }
        return AppStoreDate.parse(Array(value.dropFirst(2)).span)
    }
}
