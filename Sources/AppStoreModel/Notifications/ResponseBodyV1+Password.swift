public import CounterfoilBasics
public import CounterfoilJSON

extension ResponseBodyV1 {
    /// The key of the app's shared secret.
    private static let passwordKey = JSONObject.passwordKey

    /// Takes an object that was read apart into the notification and the password that vouches for
    /// it, after checking the types of all known members.
    ///
    /// This is the only place where the password is to be had. The body, its JSON and every
    /// description of it are without it, and without every other member of that name.
    ///
    /// - Returns: the notification, and the password; nil when it is absent, `null` or empty.
    /// - Throws: `JSONError` with the code `json.wrong_type`, which names the path of the member.
    public static func decode(
        _ object: JSONObject
    ) throws(JSONError) -> (body: ResponseBodyV1, password: Redacted<String>?) {
        var password: Redacted<String>?
        if let value = object[passwordKey] {
            guard SentIdentifier.accepts(value) else {
                // The error for other members shows a number that it found; a secret is not shown.
                throw .wrongType(
                    expected: "a string",
                    found: value.kindInWords,
                    at: .member(.document, passwordKey)
                )
            }
            password = SentIdentifier(field: value).map { Redacted($0.value) }
        }
        let rest = object.withoutPasswords
        try fields.check(rest)
        var body = ResponseBodyV1()
        body.object = rest
        return (body, password)
    }

    /// The notification as JSON with a password, as an App Store sends it, in UTF-8.
    public func json(password: Redacted<String>) -> [UInt8] {
        var object = object
        object[Self.passwordKey] = .string(password.secret)
        return JSONValue.object(object).document()
    }
}

extension JSONObject {
    fileprivate static let passwordKey = "password"

    /// The object without members named `password`, however deep in it they stand: what is shown or
    /// kept of JSON in which an app's shared secret may be.
    package var withoutPasswords: JSONObject { removing(Self.passwordKey) }
}
