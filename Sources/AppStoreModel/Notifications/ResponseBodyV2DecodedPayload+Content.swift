extension ResponseBodyV2DecodedPayload {
    /// The one thing that a notification is about.
    public enum Content: Hashable, Sendable {
        /// One customer.
        case data(Data)
        /// All subscribers of a product.
        case summary(Summary)
        /// A token for purchases outside the App Store.
        case externalPurchaseToken(ExternalPurchaseToken)
        /// The app, for a customer.
        case appData(AppData)
        /// Nothing that is known, or more than one of these: kept whole in `object`, and to be
        /// looked at by a person.
        case odd
    }

    /// What the notification is about: exactly one of `data`, `summary`, `externalPurchaseToken`
    /// and `appData`, else ``Content/odd``.
    public var content: Content {
        switch (data, summary, externalPurchaseToken, appData) {
        case (let data?, nil, nil, nil): .data(data)
        case (nil, let summary?, nil, nil): .summary(summary)
        case (nil, nil, let token?, nil): .externalPurchaseToken(token)
        case (nil, nil, nil, let appData?): .appData(appData)
        default: .odd
        }
    }

    /// Whether the notification is about nothing that is known, or about several things at once.
    public var isOdd: Bool { content == .odd }

    /// Whether the notification is of the one version that is known, `2.0`.
    public var isOfKnownVersion: Bool { version == "2.0" }

    /// The environment that the notification is about.
    ///
    /// It is that of `data`, else of `summary`, else of `externalPurchaseToken`, which names none:
    /// it is the sandbox when its `externalPurchaseId` begins with `SANDBOX`, else production;
    /// else of `appData`. An odd notification with several of them has the environment of the
    /// first. Nil when the first says nothing.
    public var environment: StoreEnvironment? { place?.environment }

    /// The app's bundle identifier, from the same place as ``environment``.
    public var bundleId: String? { place?.bundleId }

    /// The app's identifier in the App Store, from the same place as ``environment``; nil in the
    /// sandbox.
    public var appAppleId: Int64? { place?.appAppleId }

    /// The first of the contents, which says what the notification is about.
    private var place: (any AppNaming)? {
        if let data { return data }
        if let summary { return summary }
        if let externalPurchaseToken { return externalPurchaseToken }
        return appData
    }
}

/// A content of a notification, which names the app and its environment.
private protocol AppNaming {
    var environment: StoreEnvironment? { get }
    var bundleId: String? { get }
    var appAppleId: Int64? { get }
}

extension ResponseBodyV2DecodedPayload.Data: AppNaming {}
extension ResponseBodyV2DecodedPayload.Summary: AppNaming {}
extension ResponseBodyV2DecodedPayload.ExternalPurchaseToken: AppNaming {}
extension ResponseBodyV2DecodedPayload.AppData: AppNaming {}

extension ResponseBodyV2DecodedPayload.ExternalPurchaseToken {
    /// The environment, told by the first letters of `externalPurchaseId`; nil without one.
    public var environment: StoreEnvironment? {
        externalPurchaseId.map { $0.utf8.starts(with: "SANDBOX".utf8) ? .sandbox : .production }
    }
}
