import CounterfoilBasics

/// Since when Apple's documents have what older ones had not, as far as published ones show it.
enum FormatDate {
    /// Dates of iOS 6-style receipts in milliseconds and in Los Angeles.
    static let allDateForms = CivilTime(year: 2012, month: 1, day: 1).instant
    /// `unique-identifier` in iOS 6-style receipts.
    static let deviceIdentifiers = CivilTime(year: 2012, month: 9, day: 19).instant
    /// `unique-vendor-identifier` in iOS 6-style receipts.
    static let vendorIdentifiers = CivilTime(year: 2013, month: 1, day: 1).instant
    /// `auto_renew_status`, what goes with it, and `cancellation_reason` in answers to iOS 6-style
    /// receipts.
    static let renewals = CivilTime(year: 2017, month: 1, day: 1).instant
    /// `is-trial-period` and `is-in-intro-offer-period` in iOS 6-style receipts.
    static let offers = CivilTime(year: 2017, month: 6, day: 1).instant
    /// `subscription_group_identifier` in answers of verifyReceipt and iOS 6-style receipts.
    static let subscriptionGroups = CivilTime(year: 2018, month: 1, day: 1).instant
    /// `version-external-identifier` in iOS 6-style receipts of the sandbox.
    static let sandboxVersions = CivilTime(year: 2019, month: 1, day: 1).instant
    /// `unified_receipt` in notifications of version 1.
    static let unifiedReceipts = CivilTime(year: 2019, month: 11, day: 21).instant
    /// 0 for OK as the status in `unified_receipt`.
    static let statusNumbers = CivilTime(year: 2020, month: 1, day: 1).instant
    /// `bid` and `bvrs` in notifications of version 1.
    static let appsInNotifications = CivilTime(year: 2020, month: 5, day: 1).instant
    /// `in_app_ownership_type` in answers of verifyReceipt.
    static let ownership = CivilTime(year: 2021, month: 1, day: 1).instant
    /// Notifications of version 1 without receipts of iOS 6 style, and DID_RECOVER for RENEWAL.
    static let withoutTransactionReceipts = CivilTime(year: 2021, month: 3, day: 10).instant
    /// `deprecation` in notifications of version 1.
    static let deprecation = CivilTime(year: 2023, month: 6, day: 5).instant
}
