import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import Foundation
import Testing

/// What verifiers say of a local App Store's documents.
enum Proof {
    static let authority = NotificationTests.authority

    private static let verifier = Result {
        ReceiptVerifier(
            trust: try .rehearsal(anchors: Array(authority.get().anchorsPEM.utf8))
        )
    }

    /// The app receipt, signed and proved by a verifier of the authority's anchors.
    static func receipt(
        _ receipt: StoreReceipt,
        at now: Instant
    ) throws -> Verified<AppReceipt> {
        try appReceipt(receipt.signed(by: authority.get()), at: now)
    }

    /// The app receipt of these bytes, proved.
    static func appReceipt(_ bytes: [UInt8], at now: Instant) throws -> Verified<AppReceipt> {
        let document = try Document(detecting: bytes)
        guard case .appReceipt(let proved) = try verifier.get().verify(document, now: now) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return proved
    }

    /// The iOS 6-style receipt of these bytes, proved.
    static func transactionReceipt(
        _ bytes: [UInt8],
        at now: Instant
    ) throws -> Verified<TransactionReceipt> {
        let document = try Document(detecting: bytes)
        guard case .transactionReceipt(let proved) = try verifier.get().verify(document, now: now)
        else { throw CocoaError(.fileReadCorruptFile) }
        return proved
    }

    /// A notification of version 1 with the secret of ``NotificationV1Tests``, vouched for.
    static func notification(
        _ body: ResponseBodyV1,
        _ password: Redacted<String>?,
        at now: Instant
    ) throws -> VouchedNotification {
        let secret = SharedSecret(id: "own", NotificationV1Tests.secret)
        return try NotificationV1Verifier(secrets: [secret], receipts: verifier.get()).verify(
            body,
            password: password,
            of: ExpectedApp(bundleId: Life.bundleId, appAppleId: 1_234_567_890),
            now: now.advanced(by: .seconds(60))
        )
    }
}
