package import AppStoreModel
package import CounterfoilBasics

/// The signed content of an app receipt, decoded by the rules that a proved receipt is under, but
/// proved by nobody.
///
/// Behind a signature no stranger's bytes reach the decoder, so tests that want to get at it with
/// any bytes come in by this door. Nothing in it can become a ``Verified``.
package struct UnprovedPayload: Hashable, Sendable {
    /// What the content says.
    package let receipt: AppReceipt
    /// Attribute 12 as it is found before the rest is decoded, when the chain is judged.
    package let creationDateAtFirstSight: Instant
    /// What is remarkable about the content and refuses nothing.
    package let notes: [VerificationNote]

    /// Decodes content octets.
    ///
    /// - Throws: `receipt.…` or `limit.…`, as verifying a receipt with this content would.
    package init(
        decoding content: ArraySlice<UInt8>,
        limits: VerificationLimits = .default
    ) throws(VerificationError) {
        var decoder = AppReceiptDecoder(payload: try ReceiptPayload(content), limits: limits)
        creationDateAtFirstSight = try decoder.creationDate()
        receipt = try decoder.receipt()
        notes = decoder.notes
    }
}
