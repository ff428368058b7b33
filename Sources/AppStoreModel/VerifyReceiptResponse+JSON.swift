import CounterfoilBasics
package import CounterfoilJSON

extension VerifyReceiptResponse {
    /// The answer as JSON, without white space, in the order of keys that Apple's answers have.
    public var json: [UInt8] {
        var writer = JSONWriter(capacity: expectedLength)
        write(to: &writer)
        return writer.finish()
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            switch content {
            case .none:
                writer.member("status", Int64(status.rawValue))
                writer.member("environment", environment?.rawValue)
                writer.member("is_retryable", isRetryable)
            case .appReceipt(let answer):
                write(answer, to: &writer)
            case .transactionReceipt(let answer):
                answer.write(to: &writer, status: status)
            }
        }
    }

    private func write(_ answer: AppReceiptAnswer, to writer: inout JSONWriter) {
        guard let subscriptions = answer.subscriptions else {
            _ = answer.writeReceipt(to: &writer)
            writer.member("environment", environment?.rawValue)
            writer.member("status", Int64(status.rawValue))
            return
        }
        writer.member("environment", environment?.rawValue)
        let places = answer.writeReceipt(to: &writer)
        writer.key("latest_receipt_info")
        writer.array { writer in
            for transaction in subscriptions.latestReceiptInfo {
                switch transaction {
                case .known(let transaction): transaction.write(to: &writer)
                case .inApp(let position) where position < places.count:
                    writer.repeatObject(at: places[position])
                case .inApp(let position):
                    answer.receipt.inApp[position].write(to: &writer)
                }
            }
        }
        if let text = subscriptions.latestReceiptText {
            writer.key("latest_receipt")
            writer.string(plain: text.span)
        } else {
            writer.base64("latest_receipt", subscriptions.latestReceipt)
        }
        writer.key("pending_renewal_info")
        writer.array { writer in
            for renewal in subscriptions.pendingRenewalInfo { renewal.write(to: &writer) }
        }
        writer.member("status", Int64(status.rawValue))
    }

    /// About how long the JSON will be, so that its buffer grows seldom.
    private var expectedLength: Int {
        guard case .appReceipt(let answer) = content else { return 4096 }
        let transactions =
            answer.receipt.inApp.count + (answer.subscriptions?.latestReceiptInfo.count ?? 0)
        return 2048 + transactions * 1100 + (answer.subscriptions?.latestReceipt.count ?? 0) * 4 / 3
    }
}

extension AppReceiptAnswer {
    /// Writes the receipt.
    ///
    /// - Returns: where the elements of `in_app` stand in the document.
    fileprivate func writeReceipt(to writer: inout JSONWriter) -> [Range<Int>] {
        var places: [Range<Int>] = []
        writer.key("receipt")
        writer.object { writer in
            writer.member("receipt_type", receipt.receiptType.rawValue)
            writer.member("adam_id", receipt.appItemId)
            writer.member("app_item_id", receipt.appItemId)
            writer.member("bundle_id", receipt.bundleId)
            writer.member("application_version", receipt.applicationVersion)
            writer.member("download_id", receipt.downloadId)
            writer.member("version_external_identifier", receipt.versionExternalIdentifier)
            writer.dates(.receiptCreation, receipt.displayedCreationDate)
            writer.dates(.request, requestDate)
            writer.dates(.originalPurchase, receipt.originalPurchaseDate)
            writer.member("original_application_version", receipt.originalApplicationVersion)
            writer.dates(.preorder, receipt.preorderDate)
            writer.dates(.expiration, receipt.expirationDate)
            writer.key("in_app")
            writer.array { writer in
                if let knownInApp {
                    places = knownInApp.compactMap { $0.write(to: &writer) }
                } else {
                    places = InAppPurchase.write(receipt.inApp.span, to: &writer)
                }
            }
        }
        return places
    }
}

extension VerifyReceiptTransaction {
    /// Writes it as ``InAppPurchase`` is written, with what more is known.
    @discardableResult
    fileprivate func write(to writer: inout JSONWriter) -> Range<Int>? {
        purchase.write(to: &writer, room: room) { members in
            members.appendMember("in_app_ownership_type", inAppOwnershipType)
            members.appendMember("subscription_group_identifier", subscriptionGroupIdentifier)
        } last: { members in
            members.appendMember("offer_code_ref_name", offerCodeRefName)
            members.appendMember("app_account_token", appAccountToken)
            // Apple never writes "false" here.
            members.appendMember("is_upgraded", isUpgraded == true ? "true" : nil)
        }
    }

    /// More than our own members take at most, as ``InAppPurchase/room``.
    private var room: Int {
        512 + 6
            * (length(inAppOwnershipType) + length(subscriptionGroupIdentifier)
                + length(offerCodeRefName) + length(appAccountToken))
    }
}

extension InAppPurchase {
    /// Writes purchases one after the other.
    ///
    /// - Returns: where they stand in the document; nothing in the pretty form, in which none can
    ///   be repeated.
    fileprivate static func write(
        _ purchases: Span<InAppPurchase>,
        to writer: inout JSONWriter
    ) -> [Range<Int>] {
        var places: [Range<Int>] = []
        places.reserveCapacity(purchases.count)
        for position in purchases.indices {
            if let place = purchases[position].write(to: &writer) { places.append(place) }
        }
        return places
    }

    /// Writes what a receipt tells of a purchase and, where more is known, that at its two places.
    ///
    /// - Returns: where the object stands in the document.
    @discardableResult
    fileprivate func write(
        to writer: inout JSONWriter,
        room extra: Int = 0,
        more: (inout OutputSpan<UInt8>) -> Void = { _ in },
        last: (inout OutputSpan<UInt8>) -> Void = { _ in }
    ) -> Range<Int>? {
        writer.flatObject(room: room + extra) { members in
            members.appendMember("quantity", digitsOf: quantity)
            members.appendMember("product_id", productId)
            members.appendMember("transaction_id", transactionId)
            members.appendMember("original_transaction_id", originalTransactionId)
            members.appendDates(.purchase, purchaseDate)
            members.appendDates(.originalPurchase, originalPurchaseDate)
            members.appendDates(.expires, expiresDate)
            members.appendMember("web_order_line_item_id", webOrderLineItemId)
            members.appendMember("is_trial_period", isTrialPeriod == true ? "true" : "false")
            members.appendMember(
                "is_in_intro_offer_period",
                isInIntroOfferPeriod.map { $0 ? "true" : "false" }
            )
            members.appendDates(.cancellation, cancellationDate)
            members.appendMember("cancellation_reason", cancellationReason)
            more(&members)
            members.appendMember("promotional_offer_id", promotionalOfferId)
            last(&members)
        }
    }

    /// More than the members take at most: two kilobytes for names, dates and marks, and six bytes
    /// for each of a text, all of which may need escapes.
    private var room: Int {
        2048 + 6
            * (productId.utf8.count + transactionId.utf8.count + length(originalTransactionId)
                + length(webOrderLineItemId) + length(cancellationReason)
                + length(promotionalOfferId))
    }
}

private func length(_ text: String?) -> Int { text?.utf8.count ?? 0 }

extension OutputSpan<UInt8> {
    /// Appends a date in Apple's three renderings; nothing when there is none.
    fileprivate mutating func appendDates(_ keys: DateKeys, _ instant: Instant?) {
        guard let instant else { return }
        let utc = CivilTime(instant)
        appendMember(keys.gmt) { AppStoreDate.append(gmt: utc, to: &$0) }
        appendMember(keys.milliseconds, digitsOf: instant.millisecondsSince1970)
        appendMember(keys.pst) {
            AppStoreDate.append(pst: LosAngelesTime.civilTime(at: instant, inUTC: utc), to: &$0)
        }
    }
}

extension PendingRenewalInfo {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("expiration_intent", digitsOf: expirationIntent.map(Int64.init))
            writer.member("auto_renew_product_id", autoRenewProductId)
            writer.member("is_in_billing_retry_period", digit: isInBillingRetryPeriod)
            writer.dates(.gracePeriodExpires, gracePeriodExpiresDate)
            writer.member("original_transaction_id", originalTransactionId)
            writer.member("product_id", productId)
            writer.member("auto_renew_status", digit: autoRenewStatus)
            writer.member("price_consent_status", digit: priceConsentStatus)
            writer.member("price_increase_status", digit: priceIncreaseStatus)
            writer.member("promotional_offer_id", promotionalOfferId)
            writer.member("offer_code_ref_name", offerCodeRefName)
        }
    }
}

extension TransactionReceiptAnswer {
    fileprivate func write(to writer: inout JSONWriter, status: VerifyReceiptStatus) {
        guard let subscription else {
            writer.receipt("receipt", receipt)
            writer.member("status", Int64(status.rawValue))
            return
        }
        writer.member("auto_renew_status", subscription.autoRenewStatus.map { $0 ? 1 : Int64(0) })
        if subscription.isExpired {
            writer.receipt("latest_expired_receipt_info", subscription.latest)
        }
        writer.member("status", Int64(status.rawValue))
        writer.member("auto_renew_product_id", subscription.autoRenewProductId)
        writer.receipt("receipt", receipt)
        if subscription.isExpired {
            writer.member(
                "expiration_intent",
                digitsOf: subscription.expirationIntent.map(Int64.init)
            )
            writer.member("is_in_billing_retry_period", digit: subscription.isInBillingRetryPeriod)
        } else {
            writer.receipt("latest_receipt_info", subscription.latest)
            writer.base64("latest_receipt", subscription.latestReceipt)
        }
    }
}

/// The keys under which a date is written in its three renderings.
private struct DateKeys {
    let gmt: StaticString
    let milliseconds: StaticString
    let pst: StaticString

    static let purchase = DateKeys(
        gmt: "purchase_date",
        milliseconds: "purchase_date_ms",
        pst: "purchase_date_pst"
    )
    static let originalPurchase = DateKeys(
        gmt: "original_purchase_date",
        milliseconds: "original_purchase_date_ms",
        pst: "original_purchase_date_pst"
    )
    static let expires = DateKeys(
        gmt: "expires_date",
        milliseconds: "expires_date_ms",
        pst: "expires_date_pst"
    )
    static let cancellation = DateKeys(
        gmt: "cancellation_date",
        milliseconds: "cancellation_date_ms",
        pst: "cancellation_date_pst"
    )
    static let receiptCreation = DateKeys(
        gmt: "receipt_creation_date",
        milliseconds: "receipt_creation_date_ms",
        pst: "receipt_creation_date_pst"
    )
    static let request = DateKeys(
        gmt: "request_date",
        milliseconds: "request_date_ms",
        pst: "request_date_pst"
    )
    static let preorder = DateKeys(
        gmt: "preorder_date",
        milliseconds: "preorder_date_ms",
        pst: "preorder_date_pst"
    )
    static let expiration = DateKeys(
        gmt: "expiration_date",
        milliseconds: "expiration_date_ms",
        pst: "expiration_date_pst"
    )
    static let gracePeriodExpires = DateKeys(
        gmt: "grace_period_expires_date",
        milliseconds: "grace_period_expires_date_ms",
        pst: "grace_period_expires_date_pst"
    )
}

extension JSONWriter {
    /// Writes a date in Apple's three renderings; nothing when there is none.
    fileprivate mutating func dates(_ keys: DateKeys, _ instant: Instant?) {
        guard let instant else { return }
        key(keys.gmt)
        string(AppStoreDate.gmt(instant))
        key(keys.milliseconds)
        string(digitsOf: instant.millisecondsSince1970)
        key(keys.pst)
        string(AppStoreDate.pst(instant))
    }

    /// Writes "true" or "false", which Apple sends as strings; nothing when unknown.
    fileprivate mutating func member(_ name: StaticString, word value: Bool?) {
        guard let value else { return }
        member(name, value ? "true" : "false")
    }

    /// Writes "1" or "0", which Apple sends as strings; nothing when unknown.
    fileprivate mutating func member(_ name: StaticString, digit value: Bool?) {
        guard let value else { return }
        member(name, value ? "1" : "0")
    }

    fileprivate mutating func base64(_ name: StaticString, _ bytes: [UInt8]) {
        key(name)
        string(base64Of: bytes.span)
    }

    /// Writes every key of the signed purchase-info, with underscores for hyphens.
    fileprivate mutating func receipt(_ name: StaticString, _ receipt: TransactionReceipt) {
        key(name)
        object { writer in
            for entry in receipt.purchaseInfo {
                writer.key(text: String(entry.key.map { $0 == "-" ? "_" : $0 }))
                writer.string(entry.value)
            }
        }
    }
}
