public import CounterfoilBasics
public import CounterfoilJSON

/// What was bought through the Advanced Commerce API (Apple, "advancedCommerceTransactionInfo").
public struct AdvancedCommerceTransactionInfo: AppStoreObject, FieldedObject {
    /// Everything in the value, as it was read or set.
    public internal(set) var object = JSONObject()

    /// Makes a value without members.
    public init() {}

    /// What the customer reads about the purchase.
    public var descriptors: AdvancedCommerceDescriptors? {
        get { read("descriptors") }
        set { write("descriptors", newValue) }
    }

    /// The tax, estimated.
    public var estimatedTax: Milliunits? {
        get { read("estimatedTax") }
        set { write("estimatedTax", newValue) }
    }

    /// The items that were bought.
    public var items: [AdvancedCommerceTransactionItem]? {
        get { read("items") }
        set { write("items", newValue) }
    }

    /// The length of a subscription's period.
    public var period: CalendarPeriod? {
        get { read("period") }
        set { write("period", newValue) }
    }

    /// The developer's UUID of the request.
    public var requestReferenceId: String? {
        get { read("requestReferenceId") }
        set { write("requestReferenceId", newValue) }
    }

    /// The tax code of the product.
    public var taxCode: String? {
        get { read("taxCode") }
        set { write("taxCode", newValue) }
    }

    /// The price without tax.
    public var taxExclusivePrice: Milliunits? {
        get { read("taxExclusivePrice") }
        set { write("taxExclusivePrice", newValue) }
    }

    /// The tax rate, as a decimal number in a string.
    public var taxRate: String? {
        get { read("taxRate") }
        set { write("taxRate", newValue) }
    }
}

extension AdvancedCommerceTransactionInfo {
    static let fields = FieldTable<Self>(
        .init("descriptors", \.descriptors),
        .init("estimatedTax", \.estimatedTax),
        .init("items", \.items),
        .init("period", \.period),
        .init("requestReferenceId", \.requestReferenceId),
        .init("taxCode", \.taxCode),
        .init("taxExclusivePrice", \.taxExclusivePrice),
        .init("taxRate", \.taxRate)
    )
}

/// An item that was bought through the Advanced Commerce API (Apple,
/// "advancedCommerceTransactionItem").
public struct AdvancedCommerceTransactionItem: AppStoreObject, FieldedObject {
    /// Everything in the value, as it was read or set.
    public internal(set) var object = JSONObject()

    /// Makes a value without members.
    public init() {}

    /// The developer's name of the item.
    public var SKU: String? {
        get { read("SKU") }
        set { write("SKU", newValue) }
    }

    /// What the customer reads about the item.
    public var description: String? {
        get { read("description") }
        set { write("description", newValue) }
    }

    /// The item's name for the customer.
    public var displayName: String? {
        get { read("displayName") }
        set { write("displayName", newValue) }
    }

    /// The offer that sets the price.
    public var offer: AdvancedCommerceOffer? {
        get { read("offer") }
        set { write("offer", newValue) }
    }

    /// The price.
    public var price: Milliunits? {
        get { read("price") }
        set { write("price", newValue) }
    }

    /// What was refunded of it.
    public var refunds: [AdvancedCommerceRefund]? {
        get { read("refunds") }
        set { write("refunds", newValue) }
    }

    /// When it was refunded as a whole or revoked.
    public var revocationDate: Instant? {
        get { read("revocationDate") }
        set { write("revocationDate", newValue) }
    }
}

extension AdvancedCommerceTransactionItem {
    static let fields = FieldTable<Self>(
        .init("SKU", \.SKU),
        .init("description", \.description),
        .init("displayName", \.displayName),
        .init("offer", \.offer),
        .init("price", \.price),
        .init("refunds", \.refunds),
        .init("revocationDate", \.revocationDate)
    )
}

/// A refund of an item (Apple, "advancedCommerceRefund").
public struct AdvancedCommerceRefund: AppStoreObject, FieldedObject {
    /// Everything in the value, as it was read or set.
    public internal(set) var object = JSONObject()

    /// Makes a value without members.
    public init() {}

    /// How much was refunded.
    public var refundAmount: Milliunits? {
        get { read("refundAmount") }
        set { write("refundAmount", newValue) }
    }

    /// When it was refunded.
    public var refundDate: Instant? {
        get { read("refundDate") }
        set { write("refundDate", newValue) }
    }

    /// Why it was refunded.
    public var refundReason: AdvancedCommerceRefundReason? {
        get { read("refundReason") }
        set { write("refundReason", newValue) }
    }

    /// How much of the item that is.
    public var refundType: AdvancedCommerceRefundType? {
        get { read("refundType") }
        set { write("refundType", newValue) }
    }
}

extension AdvancedCommerceRefund {
    static let fields = FieldTable<Self>(
        .init("refundAmount", \.refundAmount),
        .init("refundDate", \.refundDate),
        .init("refundReason", \.refundReason),
        .init("refundType", \.refundType)
    )
}
