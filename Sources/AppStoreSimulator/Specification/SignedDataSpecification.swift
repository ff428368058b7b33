import AppStoreModel
public import CounterfoilBasics
import CounterfoilJSON

/// Signed data described in JSON, as the command line takes it.
///
/// Keys are Apple's own, of the payload; every one may be left out, and `null` leaves one out of the
/// payload, too. `{}` is of the sandbox and of `com.example.app`, signed now, and tells of an
/// auto-renewable subscription that is open now. Comments are allowed. Dates are milliseconds, or as
/// in ``ReceiptSpecification``. A key that nobody knows goes into the payload as it is, unless it is
/// nearly one that is known. Beside Apple's keys there are:
///
/// | key | meaning |
/// | --- | --- |
/// | `payload` | members that go into the payload exactly as they are |
/// | `seed` | decides what is made up and how it is spoiled |
/// | `signer` | `appStore` or `storeKit`; that of the environment when left out |
/// | `flaw` | the name of a ``SignedDataFlaw`` |
/// | `environment` | of an app transaction, whose own word is `receiptType` |
/// | `device` | of an app transaction: the UUID that its `deviceVerification` is made for |
/// | `environment`, `bundleId`, `appAppleId` | of a notification: for all in it |
/// | `transaction`, `renewalInfo`, `appTransaction` | what is signed into a notification |
///
/// A `type` may also be one of the words of ``ReceiptSpecification``.
public struct SignedDataSpecification: Hashable, Sendable {
    /// What is described.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A transaction.
        case transaction
        /// The state of a subscription's renewal.
        case renewalInfo = "renewal-info"
        /// The download of an app.
        case appTransaction = "app-transaction"
        /// A notification of version 2.
        case notification
        /// A request for a retention message.
        case realtimeRequest = "realtime-request"
    }

    /// How it is signed.
    public let form: SignedDataForm
    /// What is wrong with it.
    public let flaw: SignedDataFlaw?
    let document: SignedDocument
    private let seed: UInt64

    /// Reads a specification.
    ///
    /// - Parameters:
    ///   - kind: What it describes.
    ///   - json: The text.
    ///   - now: What dates are relative to.
    ///   - seed: Stands in the place of its own seed; nil leaves that.
    ///   - flaw: Stands in the place of its own flaw; nil leaves that.
    /// - Throws: `issue.specification_unreadable`, `issue.unknown_key`, `issue.invalid_value`.
    public init(
        _ kind: Kind,
        json: [UInt8],
        now: Instant,
        seed: UInt64? = nil,
        flaw: SignedDataFlaw? = nil
    ) throws(SimulatorError) {
        let members = try SpecificationMembers.read(json.span, seed: seed, flaw: flaw?.name)
        let reader = PayloadReader(
            now: now,
            seed: members.object["seed"]?.number?.uint64 ?? 0,
            words: ["seed", "signer", "flaw"]
        )
        let words: SpecificationMembers
        (document, words) = try reader.document(kind, members)
        self.seed = try words.natural("seed") ?? 0
        self.flaw = try words.flaw("flaw")
        form =
            try words.choice("signer", ["appStore": .appStore, "storeKit": .storeKit])
            ?? SignedDataForm.usual(of: document.environment)
    }

    /// The document in its compact form.
    ///
    /// - Throws: `issue.flaw_not_applicable`, `issue.key_unusable`.
    public func issue(by authority: SigningAuthority) throws(SimulatorError) -> String {
        let issuer = SignedDataIssuer(authority: authority)
        guard let flaw else { return try issuer.issue(document, form: form) }
        return try issuer.issue(document, form: form, spoiledBy: flaw, seed: seed)
    }
}
