public import CounterfoilJSON

/// What kind of document a signed payload is, told by what is in it.
///
/// The App Store's signed documents do not say what they are. The kinds are told apart by members
/// that every document of a kind has, Xcode's included, and no document of another kind.
public enum SignedDataKind: String, Hashable, Sendable, CaseIterable {
    /// ``JWSTransactionDecodedPayload``: has `transactionId` and `productId`.
    case transaction
    /// ``JWSRenewalInfoDecodedPayload``: has `autoRenewStatus` or `autoRenewProductId`.
    case renewalInfo
    /// ``AppTransaction``: has `receiptType` and `receiptCreationDate`.
    case appTransaction
    /// ``ResponseBodyV2DecodedPayload``: has `notificationType`.
    case notification
    /// ``DecodedRealtimeRequestBody``: has `requestIdentifier` and `userLocale`.
    case realtimeRequest
    /// None of these.
    case unknown

    /// Tells the kind of a signed payload.
    ///
    /// A member counts when it is there, whatever its type, so that reading can say what is wrong
    /// with it. A payload with the members of several kinds is of the first in this order:
    /// notification, transaction, renewal info, app transaction, realtime request.
    public init(of payload: JSONObject) {
        func has(_ key: String) -> Bool { payload[key].map { !$0.isNull } ?? false }
        self =
            if has("notificationType") {
                .notification
            } else if has("transactionId"), has("productId") {
                .transaction
            } else if has("autoRenewStatus") || has("autoRenewProductId") {
                .renewalInfo
            } else if has("receiptType"), has("receiptCreationDate") {
                .appTransaction
            } else if has("requestIdentifier"), has("userLocale") {
                .realtimeRequest
            } else {
                .unknown
            }
    }
}
