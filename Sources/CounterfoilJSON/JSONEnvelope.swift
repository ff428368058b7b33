/// A document that is one object, its strings left where they are until they are wanted.
///
/// The bodies that carry a receipt or signed data have one string of up to megabytes, which is base
/// 64 and is wanted as bytes, not as a String:
/// ```swift
/// let body = try JSONEnvelope(parsing: request.body)
/// let receipt = try body.withString("receipt-data") { text in try Base64.decode(text) }
/// let password = body["password"]?.string
/// ```
/// The document is checked as a whole all the same, exactly as ``JSONValue/init(parsing:limits:)``
/// does.
package struct JSONEnvelope: Sendable {
    private enum Content {
        case string(JSONStringInPlace)
        case value(JSONValue)
    }

    private let text: [UInt8]
    private var members: [(key: String, content: Content)] = []

    /// Reads a document whose value is an object.
    ///
    /// - Throws: ``JSONError`` as for any document, and with the code
    ///   ``JSONError/wrongType`` when its value is no object.
    package init(
        parsing text: [UInt8],
        limits: JSONLimits = .default
    ) throws(JSONError) {
        self.text = text
        do throws(JSONFailure) {
            let whole = text.span
            members = try JSONParsing.withTokens(of: whole, limits) {
                (text, tokens) throws(JSONFailure) in
                var parser = JSONParser(limits: limits)
                let members = try Self.members(&parser, text, tokens, whole.count - text.count)
                try parser.expectEnd(text, tokens)
                return members
            }
        } catch {
            throw JSONError(error.code, error.found, at: error.offset)
        }
    }

    /// The members' keys in the order written.
    package var keys: [String] { members.map(\.key) }

    /// The value of a member, built now.
    package subscript(key: String) -> JSONValue? {
        content(of: key).map(value(of:))
    }

    /// Lends the UTF-8 of a member that is a string to a closure; nil when it is not there or is
    /// something else.
    package func withString<Result, Failure: Error>(
        _ key: String,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        switch content(of: key) {
        case .string(.plain(let range)): try body(text.span.extracting(range))
        case .string(.unescaped(let bytes)): try body(bytes.span)
        case .value, nil: nil
        }
    }

    /// The document as a value, everything built.
    package var value: JSONValue {
        .object(
            JSONObject(
                membersFoundUnique: members.map {
                    JSONObject.Member(key: $0.key, value: value(of: $0.content))
                }
            )
        )
    }

    private func content(of key: String) -> Content? {
        members.first { ExactKey($0.key) == ExactKey(key) }?.content
    }

    private func value(of content: Content) -> JSONValue {
        switch content {
        case .value(let value): value
        case .string(.plain(let range)): .string(String(decoding: text[range], as: UTF8.self))
        case .string(.unescaped(let bytes)): .string(String(decoding: bytes, as: UTF8.self))
        }
    }
}

extension JSONEnvelope {
    /// The members of the object that the tokens begin with; `origin` bytes stand before the text
    /// that they are of.
    private static func members(
        _ parser: inout JSONParser,
        _ text: Span<UInt8>,
        _ tokens: Span<UInt32>,
        _ origin: Int
    ) throws(JSONFailure) -> [(key: String, content: Content)] {
        guard parser.byte(text, tokens) == UInt8(ascii: "{") else {
            // Whatever is wrong with the document as such comes first.
            let value = try parser.document(text, tokens)
            throw JSONFailure(
                JSONError.wrongType,
                "expected an object, found \(value.kindInWords)",
                at: 0
            )
        }
        var members: [(key: String, content: Content)] = []
        var frame = try parser.openDocumentObject(tokens)
        while let key = try parser.nextKey(in: &frame, text, tokens) {
            guard parser.byte(text, tokens) == UInt8(ascii: "\"") else {
                members.append((key, .value(try parser.value(text, tokens, level: 1))))
                continue
            }
            let string = try parser.stringInPlace(text, tokens)
            members.append((key, .string(string.moved(by: origin))))
        }
        return members
    }
}
