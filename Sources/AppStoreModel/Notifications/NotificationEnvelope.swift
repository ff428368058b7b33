public import CounterfoilBasics
public import CounterfoilJSON

/// What the App Store posts to a notification address, of either version, told apart by content.
public enum NotificationEnvelope: Sendable {
    /// Version 1: the notification, and the password that vouches for it.
    case v1(ResponseBodyV1, password: Redacted<String>?)
    /// Version 2: a JWS in compact form, of a ``ResponseBodyV2DecodedPayload``.
    case v2(signedPayload: String)

    /// Tells the version of a body and takes it apart.
    ///
    /// A body with a string `signedPayload` is of version 2, one with a `notification_type` of
    /// version 1.
    ///
    /// - Throws: ``NotificationError`` with the code `notification.neither_version`, which names
    ///   what was found, or with a code of `JSONError` for a member of a wrong type.
    public init(_ body: JSONValue) throws(NotificationError) {
        guard let object = body.object else {
            throw NotificationError(foundNeitherIn: body.kindInWords)
        }
        if case .string(let signedPayload)? = object["signedPayload"] {
            self = .v2(signedPayload: signedPayload)
            return
        }
        guard let type = object["notification_type"], !type.isNull else {
            throw NotificationError(foundNeitherIn: Self.inWords(object))
        }
        do {
            let (body, password) = try ResponseBodyV1.decode(object)
            self = .v1(body, password: password)
        } catch {
            throw NotificationError(error)
        }
    }

    /// Reads a body as it was posted, and tells its version.
    ///
    /// - Throws: ``NotificationError`` as for a value, and with a code of `JSONError` for what is
    ///   no JSON.
    public init(
        parsing body: Span<UInt8>,
        limits: JSONLimits = .default
    ) throws(NotificationError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: body, limits: limits)
        } catch {
            throw NotificationError(error)
        }
        try self.init(value)
    }

    /// What an object has instead, at most five keys of it.
    private static func inWords(_ object: JSONObject) -> String {
        if let value = object["signedPayload"] { return "signedPayload as \(value.kindInWords)" }
        guard !object.isEmpty else { return "an object without members" }
        let names = object.keys.prefix(5).map { key in
            JSONKeyPath.member(.document, key).description
        }
        let rest = object.count > 5 ? " and \(object.count - 5) more" : ""
        return "an object with \(names.joined(separator: ", "))\(rest)"
    }
}
