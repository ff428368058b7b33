import CounterfoilBasics
import CounterfoilJSON

/// Undoes what transport did to a document, one layer after the other, and notes each repair.
struct TransportReading {
    private(set) var notes: [VerificationNote] = []

    /// The document's own bytes, and its kind where something else than their beginning says it.
    mutating func unwrap(
        _ input: [UInt8]
    ) throws(VerificationError) -> (bytes: [UInt8], kind: Document.Kind?) {
        if Self.isBinary(input) { return (input, nil) }
        var text = try Self.trimmed(input[...])
        let first = text.first
        if first == ASCII.quote || first == ASCII.openingBrace {
            switch try json(text) {
            case .around(let inner): text = try Self.trimmed(inner[...])
            case .signedData(let inner):
                return (letters(ofSignedData: try Self.trimmed(inner[...])), .signedData)
            case .document(let kind): return (Array(text), kind)
            case nil: if first == ASCII.openingBrace { return (Array(text), nil) }
            }
        }
        if text.starts(with: Self.armour) { text = try withoutArmour(text) }
        if CompactJWS.looksLikeOne(text) { return (letters(ofSignedData: text), .signedData) }
        let once = try decoded(text)
        guard Document.kind(of: once) == nil, Self.looksLikeBase64(once) else { return (once, nil) }
        let twice = try decoded(try Self.trimmed(once[...]))
        note(VerificationNote.base64Twice, "the receipt was encoded in base 64 twice")
        return (twice, nil)
    }

    /// Signed data without the white space that terminals and mails put between its letters.
    private mutating func letters(ofSignedData text: ArraySlice<UInt8>) -> [UInt8] {
        let end = text.lastIndex { !ASCII.isWhiteSpace($0) } ?? text.startIndex
        let letters = text[...end].filter { !ASCII.isWhiteSpace($0) }
        noteWhiteSpace(removed: text[...end].count - letters.count)
        return letters
    }

    private mutating func noteWhiteSpace(removed count: Int) {
        guard count > 0 else { return }
        note(
            VerificationNote.whiteSpaceRemoved,
            "\(count) white space characters were removed"
        )
    }

    private mutating func note(_ code: ErrorCode, _ text: String) {
        notes.append(VerificationNote(code, text))
    }

    /// A BER SEQUENCE: its length has the long or the indefinite form, which no text has.
    private static func isBinary(_ input: [UInt8]) -> Bool {
        input.count > 1 && input[0] == 0x30 && input[1] >= 0x80
    }

    /// The text without the blanks around it, except spaces at its end, which may have been plus
    /// signs.
    private static func trimmed(
        _ text: ArraySlice<UInt8>
    ) throws(VerificationError) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in ASCII.isWhiteSpace(byte) || byte == 0 }
        // What editors on Windows put before text in UTF-8.
        let text = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text
        guard let start = text.firstIndex(where: { !isBlank($0) }),
            let end = text.lastIndex(where: { !isBlank($0) || $0 == ASCII.space })
        else {
            throw VerificationError(
                VerificationError.emptyInput,
                "the input is empty; expected a receipt"
            )
        }
        return text[start...max(start, end)]
    }

    private static func looksLikeBase64(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 64
            && bytes.prefix(64).allSatisfy { byte in
                (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || (0x2F...0x39).contains(byte) || ASCII.isWhiteSpace(byte)
                    || [ASCII.plus, ASCII.dash, ASCII.underscore].contains(byte)
            }
    }
}

// MARK: - JSON and PEM around the text

extension TransportReading {
    /// What JSON turned out to be.
    private enum JSONFinding {
        /// A wrapping; the document is the text in it.
        case around([UInt8])
        /// The body of a notification of version 2; what is in it must be signed data.
        case signedData([UInt8])
        /// A document itself.
        case document(Document.Kind)
    }

    /// What a text that begins as JSON does is; nil when it is no JSON at all.
    private mutating func json(
        _ text: ArraySlice<UInt8>
    ) throws(VerificationError) -> JSONFinding? {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: Array(text))
        } catch {
            // An OpenStep property list also begins with a brace or a quote.
            guard Self.beginsJSONObject(text) else { return nil }
            throw VerificationError(
                VerificationError.unknownDocument,
                "the input begins as a JSON object, and is no JSON that is read: \(error.reason)"
            )
        }
        if case .string(let inner) = value {
            note(VerificationNote.jsonString, "the document stood in a JSON string")
            return .around(Array(inner.utf8))
        }
        let object = value.object ?? [:]
        if case .string(let inner)? = object["receipt-data"] {
            note(VerificationNote.jsonObject, "the document stood in a verifyReceipt body")
            return .around(Array(inner.utf8))
        }
        // Beside attempts to send it, a payload is the answer about a test notification.
        if case .string(let inner)? = object["signedPayload"], object["sendAttempts"] == nil {
            return .signedData(Array(inner.utf8))
        }
        if let type = object["notification_type"], !type.isNull {
            return .document(.notificationV1)
        }
        guard ServerAnswer.isOne(object) else { throw ServerAnswer.refusal(of: object) }
        return .document(.serverAnswer)
    }

    /// Whether a colon follows the first key, as it does in no property list.
    private static func beginsJSONObject(_ text: ArraySlice<UInt8>) -> Bool {
        let key = text.dropFirst().drop(while: ASCII.isWhiteSpace)
        guard text.first == ASCII.openingBrace, key.first == ASCII.quote else { return false }
        var isEscaped = false
        let end = key.dropFirst().firstIndex { byte in
            defer { isEscaped = byte == ASCII.backslash && !isEscaped }
            return byte == ASCII.quote && !isEscaped
        }
        guard let end else { return false }
        return key[(end + 1)...].first { !ASCII.isWhiteSpace($0) } == ASCII.colon
    }

    private static let armour = Array("-----BEGIN ".utf8)

    /// The lines between the first and the last line of PEM armour (RFC 7468).
    private mutating func withoutArmour(
        _ text: ArraySlice<UInt8>
    ) throws(VerificationError) -> ArraySlice<UInt8> {
        let newline = UInt8(ascii: "\n")
        guard let start = text.firstIndex(of: newline), let end = text.lastIndex(of: newline),
            start < end, text[(end + 1)...].starts(with: Array("-----END ".utf8))
        else {
            throw VerificationError(
                VerificationError.notBase64,
                "PEM armour begins at byte 0 but no line -----END ends it"
            )
        }
        note(VerificationNote.pemArmour, "the receipt stood in PEM armour")
        return text[(start + 1)..<end]
    }
}

// MARK: - Base 64

extension TransportReading {
    private mutating func decoded(_ text: ArraySlice<UInt8>) throws(VerificationError) -> [UInt8] {
        let exact = Array(text)
        do {
            return try Base64.decode(exact.span)
        } catch {
            return try repairedBase64(exact)
        }
    }

    /// Base 64 as clients that lack a good library send it.
    private mutating func repairedBase64(_ text: [UInt8]) throws(VerificationError) -> [UInt8] {
        let unescaped = try percentDecoded(text)
        var letters = Letters()
        for (offset, byte) in unescaped.enumerated() { try letters.take(byte, at: offset) }
        let candidates = letters.candidates
        guard let best = candidates.first(where: { $0.isWhole }) ?? candidates.first else {
            throw VerificationError(
                VerificationError.notBase64,
                "\(letters.count) base 64 letters leave "
                    + (letters.count % 4 == 1 ? "one letter" : "bits")
                    + " over at the end; the text is cut or damaged"
            )
        }
        notes += letters.notes
        if best.readsSpacesAsPlus {
            note(
                VerificationNote.spacesForPlus,
                "\(letters.spaces) spaces were read as plus signs (form encoding)"
            )
        } else {
            noteWhiteSpace(removed: letters.whiteSpace)
        }
        if best.mendedPadding {
            note(VerificationNote.paddingMended, "the padding at the end was missing or wrong")
        }
        return best.bytes
    }

    private mutating func percentDecoded(_ text: [UInt8]) throws(VerificationError) -> [UInt8] {
        guard text.contains(ASCII.percent) else { return text }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var offset = 0
        while offset < text.count {
            guard text[offset] == ASCII.percent else {
                decoded.append(text[offset])
                offset += 1
                continue
            }
            guard offset + 2 < text.count, let high = ASCII.hexadecimalValue(text[offset + 1]),
                let low = ASCII.hexadecimalValue(text[offset + 2])
            else {
                throw VerificationError(
                    VerificationError.notBase64,
                    "a percent sign at byte \(offset) is not followed by two hexadecimal digits"
                )
            }
            decoded.append(high << 4 | low)
            offset += 3
        }
        note(VerificationNote.percentDecoded, "percent signs of form encoding were decoded")
        return decoded
    }
}

/// The letters of damaged base 64, gathered in the standard alphabet.
private struct Letters {
    /// A way to read the letters that gives whole bytes.
    struct Candidate {
        let bytes: [UInt8]
        let readsSpacesAsPlus: Bool
        let mendedPadding: Bool

        /// Whether the bytes are exactly one document: a SEQUENCE that ends with them, or a list
        /// that ends with its brace; zeros and white space may follow.
        var isWhole: Bool {
            let blank = { (byte: UInt8) in byte == 0 || ASCII.isWhiteSpace(byte) }
            guard bytes.count > 8, bytes[0] == 0x30 else {
                return bytes.first { !blank($0) } == ASCII.openingBrace
                    && bytes.last { !blank($0) } == UInt8(ascii: "}")
            }
            guard bytes[1] != 0x80 else { return bytes.suffix(2) == [0, 0] }
            let octets = Int(bytes[1] & 0x7F)
            guard bytes[1] > 0x80, octets <= 4 else { return false }
            let end = bytes[2..<(2 + octets)].reduce(0) { $0 << 8 | Int($1) } + 2 + octets
            return end <= bytes.count && bytes[end...].allSatisfy(blank)
        }
    }

    private var withoutSpaces: [UInt8] = []
    private var withPlus: [UInt8] = []
    private var padding = 0
    private var urlSafe = 0
    private(set) var spaces = 0
    private(set) var whiteSpace = 0

    var count: Int { withoutSpaces.count }

    var notes: [VerificationNote] {
        urlSafe == 0
            ? []
            : [
                VerificationNote(
                    VerificationNote.urlSafeLetters,
                    "\(urlSafe) letters were of the URL-safe alphabet"
                )
            ]
    }

    mutating func take(_ byte: UInt8, at offset: Int) throws(VerificationError) {
        switch byte {
        case ASCII.equals:
            padding += 1
        case ASCII.space:
            spaces += 1
            whiteSpace += 1
            withPlus.append(ASCII.plus)
        case _ where ASCII.isWhiteSpace(byte) || byte == 0:
            whiteSpace += 1
        default:
            guard padding == 0 else { throw refusal(byte, at: offset) }
            withoutSpaces.append(try standardLetter(byte, at: offset))
            withPlus.append(withoutSpaces[withoutSpaces.count - 1])
        }
    }

    /// The readings that give whole bytes, the likelier first.
    var candidates: [Candidate] {
        var readings = [(withoutSpaces, false)]
        if spaces > 0 { readings.append((withPlus, true)) }
        return readings.compactMap { letters, plus in
            // Stray bits cannot be told from damage, so they are refused in every reading.
            guard let bytes = decoded(letters) else { return nil }
            return Candidate(
                bytes: bytes,
                readsSpacesAsPlus: plus,
                mendedPadding: (letters.count + padding) % 4 != 0 || padding > 2
            )
        }
    }

    private func decoded(_ letters: [UInt8]) -> [UInt8]? {
        guard letters.count % 4 != 1 else { return nil }
        let padded = letters + [UInt8](repeating: ASCII.equals, count: (4 - letters.count % 4) % 4)
        do {
            return try Base64.decode(padded.span)
        } catch {
            return nil
        }
    }

    private mutating func standardLetter(
        _ byte: UInt8,
        at offset: Int
    ) throws(VerificationError) -> UInt8 {
        switch byte {
        case ASCII.dash:
            urlSafe += 1
            return ASCII.plus
        case ASCII.underscore:
            urlSafe += 1
            return ASCII.slash
        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, ASCII.plus, ASCII.slash:
            return byte
        default:
            throw refusal(byte, at: offset)
        }
    }

    private func refusal(_ byte: UInt8, at offset: Int) -> VerificationError {
        VerificationError(
            VerificationError.notBase64,
            "byte \(offset) is 0x\(Hexadecimal.encode([byte])), which is no letter of base 64"
                + (padding > 0 ? " after padding" : "")
        )
    }
}
