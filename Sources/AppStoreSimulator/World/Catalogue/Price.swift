public import AppStoreModel

/// An amount of money in the currency that a storefront sells in.
public struct Price: Hashable, Sendable {
    /// A thousandth of the currency's unit, whatever the unit: 1.99 USD is 1990, 300 JPY 300000.
    public var milliunits: Milliunits
    /// ISO 4217.
    public var currency: String

    /// Makes a price from milliunits.
    public init(_ milliunits: Int64, _ currency: String) {
        self.milliunits = Milliunits(rawValue: milliunits)
        self.currency = currency
    }

    /// The price of so many at once.
    func times(_ count: Int64) -> Price { Price(milliunits.rawValue * count, currency) }

    /// Nothing, in the same currency.
    var free: Price { Price(0, currency) }
}

/// What something costs in each storefront.
public struct PriceList: Hashable, Sendable {
    /// The price where no other is set.
    public var base: Price
    /// The prices of storefronts that have their own, by ISO 3166-1 alpha-3.
    public var byStorefront: [String: Price]

    /// Makes a list.
    public init(_ base: Price, byStorefront: [String: Price] = [:]) {
        self.base = base
        self.byStorefront = byStorefront
    }

    /// The price in a storefront.
    public subscript(storefront: Storefront) -> Price {
        byStorefront[storefront.country] ?? base
    }
}

/// The App Store of a country.
public struct Storefront: Hashable, Sendable {
    /// ISO 3166-1 alpha-3.
    public let country: String
    /// Apple's number for it (Apple, "Storefront").
    public let id: String

    /// Names a storefront.
    public init(country: String, id: String) {
        self.country = country
        self.id = id
    }

    /// The United States of America.
    public static let usa = Storefront(country: "USA", id: "143441")
    /// Germany.
    public static let germany = Storefront(country: "DEU", id: "143443")
    /// Japan.
    public static let japan = Storefront(country: "JPN", id: "143462")
}
