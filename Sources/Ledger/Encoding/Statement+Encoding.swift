package import CounterfoilJSON

// What a statement claims, as bytes that are kept for ever.
//
// They are canonical: the same claims have the same bytes, whatever document they came from and in
// whatever order it listed its purchases, so equal claims are stored once. They hold no personal
// value. A later version of this program reads every version that was ever written.
extension Statement {
    /// The version of the bytes that are written.
    private static let version: Int64 = 1

    /// The claims as JSON without white space; lineage and stamp stand beside it.
    package var claims: [UInt8] {
        var object: JSONObject = ["version": JSONValue(Self.version)]
        let purchases = purchases.map { JSONValue.object($0.encoded) }
        if !purchases.isEmpty {
            object["purchases"] = .array(
                purchases.map { (value: $0, bytes: $0.document()) }
                    .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
                    .map(\.value)
            )
        }
        let renewal = renewal.encoded
        if !renewal.isEmpty { object["renewal"] = .object(renewal) }
        return JSONValue.object(object).document()
    }

    /// Reads a statement of any version.
    ///
    /// - Parameters:
    ///   - lineage: The lineage that it is about.
    ///   - stamp: When it was said, how well it is proved, and by which document.
    ///   - claims: What ``claims`` wrote.
    /// - Throws: ``JSONError``; `json.wrong_type` for a version that is not known.
    package init(
        lineage: LineageID,
        stamp: Stamp,
        claims: [UInt8]
    ) throws(JSONError) {
        let members = try JSONMembers(JSONValue(parsing: claims), forms: .exact)
        guard try members.integer("version") == Self.version else {
            throw .wrongType(
                expected: "version \(Self.version) of claims",
                found: members.object["version"]?.kindInWords ?? "none",
                at: .member(.document, "version")
            )
        }
        var purchases: [PurchaseClaim] = []
        for (index, value) in (members.object["purchases"]?.array ?? []).enumerated() {
            let path = JSONKeyPath.element(.member(.document, "purchases"), index)
            purchases.append(
                try PurchaseClaim(decoding: JSONMembers(value, at: path, forms: .exact))
            )
        }
        self.init(
            lineage: lineage,
            stamp: stamp,
            purchases: purchases,
            renewal: try members.object["renewal"].map { (value) throws(JSONError) in
                try RenewalClaim(
                    decoding: JSONMembers(
                        value,
                        at: .member(.document, "renewal"),
                        forms: .exact
                    )
                )
            } ?? .silent
        )
    }
}
