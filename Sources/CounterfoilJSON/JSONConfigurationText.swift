/// A configuration file as it was read, which knows where each of its values stands.
///
/// What is wrong with a value is often known only to the program that uses it; with this it can
/// still say line and column.
package struct JSONConfigurationText: Sendable {
    /// What the file says.
    package let value: JSONValue

    private let text: [UInt8]
    private var offsets: [JSONKeyPath: Place] = [:]

    private struct Place {
        /// Where the member's key stands; nil for elements and for the document.
        var key: Int?
        var value: Int
    }

    /// Reads a file in the dialect of ``JSONValue/init(parsingConfiguration:limits:)``.
    ///
    /// - Throws: ``JSONError`` with the place of what is at fault.
    package init(
        parsing text: [UInt8],
        limits: JSONLimits = .default
    ) throws(JSONError) {
        self.text = text
        value = try JSONValue(parsingConfiguration: text.span, limits: limits)
        do throws(JSONFailure) {
            let json = try JSONComments.blanked(text.span)
            let document = value
            offsets = try JSONParsing.withTokens(of: json.span, limits) { content, tokens in
                var walk = Walk(origin: json.count - content.count)
                walk.value(document, at: .document, tokens)
                return walk.offsets
            }
        } catch {
            throw JSONError(error.code, error.found, at: error.offset, in: text.span)
        }
    }

    /// Where the value at a path begins; nil when there is none.
    package func position(of path: JSONKeyPath) -> JSONTextPosition? {
        offsets[path].map { JSONTextPosition(of: $0.value, in: text.span) }
    }

    /// Where the key of the member at a path begins; nil when there is none.
    package func position(ofKey path: JSONKeyPath) -> JSONTextPosition? {
        offsets[path]?.key.map { JSONTextPosition(of: $0, in: text.span) }
    }

    /// Goes through the tokens of a text that is known to be JSON, beside the value made of it.
    private struct Walk {
        /// How many bytes stand before the text that the tokens are of.
        let origin: Int
        var offsets: [JSONKeyPath: Place] = [:]
        private var next = 0

        init(origin: Int) { self.origin = origin }

        /// As deep as the reader went, whose limit holds here too.
        mutating func value(
            _ value: JSONValue,
            at path: JSONKeyPath,
            key: Int? = nil,
            _ tokens: Span<UInt32>
        ) {
            offsets[path] = Place(key: key, value: offset(tokens))
            next += 1
            switch value {
            case .object(let members):
                for (index, member) in members.enumerated() {
                    if index > 0 { next += 1 }  // the comma
                    let key = offset(tokens)
                    next += 2  // the key and its colon
                    self.value(member.value, at: .member(path, member.key), key: key, tokens)
                }
                next += 1
            case .array(let elements):
                for (index, element) in elements.enumerated() {
                    if index > 0 { next += 1 }
                    self.value(element, at: .element(path, index), tokens)
                }
                next += 1
            case .null, .bool, .number, .string: break
            }
        }

        private func offset(_ tokens: Span<UInt32>) -> Int { origin + Int(tokens[next]) }
    }
}
