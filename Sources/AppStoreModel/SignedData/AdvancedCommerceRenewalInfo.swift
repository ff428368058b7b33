public import CounterfoilJSON

/// What renews through the Advanced Commerce API (Apple, "advancedCommerceRenewalInfo").
public struct AdvancedCommerceRenewalInfo: AppStoreObject, FieldedObject {
    /// Everything in the value, as it was read or set.
    public internal(set) var object = JSONObject()

    /// Makes a value without members.
    public init() {}

    /// Apple's token of the subscription's state, which a change of it names.
    public var consistencyToken: String? {
        get { read("consistencyToken") }
        set { write("consistencyToken", newValue) }
    }

    /// What the customer reads about the subscription.
    public var descriptors: AdvancedCommerceDescriptors? {
        get { read("descriptors") }
        set { write("descriptors", newValue) }
    }

    /// The items that renew.
    public var items: [AdvancedCommerceRenewalItem]? {
        get { read("items") }
        set { write("items", newValue) }
    }

    /// The length of a period.
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
}

extension AdvancedCommerceRenewalInfo {
    static let fields = FieldTable<Self>(
        .init("consistencyToken", \.consistencyToken),
        .init("descriptors", \.descriptors),
        .init("items", \.items),
        .init("period", \.period),
        .init("requestReferenceId", \.requestReferenceId),
        .init("taxCode", \.taxCode)
    )
}

/// An item that renews through the Advanced Commerce API (Apple, "advancedCommerceRenewalItem").
public struct AdvancedCommerceRenewalItem: AppStoreObject, FieldedObject {
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

    /// The price of the next period.
    public var price: Milliunits? {
        get { read("price") }
        set { write("price", newValue) }
    }

    /// A higher price that is on its way.
    public var priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo? {
        get { read("priceIncreaseInfo") }
        set { write("priceIncreaseInfo", newValue) }
    }
}

extension AdvancedCommerceRenewalItem {
    static let fields = FieldTable<Self>(
        .init("SKU", \.SKU),
        .init("description", \.description),
        .init("displayName", \.displayName),
        .init("offer", \.offer),
        .init("price", \.price),
        .init("priceIncreaseInfo", \.priceIncreaseInfo)
    )
}

/// A higher price of an item (Apple, "advancedCommercePriceIncreaseInfo").
public struct AdvancedCommercePriceIncreaseInfo: AppStoreObject, FieldedObject {
    /// Everything in the value, as it was read or set.
    public internal(set) var object = JSONObject()

    /// Makes a value without members.
    public init() {}

    /// The items whose price depends on it.
    public var dependentSKUs: [String]? {
        get { read("dependentSKUs") }
        set { write("dependentSKUs", newValue) }
    }

    /// The higher price.
    public var price: Milliunits? {
        get { read("price") }
        set { write("price", newValue) }
    }

    /// How far it has come.
    public var status: AdvancedCommercePriceIncreaseStatus? {
        get { read("status") }
        set { write("status", newValue) }
    }
}

extension AdvancedCommercePriceIncreaseInfo {
    static let fields = FieldTable<Self>(
        .init("dependentSKUs", \.dependentSKUs),
        .init("price", \.price),
        .init("status", \.status)
    )
}
