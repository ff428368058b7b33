import CounterfoilBasics
import CounterfoilCryptography

/// How a document is put together again: steps, the text that they use up, and a table of bytes
/// that no compression makes shorter.
///
/// A step is a number: the lowest three bits say what is done, the rest how much. The steps
/// stand apart from the text, because each kind of bytes is packed better among its own.
struct Recipe {
    /// Bytes that stand in the table: random ones, such as signatures, or a digest for bytes that
    /// other documents have too.
    enum Entry: Hashable, Sendable {
        case dense([UInt8])
        case shared(SHA256Digest)
    }

    /// What is done to the bytes between an opening step and its end.
    enum Form: UInt32 {
        case base64url = 2
        case base64 = 3
        /// Base 64 in a JSON string each of whose slashes is escaped.
        case escapedBase64 = 4
        /// Nothing: the bytes are a document of their own.
        case document = 5
    }

    enum Step {
        /// So many bytes of the text.
        case text(count: Int)
        /// An entry of the table.
        case entry(index: Int)
        case open(Form)
        case close

        private static let textKind: UInt32 = 0
        private static let entryKind: UInt32 = 1
        private static let closeKind: UInt32 = 6

        var number: UInt32 {
            switch self {
            case .text(let count): UInt32(count) << 3 | Self.textKind
            case .entry(let index): UInt32(index) << 3 | Self.entryKind
            case .open(let form): form.rawValue
            case .close: Self.closeKind
            }
        }

        init?(number: UInt32) {
            switch number & 7 {
            case Self.textKind: self = .text(count: Int(number >> 3))
            case Self.entryKind: self = .entry(index: Int(number >> 3))
            default:
                if number == Self.closeKind {
                    self = .close
                } else if let form = Form(rawValue: number) {
                    self = .open(form)
                } else {
                    return nil
                }
            }
        }
    }

    /// How deep opening steps may stand in each other.
    static let mostLevels = 16

    var steps: [UInt8] = []
    var text: [UInt8] = []
    var table: [Entry] = []
}

/// Writes a recipe, step by step.
struct RecipeWriter {
    private(set) var recipe = Recipe()
    /// The bytes that the table has only the digests of.
    private(set) var shared: [SHA256Digest: [UInt8]] = [:]
    /// How many steps are open.
    private(set) var level = 0

    private var places: [Recipe.Entry: Int] = [:]

    mutating func text(_ bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty else { return }
        recipe.text += bytes
        append(.text(count: bytes.count))
    }

    /// Bytes that are as good as random.
    mutating func dense(_ bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty else { return }
        entry(.dense(Array(bytes)))
    }

    /// Bytes that many documents have, such as certificates; a few are cheaper in place.
    mutating func shared(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 256 else { return text(bytes) }
        let digest = SHA256Digest(of: bytes.span)
        if shared[digest] == nil { shared[digest] = Array(bytes) }
        entry(.shared(digest))
    }

    /// Writes what a form is made of; whoever asks has seen that ``level`` allows it.
    mutating func form(_ form: Recipe.Form, of body: (inout RecipeWriter) -> Void) {
        append(.open(form))
        level += 1
        body(&self)
        level -= 1
        append(.close)
    }

    private mutating func entry(_ entry: Recipe.Entry) {
        let index = places[entry] ?? recipe.table.count
        if index == recipe.table.count {
            recipe.table.append(entry)
            places[entry] = index
        }
        append(.entry(index: index))
    }

    private mutating func append(_ step: Recipe.Step) {
        VariableLength.append(step.number, to: &recipe.steps)
    }
}
