public import CounterfoilJSON

extension ResponseBodyV2DecodedPayload {
    /// The app that a consent was rescinded for (Apple, "appData").
    public struct AppData: AppStoreObject, FieldedObject {
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

        /// The app transaction, signed by itself: see ``AppTransaction``.
        public var signedAppTransactionInfo: String? {
            get { read("signedAppTransactionInfo") }
            set { write("signedAppTransactionInfo", newValue) }
        }
    }
}

extension ResponseBodyV2DecodedPayload.AppData {
    static let fields = FieldTable<Self>(
        .init("environment", \.environment),
        .init("appAppleId", \.appAppleId),
        .init("bundleId", \.bundleId),
        .init("signedAppTransactionInfo", \.signedAppTransactionInfo)
    )
}
