import AppStoreSimulator
import CounterfoilBasics

/// Draws specifications of signed data: the members that Apple's could have, some of them, with
/// values known and unknown.
struct RandomPayload {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func chance(_ count: Int, of all: Int) -> Bool { number(1...all) <= count }

    /// A specification, as JSON.
    mutating func specification(
        _ kind: SignedDataSpecification.Kind,
        isProduction: Bool,
        appAppleId: Int64,
        signedAt: Instant
    ) -> String {
        let environment = isProduction ? "Production" : "Sandbox"
        var members = [#""environment": "\#(environment)""#]
        let date = kind == .appTransaction ? "receiptCreationDate" : "signedDate"
        members.append(#""\#(date)": \#(signedAt.millisecondsSince1970)"#)
        if isProduction, kind != .transaction, kind != .renewalInfo {
            members.append(#""appAppleId": \#(appAppleId)"#)
        }
        switch kind {
        case .transaction: members += some(of: Self.transaction)
        case .renewalInfo: members += some(of: Self.renewalInfo)
        case .appTransaction: members += some(of: Self.appTransaction)
        case .realtimeRequest: members += some(of: Self.realtimeRequest)
        case .notification: members += notification()
        }
        if chance(1, of: 3) { members.append(#""galaxy": \#(value(depth: 4))"#) }
        return "{\(members.joined(separator: ", "))}"
    }

    /// Half of the members, each with one of its values.
    private mutating func some(of all: [(String, [String])]) -> [String] {
        all.shuffled(using: &random).filter { _ in chance(1, of: 2) }.map { key, values in
            #""\#(key)": \#(values[number(0...values.count - 1)])"#
        }
    }

    private mutating func notification() -> [String] {
        let events = Self.events[number(0...Self.events.count - 1)]
        let inner = some(of: Self.transaction).joined(separator: ", ")
        return [events, #""transaction": {\#(inner)}"#] + some(of: Self.notificationMembers)
    }

    /// Any JSON value.
    private mutating func value(depth: Int) -> String {
        switch number(0...(depth > 0 ? 6 : 4)) {
        case 0: "null"
        case 1: chance(1, of: 2) ? "true" : "false"
        case 2: String(number(-1_000_000...1_000_000))
        case 3: ["-0", "1.5", "1e3", "12345678901234567890", "0.1"][number(0...4)]
        case 4: [#""""#, #""é€😀""#, #""\u0041\n\"\\""#, #""<&>""#][number(0...3)]
        case 5:
            "["
                + (0..<number(0...3)).map { _ in value(depth: depth - 1) }
                .joined(separator: ", ") + "]"
        default:
            "{"
                + (0..<number(0...3)).map { index in
                    #""k\#(index)": \#(value(depth: depth - 1))"#
                }.joined(separator: ", ") + "}"
        }
    }
}

extension RandomPayload {
    private static let uuid = #""6f1d0a52-6f0b-4c53-9f1a-0d9f3f0c1a11""#
    private static let dates = [#""-1d""#, #""+30d""#, "0", "1717402529000", "-62135769600000"]

    private static let transaction: [(String, [String])] = [
        ("type", [#""consumable""#, #""Non-Consumable""#, #""nonRenewing""#, #""Rental""#]),
        ("productId", [#""a""#, #""com.example.é""#, #""gold.year""#]),
        ("quantity", ["1", "10", "2147483647"]),
        ("appAccountToken", [uuid]),
        ("inAppOwnershipType", [#""FAMILY_SHARED""#, #""ASSIGNED""#, #""LENT""#]),
        ("revocationDate", dates), ("revocationReason", ["0", "1", "7"]),
        ("revocationType", [#""REFUND_FULL""#, #""WHIM""#]),
        ("revocationPercentage", ["0", "50000", "100000"]), ("isUpgraded", ["true", "false"]),
        ("offerType", ["1", "2", "3", "4", "9"]), ("offerIdentifier", [#""spring""#, #""""#]),
        ("offerDiscountType", [#""FREE_TRIAL""#, #""ONE_TIME""#, #""GIFT""#]),
        ("offerPeriod", [#""P1M""#, #""P3D""#]), ("storefront", [#""DEU""#, "null"]),
        ("storefrontId", [#""143443""#, "null"]), ("price", ["0", "9223372036854775807", "null"]),
        ("currency", [#""JPY""#, "null"]), ("transactionReason", [#""RENEWAL""#, #""MIRACLE""#]),
        ("purchaseDate", dates), ("expiresDate", dates), ("webOrderLineItemId", [#""1""#, "null"]),
        ("previousOriginalTransactionId", [#""7""#]),
        ("billingPlanType", [#""MONTHLY""#, #""BILLED_UPFRONT""#]),
        (
            "commitmentInfo",
            [#"{"billingPeriodNumber": 3, "totalBillingPeriods": 12, "commitmentPrice": 60000}"#]
        ),
        (
            "advancedCommerceInfo",
            [#"{"taxRate": "0.19", "items": [{"SKU": "A", "price": 1, "refunds": []}]}"#]
        ),
    ]

    private static let renewalInfo: [(String, [String])] = [
        ("productId", [#""a""#, #""gold.year""#]), ("autoRenewProductId", [#""b""#]),
        ("autoRenewStatus", ["0", "1"]), ("expirationIntent", ["1", "2", "3", "4", "5", "6"]),
        ("isInBillingRetryPeriod", ["true", "false"]), ("gracePeriodExpiresDate", dates),
        ("priceIncreaseStatus", ["0", "1", "2"]), ("offerType", ["1", "4", "9"]),
        ("offerIdentifier", [#""spring""#]), ("recentSubscriptionStartDate", dates),
        ("renewalDate", dates), ("renewalPrice", ["0", "4990", "null"]),
        ("currency", [#""KRW""#, "null"]), ("eligibleWinBackOfferIds", ["[]", #"["a", "b"]"#]),
        ("appAccountToken", [uuid]), ("appTransactionId", [#""1""#, "null"]),
    ]

    private static let appTransaction: [(String, [String])] = [
        ("applicationVersion", [#""1.2.3""#, #""""#, "null"]),
        ("versionExternalIdentifier", ["0", "850000000", "null"]),
        ("originalPurchaseDate", dates), ("originalApplicationVersion", [#""1""#, #""""#]),
        ("deviceVerificationNonce", [uuid]), ("preorderDate", dates),
        ("appTransactionId", [#""1""#, "null"]),
        ("originalPlatform", [#""macOS""#, #""watchOS""#]),
        ("storeType", [#""CONSUMER""#]),
    ]

    private static let realtimeRequest: [(String, [String])] = [
        ("productId", [#""a""#, #""gold.year""#]), ("userLocale", [#""de-DE""#, #""zh-Hant-TW""#]),
        ("requestIdentifier", [uuid]), ("originalTransactionId", [#""1""#]),
    ]

    private static let notificationMembers: [(String, [String])] = [
        ("notificationUUID", [uuid]), ("version", [#""2.0""#, #""2.1""#]),
    ]

    /// A type and its subtype.
    private static let events = [
        #""subtype": "INITIAL_BUY", "notificationType": "SUBSCRIBED""#,
        #""notificationType": "DID_RENEW""#, #""notificationType": "TEST""#,
        #""notificationType": "EXPIRED", "subtype": "VOLUNTARY""#,
        #""notificationType": "DID_FAIL_TO_RENEW", "subtype": "GRACE_PERIOD""#,
        #""notificationType": "REFUND""#, #""notificationType": "CONSUMPTION_REQUEST""#,
        #""notificationType": "ONE_TIME_CHARGE""#, #""notificationType": "RESCIND_CONSENT""#,
        #""notificationType": "RENEWAL_EXTENSION", "subtype": "SUMMARY""#,
        #""notificationType": "EXTERNAL_PURCHASE_TOKEN", "subtype": "CREATED""#,
        #""notificationType": "MOON_PHASE", "subtype": "FULL""#,
    ]
}
