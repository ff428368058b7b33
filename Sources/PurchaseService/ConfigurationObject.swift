import CounterfoilBasics
import CounterfoilJSON

/// One object of a configuration file, its members taken by key and type; all else is an error
/// that names the place.
struct ConfigurationObject {
    private let file: JSONConfigurationText
    private let path: JSONKeyPath
    private let members: JSONObject

    /// Takes a value that must be an object with the keys of a section and no others.
    init(
        _ value: JSONValue,
        of section: ConfigurationKey.Section,
        at path: JSONKeyPath,
        in file: JSONConfigurationText
    ) throws(ConfigurationError) {
        guard let members = value.object else {
            throw ConfigurationError(
                ConfigurationError.wrongType,
                "\(path) is \(value.kindInWords); expected an object",
                at: file.position(of: path)
            )
        }
        self.file = file
        self.path = path
        self.members = members
        let known = ConfigurationKey.all.filter { $0.section == section }
        for (key, _) in members where !known.contains(where: { $0.name == key }) {
            throw unknown(key, in: section, known.map(\.name))
        }
    }

    /// Where a member stands.
    func path(of key: ConfigurationKey) -> JSONKeyPath { .member(path, key.name) }

    /// Whether a member is there.
    func has(_ key: ConfigurationKey) -> Bool { members[key.name] != nil }

    /// A refusal of a member that is there, at its key.
    func refusal(
        of key: ConfigurationKey,
        _ code: ErrorCode,
        _ sentence: String
    ) -> ConfigurationError {
        ConfigurationError(
            code,
            "\(path(of: key)) \(sentence)",
            at: file.position(ofKey: path(of: key))
        )
    }

    /// A refusal of the object for the name that it stands under.
    func wrongName(_ sentence: String) -> ConfigurationError {
        ConfigurationError(
            ConfigurationError.wrongValue,
            "\(path) \(sentence)",
            at: file.position(ofKey: path)
        )
    }

    /// A refusal of the object for a member that is missing.
    func missing(_ key: ConfigurationKey, _ code: ErrorCode) -> ConfigurationError {
        ConfigurationError(
            code,
            "\(path(of: key)) is missing; expected \(key.expectation)",
            at: file.position(of: path)
        )
    }
}

// MARK: - Values

extension ConfigurationObject {
    /// A text.
    func text(_ key: ConfigurationKey) throws(ConfigurationError) -> String? {
        guard let value = members[key.name] else { return nil }
        guard let text = value.string else { throw wrongType(value, key) }
        return text
    }

    /// A word of a closed set.
    func word<Word: RawRepresentable<String>>(
        _ key: ConfigurationKey,
        _ type: Word.Type
    ) throws(ConfigurationError) -> Word? {
        guard let text = try text(key) else { return nil }
        guard let word = Word(rawValue: text) else { throw wrongValue(.string(text), key) }
        return word
    }

    /// An integer within a range.
    func integer(
        _ key: ConfigurationKey,
        in range: ClosedRange<Int64>
    ) throws(ConfigurationError) -> Int64? {
        guard let value = members[key.name] else { return nil }
        guard let number = value.number else { throw wrongType(value, key) }
        guard let integer = number.int64, range.contains(integer) else {
            throw wrongValue(value, key)
        }
        return integer
    }

    /// A time such as `"30s"` within a range.
    func duration(
        _ key: ConfigurationKey,
        in range: ClosedRange<Duration>
    ) throws(ConfigurationError) -> Duration? {
        guard let text = try text(key) else { return nil }
        guard let duration = Self.duration(text), range.contains(duration) else {
            throw wrongValue(.string(text), key)
        }
        return duration
    }

    /// A text that is not empty.
    func name(_ key: ConfigurationKey) throws(ConfigurationError) -> String? {
        guard let text = try text(key) else { return nil }
        guard !text.isEmpty else { throw wrongValue(.string(text), key) }
        return text
    }

    /// A list of texts none of which is empty, each with its path.
    func names(
        _ key: ConfigurationKey
    ) throws(ConfigurationError) -> [(text: String, path: JSONKeyPath)]? {
        guard let elements = try elements(key) else { return nil }
        var names: [(String, JSONKeyPath)] = []
        for (value, path) in elements {
            guard let text = value.string else { throw wrongType(value, key, at: path) }
            guard !text.isEmpty else { throw wrongValue(value, key, at: path) }
            names.append((text, path))
        }
        return names
    }

    /// An object of a section.
    func object(
        _ key: ConfigurationKey,
        _ section: ConfigurationKey.Section
    ) throws(ConfigurationError) -> ConfigurationObject? {
        guard let value = members[key.name] else { return nil }
        return try ConfigurationObject(value, of: section, at: path(of: key), in: file)
    }

    /// A list of objects of a section.
    func objects(
        _ key: ConfigurationKey,
        _ section: ConfigurationKey.Section
    ) throws(ConfigurationError) -> [ConfigurationObject]? {
        guard let elements = try elements(key) else { return nil }
        var objects: [ConfigurationObject] = []
        for (value, path) in elements {
            objects.append(try ConfigurationObject(value, of: section, at: path, in: file))
        }
        return objects
    }

    /// An object whose members are objects of a section, under names of the writer's own.
    func namedObjects(
        _ key: ConfigurationKey,
        _ section: ConfigurationKey.Section
    ) throws(ConfigurationError) -> [(name: String, object: ConfigurationObject)]? {
        guard let value = members[key.name] else { return nil }
        guard let named = value.object else { throw wrongType(value, key) }
        var objects: [(String, ConfigurationObject)] = []
        for (name, value) in named {
            let path = JSONKeyPath.member(path(of: key), name)
            objects.append((name, try ConfigurationObject(value, of: section, at: path, in: file)))
        }
        return objects
    }

    private func elements(
        _ key: ConfigurationKey
    ) throws(ConfigurationError) -> [(JSONValue, JSONKeyPath)]? {
        guard let value = members[key.name] else { return nil }
        guard let elements = value.array else { throw wrongType(value, key) }
        return elements.enumerated().map { index, element in
            (element, .element(path(of: key), index))
        }
    }

    private static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), number <= 1_000_000_000 else { return nil }
        switch text[digits.endIndex...] {
        case "ms": return .milliseconds(number)
        case "s": return .seconds(number)
        case "m": return .seconds(number * 60)
        case "h": return .seconds(number * 3600)
        case "d": return .seconds(number * 86_400)
        default: return nil
        }
    }
}

// MARK: - Errors

extension ConfigurationObject {
    /// A refusal of a value for what it is.
    func wrongValue(
        _ value: JSONValue,
        _ key: ConfigurationKey,
        at path: JSONKeyPath? = nil
    ) -> ConfigurationError {
        unexpected(ShownValue.json(value), key, at: path, ConfigurationError.wrongValue)
    }

    private func wrongType(
        _ value: JSONValue,
        _ key: ConfigurationKey,
        at path: JSONKeyPath? = nil
    ) -> ConfigurationError {
        unexpected(value.kindInWords, key, at: path, ConfigurationError.wrongType)
    }

    private func unexpected(
        _ found: String,
        _ key: ConfigurationKey,
        at path: JSONKeyPath?,
        _ code: ErrorCode
    ) -> ConfigurationError {
        let path = path ?? self.path(of: key)
        return ConfigurationError(
            code,
            "\(path) is \(found); expected \(key.expectation)",
            at: file.position(of: path)
        )
    }

    private func unknown(
        _ key: String,
        in section: ConfigurationKey.Section,
        _ known: [String]
    ) -> ConfigurationError {
        let keyPath = JSONKeyPath.member(path, key)
        let elsewhere = ConfigurationKey.all.first { $0.name == key }
        let hint =
            if let near = NearestName.nearest(to: key, among: known) {
                "did you mean \(near)?"
            } else if let elsewhere {
                "that is a key of \(elsewhere.section.inWords)"
            } else {
                "expected one of \(known.joined(separator: ", "))"
            }
        return ConfigurationError(
            ConfigurationError.unknownKey,
            "\(keyPath) is no key of \(section.inWords); \(hint)",
            at: file.position(ofKey: keyPath)
        )
    }
}
