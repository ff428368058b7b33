public import AppStoreModel
import CounterfoilBasics

extension AppReceiptIssuer {
    /// Issues a receipt with a flaw.
    ///
    /// - Parameters:
    ///   - receipt: What it says, apart from the flaw.
    ///   - details: What it says beyond the fields.
    ///   - form: How it is wrapped and signed; the usual form of its receipt type when nil. Padding
    ///     is left out.
    ///   - flaw: What is wrong with it.
    ///   - seed: Decides where and how it is spoiled, where that is open.
    /// - Returns: The receipt's bytes.
    /// - Throws: `issue.flaw_not_applicable`, and what issuing without a flaw throws.
    public func issue(
        _ receipt: AppReceipt,
        details: AppReceiptDetails = AppReceiptDetails(),
        form: AppReceiptForm? = nil,
        spoiledBy flaw: ReceiptFlaw,
        seed: UInt64 = 0
    ) throws(SimulatorError) -> [UInt8] {
        try sign(
            ReceiptPayload(receipt, details: details),
            form: form ?? Self.usualForm(of: receipt.receiptType),
            spoiledBy: flaw,
            seed: seed
        )
    }

    /// Signs a payload and spoils it; see ``issue(_:details:form:spoiledBy:seed:)``.
    ///
    /// - Throws: `issue.flaw_not_applicable`, `issue.key_unusable`.
    public func sign(
        _ payload: ReceiptPayload,
        form: AppReceiptForm = .appStore,
        spoiledBy flaw: ReceiptFlaw,
        seed: UInt64 = 0
    ) throws(SimulatorError) -> [UInt8] {
        let lacking = flaw.lacking(in: payload, form)
        guard lacking.isEmpty else {
            throw SimulatorError(
                SimulatorError.flawNotApplicable,
                "the flaw \(flaw.name) needs a receipt \(lacking.words)"
            )
        }
        var context = SpoilContext(
            creationDate: payload.creationDate ?? Instant(millisecondsSince1970: 0),
            random: SeededRandom(seed: seed)
        )
        let spoiled = try signed(payload, form, flaw.change, &context)
        var unpadded = form
        unpadded.padding = []
        guard try spoiled != sign(payload, form: unpadded) else {
            throw .withoutEffect(flaw.name)
        }
        return spoiled
    }

    /// Issues in the usual steps, and takes the change in at its place among them.
    private func signed(
        _ payload: ReceiptPayload,
        _ form: AppReceiptForm,
        _ change: ReceiptFlaw.Change,
        _ context: inout SpoilContext
    ) throws(SimulatorError) -> [UInt8] {
        var issuer = self
        if case .authority(let step) = change { try step(&issuer.authority, &context) }
        var payload = payload
        if case .payload(let step) = change { try step(&payload, &context) }
        var content = issuer.content(of: payload, form)
        if case .content(let step) = change { try step(&content, &context) }
        var draft = issuer.draft(content, form)
        if case .unsigned(let step) = change { try step(&draft, &context) }
        try draft.sign()
        if case .signed(let step) = change { try step(&draft, &context) }
        if case .exchangedPayload(let step) = change {
            try step(&payload, &context)
            draft.content = .octets(issuer.content(of: payload, form))
        }
        var bytes = draft.bytes
        if case .bytes(let step) = change { try step(&bytes, &context) }
        return bytes
    }
}
