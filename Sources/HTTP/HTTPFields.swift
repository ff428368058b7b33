/// Header fields in the order of the message; names are compared without regard to case.
///
/// All fields lie in one buffer, so that a whole head costs one allocation and a value becomes a
/// `String` only when somebody asks for it. Each entry is
/// `name count (2 bytes) · value count (4 bytes) · name · NUL · value · NUL`; the zeros let an
/// engine hand names and values to C as they lie.
package struct HTTPFields: Sendable {
    private var storage: [UInt8]

    /// No fields.
    package init() { storage = [] }

    /// No fields, with room for a head of that many bytes.
    package init(reservingBytes count: Int) {
        storage = []
        storage.reserveCapacity(count)
    }

    package var isEmpty: Bool { storage.isEmpty }

    /// The value of the first field of a name, or nil; setting replaces every field of the name.
    package subscript(name: HTTPFieldName) -> String? {
        get {
            var position = 0
            while let entry = entry(at: &position) {
                if matches(entry, name) { return string(entry.value) }
            }
            return nil
        }
        set {
            remove(name)
            if let newValue { append(name, newValue) }
        }
    }

    /// The values of all fields of a name, in order.
    package func values(of name: HTTPFieldName) -> [String] {
        var position = 0
        var values: [String] = []
        while let entry = entry(at: &position) {
            if matches(entry, name) { values.append(string(entry.value)) }
        }
        return values
    }

    /// How many fields have a name.
    package func count(of name: HTTPFieldName) -> Int {
        var position = 0
        var count = 0
        while let entry = entry(at: &position) {
            if matches(entry, name) { count += 1 }
        }
        return count
    }

    /// Adds a field at the end.
    ///
    /// A line break or NUL in the value becomes a space (RFC 9110 §5.5), so that no value, whoever
    /// wrote it, can begin a second field.
    package mutating func append(_ name: HTTPFieldName, _ value: String) {
        append(name: name.spelling.utf8, value: value.utf8)
    }

    /// Adds a field from bytes: a name that was checked to be a token, and a value of which white
    /// space at the ends is dropped.
    package mutating func append(
        name: some Collection<UInt8>,
        value: some BidirectionalCollection<UInt8>
    ) {
        let nameCount = name.count
        precondition(nameCount <= Int(UInt16.max), "field names are bounded by their readers")
        let start = storage.count
        storage.append(UInt8(truncatingIfNeeded: nameCount))
        storage.append(UInt8(truncatingIfNeeded: nameCount >> 8))
        storage.append(contentsOf: [0, 0, 0, 0])
        storage.append(contentsOf: name)
        storage.append(0)
        let valueStart = storage.count
        storage.append(contentsOf: value)
        trimValue(from: valueStart)
        let valueCount = storage.count - valueStart
        for shift in 0..<4 {
            storage[start + 2 + shift] = UInt8(truncatingIfNeeded: valueCount >> (8 * shift))
        }
        storage.append(0)
    }

    /// Removes every field of a name.
    package mutating func remove(_ name: HTTPFieldName) {
        var position = 0
        var kept: [UInt8] = []
        var start = 0
        while let entry = entry(at: &position) {
            if !matches(entry, name) { kept.append(contentsOf: storage[start..<position]) }
            start = position
        }
        if kept.count != storage.count { storage = kept }
    }

    /// Shows each field as two zero-terminated strings, which are valid only during the call.
    package func withEachCString(
        _ body: (_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>) -> Void
    ) {
        storage.withUnsafeBytes { bytes in
            var position = 0
            while let entry = entry(at: &position) {
                guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
                    return
                }
                body(base + entry.name.lowerBound, base + entry.value.lowerBound)
            }
        }
    }

    // MARK: Entries

    private struct Entry {
        var name: Range<Int>
        var value: Range<Int>
    }

    /// The entry at a position, which moves to the next one.
    private func entry(at position: inout Int) -> Entry? {
        guard position + 6 <= storage.count else { return nil }
        let nameCount = Int(storage[position]) | Int(storage[position + 1]) << 8
        let valueCount =
            Int(storage[position + 2]) | Int(storage[position + 3]) << 8
            | Int(storage[position + 4]) << 16 | Int(storage[position + 5]) << 24
        let name = position + 6..<position + 6 + nameCount
        let value = name.upperBound + 1..<name.upperBound + 1 + valueCount
        position = value.upperBound + 1
        return Entry(name: name, value: value)
    }

    private func matches(_ entry: Entry, _ name: HTTPFieldName) -> Bool {
        let wanted = name.spelling.utf8
        guard wanted.count == entry.name.count else { return false }
        var index = entry.name.lowerBound
        for byte in wanted {
            guard byte.lowercasedASCII == storage[index].lowercasedASCII else { return false }
            index += 1
        }
        return true
    }

    private func string(_ range: Range<Int>) -> String {
        String(decoding: storage[range], as: UTF8.self)
    }

    /// Drops white space around the value that ends the buffer, and makes line breaks spaces.
    private mutating func trimValue(from start: Int) {
        for index in start..<storage.count where !storage[index].isHTTPFieldValueByte {
            storage[index] = 0x20
        }
        while storage.count > start, storage[storage.count - 1].isBlank { storage.removeLast() }
        var leading = start
        while leading < storage.count, storage[leading].isBlank { leading += 1 }
        if leading > start { storage.removeSubrange(start..<leading) }
    }
}

extension HTTPFields: Sequence {
    /// The fields as names and values, in order.
    package func makeIterator() -> AnyIterator<(name: String, value: String)> {
        var position = 0
        return AnyIterator {
            guard let entry = entry(at: &position) else { return nil }
            return (string(entry.name), string(entry.value))
        }
    }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Fields in the order written; a name may come twice.
    package init(dictionaryLiteral elements: (HTTPFieldName, String)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }
}

extension HTTPFields: Equatable {
    /// Equal when names (in any case), values and order are.
    package static func == (left: HTTPFields, right: HTTPFields) -> Bool {
        left.elementsEqual(right) { one, other in
            one.value == other.value && one.name.lowercasedASCII == other.name.lowercasedASCII
        }
    }
}

extension String {
    /// The text with A to Z made a to z, other characters untouched.
    package var lowercasedASCII: String {
        String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
