import CounterfoilBasics

/// Follows a recipe's steps.
///
/// Whatever the steps say, no more than ``PackedDocument/mostBytes`` are held at once and no more
/// than ``Recipe/mostLevels`` steps are open.
struct RecipeReader {
    private var steps: StoredBytes
    private var text: StoredBytes
    private let table: [ArraySlice<UInt8>]

    /// The open steps, with what they have so far; the first is the document itself.
    private var levels: [(form: Recipe.Form, bytes: [UInt8])] = [(.document, [])]
    private var held = 0

    /// Reads what was in the frame.
    ///
    /// - Parameters:
    ///   - plain: The number of bytes of the steps, the steps and the text.
    ///   - table: The entries.
    ///   - shared: The bytes that the table has only the digests of.
    /// - Throws: `packing.damaged`, `packing.missing_shared`.
    init(
        _ plain: [UInt8],
        table: [Recipe.Entry],
        shared: [SHA256Digest: [UInt8]]
    ) throws(PackingError) {
        var stored = StoredBytes(plain[...])
        steps = StoredBytes(try stored.next(try stored.count()))
        text = stored
        var found: [ArraySlice<UInt8>] = []
        for entry in table {
            switch entry {
            case .dense(let bytes): found.append(bytes[...])
            case .shared(let digest):
                guard let bytes = shared[digest] else {
                    throw PackingError(
                        PackingError.missingShared,
                        "the bytes with the digest \(digest) are needed and are not there"
                    )
                }
                found.append(bytes[...])
            }
        }
        self.table = found
    }

    /// Puts the document together, and shows every one that is nested in it before it goes on.
    ///
    /// - Returns: The document; nil where a closure's answer ended it early.
    mutating func assemble(goesOnAfter visit: ([UInt8]) -> Bool) throws(PackingError) -> [UInt8]? {
        while !steps.rest.isEmpty {
            switch try nextStep() {
            case .text(let count): try append(text.next(count))
            case .entry(let index):
                guard table.indices.contains(index) else {
                    throw .damaged("entry \(index) is asked for, of a table of \(table.count)")
                }
                try append(table[index])
            case .open(let form):
                guard levels.count <= Recipe.mostLevels else {
                    throw .damaged("more than \(Recipe.mostLevels) steps are open")
                }
                levels.append((form, []))
            case .close:
                let (form, bytes) = try close()
                if form == .document, !visit(bytes) { return nil }
                held -= bytes.count
                try append(form.encode(bytes)[...])
            }
        }
        guard levels.count == 1, text.rest.isEmpty else {
            throw .damaged("the steps end before what they are for")
        }
        return levels[0].bytes
    }

    private mutating func nextStep() throws(PackingError) -> Recipe.Step {
        let number = try steps.number()
        guard let step = Recipe.Step(number: number) else {
            throw .damaged("a step with the number \(number), which has no meaning")
        }
        return step
    }

    private mutating func close() throws(PackingError) -> (form: Recipe.Form, bytes: [UInt8]) {
        guard levels.count > 1 else { throw .damaged("a step is closed and none is open") }
        return levels.removeLast()
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) throws(PackingError) {
        guard bytes.count <= PackedDocument.mostBytes - held else {
            throw .damaged("more than \(PackedDocument.mostBytes) bytes come out")
        }
        held += bytes.count
        levels[levels.count - 1].bytes += bytes
    }
}

extension Recipe.Form {
    /// What bytes become.
    func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        switch self {
        case .document: return bytes
        case .base64url: Base64.append(bytes.span, .urlSafe, to: &text)
        case .base64, .escapedBase64: Base64.append(bytes.span, to: &text)
        }
        return self == .escapedBase64 ? SlashEscapes.add(to: text) : text
    }

    /// The bytes that become a text, if there are any.
    func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        do throws(Base64.Failure) {
            switch self {
            case .document: return Array(text)
            case .base64url: return try Base64.decode(text.span, .urlSafe)
            case .base64: return try Base64.decode(text.span)
            case .escapedBase64:
                guard let plain = SlashEscapes.remove(from: text) else { return nil }
                return try Base64.decode(plain.span)
            }
        } catch {
            return nil
        }
    }
}

/// `\/` for each slash, as some write JSON (RFC 8259 §7).
private enum SlashEscapes {
    private static let slash = UInt8(ascii: "/")
    private static let backslash = UInt8(ascii: "\\")

    static func add(to text: [UInt8]) -> [UInt8] {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.count + text.count / 32)
        for byte in text {
            if byte == slash { escaped.append(backslash) }
            escaped.append(byte)
        }
        return escaped
    }

    /// The text without them; nil where a slash has none or a backslash is for something else.
    static func remove(from text: ArraySlice<UInt8>) -> [UInt8]? {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        var isEscaped = false
        for byte in text {
            guard isEscaped == (byte == slash) else { return nil }
            isEscaped = byte == backslash
            if !isEscaped { plain.append(byte) }
        }
        return isEscaped ? nil : plain
    }
}
