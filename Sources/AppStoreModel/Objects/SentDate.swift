import CounterfoilBasics
import CounterfoilJSON

/// A date that Apple sends under three keys: as text, in milliseconds, and in Los Angeles time.
struct SentDate: Sendable {
    /// The key of the milliseconds.
    let milliseconds: String
    /// The key of the text in `Etc/GMT`.
    let text: String
    /// The key of the text in `America/Los_Angeles`.
    let pacific: String

    /// The keys of `purchase_date`, as most dates have them.
    init(_ name: String) {
        milliseconds = name + "_ms"
        text = name
        pacific = name + "_pst"
    }

    /// The keys of a date whose name alone means milliseconds, as in the flat objects.
    init(flat name: String) {
        milliseconds = name
        text = name + "_formatted"
        pacific = name + "_formatted_pst"
    }

    var keys: [String] { [milliseconds, text, pacific] }

    /// The date: the first of the three that can be read, milliseconds first.
    func read(in object: JSONObject) -> Instant? {
        for key in keys {
            if let value = object[key], let instant = Self.instant(value) { return instant }
        }
        return nil
    }

    /// Sets all three, in the order in which Apple writes them, or takes them out.
    func write(_ instant: Instant?, to object: inout JSONObject) {
        object[text] = instant.map { .string(AppStoreDate.gmt($0)) }
        object[milliseconds] = instant.map { .string(AppStoreDate.milliseconds($0)) }
        object[pacific] = instant.map { .string(AppStoreDate.pst($0)) }
    }

    /// Refuses a date that is there and cannot be read under any of its keys.
    func check(_ object: JSONObject, at path: JSONKeyPath) throws(JSONError) {
        guard read(in: object) == nil else { return }
        for key in keys {
            guard let value = object[key], !value.isNull, value.string != "" else { continue }
            throw FieldPlace.member(path, key).refusal(of: value, expected: "a date of Apple's")
        }
    }

    private static func instant(_ value: JSONValue) -> Instant? {
        switch value {
        case .string(let text): AppStoreDate.parse(text)
        case .number: Instant(field: value)
        default: nil
        }
    }
}
