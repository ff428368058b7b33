public import CounterfoilJSON

extension ResponseBodyV2DecodedPayload {
    /// The outcome of an extension for all subscribers of a product (Apple, "summary").
    public struct Summary: AppStoreObject, FieldedObject {
        /// Everything in the value, as it was read or set.
        public internal(set) var object = JSONObject()

        /// Makes a value without members.
        public init() {}

        /// The environment that it is about.
        public var environment: StoreEnvironment? {
            get { read("environment") }
            set { write("environment", newValue) }
        }

        /// The app's identifier in the App Store; absent outside production.
        public var appAppleId: Int64? {
            get { read("appAppleId") }
            set { write("appAppleId", newValue) }
        }

        /// The app's bundle identifier.
        public var bundleId: String? {
            get { read("bundleId") }
            set { write("bundleId", newValue) }
        }

        /// The product whose subscriptions were extended.
        public var productId: String? {
            get { read("productId") }
            set { write("productId", newValue) }
        }

        /// The developer's UUID of the request.
        public var requestIdentifier: String? {
            get { read("requestIdentifier") }
            set { write("requestIdentifier", newValue) }
        }

        /// The storefronts, ISO 3166-1 alpha-3; nil for all.
        public var storefrontCountryCodes: [String]? {
            get { read("storefrontCountryCodes") }
            set { write("storefrontCountryCodes", newValue) }
        }

        /// How many subscriptions were extended.
        public var succeededCount: Int64? {
            get { read("succeededCount") }
            set { write("succeededCount", newValue) }
        }

        /// How many were not.
        public var failedCount: Int64? {
            get { read("failedCount") }
            set { write("failedCount", newValue) }
        }
    }
}

extension ResponseBodyV2DecodedPayload.Summary {
    static let fields = FieldTable<Self>(
        .init("environment", \.environment),
        .init("appAppleId", \.appAppleId),
        .init("bundleId", \.bundleId),
        .init("productId", \.productId),
        .init("requestIdentifier", \.requestIdentifier),
        .init("storefrontCountryCodes", \.storefrontCountryCodes),
        .init("succeededCount", \.succeededCount),
        .init("failedCount", \.failedCount)
    )
}
