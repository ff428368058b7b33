package import AppStoreModel
import CounterfoilBasics

/// What a document says of the app that it is of, as far as its kind says it at all.
package struct NamedApp: Sendable {
    /// What the document is called in refusals.
    private let noun: StaticString
    /// The bundle identifier; nil where the document names none.
    package let bundleId: String?
    /// Whether a document of the kind and environment names the app's Apple ID, and which it is.
    package let appleId: AppleId

    /// What a document says of the app's Apple ID.
    package enum AppleId: Sendable {
        /// Documents of its kind or environment need not name it.
        case notNamed
        /// What stands where every such document names it.
        case named(Int64?)
    }

    /// Checks that the document is of one of some apps, as far as it names its own.
    ///
    /// - Parameters:
    ///   - bundleIds: the apps; any where there are none.
    ///   - appAppleId: the Apple ID that it must name; nil for any.
    /// - Returns: whether anything was compared.
    /// - Throws: `app.bundle_mismatch`, `app.apple_id_mismatch`.
    package func require(
        oneOf bundleIds: [String],
        appAppleId: Int64?
    ) throws(VerificationError) -> Bool {
        var isCompared = false
        if !bundleIds.isEmpty, let bundleId {
            guard bundleIds.contains(where: { $0.hasSameUTF8(as: bundleId) }) else {
                throw VerificationError(
                    VerificationError.bundleMismatch,
                    "\(noun) is of the app \(bundleId), expected "
                        + bundleIds.joined(separator: " or ")
                )
            }
            isCompared = true
        }
        if let appAppleId, case .named(let found) = appleId {
            guard found == appAppleId else { throw .otherAppleId(found, expected: appAppleId) }
            isCompared = true
        }
        return isCompared
    }
}

extension NamedApp {
    /// The app of a receipt; the Apple ID counts where there is one, which is in production.
    package init(_ receipt: VerifiedReceipt) {
        noun = "the receipt"
        bundleId = receipt.proof.scope.bundleId
        appleId = (receipt.appAppleId ?? 0) == 0 ? .notNamed : .named(receipt.appAppleId)
    }

    /// The app of signed data.
    package init(_ document: VerifiedSignedData) {
        noun = "the document"
        switch document {
        case .transaction(let transaction):
            (bundleId, appleId) = (transaction.proof.scope.bundleId, .notNamed)
        case .renewalInfo: (bundleId, appleId) = (nil, .notNamed)
        case .appTransaction(let transaction):
            bundleId = transaction.proof.scope.bundleId
            appleId = Self.appleId(transaction.appAppleId, in: transaction.proof.scope)
        case .notification(let notification):
            let notification = notification.notification
            bundleId = notification.bundleId
            appleId =
                notification.content.isOdd
                ? .notNamed : Self.appleId(notification.appAppleId, in: notification.proof.scope)
        case .realtimeRequest(let request):
            (bundleId, appleId) = (nil, .named(request.appAppleId))
        }
    }

    /// The app of renewal info that stands beside what names it.
    package init(_ renewalInfo: Verified<JWSRenewalInfoDecodedPayload>) {
        noun = "the document"
        (bundleId, appleId) = (renewalInfo.proof.scope.bundleId, .notNamed)
    }

    /// The app of a notification that a shared secret vouches for.
    package init(_ notification: Vouched<ResponseBodyV1>) {
        noun = "the notification"
        (bundleId, appleId) = (notification.scope.bundleId, .notNamed)
    }

    /// The sandbox leaves the Apple ID out or says 0.
    private static func appleId(_ found: Int64?, in scope: Scope) -> AppleId {
        scope.environment == .production ? .named(found) : .notNamed
    }
}

extension VerifiedReceipt {
    /// The Apple ID of the app as the receipt names it: 0 or nil in the sandbox.
    package var appAppleId: Int64? {
        switch self {
        case .appReceipt(let receipt): receipt.appItemId
        case .transactionReceipt(let receipt):
            receipt.purchaseInfo.first { $0.key == "app-item-id" }.flatMap { Int64($0.value) }
        }
    }
}
