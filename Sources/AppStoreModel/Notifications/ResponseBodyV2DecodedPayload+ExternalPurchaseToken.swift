public import CounterfoilBasics
public import CounterfoilJSON

extension ResponseBodyV2DecodedPayload {
    /// A token for purchases outside the App Store (Apple, "externalPurchaseToken").
    public struct ExternalPurchaseToken: AppStoreObject, FieldedObject {
        /// Everything in the value, as it was read or set.
        public internal(set) var object = JSONObject()

        /// Makes a value without members.
        public init() {}

        /// Identifies the token; those of the sandbox begin with `SANDBOX`.
        public var externalPurchaseId: String? {
            get { read("externalPurchaseId") }
            set { write("externalPurchaseId", newValue) }
        }

        /// When it was made.
        public var tokenCreationDate: Instant? {
            get { read("tokenCreationDate") }
            set { write("tokenCreationDate", newValue) }
        }

        /// The app's identifier in the App Store.
        public var appAppleId: Int64? {
            get { read("appAppleId") }
            set { write("appAppleId", newValue) }
        }

        /// The app's bundle identifier.
        public var bundleId: String? {
            get { read("bundleId") }
            set { write("bundleId", newValue) }
        }

        /// What it is for.
        public var tokenType: ExternalPurchaseTokenType? {
            get { read("tokenType") }
            set { write("tokenType", newValue) }
        }

        /// When it ends; only tokens of custom links.
        public var tokenExpirationDate: Instant? {
            get { read("tokenExpirationDate") }
            set { write("tokenExpirationDate", newValue) }
        }
    }
}

extension ResponseBodyV2DecodedPayload.ExternalPurchaseToken {
    static let fields = FieldTable<Self>(
        .init("externalPurchaseId", \.externalPurchaseId),
        .init("tokenCreationDate", \.tokenCreationDate),
        .init("appAppleId", \.appAppleId),
        .init("bundleId", \.bundleId),
        .init("tokenType", \.tokenType),
        .init("tokenExpirationDate", \.tokenExpirationDate)
    )
}
