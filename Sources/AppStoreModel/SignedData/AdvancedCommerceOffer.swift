public import CounterfoilJSON

/// An offer for an item (Apple, "advancedCommerceOffer").
public struct AdvancedCommerceOffer: AppStoreObject, FieldedObject {
    /// Everything in the value, as it was read or set.
    public internal(set) var object = JSONObject()

    /// Makes a value without members.
    public init() {}

    /// The length of one of its periods.
    public var period: CalendarPeriod? {
        get { read("period") }
        set { write("period", newValue) }
    }

    /// How many periods it lasts, 1 to 12.
    public var periodCount: Int64? {
        get { read("periodCount") }
        set { write("periodCount", newValue) }
    }

    /// The price of each.
    public var price: Milliunits? {
        get { read("price") }
        set { write("price", newValue) }
    }

    /// What it is for.
    public var reason: AdvancedCommerceOfferReason? {
        get { read("reason") }
        set { write("reason", newValue) }
    }
}

extension AdvancedCommerceOffer {
    static let fields = FieldTable<Self>(
        .init("period", \.period),
        .init("periodCount", \.periodCount),
        .init("price", \.price),
        .init("reason", \.reason)
    )
}

/// What a customer reads about a purchase through the Advanced Commerce API (Apple,
/// "advancedCommerceDescriptors").
public struct AdvancedCommerceDescriptors: AppStoreObject, FieldedObject {
    /// Everything in the value, as it was read or set.
    public internal(set) var object = JSONObject()

    /// Makes a value without members.
    public init() {}

    /// What it is.
    public var description: String? {
        get { read("description") }
        set { write("description", newValue) }
    }

    /// Its name.
    public var displayName: String? {
        get { read("displayName") }
        set { write("displayName", newValue) }
    }
}

extension AdvancedCommerceDescriptors {
    static let fields = FieldTable<Self>(
        .init("description", \.description),
        .init("displayName", \.displayName)
    )
}
