/// Where a value stands in a document: `receipt.in_app[3].quantity`.
package indirect enum JSONKeyPath: Hashable, Sendable {
    /// The document's own value.
    case document
    /// A member of an object.
    case member(JSONKeyPath, String)
    /// An element of an array, from 0.
    case element(JSONKeyPath, Int)
}

extension JSONKeyPath: CustomStringConvertible {
    /// The path from the document's value; `the document` for that itself.
    package var description: String { steps.isEmpty ? "the document" : steps }

    private var steps: String {
        switch self {
        case .document: return ""
        case .element(let array, let index): return "\(array.steps)[\(index)]"
        case .member(let object, let key):
            guard Self.isPlain(key) else {
                return "\(object.steps)[\(JSONFailure.inWords(key: key))]"
            }
            let before = object.steps
            return before.isEmpty ? key : "\(before).\(key)"
        }
    }

    /// Whether a key needs no quotation marks in a path.
    private static func isPlain(_ key: String) -> Bool {
        (1...64).contains(key.utf8.count)
            && key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
