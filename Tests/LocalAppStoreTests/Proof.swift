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
}
