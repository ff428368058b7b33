/// A value of an OpenStep property list; everything that is no container or data is text.
package enum PropertyListValue: Hashable, Sendable {
    /// Quoted or unquoted text.
    case string(String)
    /// Bytes in hexadecimal between angle brackets.
    case data([UInt8])
    /// Values between parentheses.
    case array([PropertyListValue])
    /// Keys and values between braces.
    case dictionary(PropertyListDictionary)

    /// The text, if it is some.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The dictionary, if it is one.
    package var dictionary: PropertyListDictionary? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }
}

/// Keys and values in the order in which they were written; no key twice.
package struct PropertyListDictionary: Hashable, Sendable {
    /// A key and its value.
    package struct Entry: Hashable, Sendable {
        package let key: String
        package let value: PropertyListValue

        package init(key: String, value: PropertyListValue) {
            self.key = key
            self.value = value
        }
    }

    /// The entries in their order.
    package private(set) var entries: [Entry] = []

    package init() {}

    /// The value of a key.
    package subscript(key: String) -> PropertyListValue? {
        entries.first { $0.key == key }?.value
    }

    /// Adds an entry behind the others; false, and nothing added, when the key is there already.
    package mutating func append(_ value: PropertyListValue, for key: String) -> Bool {
        guard self[key] == nil else { return false }
        entries.append(Entry(key: key, value: value))
        return true
    }
}

extension PropertyListDictionary: ExpressibleByDictionaryLiteral {
    /// Makes a dictionary of a literal, in which no key may stand twice.
    package init(dictionaryLiteral elements: (String, PropertyListValue)...) {
        self.init(unique: elements)
    }

    fileprivate init(unique elements: [(String, PropertyListValue)]) {
        for (key, value) in elements {
            let isNew = append(value, for: key)
            precondition(isNew, "the key \(key) stands twice in a literal")
        }
    }
}

extension PropertyListValue: ExpressibleByDictionaryLiteral {
    /// Makes a dictionary of a literal, in which no key may stand twice.
    package init(dictionaryLiteral elements: (String, PropertyListValue)...) {
        self = .dictionary(PropertyListDictionary(unique: elements))
    }
}

extension PropertyListValue: ExpressibleByArrayLiteral {
    /// Makes an array of a literal.
    package init(arrayLiteral elements: PropertyListValue...) { self = .array(elements) }
}

extension PropertyListValue: ExpressibleByStringLiteral {
    /// Makes text of a literal.
    package init(stringLiteral value: String) { self = .string(value) }
}

/// How large property lists may be.
package struct PropertyListLimits: Hashable, Sendable {
    /// The most bytes.
    package var bytes: Int
    /// The most containers inside each other.
    package var nesting: Int
    /// The most keys of one dictionary; their number makes look-up costly.
    package var keys: Int
    /// The most values of the whole list.
    package var values: Int

    package init(bytes: Int, nesting: Int, keys: Int, values: Int) {
        self.bytes = bytes
        self.nesting = nesting
        self.keys = keys
        self.values = values
    }

    /// 1 MiB, 16 levels, 200 keys a dictionary and 10,000 values; a receipt has a few KiB, one
    /// level and up to 30 keys.
    package static let `default` = PropertyListLimits(
        bytes: 1 << 20,
        nesting: 16,
        keys: 200,
        values: 10_000
    )
}
