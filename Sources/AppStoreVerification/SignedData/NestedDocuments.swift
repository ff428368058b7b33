import AppStoreModel
import CounterfoilBasics

/// The documents inside a notification, which must be of its app and environment, and signed under
/// the same authority.
struct NestedDocuments {
    let scope: Scope
    let authority: Authority
    let verifier: SignedDataVerifier
    let now: Instant

    func transaction(
        _ text: String?
    ) throws(VerificationError) -> Verified<JWSTransactionDecodedPayload>? {
        try document("signedTransactionInfo", text) { (jws) throws(VerificationError) in
            let transaction = try verifier.transaction(jws, now: now)
            try requireSame(transaction.proof, "the transaction")
            return transaction
        }
    }

    func renewalInfo(
        _ text: String?,
        beside transaction: Verified<JWSTransactionDecodedPayload>?
    ) throws(VerificationError) -> Verified<JWSRenewalInfoDecodedPayload>? {
        try document("signedRenewalInfo", text) { (jws) throws(VerificationError) in
            let renewalInfo = try verifier.renewalInfo(jws, now: now)
            guard let transaction else {
                let bound = renewalInfo.bound(toApp: scope.bundleId)
                try requireSame(bound.proof, "the renewal info")
                return bound
            }
            return try renewalInfo.bound(to: transaction)
        }
    }

    func appTransaction(
        _ text: String?
    ) throws(VerificationError) -> Verified<AppTransaction>? {
        try document("signedAppTransactionInfo", text) { (jws) throws(VerificationError) in
            let transaction = try verifier.appTransaction(jws, now: now)
            try requireSame(transaction.proof, "the app transaction")
            return transaction
        }
    }

    private func requireSame(
        _ proof: SignatureProof,
        _ name: String
    ) throws(VerificationError) {
        let found = proof.scope
        try Agreement(name, "the notification around it")
            .require("bundleId", found.bundleId, scope.bundleId)
            .require("environment", found.environment.rawValue, scope.environment.rawValue)
            .require(Authority(found.realm, proof.certificates), authority)
    }

    private func document<Content>(
        _ key: StaticString,
        _ text: String?,
        _ verify: (CompactJWS) throws(VerificationError) -> Content
    ) throws(VerificationError) -> Content? {
        guard let text else { return nil }
        do {
            return try verify(try CompactJWS(text, limits: verifier.limits))
        } catch {
            throw VerificationError(error, in: key.description)
        }
    }
}
