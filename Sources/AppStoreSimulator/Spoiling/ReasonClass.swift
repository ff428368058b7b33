/// The kind of reason for which a spoiled document must be refused.
///
/// In words and not in anybody's error codes: what is issued here knows nothing of the programs
/// that judge it.
public enum ReasonClass: String, CaseIterable, Hashable, Sendable {
    /// The container is not the structure that a receipt has.
    case structure
    /// Something is larger or deeper than any receipt is.
    case limits
    /// A digest or a signature algorithm is not one that receipts are signed with.
    case algorithm
    /// The signature, or the digest that was signed, is not that of the content.
    case signature
    /// A certificate is not one of a receipt signer, or does not lead to the anchor.
    case certificates
    /// What was signed is no receipt, though genuinely signed.
    case payload
    /// The receipt is of another app.
    case app
    /// The receipt is of another environment.
    case environment
    /// The receipt is dated in the future.
    case time
}
