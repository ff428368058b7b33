import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilPropertyList
import PurchaseService

extension FuzzTarget {
    /// A property list as it is, and as the receipt that it may be.
    static func checkPropertyList(_ bytes: [UInt8]) throws(Contradiction) {
        let limits = PropertyListLimits(bytes: 1 << 16, nesting: 16, keys: 200, values: 4096)
        if let value = attempt({ try PropertyListValue(parsing: bytes.span, limits: limits) }) {
            let written = value.encoded()
            let again = try Contradiction.unlessSucceeds("a list written is not read") {
                try PropertyListValue(parsing: written.span)
            }
            try Contradiction.unless(again == value, "a list written is read as another")
        }
        guard let document = attempt({ try Document(detecting: bytes) }),
            document.kind == .transactionReceipt
        else { return }
        _ = UnprovedReceipt(reading: document)
        _ = document.embeddedCertificates()
    }

    /// Base 64 by tables, beside base 64 letter by letter.
    static func checkBase64(_ bytes: [UInt8]) throws(Contradiction) {
        for alphabet in [Base64.Alphabet.standard, .urlSafe] {
            let text = Array(Base64.encode(bytes.span, alphabet).utf8)
            try Contradiction.unless(
                attempt { try Base64.decode(text.span, alphabet) } == bytes,
                "bytes do not come back from \(alphabet) base 64"
            )
            let decoded = attempt { try Base64.decode(bytes.span, alphabet) }
            try Contradiction.unless(
                decoded == PlainBase64.decode(bytes, alphabet),
                "tables and letters differ about \(alphabet) base 64"
            )
            guard let decoded else { continue }
            try Contradiction.unless(
                Base64.encode(decoded.span, alphabet).utf8.elementsEqual(bytes),
                "two texts of \(alphabet) base 64 stand for the same bytes"
            )
        }
    }

    /// Whatever a client sends as a receipt: what was found in it is found in its plain forms.
    static func checkTransport(_ bytes: [UInt8]) throws(Contradiction) {
        guard let document = attempt({ try Document(detecting: bytes) }) else { return }
        let base64 = Base64.encode(document.bytes.span)
        for form in [base64, "\"\(base64)\"", "{\"receipt-data\":\"\(base64)\"}"] {
            let again = try Contradiction.unlessSucceeds("plain base 64 is not read") {
                try Document(detecting: Array(form.utf8))
            }
            try Contradiction.unless(
                again.bytes == document.bytes && again.kind == document.kind,
                "another document stands in its plain base 64"
            )
        }
    }

    private static let verifyReceipt = VerifyReceipt(maxBodyBytes: 1 << 16)
    private static let receivedAt = CivilTime(year: 2026, month: 6, day: 1).instant

    /// JSON read whole beside JSON read in place, Apple's objects, and a body of verifyReceipt.
    static func checkJSON(_ bytes: [UInt8]) throws(Contradiction) {
        let limits = JSONLimits(bytes: 1 << 16, depth: 16, values: 4096)
        let value = attempt { try JSONValue(parsing: bytes, limits: limits) }
        let envelope = attempt { try JSONEnvelope(parsing: bytes, limits: limits) }
        switch (value, envelope) {
        case (.object(let object)?, let envelope?):
            try Contradiction.unless(
                envelope.value == .object(object),
                "JSON in place says something else"
            )
            try checkStrings(of: envelope)
        case (.object?, nil), (nil, _?):
            throw Contradiction("JSON is read in one way and refused in the other")
        case (_?, _?):
            throw Contradiction("JSON in place takes for an object what is none")
        case (_, nil): break
        }
        if let value {
            for form in [JSONWriter.Form.compact, .pretty] {
                let again = try Contradiction.unlessSucceeds("JSON written is not read") {
                    try JSONValue(parsing: value.document(form))
                }
                try Contradiction.unless(again == value, "JSON written is read as another value")
            }
        }
        if case .object(let object)? = value { try checkObjects(object) }
        try checkAnswer(to: bytes)
    }

    private static func checkStrings(of envelope: JSONEnvelope) throws(Contradiction) {
        for key in envelope.keys {
            let inPlace = envelope.withString(key) { text in
                text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
            }
            try Contradiction.unless(
                inPlace == envelope[key]?.string,
                "a string of JSON in place has another text"
            )
        }
    }

    private static func checkAnswer(to body: [UInt8]) throws(Contradiction) {
        for address in VerifyReceiptRequest.Address.allCases {
            let outcome = verifyReceipt.answer(
                VerifyReceiptRequest(address, body: body, receivedAt: receivedAt)
            )
            let answer = try Contradiction.unlessSucceeds("an answer is no JSON") {
                try JSONValue(parsing: outcome.json)
            }
            try Contradiction.unless(
                answer["status"]?.number?.int64 == Int64(outcome.statusNumber),
                "an answer does not say its status"
            )
        }
    }
}

/// Base 64 as RFC 4648 tells it, letter by letter.
private enum PlainBase64 {
    static func decode(_ text: [UInt8], _ alphabet: Base64.Alphabet) -> [UInt8]? {
        var letters = text[...]
        if alphabet == .standard {
            guard text.count.isMultiple(of: 4) else { return nil }
            for _ in 0..<2 where letters.last == UInt8(ascii: "=") { letters.removeLast() }
        }
        guard letters.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        var bits = 0
        var held: UInt32 = 0
        for letter in letters {
            guard let value = value(of: letter, alphabet) else { return nil }
            held = held << 6 | value
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: held >> UInt32(bits)))
        }
        let stray = held & ((1 << UInt32(bits)) - 1)
        return stray == 0 ? bytes : nil
    }

    private static func value(of letter: UInt8, _ alphabet: Base64.Alphabet) -> UInt32? {
        let lastTwo = alphabet == .standard ? "+/" : "-_"
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return UInt32(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): return UInt32(letter - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return UInt32(letter - UInt8(ascii: "0")) + 52
        case lastTwo.utf8.first: return 62
        case lastTwo.utf8.last: return 63
        default: return nil
        }
    }
}
