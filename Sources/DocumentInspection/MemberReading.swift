package import AppStoreModel
package import CounterfoilBasics
package import CounterfoilJSON

/// A member of signed data, read for a person.
package struct MemberReading: Hashable, Sendable {
    /// Where it stands: `data.bundleId`.
    package let path: String
    /// Whether Apple's documentation knows it.
    package let isKnown: Bool
    /// Its value, which is no object and no array of objects unless it is unknown.
    package let value: JSONValue
    /// The instant that it is, when it is a date.
    package let date: Instant?

    /// The members of an object and, each by itself, of the objects in it that are known.
    package static func all(
        of object: JSONObject,
        known: [KnownMember]
    ) -> [MemberReading] {
        readings(of: object, known, at: .document)
    }

    private static func readings(
        of object: JSONObject,
        _ known: [KnownMember],
        at path: JSONKeyPath
    ) -> [MemberReading] {
        object.flatMap { key, value -> [MemberReading] in
            let place = JSONKeyPath.member(path, key)
            guard let member = known.first(where: { $0.name == key }) else {
                return [MemberReading(place, value, isKnown: false)]
            }
            switch (member.form, value) {
            case (.object(let known), .object(let object)):
                return readings(of: object, known, at: place)
            case (.objects(let known), .array(let elements)):
                return elements.enumerated().flatMap { index, element -> [MemberReading] in
                    let place = JSONKeyPath.element(place, index)
                    guard let object = element.object else {
                        return [MemberReading(place, element, isKnown: true)]
                    }
                    return readings(of: object, known, at: place)
                }
            case (.date, .number(let number)):
                let date = number.roundedDown.map { Instant(millisecondsSince1970: $0) }
                return [MemberReading(place, value, isKnown: true, date: date)]
            default: return [MemberReading(place, value, isKnown: true)]
            }
        }
    }

    private init(_ path: JSONKeyPath, _ value: JSONValue, isKnown: Bool, date: Instant? = nil) {
        self.path = path.description
        self.isKnown = isKnown
        self.value = value
        self.date = date
    }
}
