public import CounterfoilJSON

extension ResponseBodyV2DecodedPayload {
    /// What a notification about one customer holds (Apple, "data").
    public struct Data: AppStoreObject, FieldedObject {
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

        /// The app's CFBundleVersion.
        public var bundleVersion: String? {
            get { read("bundleVersion") }
            set { write("bundleVersion", newValue) }
        }

        /// The transaction, signed by itself: see ``JWSTransactionDecodedPayload``.
        public var signedTransactionInfo: String? {
            get { read("signedTransactionInfo") }
            set { write("signedTransactionInfo", newValue) }
        }

        /// How the subscription will renew, signed by itself: see ``JWSRenewalInfoDecodedPayload``.
        public var signedRenewalInfo: String? {
            get { read("signedRenewalInfo") }
            set { write("signedRenewalInfo", newValue) }
        }

        /// How the subscription stood when the notification was signed.
        public var status: SubscriptionStatus? {
            get { read("status") }
            set { write("status", newValue) }
        }

        /// Why the customer asked for a refund.
        public var consumptionRequestReason: ConsumptionRequestReason? {
            get { read("consumptionRequestReason") }
            set { write("consumptionRequestReason", newValue) }
        }
    }
}

extension ResponseBodyV2DecodedPayload.Data {
    static let fields = FieldTable<Self>(
        .init("environment", \.environment),
        .init("appAppleId", \.appAppleId),
        .init("bundleId", \.bundleId),
        .init("bundleVersion", \.bundleVersion),
        .init("signedTransactionInfo", \.signedTransactionInfo),
        .init("signedRenewalInfo", \.signedRenewalInfo),
        .init("status", \.status),
        .init("consumptionRequestReason", \.consumptionRequestReason)
    )
}
