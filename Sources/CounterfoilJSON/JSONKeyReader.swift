/// Makes the keys of a document's objects and finds those that stand twice in one.
///
/// Objects of one kind repeat their keys, so a long key's String is kept and used again.
struct JSONKeyReader {
    /// The keys of one open object.
    struct Frame {
        /// Where the object's keys begin among the keys of all open objects.
        fileprivate let start: Int
        /// How many keys the object has so far.
        fileprivate(set) var count = 0
        /// Where each key stands among the members, once they are too many to be compared one by
        /// one.
        fileprivate(set) var positions: [ExactKey: Int] = [:]
    }

    /// Where a key stands in the text, between its quotation marks.
    private struct Place {
        let content: Range<Int>
        let hasEscapes: Bool
    }

    /// The keys of all open objects, the innermost object's last: what each looks like, and where
    /// it stands.
    private var fingerprints: [UInt64] = []
    private var places: [Place] = []
    /// Long keys by some bits of their fingerprint.
    private var known: [String] = []

    /// A string this long or shorter needs no memory of its own.
    private static let longestInlineString = 15

    /// Begins an object.
    func openFrame() -> Frame { Frame(start: places.count) }

    /// Ends the object that was begun last.
    mutating func close(_ frame: Frame) {
        let count = places.count - frame.start
        places.removeLast(count)
        fingerprints.removeLast(count)
    }

    /// The key between two quotation marks.
    mutating func read(
        _ content: Range<Int>,
        of text: Span<UInt8>,
        in frame: inout Frame
    ) throws(JSONFailure) -> String {
        let bytes = text.extracting(content)
        let traits = JSONStringTraits(bytes)
        let hasEscapes = traits.firstBackslash < bytes.count
        let key: String
        let fingerprint: UInt64
        if hasEscapes {
            let unescaped = try Self.unescape(content, of: text)
            key = String(foundUTF8: unescaped.span, isASCII: unescaped.span.isASCII)
            fingerprint = Self.fingerprint(unescaped.span)
        } else {
            fingerprint = Self.fingerprint(bytes)
            key = self.key(bytes, fingerprint, isASCII: traits.isASCII)
        }
        let place = Place(content: content, hasEscapes: hasEscapes)
        guard try take(key, fingerprint, place, of: text, in: &frame) else {
            throw JSONFailure(
                JSONError.duplicateKey,
                "the key \(JSONFailure.inWords(key: key)) stands twice in one object",
                at: content.lowerBound - 1
            )
        }
        frame.count += 1
        return key
    }

    private mutating func key(
        _ bytes: Span<UInt8>,
        _ fingerprint: UInt64,
        isASCII: Bool
    ) -> String {
        guard bytes.count > Self.longestInlineString else {
            return String(foundUTF8: bytes, isASCII: isASCII)
        }
        if known.isEmpty { known = [String](repeating: "", count: 128) }
        let slot = Int(fingerprint >> 57)
        if bytes.isUTF8(of: known[slot]) { return known[slot] }
        let key = String(foundUTF8: bytes, isASCII: isASCII)
        known[slot] = key
        return key
    }
}

// MARK: Duplicates

extension JSONKeyReader {
    /// Adds a key to its object's; false when it is there already.
    private mutating func take(
        _ key: String,
        _ fingerprint: UInt64,
        _ place: Place,
        of text: Span<UInt8>,
        in frame: inout Frame
    ) throws(JSONFailure) -> Bool {
        if !frame.positions.isEmpty {
            return frame.positions.updateValue(frame.count, forKey: ExactKey(key)) == nil
        }
        var candidate = frame.start
        while let index = firstIndex(of: fingerprint, from: candidate) {
            if try Self.key(at: places[index], in: text) == ExactKey(key) { return false }
            candidate = index + 1
        }
        fingerprints.append(fingerprint)
        places.append(place)
        if frame.count == JSONObject.searchedMembers {
            for (position, place) in places[frame.start...].enumerated() {
                frame.positions[try Self.key(at: place, in: text)] = position
            }
        }
        return true
    }

    private func firstIndex(of fingerprint: UInt64, from start: Int) -> Int? {
        let others = fingerprints.span.extracting(start...)
        for index in others.indices where others[index] == fingerprint { return start + index }
        return nil
    }

    private static func key(
        at place: Place,
        in text: Span<UInt8>
    ) throws(JSONFailure) -> ExactKey {
        if place.hasEscapes {
            let bytes = try unescape(place.content, of: text)
            return ExactKey(String(foundUTF8: bytes.span, isASCII: bytes.span.isASCII))
        }
        let bytes = text.extracting(place.content)
        return ExactKey(String(foundUTF8: bytes, isASCII: bytes.isASCII))
    }

    private static func unescape(
        _ content: Range<Int>,
        of text: Span<UInt8>
    ) throws(JSONFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        try JSONUnescaper.append(text.extracting(content), at: content.lowerBound, to: &bytes)
        return bytes
    }

    /// A number that tells most keys apart: made of the length and of the first and last bytes.
    private static func fingerprint(_ key: Span<UInt8>) -> UInt64 {
        var first: UInt64 = 0
        var last: UInt64 = 0
        if key.count >= 8 {
            (first, last) = unsafe key.withUnsafeBytes { bytes in
                unsafe (
                    bytes.loadUnaligned(as: UInt64.self),
                    bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
                )
            }
        } else {
            for offset in key.indices { first = first << 8 | UInt64(key[offset]) }
        }
        // Odd constants without a pattern, so that the high bits depend on every byte.
        let mixed = (first &* 0x9E37_79B9_7F4A_7C15) ^ (last &* 0xC2B2_AE3D_27D4_EB4F)
        return (mixed ^ mixed >> 29 ^ UInt64(key.count)) &* 0xBF58_476D_1CE4_E5B9
    }
}
