/// What documents of the App Store look like, for zstd to refer to: names of members, usual values
/// and their order, as in RFC 8878 §5 a dictionary that is content alone.
///
/// What is packed cannot be unpacked with any other bytes, so not one of them ever changes: another
/// dictionary needs another version of ``PackedDocument``.
enum PackingDictionary {
    /// The bytes; what is met most often stands last, where referring to it is cheapest.
    static let bytes: [UInt8] =
        Array(propertyList.utf8) + receipt + Array(version1.utf8) + Array(version2.utf8) + steps

    /// An iOS 6-style receipt, and the property list in it.
    private static let propertyList = """
        {
        \t"signature" = "";
        \t"purchase-info" = "{
        \t"original-purchase-date-pst" = "2012-01-01 00:00:00 America/Los_Angeles";
        \t"is-in-intro-offer-period" = "false";
        \t"purchase-date-ms" = "1";
        \t"unique-identifier" = "";
        \t"original-transaction-id" = "";
        \t"expires-date" = "1";
        \t"transaction-id" = "";
        \t"quantity" = "1";
        \t"web-order-line-item-id" = "";
        \t"original-purchase-date-ms" = "1";
        \t"unique-vendor-identifier" = "";
        \t"expires-date-formatted-pst" = "2012-01-01 00:00:00 America/Los_Angeles";
        \t"item-id" = "";
        \t"expires-date-formatted" = "2012-01-01 00:00:00 Etc/GMT";
        \t"original-purchase-date" = "2012-01-01 00:00:00 Etc/GMT";
        \t"product-id" = "com.";
        \t"purchase-date" = "2012-01-01 00:00:00 Etc/GMT";
        \t"is-trial-period" = "false";
        \t"purchase-date-pst" = "2012-01-01 00:00:00 America/Los_Angeles";
        \t"bid" = "com.";
        \t"bvrs" = "1.0";
        }";
        \t"environment" = "Sandbox";
        \t"pod" = "100";
        \t"signing-status" = "0";
        }
        """

    /// A notification of version 1, and what it and answers of verifyReceipt list.
    private static let version1 = joined(
        #"""
        {"latest_receipt_info":{"app_item_id":"","expires_date_formatted":"2020-01-01 00:00:00 Etc
        /GMT","expires_date_formatted_pst":"2020-01-01 00:00:00 America/Los_Angeles","item_id":"",
        "unique_identifier":"","unique_vendor_identifier":"","version_external_identifier":"",
        "cancellation_date":"","cancellation_date_ms":"","cancellation_date_pst":"",
        "cancellation_reason":"0","promotional_offer_id":"","offer_code_ref_name":"",
        "app_account_token":"","is_upgraded":"true","expiration_intent":"1",
        "is_in_billing_retry_period":"1","grace_period_expires_date":"","price_consent_status":"0",
        "receipt":{"receipt_type":"ProductionSandbox","adam_id":0,"app_item_id":0,"bundle_id":
        "com.","application_version":"1","download_id":0,"version_external_identifier":0,
        "receipt_creation_date":"","request_date":"","original_application_version":"1.0","in_app":[
        {"notification_type":"DID_CHANGE_RENEWAL_STATUS","environment":"PROD",
        "auto_renew_product_id":"","auto_renew_status":"true","auto_renew_status_change_date":"20",
        "auto_renew_status_change_date_ms":"1","auto_renew_status_change_date_pst":"20",
        "original_transaction_id":1,"unified_receipt":{"environment":"Production","latest_receipt":
        "","latest_receipt_info":[{"quantity":"1","product_id":"com.","transaction_id":"",
        "original_transaction_id":"","purchase_date":"2020-01-01 00:00:00 Etc/GMT",
        "purchase_date_ms":"1","purchase_date_pst":"2020-01-01 00:00:00 America/Los_Angeles",
        "original_purchase_date":"2020-01-01 00:00:00 Etc/GMT","original_purchase_date_ms":"1",
        "original_purchase_date_pst":"2020-01-01 00:00:00 America/Los_Angeles","expires_date":
        "2020-01-01 00:00:00 Etc/GMT","expires_date_ms":"1","expires_date_pst":
        "2020-01-01 00:00:00 America/Los_Angeles","web_order_line_item_id":"","is_trial_period":
        "false","is_in_intro_offer_period":"false","in_app_ownership_type":"PURCHASED",
        "subscription_group_identifier":"2"}],"pending_renewal_info":[{"auto_renew_product_id":
        "com.","original_transaction_id":"","product_id":"com.","auto_renew_status":"1"}],"status":
        0},"bid":"com.","bvrs":"1","deprecation":"Mon, 5 Jun 2023 00:00:00 GMT"}
        """#
    )

    /// A notification of version 2 with all that is signed in it; before it, what is rarer.
    private static let version2 = joined(
        #"""
        {"receiptType":"Production","appAppleId":1,"bundleId":"com.","applicationVersion":"1",
        "versionExternalIdentifier":1,"receiptCreationDate":1,"originalPurchaseDate":1,
        "originalApplicationVersion":"1.0","deviceVerification":"","deviceVerificationNonce":"",
        "preorderDate":1,"originalPlatform":"iOS","advancedCommerceInfo":{"commitmentInfo":{
        "externalPurchaseToken":{"summary":{"requestIdentifier":"","consumptionRequestReason":"",
        "signedAppTransactionInfo":"","eligibleWinBackOfferIds":["offerIdentifier":"","isUpgraded":
        true,"revocationReason":0,"revocationDate":1,"revocationType":"","revocationPercentage":100,
        "offerType":1,"offerDiscountType":"FREE_TRIAL","offerPeriod":"P1W","type":"Consumable",
        "type":"Non-Consumable","type":"Non-Renewing Subscription","transactionReason":"PURCHASE",
        "inAppOwnershipType":"FAMILY_SHARED","gracePeriodExpiresDate":1,"priceIncreaseStatus":0,
        "expirationIntent":1,"isInBillingRetryPeriod":false,"notificationType":"ONE_TIME_CHARGE",
        "CONSUMPTION_REQUEST","REFUND","PRICE_INCREASE","GRACE_PERIOD_EXPIRED","EXPIRED","subtype":
        "VOLUNTARY","DID_FAIL_TO_RENEW","subtype":"GRACE_PERIOD","DID_CHANGE_RENEWAL_PREF",
        "subtype":"UPGRADE","DID_CHANGE_RENEWAL_STATUS","subtype":"AUTO_RENEW_DISABLED",
        "SUBSCRIBED","subtype":"INITIAL_BUY","environment":"Sandbox","signedTransactionInfo":"
        {"signedPayload":".{"notificationType":"DID_RENEW","notificationUUID":"","data":{
        "appAppleId":1,"bundleId":"com.","bundleVersion":"1","environment":"Production","status":1,
        "signedTransactionInfo":".{"transactionId":"","originalTransactionId":"",
        "webOrderLineItemId":"","bundleId":"com.","productId":"com.","subscriptionGroupIdentifier":
        "2","purchaseDate":1,"originalPurchaseDate":1,"expiresDate":1,"quantity":1,"type":
        "Auto-Renewable Subscription","appAccountToken":"","inAppOwnershipType":"PURCHASED",
        "signedDate":1,"environment":"Production","transactionReason":"RENEWAL","storefront":"USA",
        "storefrontId":"143441","price":1,"currency":"USD","appTransactionId":"70"}.",
        "signedRenewalInfo":".{"originalTransactionId":"","autoRenewProductId":"com.","productId":
        "com.","autoRenewStatus":1,"renewalPrice":1,"currency":"USD","signedDate":1,"environment":
        "Production","recentSubscriptionStartDate":1,"renewalDate":1,"renewalPrice":1,"currency":
        "USD","appAccountToken":"","appTransactionId":"70"}.","status":1},"signedDate":1,"version":
        "2.0","signedDate":1}."}
        """#
    )

    /// The steps of signed data: ``Recipe/Step`` as numbers.
    private static let steps: [UInt8] = [
        // A document, the header, a dot, and base 64.
        0x05, 0x01, 0x08, 0x02,
        // The end of the payload, a dot, and one of the first two signatures.
        0x06, 0x08, 0x02, 0x09, 0x06, 0x06,
        0x06, 0x08, 0x02, 0x11, 0x06, 0x06,
        // Text, and signed data again.
        0x90, 0x01, 0x05, 0x01, 0x08, 0x02,
    ]

    /// The text without its line ends, which are ours.
    private static func joined(_ text: String) -> String { text.filter { $0 != "\n" } }
}
