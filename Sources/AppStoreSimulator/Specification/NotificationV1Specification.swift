import AppStoreModel
public import CounterfoilBasics
import CounterfoilJSON

/// A notification of version 1 described in JSON, as the command line takes it.
///
/// Nobody signs such a notification: what vouches for it is the shared secret in `password`, and
/// the receipt in it. Keys are Apple's own (Apple, "responseBodyV1"); every one may be left out, and
/// `null` leaves one out of the body. `{}` tells of the first purchase of a subscription in the
/// sandbox. Dates are as in ``ReceiptSpecification``. Beside Apple's keys there are:
///
/// | key | meaning |
/// | --- | --- |
/// | `receipt` | the app receipt in `unified_receipt`, described as in ``ReceiptSpecification`` |
/// | `transactionReceipt` | the iOS 6-style receipt that bodies had until March 2021, described as in ``TransactionReceiptSpecification`` |
/// | `payload` | members that go into the body exactly as they are |
/// | `seed` | decides what is made up |
///
/// With `transactionReceipt` and no `receipt`, the body has no `unified_receipt`, as the oldest had
/// none.
public struct NotificationV1Specification: Sendable {
    private let specified: SpecifiedPayload
    private let now: Instant
    private let environment: StoreEnvironment
    private let bundleId: String
    private let receipt: ReceiptSpecification?
    private let transactionReceipt: TransactionReceiptSpecification?

    /// Reads a specification.
    ///
    /// - Parameters:
    ///   - json: The text.
    ///   - now: What dates are relative to.
    ///   - seed: Stands in the place of its own seed; nil leaves that.
    /// - Throws: `issue.specification_unreadable`, `issue.unknown_key`, `issue.invalid_value`,
    ///   `issue.not_representable`.
    public init(json: [UInt8], now: Instant, seed: UInt64? = nil) throws(SimulatorError) {
        let members = try SpecificationMembers.read(json.span, seed: seed, flaw: nil)
        var specified = try SpecifiedPayload(
            members,
            known: Self.knownMembers,
            words: ["receipt", "transactionReceipt", "seed"],
            now: now
        )
        if specified.text("environment") == "Production" {
            specified.give("environment", "PROD")
        }
        for key in Self.dateKeys { specified.giveThreeForms(of: key) }
        try specified.requireTypes(of: ResponseBodyV1.self)
        environment =
            switch specified.text("environment") {
            case "PROD"?: .production
            case let word?: StoreEnvironment(rawValue: word)
            case nil: .sandbox
            }
        bundleId = specified.text("bid") ?? MadeUp.bundleId
        self.specified = specified
        self.now = now
        let nested = NestedReceipts(
            specified.words,
            environment: environment,
            bundleId: bundleId,
            now: now
        )
        transactionReceipt = try nested.transactionReceipt()
        receipt = try nested.receipt(isUsual: transactionReceipt == nil)
    }

    /// Apple's keys with those that the app's own shared secret and the three forms of a date add.
    private static let knownMembers =
        ResponseBodyV1.knownMembers
        + [KnownMember(name: "password", form: .plain)]
        + dateKeys.flatMap { key in
            [
                KnownMember(name: key, form: .date), KnownMember(name: key + "_ms", form: .plain),
                KnownMember(name: key + "_pst", form: .plain),
            ]
        }

    private static let dateKeys = ["auto_renew_status_change_date", "cancellation_date"]

    /// The body of the notification.
    ///
    /// - Throws: `issue.flaw_not_applicable`, `issue.key_unusable`, `issue.not_representable`.
    public func issue(by authority: SigningAuthority) throws(SimulatorError) -> [UInt8] {
        var body = ResponseBodyV1()
        body.notificationType = .initialBuy
        body.environment = environment
        var object = body.object
        object["password"] = .string(Self.secret)
        var purchases: [InAppPurchase] = []
        var unifiedReceipt: JSONValue?
        if let receipt {
            let issued = try IssuedReceipt(receipt, by: authority, at: now)
            purchases = issued.receipt.inApp
            unifiedReceipt = try issued.unifiedReceipt(renewing: specified)
        }
        let newest = purchases.max { ($0.purchaseDate ?? now) < ($1.purchaseDate ?? now) }
        object["auto_renew_product_id"] = .string(
            newest?.productId ?? transactionReceipt?.receipt.productId ?? bundleId + ".pro.month"
        )
        object["auto_renew_status"] = "true"
        object["bid"] = .string(bundleId)
        object["bvrs"] = "1"
        if let id = newest?.originalTransactionId { object["original_transaction_id"] = number(id) }
        if let transactionReceipt {
            for (key, value) in try members(of: transactionReceipt, by: authority) {
                object[key] = value
            }
        }
        if let unifiedReceipt { object["unified_receipt"] = unifiedReceipt }
        return JSONValue.object(try specified.payload(over: object)).document()
    }

    /// A shared secret of no app: App Store Connect makes 32 hexadecimal digits.
    private static let secret = "00112233445566778899aabbccddeeff"

    /// Apple writes the id as a number.
    private func number(_ id: String) -> JSONValue {
        Int64(id).map { JSONValue($0) } ?? .string(id)
    }

    /// The members that bodies had until March 2021.
    private func members(
        of specification: TransactionReceiptSpecification,
        by authority: SigningAuthority
    ) throws(SimulatorError) -> JSONObject {
        let bytes = try specification.issue(by: authority)
        let receipt = specification.receipt
        var answer = TransactionReceiptAnswer(receipt: receipt)
        let isExpired = receipt.expiresDate.map { $0 <= now } ?? false
        answer.subscription = .init(
            latest: receipt,
            latestReceipt: bytes,
            autoRenewStatus: true,
            autoRenewProductId: receipt.productId,
            isExpired: isExpired
        )
        let shown = try VerifyReceiptResponse(answer).members
        let key = isExpired ? "latest_expired_receipt" : "latest_receipt"
        let information = shown[key + "_info"] ?? shown["receipt"] ?? .object([:])
        return [
            key: .string(Base64.encode(bytes.span)),
            key + "_info": information,
        ]
    }
}

extension SpecifiedPayload {
    /// Puts the three forms that Apple sends in the place of a date in milliseconds.
    fileprivate mutating func giveThreeForms(of key: String) {
        guard let instant = date(key) else { return }
        give(key, .string(AppStoreDate.gmt(instant)))
        give(key + "_ms", .string(AppStoreDate.milliseconds(instant)))
        give(key + "_pst", .string(AppStoreDate.pst(instant)))
    }
}

/// The receipts that a body describes.
private struct NestedReceipts {
    let words: SpecificationMembers
    let environment: StoreEnvironment
    let bundleId: String
    let now: Instant

    init(
        _ words: SpecificationMembers,
        environment: StoreEnvironment,
        bundleId: String,
        now: Instant
    ) {
        self.words = words
        self.environment = environment
        self.bundleId = bundleId
        self.now = now
    }

    /// The app receipt; where none is described, the usual one or none.
    func receipt(isUsual: Bool) throws(SimulatorError) -> ReceiptSpecification? {
        guard let json = try description("receipt", whenAbsent: isUsual ? [:] : nil) else {
            return nil
        }
        return try described("receipt") { () throws(SimulatorError) in
            try ReceiptSpecification(json: json, now: now)
        }
    }

    func transactionReceipt() throws(SimulatorError) -> TransactionReceiptSpecification? {
        guard let json = try description("transactionReceipt", whenAbsent: nil) else { return nil }
        return try described("transactionReceipt") { () throws(SimulatorError) in
            try TransactionReceiptSpecification(json: json, now: now)
        }
    }

    /// A description with what the body says of it, as text.
    private func description(
        _ word: String,
        whenAbsent usual: JSONObject?
    ) throws(SimulatorError) -> [UInt8]? {
        var description: JSONObject
        switch words.members.object[word] {
        case nil:
            guard let usual else { return nil }
            description = usual
        case .null?: return nil
        case .object(let object)?: description = object
        default: throw words.invalid(word, "an object, or null to leave it out")
        }
        if description["environment"] == nil, description["receiptType"] == nil {
            description["environment"] = .string(environment.rawValue)
        }
        if description["bundleId"] == nil { description["bundleId"] = .string(bundleId) }
        if description["seed"] == nil { description["seed"] = words.members.object["seed"] }
        return JSONValue.object(description).document()
    }

    private func described<Specification>(
        _ word: String,
        _ read: () throws(SimulatorError) -> Specification
    ) throws(SimulatorError) -> Specification {
        do {
            return try read()
        } catch {
            throw SimulatorError(error.code, "in \(word): \(error.reason)")
        }
    }
}

/// An app receipt as a notification of version 1 holds it.
private struct IssuedReceipt {
    let receipt: AppReceipt
    private let bytes: [UInt8]
    private let now: Instant

    init(
        _ specification: ReceiptSpecification,
        by authority: SigningAuthority,
        at now: Instant
    ) throws(SimulatorError) {
        bytes = try specification.issue(by: authority)
        receipt = try AppReceiptIssuer(authority: authority)
            .completed(specification.receipt, details: specification.details)
        self.now = now
    }

    /// The member `unified_receipt`, with renewal as the body says.
    func unifiedReceipt(renewing body: SpecifiedPayload) throws(SimulatorError) -> JSONValue {
        let purchases = receipt.inApp
        let newestFirst = purchases.indices.sorted { left, right in
            let dates = [left, right].map { purchases[$0].purchaseDate ?? now }
            return dates[0] == dates[1] ? left > right : dates[0] > dates[1]
        }
        var answer = AppReceiptAnswer(receipt: receipt, requestDate: now)
        answer.subscriptions = .init(
            latestReceiptInfo: newestFirst.map { .inApp($0) },
            latestReceipt: bytes,
            pendingRenewalInfo: renewals(newestFirst, body)
        )
        return .object(try answer.unifiedReceipt(in: receipt.receiptType.environment))
    }

    /// One element for each subscription, told by its newest period.
    private func renewals(
        _ newestFirst: [Int],
        _ body: SpecifiedPayload
    ) -> [PendingRenewalInfo] {
        var seen: Set<String> = []
        var renewals: [PendingRenewalInfo] = []
        for purchase in newestFirst.map({ receipt.inApp[$0] }) where purchase.expiresDate != nil {
            let id = purchase.originalTransactionId ?? purchase.transactionId
            guard seen.insert(id).inserted else { continue }
            let status = body.text("auto_renew_status")
            var renewal = PendingRenewalInfo(
                originalTransactionId: id,
                productId: purchase.productId,
                autoRenewProductId: body.text("auto_renew_product_id") ?? purchase.productId,
                autoRenewStatus: status != "false" && status != "0"
            )
            renewal.expirationIntent = body.given["expiration_intent"]?.number?.int64
                .flatMap { Int(exactly: $0) }
            renewals.append(renewal)
        }
        return renewals
    }
}
