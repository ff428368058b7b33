import AppStoreModel
package import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON

/// Answers verifyReceipt as Apple's endpoint does, from the receipt itself, or from a signed
/// transaction that stands in its place.
///
/// docs/VERIFY_RECEIPT.md says in what its answers differ.
///
/// A value that any number of tasks may use at once; it holds no state but the chains that its
/// verifier remembers.
package struct VerifyReceipt: Sendable {
    private let verifier: ReceiptVerifier
    private let signedData: SignedDataVerifier
    private let apps: ConfiguredApps
    private let limits: JSONLimits

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - apps: the apps that are served, and who may answer for their receipts.
    ///   - maxBodyBytes: the largest body that will be given to it.
    ///   - revocation: where it is looked up whether certificates were revoked; nil where that is
    ///     not asked.
    package init(
        _ apps: ConfiguredApps = ConfiguredApps(),
        maxBodyBytes: Int = 8 << 20,
        revocation: RevocationRegister? = nil
    ) {
        self.apps = apps
        var limits = VerificationLimits.default
        limits.inputBytes = max(limits.inputBytes, maxBodyBytes)
        limits.documentBytes = max(limits.documentBytes, maxBodyBytes / 4 * 3)
        verifier = ReceiptVerifier(trust: apps.trust, limits: limits, revocation: revocation)
        signedData = SignedDataVerifier(trust: apps.trust, limits: limits, revocation: revocation)
        self.limits = JSONLimits(bytes: maxBodyBytes, depth: 32, values: 10_000)
    }

    /// Answers a request; every one has an answer.
    ///
    /// The order is: method, JSON, `receipt-data`, decoding, authenticity, environment, app.
    package func answer(_ request: VerifyReceiptRequest) -> VerifyReceiptOutcome {
        examine(request).outcome
    }

    /// Answers a request, and keeps what asking somebody else about it takes.
    package func examine(_ request: VerifyReceiptRequest) -> ExaminedRequest {
        let body: VerifyReceiptBody
        do throws(VerifyReceiptRefusal) {
            guard request.isPOST else {
                throw VerifyReceiptRefusal(
                    VerifyReceiptRefusal.notPOST,
                    "the method is not POST"
                )
            }
            body = try VerifyReceiptBody(request.body, limits: limits)
        } catch {
            return ExaminedRequest(request.address, VerifyReceiptOutcome(error.status, error))
        }
        do throws(VerificationError) {
            let document = try Document(detecting: body.receiptData, limits: verifier.limits)
            return ExaminedRequest(
                request.address,
                answer(request, body, document),
                document,
                password: body.password,
                excludingOldTransactions: body.excludesOldTransactions
            )
        } catch {
            let outcome = VerifyReceiptOutcome(error.verifyReceiptStatus, error)
            return ExaminedRequest(request.address, outcome)
        }
    }

    /// Answers to what stands in a request.
    private func answer(
        _ request: VerifyReceiptRequest,
        _ body: VerifyReceiptBody,
        _ document: Document
    ) -> VerifyReceiptOutcome {
        do throws(VerificationError) {
            guard document.kind == .signedData else {
                let receipt = try verifier.verify(document, now: request.receivedAt)
                return answer(request, receipt.proof, receipt.purchases, receipt.appAppleId) {
                    VerifyReceiptOutcome(
                        receipt,
                        document,
                        from: body.receiptData,
                        excludingOldTransactions: body.excludesOldTransactions,
                        requestDate: request.receivedAt
                    )
                }
            }
            let jws = try CompactJWS(document.bytes, limits: signedData.limits)
            let transaction = try signedData.transaction(jws, now: request.receivedAt)
            return answer(request, transaction.proof, 1, nil) {
                VerifyReceiptOutcome(transaction, document, requestDate: request.receivedAt)
            }
        } catch {
            return VerifyReceiptOutcome(error.verifyReceiptStatus, error)
        }
    }

    /// Answers to what was proved, where it is of an app and an environment that are served here.
    private func answer(
        _ request: VerifyReceiptRequest,
        _ proof: SignatureProof,
        _ purchases: Int,
        _ appAppleId: Int64?,
        with content: () -> VerifyReceiptOutcome
    ) -> VerifyReceiptOutcome {
        let scope = proof.scope
        var appMatched: Bool?
        var outcome: VerifyReceiptOutcome
        do throws(VerifyReceiptRefusal) {
            try requireEnvironment(of: scope, at: request.address)
            appMatched = false
            appMatched = try apps.match(proof, appAppleId: appAppleId)
            outcome = content()
        } catch {
            outcome = VerifyReceiptOutcome(error.status, error)
            if error.status == .accountNotFound {
                outcome.response.environment = scope.environment
                outcome.response.isRetryable = false
            }
        }
        outcome.scope = scope
        outcome.appMatched = appMatched
        outcome.purchases = purchases
        outcome.notes = proof.notes
        return outcome
    }

    /// Only production receipts belong to the production address, and only they do.
    private func requireEnvironment(
        of scope: Scope,
        at address: VerifyReceiptRequest.Address
    ) throws(VerifyReceiptRefusal) {
        switch (address, scope.environment) {
        case (.production, .production): break
        case (.sandbox, .production):
            throw VerifyReceiptRefusal(
                VerifyReceiptRefusal.productionReceipt,
                "the receipt is of Production; expected one of the sandbox at this address"
            )
        case (.sandbox, _): break
        case (.production, let environment):
            guard apps.environmentRule(of: scope) == .strict else { return }
            throw VerifyReceiptRefusal(
                VerifyReceiptRefusal.sandboxReceipt,
                "the receipt is of \(environment.rawValue); expected one of Production at this "
                    + "address"
            )
        }
    }
}

extension VerifiedReceipt {
    /// How many purchases it lists.
    fileprivate var purchases: Int {
        switch self {
        case .appReceipt(let receipt): receipt.inApp.count
        case .transactionReceipt: 1
        }
    }
}
