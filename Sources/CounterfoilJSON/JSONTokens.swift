import CCounterfoilSimdJSON

/// Where the tokens of a text begin, as simdjson found them.
///
/// What may be relied on: the text is UTF-8; no string holds a character below U+0020; each string
/// is closed; outside strings, a token begins at each bracket, colon and comma and at each run of
/// other characters. Nothing is known yet of the tokens' order or of what a run consists of.
@safe
struct JSONTokens: ~Copyable {
    private let tokens: OpaquePointer

    /// Finds the tokens of a text.
    init(of text: Span<UInt8>) throws(JSONFailure) {
        var found: OpaquePointer?
        let result = unsafe text.withUnsafeBufferPointer { bytes in
            unsafe counterfoil_json_find(bytes.baseAddress, bytes.count, &found)
        }
        guard result == .found, let found = unsafe found else {
            throw JSONFailure(result, in: text)
        }
        unsafe tokens = found
    }

    deinit { unsafe counterfoil_json_release(tokens) }

    /// Lends the offsets to a closure; behind the last token's stands the text's length.
    func withOffsets<Result, Failure: Error>(
        _ body: (Span<UInt32>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let count = unsafe counterfoil_json_count(tokens)
        let offsets = unsafe Span(
            _unsafeStart: counterfoil_json_offsets(tokens),
            count: count + 1
        )
        return try body(offsets)
    }
}

extension JSONFailure {
    /// Why simdjson refused a text; it does not say where, so that is looked for here.
    fileprivate init(_ result: counterfoil_json_result, in text: Span<UInt8>) {
        switch result {
        case .empty:
            self.init(JSONError.empty, "expected a value, found none", at: text.count)
        case .unclosed_string:
            let start = StringScan(text).unclosed ?? text.count
            self.init(JSONError.truncated, "the string that begins here is not closed", at: start)
        case .unescaped_control:
            let offset = StringScan(text).control ?? text.count
            self.init(
                JSONError.unescapedControl,
                "found a control character in a string, which must be escaped",
                at: offset
            )
        case .not_utf8:
            self.init(
                JSONError.invalidUTF8,
                "expected UTF-8, found a byte that is not part of it",
                at: Self.offsetOfInvalidUTF8(in: text)
            )
        case .too_large:
            self.init(JSONError.tooLarge, "expected a text of less than 4 GiB", at: text.count)
        case .out_of_memory, .found, .failed:
            // As everywhere in Swift: without memory there is no going on. Nothing else can fail.
            preconditionFailure("no memory for the tokens of a text of \(text.count) bytes")
        }
    }

    private static func offsetOfInvalidUTF8(in text: Span<UInt8>) -> Int {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: text)
            return text.count
        } catch {
            return error.byteOffsets.lowerBound
        }
    }
}

/// A search for what is wrong with the strings of a text.
private struct StringScan {
    /// Where a string begins that is not closed.
    var unclosed: Int?

    /// The first control character in a string.
    var control: Int?

    init(_ text: Span<UInt8>) {
        var offset = 0
        while offset < text.count {
            let byte = text[offset]
            if byte == UInt8(ascii: "\"") {
                unclosed = unclosed == nil ? offset : nil
            } else if unclosed != nil {
                if byte < 0x20 { control = control ?? offset }
                // What follows a backslash closes nothing.
                if byte == UInt8(ascii: "\\") { offset += 1 }
            }
            offset += 1
        }
    }
}
