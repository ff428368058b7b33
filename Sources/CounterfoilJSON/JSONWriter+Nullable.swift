extension JSONWriter {
    /// Writes a member with a text, or with null where there is none.
    package mutating func nullable(_ name: StaticString, _ text: String?) {
        key(name)
        if let text { string(text) } else { null() }
    }

    /// Writes a member with a number, or with null where there is none.
    package mutating func nullable(_ name: StaticString, _ number: Int64?) {
        key(name)
        if let number { integer(number) } else { null() }
    }

    /// Writes a member with a truth value, or with null where there is none.
    package mutating func nullable(_ name: StaticString, _ value: Bool?) {
        key(name)
        if let value { bool(value) } else { null() }
    }
}
