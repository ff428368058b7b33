import AppStoreModel

/// The order of keys in purchase-info.
///
/// Apple wrote them in the order of a hash table, so it depends on which keys there are; these are
/// the orders of real receipts, from 2012 to 2020.
enum TransactionKeyOrder {
    /// The entries in the order of the smallest real receipt that has all their keys; keys that
    /// none has come last, by their names.
    static func sorted(_ values: [String: String]) -> [TransactionReceipt.Entry] {
        let keys = Set(values.keys)
        let order = orders.first { keys.isSubset(of: $0) } ?? orders[orders.count - 1]
        let known = order.filter(keys.contains)
        let others = keys.subtracting(order).sorted()
        return (known + others).compactMap { key in
            values[key].map { TransactionReceipt.Entry(key: key, value: $0) }
        }
    }

    /// Real orders, those with fewer keys first.
    static let orders: [[String]] = [
        oneOff2012, oneOff2014, renewable2013, renewable2017, renewable2020,
    ]

    private static let oneOff2012 = [
        "original-purchase-date-pst", "unique-identifier", "original-transaction-id", "bvrs",
        "transaction-id", "quantity", "original-purchase-date-ms", "product-id", "item-id", "bid",
        "purchase-date-ms", "purchase-date", "purchase-date-pst", "original-purchase-date",
    ]

    private static let oneOff2014 = [
        "original-purchase-date-pst", "purchase-date-ms", "unique-identifier",
        "original-transaction-id", "bvrs", "app-item-id", "transaction-id", "quantity",
        "original-purchase-date-ms", "unique-vendor-identifier", "item-id",
        "version-external-identifier", "product-id", "purchase-date", "original-purchase-date",
        "bid", "purchase-date-pst",
    ]

    private static let renewable2013 = [
        "original-purchase-date-pst", "purchase-date-ms", "unique-identifier",
        "original-transaction-id", "expires-date", "app-item-id", "transaction-id", "quantity",
        "original-purchase-date-ms", "version-external-identifier", "unique-vendor-identifier",
        "web-order-line-item-id", "item-id", "expires-date-formatted", "purchase-date",
        "product-id", "expires-date-formatted-pst", "original-purchase-date", "purchase-date-pst",
        "bid", "bvrs",
    ]

    private static let renewable2017 = [
        "original-purchase-date-pst", "is-in-intro-offer-period", "purchase-date-ms",
        "unique-identifier", "original-transaction-id", "expires-date", "transaction-id",
        "quantity", "web-order-line-item-id", "original-purchase-date-ms",
        "unique-vendor-identifier", "expires-date-formatted-pst", "item-id",
        "expires-date-formatted", "original-purchase-date", "product-id", "purchase-date",
        "is-trial-period", "purchase-date-pst", "bid", "bvrs",
    ]

    private static let renewable2020 = [
        "original-purchase-date-pst", "quantity", "subscription-group-identifier",
        "unique-vendor-identifier", "original-purchase-date-ms", "expires-date-formatted",
        "is-in-intro-offer-period", "purchase-date-ms", "expires-date-formatted-pst",
        "is-trial-period", "item-id", "unique-identifier", "original-transaction-id",
        "expires-date", "app-item-id", "transaction-id", "bvrs", "web-order-line-item-id",
        "version-external-identifier", "bid", "product-id", "purchase-date", "purchase-date-pst",
        "original-purchase-date",
    ]
}
