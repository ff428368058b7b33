import AppStoreModel
public import CounterfoilBasics

/// Proves receipts of either style, offline.
///
///     let verifier = ReceiptVerifier()
///     let receipt = try verifier.verify(receiptData: text, bundleId: "com.example.app")
///
/// A verifier is a value that any number of threads may use at once. It remembers certificate
/// chains that held, so keep one rather than making one for each receipt.
public struct ReceiptVerifier: Sendable {
    /// Who may answer for a receipt.
    public let trust: Trust
    /// The bounds of what is read.
    public let limits: VerificationLimits
    /// Where it is looked up whether certificates were revoked; nil where that is not asked.
    public let revocation: RevocationRegister?

    private let appReceipts: AppReceiptVerification
    private let transactionReceipts: TransactionReceiptVerification

    /// Makes a verifier; unless told otherwise it believes Apple alone.
    ///
    /// - Parameters:
    ///   - trust: Who may answer for a receipt.
    ///   - limits: The bounds of what is read.
    ///   - revocation: Where it is looked up whether certificates were revoked; without it, that is
    ///     not asked.
    public init(
        trust: Trust = .appStore,
        limits: VerificationLimits = .default,
        revocation: RevocationRegister? = nil
    ) {
        self.trust = trust
        self.limits = limits
        self.revocation = revocation
        appReceipts = AppReceiptVerification(
            trust: trust,
            limits: limits,
            memory: ChainMemory(capacity: limits.rememberedChains),
            revocation: revocation
        )
        transactionReceipts = TransactionReceiptVerification(
            trust: trust,
            limits: limits,
            revocation: revocation
        )
    }

    /// Proves a receipt of any app.
    ///
    /// - Parameters:
    ///   - document: The receipt, freed of its transport encodings.
    ///   - now: The instant for remarks and for receipts from the future. Certificates are judged
    ///     at the instant of signing, never at this one.
    /// - Returns: The receipt, proved.
    /// - Throws: The reason why the receipt is refused, or undecided; `payload.wrong_kind` for a
    ///   document that is no receipt.
    public func verify(
        _ document: Document,
        now: Instant = SystemClock().now
    ) throws(VerificationError) -> VerifiedReceipt {
        switch document.kind {
        case .appReceipt: .appReceipt(try appReceipts.verify(document, now: now))
        case .transactionReceipt:
            .transactionReceipt(try transactionReceipts.verify(document, now: now))
        case .signedData, .notificationV1, .serverAnswer:
            throw VerificationError(
                VerificationError.wrongKind,
                "this is \(document.kind.words), not a receipt"
            )
        }
    }

    /// Proves a receipt of one app, as its client sent it.
    ///
    /// - Parameters:
    ///   - receiptData: The receipt in base 64, or in any form that ``Document`` reads.
    ///   - bundleId: The app that the receipt must be of.
    ///   - now: As above.
    /// - Returns: The receipt, proved.
    /// - Throws: The reason why the receipt is refused, or undecided; `app.bundle_mismatch` for a
    ///   genuine receipt of another app.
    public func verify(
        receiptData: some StringProtocol,
        bundleId: String,
        now: Instant = SystemClock().now
    ) throws(VerificationError) -> VerifiedReceipt {
        let document = try Document(detecting: Array(receiptData.utf8), limits: limits)
        let receipt = try verify(document, now: now)
        try receipt.requireApp(bundleId)
        return receipt
    }
}

extension VerifiedReceipt {
    /// Checks that the receipt is of an app.
    ///
    /// - Throws: `app.bundle_mismatch`.
    public func requireApp(_ bundleId: String) throws(VerificationError) {
        guard proof.scope.bundleId.hasSameUTF8(as: bundleId) else {
            throw VerificationError(
                VerificationError.bundleMismatch,
                "the receipt is of the app \(proof.scope.bundleId), expected \(bundleId)"
            )
        }
    }
}
