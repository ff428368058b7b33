import CounterfoilBasics
package import CounterfoilJSON

// Rules as bytes that are kept for ever, so that an answer can be given again as it was given.
//
// They are canonical: the same rules have the same bytes. Every member is written, `null` where
// there is none, so that a default that changes later changes no rules that were kept. A later
// version of this program reads every version that was ever written.
extension Rules {
    /// The version of the bytes that are written.
    private static let version: Int64 = 1

    /// The rules as JSON without white space, keys and names in the order of their UTF-8, times in
    /// whole milliseconds.
    package var bytes: [UInt8] {
        let products = products.sorted { Self.precedes($0.key, $1.key) }
        return JSONValue.object([
            "products": .object(
                JSONObject(uniqueMembers: products.map { ($0.key, .object($0.value.encoded)) })
            ),
            "renewalLeewayMilliseconds": JSONValue(renewalLeeway.milliseconds),
            "sandboxAccess": .string(sandboxAccess.rawValue),
            "v1Trust": .string(v1Trust.rawValue),
            "version": JSONValue(Self.version),
        ]).document()
    }

    /// Reads rules of any version.
    ///
    /// - Parameter bytes: What ``bytes`` wrote.
    /// - Throws: ``JSONError``; `json.wrong_type` for a version that is not known.
    package init(bytes: [UInt8]) throws(JSONError) {
        let members = try JSONMembers(JSONValue(parsing: bytes), forms: .exact)
        guard try members.integer("version") == Self.version else {
            throw members.wrongType(
                "version",
                expected: "version \(Self.version) of rules",
                members.object["version"]
            )
        }
        var products: [String: ProductRule] = [:]
        let catalogue = try members.required("products", members.object("products"))
        for productId in catalogue.object.keys {
            let product = try catalogue.required(productId, catalogue.object(productId))
            products[productId] = try ProductRule(decoding: product)
        }
        self.init(
            products: products,
            renewalLeeway: try .milliseconds(
                members.required(
                    "renewalLeewayMilliseconds",
                    members.integer("renewalLeewayMilliseconds")
                )
            ),
            sandboxAccess: try members.word("sandboxAccess"),
            v1Trust: try members.word("v1Trust")
        )
    }

    /// Whether a name stands before another in the order of their UTF-8.
    fileprivate static func precedes(_ name: String, _ other: String) -> Bool {
        name.utf8.lexicographicallyPrecedes(other.utf8)
    }
}

extension ProductRule {
    fileprivate var encoded: JSONObject {
        [
            "credits": JSONValue(credits),
            "durationMilliseconds": duration.map { JSONValue($0.milliseconds) } ?? .null,
            "entitlements": .array(entitlements.sorted(by: Rules.precedes).map(JSONValue.string)),
            "group": group.map(JSONValue.string) ?? .null,
            "level": level.map { JSONValue(Int64($0)) } ?? .null,
        ]
    }

    fileprivate init(decoding members: JSONMembers) throws(JSONError) {
        self.init(
            entitlements: Set(
                try members.required("entitlements", members.strings("entitlements"))
            ),
            credits: try members.required("credits", members.integer("credits")),
            duration: try members.integer("durationMilliseconds").map { .milliseconds($0) },
            group: try members.string("group"),
            level: try members.integer("level").map { Int($0) }
        )
    }
}

extension JSONMembers {
    /// A word of a closed set, which must be there.
    fileprivate func word<Word: RawRepresentable<String> & CaseIterable>(
        _ key: String
    ) throws(JSONError) -> Word {
        let text = try required(key, string(key))
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue).joined(separator: " or ")
            throw wrongType(key, expected: known, .string(text))
        }
        return word
    }
}
