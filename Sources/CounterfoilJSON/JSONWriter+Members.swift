extension JSONWriter {
    /// Writes a member whose value is a string; nothing when there is none.
    package mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    /// Writes a member whose value is an integer; nothing when there is none.
    package mutating func member(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        key(name)
        integer(value)
    }

    /// Writes a member whose value is `true` or `false`; nothing when there is none.
    package mutating func member(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        key(name)
        bool(value)
    }

    /// Writes a member whose value is any JSON value; nothing when there is none.
    package mutating func member(_ name: StaticString, value: JSONValue?) {
        guard let value else { return }
        key(name)
        self.value(value)
    }

    /// Writes a member whose value is a string given as UTF-8 (see ``string(utf8:)``).
    package mutating func member(_ name: StaticString, utf8 text: Span<UInt8>) {
        key(name)
        string(utf8: text)
    }

    /// Writes a member whose value is an integer in quotes; nothing when there is none.
    package mutating func member(_ name: StaticString, digitsOf value: Int64?) {
        guard let value else { return }
        key(name)
        string(digitsOf: value)
    }
}

extension JSONWriter {
    /// Writes a value with everything in it, members in their order.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let value): number(value)
        case .string(let value): string(value)
        case .array(let elements): array { for element in elements { $0.value(element) } }
        case .object(let members): object { $0.members(of: members) }
        }
    }

    /// Writes the members of an object into the object that is open.
    package mutating func members(of object: JSONObject) {
        for (key, value) in object {
            self.key(text: key)
            self.value(value)
        }
    }
}

extension JSONValue {
    /// The document that consists of this value.
    package func document(_ form: JSONWriter.Form = .compact) -> [UInt8] {
        var writer = JSONWriter(form)
        writer.value(self)
        return writer.finish()
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as JSON without white space.
    public var description: String { String(decoding: document(), as: UTF8.self) }
}
