/// Writes one JSON document (RFC 8259) into a buffer of bytes, and puts the commas itself.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object { writer in
///     writer.member("status", 0)
///     writer.key("in_app")
///     writer.array { writer in writer.string(productId) }
/// }
/// let body = writer.finish()
/// ```
/// A document that would not be JSON (a value without a key in an object, an array closed as an
/// object) is a mistake of the caller's and stops the program with a sentence. A writer is a value:
/// a copy goes its own way. ``reset()`` begins anew in the buffer that is there.
package struct JSONWriter: Sendable {
    /// How the document is laid out.
    package enum Form: Sendable {
        /// Without white space.
        case compact
        /// A member or element to a line, two spaces an indentation.
        case pretty
    }

    private enum Place {
        /// Before the document's value.
        case beginning
        /// Behind the bracket that opens a container.
        case opened
        /// Behind a member or an element.
        case amid
        /// Behind a key and its colon.
        case afterKey
        /// Behind the document's value.
        case end
    }

    var bytes: [UInt8]
    private(set) var form: Form
    private var place = Place.beginning
    private var depth = 0
    /// A bit a level: whether the container there is an object.
    private var kinds = InlineArray<8, UInt64>(repeating: 0)

    /// Makes a writer with room for so many bytes before its buffer grows.
    package init(_ form: Form = .compact, capacity: Int = 0) {
        self.form = form
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Takes the finished document out; the writer is then as new, without a buffer.
    package mutating func finish() -> [UInt8] {
        precondition(place == .end, "a JSON document is finished before its value is complete")
        let document = bytes
        bytes = []
        place = .beginning
        return document
    }

    /// Lends the finished document's bytes to a closure.
    package func withDocument<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(place == .end, "a JSON document is used before its value is complete")
        return try body(bytes.span)
    }

    /// Forgets what was written and begins another document in the same buffer.
    package mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        place = .beginning
        depth = 0
    }
}

// MARK: Containers

extension JSONWriter {
    /// Writes an object whose members the closure writes.
    package mutating func object<Failure: Error>(
        _ members: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginObject()
        try members(&self)
        endObject()
    }

    /// Writes an object on one line, also where the document has a line for each member.
    ///
    /// For small objects that stand in a list, which a person reads as rows.
    package mutating func objectOnOneLine(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        let outerForm = form
        form = .compact
        members(&self)
        endObject()
        form = outerForm
    }

    /// Writes an array whose elements the closure writes.
    package mutating func array<Failure: Error>(
        _ elements: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginArray()
        try elements(&self)
        endArray()
    }

    /// Opens an object; keys and values follow in turn, then ``endObject()``.
    package mutating func beginObject() { begin(UInt8(ascii: "{"), isObject: true) }

    /// Closes the object that was opened last.
    package mutating func endObject() {
        precondition(depth > 0 && isInObject, "an object is closed where none is open")
        precondition(place != .afterKey, "an object is closed behind a key without a value")
        end(UInt8(ascii: "}"))
    }

    /// Opens an array; values follow, then ``endArray()``.
    package mutating func beginArray() { begin(UInt8(ascii: "["), isObject: false) }

    /// Closes the array that was opened last.
    package mutating func endArray() {
        precondition(depth > 0 && !isInObject, "an array is closed where none is open")
        end(UInt8(ascii: "]"))
    }

    private mutating func begin(_ bracket: UInt8, isObject: Bool) {
        precondition(depth < JSONLimits.deepest, "JSON is written no deeper than 512 levels")
        let comma = separatorBeforeValue()
        bytes.append(addingCapacity: 2) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(bracket)
        }
        let bit = UInt64(1) << UInt64(depth & 63)
        kinds[depth >> 6] = isObject ? kinds[depth >> 6] | bit : kinds[depth >> 6] & ~bit
        depth += 1
        place = .opened
    }

    private mutating func end(_ bracket: UInt8) {
        depth -= 1
        if form == .pretty, place == .amid { newLine() }
        bytes.append(bracket)
        place = depth == 0 ? .end : .amid
    }

    private var isInObject: Bool {
        kinds[(depth - 1) >> 6] & (UInt64(1) << UInt64((depth - 1) & 63)) != 0
    }
}

// MARK: Keys

extension JSONWriter {
    /// Writes the key of the next member; the name is written as it is and must need no escapes.
    package mutating func key(_ name: StaticString) {
        let comma = separatorBeforeKey()
        let text = unsafe UnsafeBufferPointer(
            start: name.utf8Start,
            count: name.utf8CodeUnitCount
        )
        bytes.append(addingCapacity: name.utf8CodeUnitCount + 5) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            unsafe output.append(copying: text)
            output.append(UInt8(ascii: "\""))
            output.append(UInt8(ascii: ":"))
            if form == .pretty { output.append(UInt8(ascii: " ")) }
        }
        place = .afterKey
    }

    /// Writes the key of the next member, which is known only at run time, with its escapes.
    package mutating func key(text: String) {
        let comma = separatorBeforeKey()
        appendQuoted(text.utf8Span.span, after: comma)
        bytes.append(UInt8(ascii: ":"))
        if form == .pretty { bytes.append(UInt8(ascii: " ")) }
        place = .afterKey
    }
}

// MARK: Values

extension JSONWriter {
    /// Writes a string with its escapes; `/` and everything beyond ASCII stay as they are.
    package mutating func string(_ text: String) {
        let comma = separatorBeforeValue()
        appendQuoted(text.utf8Span.span, after: comma)
        valueIsComplete()
    }

    /// Writes a string given as UTF-8, such as a date or a base 64 text from a buffer.
    ///
    /// Bytes that are no UTF-8 are replaced by U+FFFD, as `String(decoding:as:)` does.
    package mutating func string(utf8 text: Span<UInt8>) {
        let comma = separatorBeforeValue()
        appendQuoted(unchecked: text, after: comma)
        valueIsComplete()
    }

    /// Writes an integer in quotes, as Apple writes milliseconds and ids: `"1717402530000"`.
    package mutating func string(digitsOf integer: Int64) {
        let comma = separatorBeforeValue()
        let digits = DecimalDigits(integer)
        bytes.append(addingCapacity: DecimalDigits.longest + 3) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            digits.append(to: &output)
            output.append(UInt8(ascii: "\""))
        }
        valueIsComplete()
    }

    /// Writes an integer.
    package mutating func integer(_ integer: Int64) {
        let comma = separatorBeforeValue()
        let digits = DecimalDigits(integer)
        bytes.append(addingCapacity: DecimalDigits.longest + 1) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            digits.append(to: &output)
        }
        valueIsComplete()
    }

    /// Writes a number as its text says.
    package mutating func number(_ number: JSONNumber) {
        if separatorBeforeValue() { bytes.append(UInt8(ascii: ",")) }
        append(number.text)
        valueIsComplete()
    }

    /// Writes `true` or `false`.
    package mutating func bool(_ value: Bool) {
        if separatorBeforeValue() { bytes.append(UInt8(ascii: ",")) }
        append(value ? "true" : "false")
        valueIsComplete()
    }

    /// Writes `null`.
    package mutating func null() {
        if separatorBeforeValue() { bytes.append(UInt8(ascii: ",")) }
        append("null")
        valueIsComplete()
    }

    private mutating func append(_ plain: String) {
        let text = plain.utf8Span.span
        bytes.append(addingCapacity: text.count) { output in
            unsafe text.withUnsafeBufferPointer { unsafe output.append(copying: $0) }
        }
    }
}

// MARK: Separators

extension JSONWriter {
    /// Checks that a key may stand here; whether a comma is still to be written before it.
    private mutating func separatorBeforeKey() -> Bool {
        precondition(depth > 0 && isInObject, "a key is written where no object is open")
        precondition(place != .afterKey, "a key is written behind a key without a value")
        return separator()
    }

    /// Checks that a value may stand here; whether a comma is still to be written before it.
    mutating func separatorBeforeValue() -> Bool {
        switch place {
        case .afterKey, .beginning: return false
        case .end: preconditionFailure("a JSON document has one value, and it is complete")
        case .opened, .amid:
            precondition(!isInObject, "a value is written in an object without a key")
            return separator()
        }
    }

    /// The comma behind a member or element before; the pretty form writes it here, with the line.
    private mutating func separator() -> Bool {
        let isComma = place == .amid
        guard form == .pretty else { return isComma }
        if isComma { bytes.append(UInt8(ascii: ",")) }
        newLine()
        return false
    }

    private mutating func newLine() {
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<depth {
            bytes.append(UInt8(ascii: " "))
            bytes.append(UInt8(ascii: " "))
        }
    }

    mutating func valueIsComplete() {
        place = depth == 0 ? .end : .amid
    }
}

// MARK: Quoted text

extension JSONWriter {
    /// Appends text known to be UTF-8 in quotes.
    private mutating func appendQuoted(_ text: Span<UInt8>, after comma: Bool) {
        var plain = 0
        bytes.append(addingCapacity: text.count + 3) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            plain = output.appendPlain(text)
            if plain == text.count { output.append(UInt8(ascii: "\"")) }
        }
        if plain < text.count {
            appendEscaped(text, from: plain)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    /// Appends text that may be anything in quotes.
    private mutating func appendQuoted(unchecked text: Span<UInt8>, after comma: Bool) {
        if text.isASCII || (try? UTF8Span(validating: text)) != nil {
            appendQuoted(text, after: comma)
        } else {
            let repaired = unsafe text.withUnsafeBufferPointer {
                unsafe String(decoding: $0, as: UTF8.self)
            }
            appendQuoted(repaired.utf8Span.span, after: comma)
        }
    }

    /// Appends the rest of a text whose first byte needs an escape, run by run.
    private mutating func appendEscaped(_ text: Span<UInt8>, from start: Int) {
        var offset = start
        while offset < text.count {
            bytes.append(addingCapacity: 6) { $0.appendEscape(of: text[offset]) }
            let rest = text.extracting((offset + 1)...)
            var plain = 0
            bytes.append(addingCapacity: rest.count) { output in
                plain = output.appendPlain(rest)
            }
            offset += 1 + plain
        }
    }
}
