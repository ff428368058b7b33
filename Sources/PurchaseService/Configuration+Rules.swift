import CounterfoilBasics
import CounterfoilJSON
import Ledger

extension Rules {
    /// As many products as an app of the App Store can have.
    private static let mostProducts = 10_000

    /// Reads what an app's entry says of its catalogue and its policies.
    mutating func read(_ app: ConfigurationObject) throws(ConfigurationError) {
        renewalLeeway =
            try app.duration(.renewalLeeway, in: .zero...(.seconds(30 * 86_400))) ?? renewalLeeway
        sandboxAccess = try app.word(.sandboxAccess, SandboxAccess.self) ?? sandboxAccess
        v1Trust = try app.word(.v1Trust, V1Trust.self) ?? v1Trust
        let catalogue = try app.namedObjects(.products, .product) ?? []
        guard catalogue.count <= Self.mostProducts else {
            throw app.refusal(
                of: .products,
                ConfigurationError.wrongValue,
                "has \(catalogue.count); expected \(ConfigurationKey.products.expectation)"
            )
        }
        for (productId, product) in catalogue {
            guard productId.isProductIdentifier else {
                throw product.wrongName(
                    "is no product identifier; expected 1 to 255 characters of ASCII that are no "
                        + "spaces and no control characters"
                )
            }
            products[productId] = try ProductRule(product)
        }
    }
}

extension ProductRule {
    fileprivate init(_ product: ConfigurationObject) throws(ConfigurationError) {
        try product.refuseTwoKinds()
        if product.has(.level), !product.has(.group) {
            throw product.refusal(
                of: .level,
                ConfigurationError.levelWithoutGroup,
                "is given without a group; expected the subscription group that it is a level of"
            )
        }
        self.init(
            entitlements: try product.labels(.entitlements),
            credits: try product.integer(.credits, in: 1...1_000_000_000_000) ?? 0,
            duration: try product.duration(
                .duration,
                in: .seconds(1)...(.seconds(36_500 * 86_400))
            ),
            group: try product.label(.group),
            level: try product.integer(.level, in: 1...1000).map { Int($0) }
        )
    }
}

extension ConfigurationObject {
    /// What a product has shows of which kind it is.
    fileprivate func refuseTwoKinds() throws(ConfigurationError) {
        let kinds: [ConfigurationKey] = [.credits, .duration, .group]
        let found = kinds.filter { has($0) }
        guard found.count > 1 else { return }
        throw refusal(
            of: found[1],
            ConfigurationError.productOfTwoKinds,
            "is given beside \(found[0].name); expected credits of a consumable, the duration of a "
                + "non-renewing subscription or the group of an auto-renewable one"
        )
    }

    /// A text that people give as a name.
    fileprivate func label(_ key: ConfigurationKey) throws(ConfigurationError) -> String? {
        guard let text = try name(key) else { return nil }
        guard text.isLabel else { throw wrongValue(.string(text), key) }
        return text
    }

    /// A list of such texts, each once.
    fileprivate func labels(_ key: ConfigurationKey) throws(ConfigurationError) -> Set<String> {
        var labels: Set<String> = []
        for (text, path) in try names(key) ?? [] {
            guard text.isLabel, labels.insert(text).inserted else {
                throw wrongValue(.string(text), key, at: path)
            }
        }
        return labels
    }
}

extension String {
    /// Whether the App Store could have a product of that identifier; in ASCII, what Swift finds
    /// equal is equal to the byte.
    fileprivate var isProductIdentifier: Bool {
        (1...255).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Whether people can see what stands there.
    fileprivate var isLabel: Bool {
        guard utf8.count <= 255, let first = unicodeScalars.first,
            let last = unicodeScalars.last
        else { return false }
        return !first.properties.isWhitespace && !last.properties.isWhitespace
            && !unicodeScalars.contains(where: \.isInvisible)
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character, or moves or hides others.
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
