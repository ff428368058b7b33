package import AppStoreModel

// Apple's answer to a question of ours. Nobody signed it: it is believed because it came over a
// channel that proved to be Apple's, and never becomes more than that.
extension Vouched where Content == VerifyReceiptReply {
    /// Believes an answer of verifyReceipt that has a receipt in it.
    ///
    /// The caller answers for the channel: the bytes must be what the host sent over it, unchanged.
    ///
    /// - Parameters:
    ///   - reply: The answer.
    ///   - host: Who was asked.
    ///   - environment: The environment whose receipts the address that was asked answers.
    ///   - realm: The realm in which the host is Apple.
    /// - Throws: `payload.field_missing` where there is no receipt in it or the receipt names no
    ///   app; `environment.mismatch` where it is of another environment than the address.
    package init(
        _ reply: VerifyReceiptReply,
        from host: String,
        answering environment: StoreEnvironment,
        realm: Realm
    ) throws(VerificationError) {
        guard reply.hasReceipt, let bundleId = reply.bundleId else {
            throw VerificationError(
                VerificationError.fieldMissing,
                "the answer of \(host) has no receipt that names its app"
            )
        }
        if let named = reply.environment, named != environment {
            throw VerificationError(
                VerificationError.environmentMismatch,
                "the answer of \(host) is of \(named.rawValue.prefix(64).debugDescription), "
                    + "expected \(environment.rawValue) at the address that was asked"
            )
        }
        self.init(
            content: reply,
            scope: Scope(bundleId: bundleId, environment: environment, realm: realm),
            voucher: .appleChannel(host: host)
        )
    }
}
