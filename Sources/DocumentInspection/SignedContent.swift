package import AppStoreModel
import AppStoreVerification
package import CounterfoilJSON

/// What signed data says: the whole of its payload, and Apple's values in it as far as they can be
/// read.
package struct SignedContent: Hashable, Sendable {
    /// What a document inside an unproved one claims.
    package struct Inside: Hashable, Sendable {
        /// The member that it is: `data.signedTransactionInfo`.
        package let path: String
        /// What it says.
        package let content: SignedContent
    }

    /// The kind, told by the payload.
    package let kind: SignedDataKind
    /// Everything that was signed, unknown members included, save members named `password`, which
    /// may be an app's shared secret.
    package let payload: JSONObject
    /// The claims of the documents inside, where nobody proved this one; where it is proved, they
    /// are the inspection's parts.
    package let inside: [Inside]

    init(_ kind: SignedDataKind, _ payload: JSONObject) {
        self.kind = kind
        self.payload = payload.withoutPasswords
        inside = []
    }

    init(_ document: VerifiedSignedData) {
        let payload =
            switch document {
            case .transaction(let transaction): transaction.object
            case .renewalInfo(let renewalInfo): renewalInfo.object
            case .appTransaction(let transaction): transaction.object
            case .notification(let notification): notification.notification.object
            case .realtimeRequest(let request): request.object
            }
        self.init(document.kind, payload)
    }

    /// The claims of a payload and of the documents in it, which have none inside themselves.
    init(claimedBy kind: SignedDataKind, _ payload: JSONObject, limits: VerificationLimits) {
        self.kind = kind
        self.payload = payload.withoutPasswords
        inside = Self.places.compactMap { member, key in
            guard let text = payload[member]?[key]?.string else { return nil }
            let claims = UnprovedSignedData(
                reading: Document(signedData: text),
                limits: limits
            )
            return claims.payload.map { payload in
                Inside(path: "\(member).\(key)", content: SignedContent(claims.kind, payload))
            }
        }
    }

    private static let places = [
        ("data", "signedTransactionInfo"), ("data", "signedRenewalInfo"),
        ("appData", "signedAppTransactionInfo"),
    ]
}

extension SignedContent {
    /// The transaction that it is; nil for another kind, and where a claim cannot be read.
    package var transaction: JWSTransactionDecodedPayload? { value(of: .transaction) }
    /// The renewal info that it is; nil as above.
    package var renewalInfo: JWSRenewalInfoDecodedPayload? { value(of: .renewalInfo) }
    /// The app transaction that it is; nil as above.
    package var appTransaction: AppTransaction? { value(of: .appTransaction) }
    /// The notification that it is; nil as above.
    package var notification: ResponseBodyV2DecodedPayload? { value(of: .notification) }
    /// The retention request that it is; nil as above.
    package var realtimeRequest: DecodedRealtimeRequestBody? { value(of: .realtimeRequest) }

    /// The environment that it says; nil where it says none.
    package var environment: StoreEnvironment? {
        transaction?.environment ?? renewalInfo?.environment ?? appTransaction?.receiptType
            ?? notification?.environment ?? realtimeRequest?.environment
    }

    /// The members that are known of documents of the kind; none of an unknown kind.
    package var knownMembers: [KnownMember] {
        switch kind {
        case .transaction: JWSTransactionDecodedPayload.knownMembers
        case .renewalInfo: JWSRenewalInfoDecodedPayload.knownMembers
        case .appTransaction: AppTransaction.knownMembers
        case .notification: ResponseBodyV2DecodedPayload.knownMembers
        case .realtimeRequest: DecodedRealtimeRequestBody.knownMembers
        case .unknown: []
        }
    }

    private func value<Value: AppStoreObject>(of kind: SignedDataKind) -> Value? {
        guard self.kind == kind else { return nil }
        do {
            return try Value(payload)
        } catch {
            // Only a claim can have a member of a wrong type; it is shown as it is.
            return nil
        }
    }
}
