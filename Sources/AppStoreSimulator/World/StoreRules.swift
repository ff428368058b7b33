import CounterfoilBasics

/// What the local App Store does where Apple's documentation leaves it open, each a switch with the
/// likelier way as its default (docs/REHEARSING.md lists them).
public struct StoreRules: Hashable, Sendable {
    /// How long before a period ends the next one is charged and told of; access still begins with
    /// the old period's end.
    ///
    /// Apple charges within 24 hours before, so from nothing to a day counts. Nothing at the paces of
    /// test environments.
    public var chargeLead = Duration.seconds(3600)
    /// Whether a customer who subscribes again in a group goes on under the old original
    /// transaction.
    public var keepsOriginalWhenResubscribing = true
    /// Whether a refund of a subscription turns its renewal off.
    public var refundTurnsRenewalOff = true
    /// Whether the limit of renewals in test environments, when it turns renewal off, is told of.
    public var tellsOfRenewalLimit = true
    /// Whether restoring gives the purchases in a device's receipts transactions of their own.
    public var restoringRenumbers = true
    /// How much more a price may be without consent, in hundredths of the old one, once a year.
    public var percentWithoutConsent = 50

    /// Makes the rules that hold unless told otherwise.
    public init() {}
}
