import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON

/// The members of an object in a specification, by key and type; keys that nobody knows are
/// refused by name.
struct SpecificationMembers {
    let members: JSONMembers
    /// What dates are relative to.
    let now: Instant

    init(_ members: JSONMembers, keys: [String], now: Instant) throws(SimulatorError) {
        self.members = members
        self.now = now
        for key in members.object.keys where !keys.contains(key) {
            throw SimulatorError(
                SimulatorError.unknownKey,
                "found the unknown key \(JSONKeyPath.member(members.path, key)), expected one of "
                    + keys.joined(separator: ", ")
            )
        }
    }

    /// Reads a whole specification: JSON that may have comments.
    ///
    /// A seed and the name of a flaw, where they are given, stand in the place of its own.
    init(
        json: Span<UInt8>,
        keys: [String],
        now: Instant,
        seed: UInt64?,
        flaw: String?
    ) throws(SimulatorError) {
        let members = try Self.read(json, seed: seed, flaw: flaw)
        try self.init(members, keys: keys, now: now)
    }

    /// The members of a specification whatever their keys, a seed and the name of a flaw in the
    /// place of its own.
    static func read(
        _ json: Span<UInt8>,
        seed: UInt64?,
        flaw: String?
    ) throws(SimulatorError) -> JSONMembers {
        var object: JSONObject
        do {
            object = try JSONMembers(JSONValue(parsingConfiguration: json)).object
        } catch {
            throw SimulatorError(SimulatorError.specificationUnreadable, error.reason)
        }
        if let seed { object["seed"] = JSONValue(seed) }
        if let flaw { object["flaw"] = .string(flaw) }
        return JSONMembers(object, forms: .exact)
    }

    func string(_ key: String) throws(SimulatorError) -> String? {
        try taken(key, "a text") { () throws(JSONError) in try members.string(key) }
    }

    func integer(_ key: String) throws(SimulatorError) -> Int64? {
        try taken(key, "a whole number of 64 bits") { () throws(JSONError) in
            try members.integer(key)
        }
    }

    func bool(_ key: String) throws(SimulatorError) -> Bool? {
        try taken(key, "true or false") { () throws(JSONError) in try members.bool(key) }
    }

    func objects(_ key: String) throws(SimulatorError) -> [JSONMembers]? {
        let array = try array(key)
        let path = JSONKeyPath.member(members.path, key)
        var objects: [JSONMembers] = []
        for (index, element) in (array ?? []).enumerated() {
            guard let object = element.object else {
                throw SimulatorError(
                    SimulatorError.invalidValue,
                    "found \(Self.inWords(element)) at \(JSONKeyPath.element(path, index)), "
                        + "expected an object"
                )
            }
            objects.append(
                JSONMembers(object, at: .element(path, index), forms: .exact)
            )
        }
        return array == nil ? nil : objects
    }

    private func array(_ key: String) throws(SimulatorError) -> [JSONValue]? {
        try taken(key, "an array") { () throws(JSONError) in try members.array(key) }
    }

    /// An id, written as text or as a number.
    func identifier(_ key: String) throws(SimulatorError) -> String? {
        if let number = members.object[key]?.number { return number.text }
        return try string(key)
    }

    /// A whole number that is not negative.
    func natural(_ key: String) throws(SimulatorError) -> UInt64? {
        guard let value = members.object[key], !value.isNull else { return nil }
        guard let natural = value.number?.uint64 else {
            throw invalid(key, "a whole number from 0 to \(UInt64.max)")
        }
        return natural
    }

    /// Numbers of attributes.
    func types(_ key: String) throws(SimulatorError) -> Set<Int64> {
        let values = try array(key) ?? []
        var types: Set<Int64> = []
        for value in values {
            guard let type = value.number?.int64 else {
                throw invalid(key, "an array of attribute numbers")
            }
            types.insert(type)
        }
        return types
    }

    /// A date: RFC 3339, `now`, or so long before or after now: `-3d`, `+90s`.
    func date(_ key: String) throws(SimulatorError) -> Instant? {
        guard let text = try string(key) else { return nil }
        guard let date = SpecificationDate.parse(text, now: now) else {
            throw invalid(
                key,
                "a date in RFC 3339, “now”, or a number and s, m, h, d or w as “-3d”"
            )
        }
        return date
    }

    /// One of some words.
    func choice<Value>(
        _ key: String,
        _ values: KeyValuePairs<String, Value>
    ) throws(SimulatorError) -> Value? {
        guard let word = try string(key) else { return nil }
        guard let value = values.first(where: { $0.key == word })?.value else {
            throw invalid(key, "one of " + values.map(\.key).joined(separator: ", "))
        }
        return value
    }

    /// A flaw by its name.
    func flaw<Flaw: DocumentFlaw>(_ key: String) throws(SimulatorError) -> Flaw? {
        guard let name = try string(key) else { return nil }
        guard let flaw = Flaw(named: name) else {
            throw invalid(key, "the name of a flaw")
        }
        return flaw
    }

    /// The error for a value that its key cannot have.
    func invalid(_ key: String, _ expected: String) -> SimulatorError {
        SimulatorError(
            SimulatorError.invalidValue,
            "found \(Self.inWords(members.object[key])) at "
                + "\(JSONKeyPath.member(members.path, key)), expected \(expected)"
        )
    }

    /// A value as it may stand in a sentence: texts and numbers themselves where they are short.
    private static func inWords(_ value: JSONValue?) -> String {
        switch value {
        case nil: "nothing"
        case .string(let text): text.utf8.count <= 60 ? "“\(text)”" : "a long text"
        case let value?: value.foundInWords
        }
    }

    private func taken<Value>(
        _ key: String,
        _ expected: String,
        _ body: () throws(JSONError) -> Value
    ) throws(SimulatorError) -> Value {
        do {
            return try body()
        } catch {
            throw invalid(key, expected)
        }
    }
}

/// Dates in specifications.
enum SpecificationDate {
    /// The instant of a date in RFC 3339, of `now`, or of a time before or after it; nil for other
    /// text.
    static func parse(_ text: String, now: Instant) -> Instant? {
        if text == "now" { return now }
        if text.hasPrefix("-") || text.hasPrefix("+") { return relative(text.utf8, now: now) }
        // Bare digits would be milliseconds, which nobody writes by hand on purpose.
        return text.utf8.contains(0x3A) ? AppStoreDate.parse(text) : nil
    }

    private static let secondsOfUnit: [UInt8: Int64] = [
        UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600,
        UInt8(ascii: "d"): 86_400, UInt8(ascii: "w"): 604_800,
    ]

    private static func relative(_ text: String.UTF8View, now: Instant) -> Instant? {
        guard let sign = text.first, let unit = text.last, let seconds = secondsOfUnit[unit]
        else { return nil }
        let digits = text.dropFirst().dropLast()
        // Nine digits of weeks are 19 million years, far within the range of instants.
        guard (1...9).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int64(String(decoding: digits, as: UTF8.self))
        else { return nil }
        return now.advanced(
            by: .seconds(sign == UInt8(ascii: "-") ? -count * seconds : count * seconds)
        )
    }
}
