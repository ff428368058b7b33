public import CounterfoilJSON

/// One of Apple's values that is a JSON object: a payload that the App Store signed, a part of one,
/// or the body of a notification.
///
/// The object it was read from is the value. Its properties read and write that object under
/// Apple's names, so that nothing is lost between reading and writing: members keep their order,
/// keys and words that nobody knows yet stay, numbers stay as they were written.
///
/// Reading checks every known member. One of a wrong type is an error that names its path, because
/// an expiry date that silently became nil would be access for ever; one that is absent or `null`
/// is nil. Which members must be there is for those to say who need them.
/// ```swift
/// let transaction = try JWSTransactionDecodedPayload(parsing: payload)
/// if let end = transaction.expiresDate, end <= now { … }
/// ```
/// A value can also be made: begin with an empty one and set its properties, in the order in which
/// they shall be written. A property set to nil is taken out.
public protocol AppStoreObject: Hashable, Sendable {
    /// Everything in the value, as it was read or set.
    var object: JSONObject { get }

    /// Makes a value without members.
    init()

    /// Takes an object that was read, after checking the types of all known members in it.
    ///
    /// - Throws: `JSONError` with the code `json.wrong_type`, which names the path of the member.
    init(_ object: JSONObject) throws(JSONError)
}

extension AppStoreObject {
    /// Reads a document whose one value is this object.
    ///
    /// - Throws: `JSONError` when the text is no JSON, its value no object, or a known member in it
    ///   of a wrong type.
    public init(
        parsing text: Span<UInt8>,
        limits: JSONLimits = .default
    ) throws(JSONError) {
        let value = try JSONValue(parsing: text, limits: limits)
        try self.init(JSONMembers(value).object)
    }

    /// Reads a document, as ``init(parsing:limits:)-(Span<UInt8>,_)`` does.
    ///
    /// - Throws: `JSONError` when the text is no JSON, its value no object, or a known member in it
    ///   of a wrong type.
    public init(
        parsing text: [UInt8],
        limits: JSONLimits = .default
    ) throws(JSONError) {
        try self.init(parsing: text.span, limits: limits)
    }

    /// The value as JSON without white space, in UTF-8.
    public var json: [UInt8] { JSONValue.object(object).document() }
}
