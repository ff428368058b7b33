import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON

/// A payload as a specification describes it: Apple's own keys, known or not known yet, beside a
/// few words of ours.
struct SpecifiedPayload {
    /// What is given of the payload itself, its dates in milliseconds; `null` leaves a member out.
    private(set) var given: JSONObject = [:]
    /// Our own words.
    let words: SpecificationMembers
    private let known: [KnownMember]
    private let path: JSONKeyPath

    /// The word for members that go into the payload exactly as they are given.
    private static let rawWord = "payload"

    /// Sorts the members of a specification.
    ///
    /// - Throws: `issue.unknown_key` for a key that is nearly one of those that are known,
    ///   `issue.invalid_value` for a date that is none.
    init(
        _ members: JSONMembers,
        known: [KnownMember],
        words: [String],
        now: Instant
    ) throws(SimulatorError) {
        self.known = known
        path = members.path
        let words = words + [Self.rawWord]
        var own: JSONObject = [:]
        for (key, value) in members.object {
            if words.contains(key) {
                own[key] = value
            } else if let member = known.first(where: { $0.name == key }) {
                given[key] = try Self.resolved(value, member.form, at: .member(path, key), now)
            } else {
                try Self.requireNoMistake(key, at: path, among: known.map(\.name) + words)
                given[key] = value
            }
        }
        self.words = try SpecificationMembers(
            JSONMembers(own, at: path, forms: .exact),
            keys: words,
            now: now
        )
    }

    /// What is given over defaults: known members in Apple's order, then the others as they are
    /// given, then those of `payload`.
    ///
    /// - Throws: `issue.invalid_value` when `payload` is no object.
    func payload(over defaults: JSONObject) throws(SimulatorError) -> JSONObject {
        let order = known.map(\.name) + defaults.keys + given.keys
        var payload: JSONObject = [:]
        for key in order where payload[key] == nil {
            guard let value = given[key] ?? defaults[key], !value.isNull else { continue }
            payload[key] = value
        }
        for (key, value) in try rawMembers() { payload[key] = value }
        return payload
    }

    private func rawMembers() throws(SimulatorError) -> JSONObject {
        guard let value = words.members.object[Self.rawWord], !value.isNull else { return [:] }
        guard let object = value.object else { throw words.invalid(Self.rawWord, "an object") }
        return object
    }

    /// Whether a member is given, as a value or to be left out.
    func has(_ key: String) -> Bool { given[key] != nil }

    /// A text that is given.
    func text(_ key: String) -> String? { given[key]?.string }

    /// A date that is given.
    func date(_ key: String) -> Instant? {
        given[key]?.number?.int64.map(Instant.init(millisecondsSince1970:))
    }

    /// Checks the types of known members by reading them.
    ///
    /// - Throws: `issue.invalid_value` with the member's path.
    func requireTypes<Value: AppStoreObject>(of _: Value.Type) throws(SimulatorError) {
        do {
            _ = try Value(given)
        } catch {
            throw SimulatorError(
                SimulatorError.invalidValue,
                "\(error.reason); what shall be wrong on purpose goes into “payload”"
            )
        }
    }

    /// Replaces what is given.
    mutating func give(_ key: String, _ value: JSONValue) { given[key] = value }
}

// MARK: - Keys and dates

extension SpecifiedPayload {
    private static func requireNoMistake(
        _ key: String,
        at path: JSONKeyPath,
        among candidates: [String]
    ) throws(SimulatorError) {
        guard let near = NearestName.nearest(to: key, among: candidates, atMost: 2) else { return }
        throw SimulatorError(
            SimulatorError.unknownKey,
            "found the unknown key \(JSONKeyPath.member(path, key)), which is nearly “\(near)”; a "
                + "key that is meant goes into “payload”"
        )
    }

    /// A value with every date in it that is given in words made milliseconds.
    private static func resolved(
        _ value: JSONValue,
        _ form: KnownMember.Form,
        at path: JSONKeyPath,
        _ now: Instant
    ) throws(SimulatorError) -> JSONValue {
        switch (form, value) {
        case (.date, .string(let text)):
            guard let date = SpecificationDate.parse(text, now: now) else {
                throw SimulatorError(
                    SimulatorError.invalidValue,
                    "found \(text.utf8.count <= 60 ? "“\(text)”" : "a long text") at \(path), "
                        + "expected a date in RFC 3339, “now”, milliseconds, or a number and s, m, "
                        + "h, d or w as “-3d”"
                )
            }
            return JSONValue(date.millisecondsSince1970)
        case (.object(let members), .object(let object)):
            return .object(try resolved(object, members, at: path, now))
        case (.objects(let members), .array(let elements)):
            var values: [JSONValue] = []
            for (index, element) in elements.enumerated() {
                values.append(
                    try resolved(element, .object(members), at: .element(path, index), now)
                )
            }
            return .array(values)
        default: return value
        }
    }

    private static func resolved(
        _ object: JSONObject,
        _ members: [KnownMember],
        at path: JSONKeyPath,
        _ now: Instant
    ) throws(SimulatorError) -> JSONObject {
        var object = object
        for (key, value) in object {
            let place = JSONKeyPath.member(path, key)
            if let member = members.first(where: { $0.name == key }) {
                object[key] = try resolved(value, member.form, at: place, now)
            } else {
                try requireNoMistake(key, at: path, among: members.map(\.name))
            }
        }
        return object
    }
}
