import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Testing

/// The keys of a document with the types and formats of their values, without the values.
///
/// Elements of one array are taken together, so it does not matter how many there are.
struct Shape: Equatable {
    private(set) var places: [String: Set<String>] = [:]

    init(_ json: [UInt8]) throws { try self.init(JSONValue(parsing: json)) }

    init(_ value: JSONValue) { add(value, at: "") }

    /// That of a document that somebody published.
    init(published name: String) throws { try self.init(Corpus.bytes(name)) }

    /// Where this has something that another has not, or of another type.
    func differences(from other: Shape) -> Set<String> {
        Set(places.keys).union(other.places.keys).filter { places[$0] != other.places[$0] }
    }

    private mutating func add(_ value: JSONValue, at path: String) {
        switch value {
        case .object(let object):
            for (key, value) in object { add(value, at: path.isEmpty ? key : "\(path).\(key)") }
        case .array(let array):
            places[path, default: []].insert("an array")
            for element in array { add(element, at: path + "[]") }
        default: places[path, default: []].insert(Self.form(value))
        }
    }

    private static func form(_ value: JSONValue) -> String {
        guard let text = value.string else {
            return value.bool == nil ? value.kindInWords : "a boolean"
        }
        if text.hasSuffix(" Etc/GMT") { return "a date" }
        if text.hasSuffix(" America/Los_Angeles") { return "a date in Los Angeles" }
        return "a string"
    }
}
