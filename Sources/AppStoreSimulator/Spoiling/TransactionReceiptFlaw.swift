public import AppStoreModel
import CounterfoilBasics

/// One way to spoil an iOS 6-style receipt that is otherwise in order.
public struct TransactionReceiptFlaw: DocumentFlaw {
    /// The flaw's name, which stays the same in later versions.
    public let name: String
    /// The kind of reason for which the receipt must be refused.
    public let reasonClass: ReasonClass
    /// Why it must be refused: what follows "because" in a sentence.
    public let reason: String

    let needs: Needs
    let change: Change

    /// What a receipt must have to be spoiled in this way.
    enum Needs: Sendable {
        case nothing
        case subscription
        case sandbox

        /// To complete "a receipt …".
        var words: String {
            switch self {
            case .nothing: "of any kind"
            case .subscription: "with an expiry date"
            case .sandbox: "of the sandbox, by its environment and its transaction id"
            }
        }
    }

    /// What is changed, on the way from the authority to the bytes.
    enum Change: Sendable {
        /// The certificate that signs, for a role.
        case authority(AuthorityStep)
        /// What is signed.
        case receipt(SpoilStep<TransactionReceipt>)
        /// The parts of the document, before they are signed.
        case unsigned(SpoilStep<TransactionReceiptDraft>)
        /// The parts of the document, after they were signed.
        case signed(SpoilStep<TransactionReceiptDraft>)
        /// What stands in the document, after something else was signed.
        case exchangedReceipt(SpoilStep<TransactionReceipt>)
        /// The bytes of the document.
        case bytes(SpoilStep<[UInt8]>)
    }

    typealias AuthorityStep =
        @Sendable (
            _ authority: SigningAuthority, _ signer: AuthorityRole, _ purchaseDate: Instant
        ) throws(SimulatorError) -> SigningAuthority

    init(
        _ name: String,
        _ reasonClass: ReasonClass,
        _ reason: String,
        needs: Needs = .nothing,
        _ change: Change
    ) {
        self.name = name
        self.reasonClass = reasonClass
        self.reason = reason
        self.needs = needs
        self.change = change
    }
}

extension TransactionReceiptFlaw {
    /// Every flaw.
    public static let allCases: [TransactionReceiptFlaw] =
        ofStructure + ofSignatures + ofCertificates + ofContents + ofClaims

    /// Whether a receipt can be spoiled in this way.
    public func applies(to receipt: TransactionReceipt) -> Bool {
        switch needs {
        case .nothing: true
        case .subscription: receipt["expires-date"] != nil
        case .sandbox:
            receipt.environment == StoreEnvironment.sandbox.rawValue
                && Self.isOfSandbox(receipt.transactionId)
        }
    }

    /// Whether a signed transaction id tells by itself that it is of the sandbox.
    private static func isOfSandbox(_ transactionId: String) -> Bool {
        transactionId.utf8.count == 16
            && (transactionId.hasPrefix("1000000") || transactionId.hasPrefix("20000"))
    }
}

extension TransactionReceiptIssuer {
    /// Issues a receipt with a flaw.
    ///
    /// - Parameters:
    ///   - receipt: What it says, apart from the flaw.
    ///   - version: How it is signed; as on its purchase date when nil.
    ///   - flaw: What is wrong with it.
    ///   - seed: Decides where and how it is spoiled, where that is open.
    /// - Returns: The receipt's bytes.
    /// - Throws: `issue.flaw_not_applicable`, and what issuing without a flaw throws.
    public func issue(
        _ receipt: TransactionReceipt,
        version: BlobVersion? = nil,
        spoiledBy flaw: TransactionReceiptFlaw,
        seed: UInt64 = 0
    ) throws(SimulatorError) -> [UInt8] {
        guard flaw.applies(to: receipt) else {
            throw SimulatorError(
                SimulatorError.flawNotApplicable,
                "the flaw \(flaw.name) needs a receipt \(flaw.needs.words)"
            )
        }
        let version = version ?? Self.usualVersion(at: receipt.purchaseDate)
        var context = SpoilContext(
            creationDate: receipt.purchaseDate,
            random: SeededRandom(seed: seed)
        )
        let spoiled = try issued(receipt, version, flaw.change, &context)
        guard try spoiled != issue(receipt, version: version) else {
            throw .withoutEffect(flaw.name)
        }
        return spoiled
    }

    /// Issues in the usual steps, and takes the change in at its place among them.
    private func issued(
        _ receipt: TransactionReceipt,
        _ version: BlobVersion,
        _ change: TransactionReceiptFlaw.Change,
        _ context: inout SpoilContext
    ) throws(SimulatorError) -> [UInt8] {
        var issuer = self
        if case .authority(let step) = change {
            issuer.authority = try step(authority, version.signer, receipt.purchaseDate)
        }
        var receipt = receipt
        if case .receipt(let step) = change { try step(&receipt, &context) }
        var draft = issuer.draft(receipt, version)
        if case .unsigned(let step) = change { try step(&draft, &context) }
        try draft.sign()
        if case .signed(let step) = change { try step(&draft, &context) }
        if case .exchangedReceipt(let step) = change {
            try step(&receipt, &context)
            draft.purchaseInfo = Self.encoding(of: receipt.purchaseInfo)
        }
        var bytes = draft.bytes
        if case .bytes(let step) = change { try step(&bytes, &context) }
        return bytes
    }
}
