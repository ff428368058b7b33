/// The members of an object as a model takes them: by key and type, with errors that name the path.
///
/// Every member may be absent or `null`, which are the same here: nil.
package struct JSONMembers: Sendable {
    /// Which JSON types may stand for a value.
    package enum Forms: Sendable {
        /// The value's own type only.
        case exact
        /// What Apple has sent in the course of time: numbers and booleans as such or in a string,
        /// ids and other strings as numbers, and an empty string where there is no number.
        case asAppleSends
    }

    /// The object.
    package let object: JSONObject

    /// Where the object stands in its document.
    package let path: JSONKeyPath

    private let forms: Forms

    /// Makes a view of an object that stands at a path.
    package init(
        _ object: JSONObject,
        at path: JSONKeyPath = .document,
        forms: Forms = .asAppleSends
    ) {
        self.object = object
        self.path = path
        self.forms = forms
    }

    /// Makes a view of a value that must be an object.
    ///
    /// - Throws: ``JSONError`` with the code `json.wrong_type` when it is something else.
    package init(
        _ value: JSONValue,
        at path: JSONKeyPath = .document,
        forms: Forms = .asAppleSends
    ) throws(JSONError) {
        guard let object = value.object else {
            throw .wrongType(expected: "an object", found: value.kindInWords, at: path)
        }
        self.init(object, at: path, forms: forms)
    }
}

// MARK: Scalars

extension JSONMembers {
    /// A member's text, an empty one included; a number's text where Apple's forms are taken.
    package func string(_ key: String) throws(JSONError) -> String? {
        try taken(key, expected: "a string") { $0.string(in: $1) }
    }

    /// A member that is an id: a string of any length, or an integer, exact beyond 2^53; nil for an
    /// empty string.
    package func identifier(_ key: String) throws(JSONError) -> String? {
        try taken(key, expected: "an id") { $0.identifier(in: $1) }
    }

    /// A member that is an integer of 64 bits.
    package func integer(_ key: String) throws(JSONError) -> Int64? {
        try taken(key, expected: "an integer of 64 bits") { $0.integer(in: $1) }
    }

    /// A member that is a number of any kind, as it was written.
    package func number(_ key: String) throws(JSONError) -> JSONNumber? {
        let value = object[key]
        switch value {
        case nil, .null: return nil
        case .number(let number): return number
        case .string(let text) where forms == .asAppleSends:
            if text.isEmpty { return nil }
            if let number = JSONNumber(text: text) { return number }
        default: break
        }
        throw wrongType(key, expected: "a number", value)
    }

    /// A member that is true or false; where Apple's forms are taken, also 1 or 0, and each of these
    /// in a string.
    package func bool(_ key: String) throws(JSONError) -> Bool? {
        try taken(key, expected: "true or false") { $0.bool(in: $1) }
    }

    private func taken<Value: Sendable>(
        _ key: String,
        expected: String,
        _ find: (Forms, JSONValue) -> JSONFinding<Value>
    ) throws(JSONError) -> Value? {
        guard let value = object[key] else { return nil }
        switch find(forms, value) {
        case .nothing: return nil
        case .value(let value): return value
        case .other: throw wrongType(key, expected: expected, value)
        }
    }
}

// MARK: Arrays and objects

extension JSONMembers {
    /// A member that is an object.
    package func object(_ key: String) throws(JSONError) -> JSONMembers? {
        guard let value = object[key], !value.isNull else { return nil }
        return try JSONMembers(value, at: .member(path, key), forms: forms)
    }

    /// A member that is an array.
    package func array(_ key: String) throws(JSONError) -> [JSONValue]? {
        switch object[key] {
        case nil, .null: return nil
        case .array(let elements): return elements
        case let value?: throw wrongType(key, expected: "an array", value)
        }
    }

    /// A member that is an array of objects.
    package func objects(_ key: String) throws(JSONError) -> [JSONMembers]? {
        guard let elements = try array(key) else { return nil }
        let path = JSONKeyPath.member(path, key)
        var objects: [JSONMembers] = []
        objects.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            objects.append(try JSONMembers(element, at: .element(path, index), forms: forms))
        }
        return objects
    }

    /// A member that is an array of strings.
    package func strings(_ key: String) throws(JSONError) -> [String]? {
        guard let elements = try array(key) else { return nil }
        var strings: [String] = []
        strings.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let string = element.string else {
                throw .wrongType(
                    expected: "a string",
                    found: element.kindInWords,
                    at: .element(.member(path, key), index)
                )
            }
            strings.append(string)
        }
        return strings
    }
}

// MARK: Errors

extension JSONMembers {
    /// The value of a member that must be there.
    ///
    /// ```swift
    /// let status = try members.required("status", members.integer("status"))
    /// ```
    /// - Throws: ``JSONError`` with the code `json.missing_member` when the value is nil.
    package func required<Value>(_ key: String, _ value: Value?) throws(JSONError) -> Value {
        guard let value else {
            throw JSONError(
                JSONError.missingMember,
                "expected \(JSONKeyPath.member(path, key)), which is missing or null"
            )
        }
        return value
    }

    /// The error for a member whose value is of the right type but not what it may be.
    package func wrongType(
        _ key: String,
        expected: String,
        _ found: JSONValue?
    ) -> JSONError {
        let words: String =
            switch found {
            case .string: "another string"
            case let value: value?.foundInWords ?? "nothing"
            }
        return .wrongType(expected: expected, found: words, at: .member(path, key))
    }
}

extension JSONError {
    /// The error for a value of another type than expected.
    package static func wrongType(
        expected: String,
        found: String,
        at path: JSONKeyPath
    ) -> JSONError {
        JSONError(wrongType, "expected \(path) to be \(expected), found \(found)")
    }
}
