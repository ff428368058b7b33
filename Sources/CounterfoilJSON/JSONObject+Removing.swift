extension JSONObject {
    /// The object without the members of a name, however deep in it they stand.
    package func removing(_ name: String) -> JSONObject {
        let key = ExactKey(name)
        return holds(key) ? removing(key) : self
    }

    /// Whether there is such a member, to copy nothing where there is none.
    fileprivate func holds(_ name: ExactKey) -> Bool {
        contains { ExactKey($0.key) == name || $0.value.holds(name) }
    }

    fileprivate func removing(_ name: ExactKey) -> JSONObject {
        JSONObject(
            membersFoundUnique: compactMap { key, value in
                ExactKey(key) == name ? nil : Member(key: key, value: value.removing(name))
            }
        )
    }
}

extension JSONValue {
    fileprivate func holds(_ name: ExactKey) -> Bool {
        switch self {
        case .object(let object): object.holds(name)
        case .array(let elements): elements.contains { $0.holds(name) }
        case .null, .bool, .number, .string: false
        }
    }

    fileprivate func removing(_ name: ExactKey) -> JSONValue {
        switch self {
        case .object(let object): .object(object.removing(name))
        case .array(let elements): .array(elements.map { $0.removing(name) })
        case .null, .bool, .number, .string: self
        }
    }
}
