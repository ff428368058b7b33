import CounterfoilBasics

extension JSONWriter {
    /// Writes an object of strings, its members straight into the document's buffer.
    ///
    /// For objects that come by the thousand: they cost one look at the buffer instead of two a
    /// member. The members are written with the methods of `OutputSpan` below.
    ///
    /// - Parameters:
    ///   - room: how many bytes the members take at most: a member for which there is no
    ///     room stops the program.
    ///   - members: writes the members, in any number.
    package mutating func flatObject(
        room: Int,
        _ members: (inout OutputSpan<UInt8>) -> Void
    ) {
        guard form == .compact else { return rewritten(room: room, members) }
        let comma = separatorBeforeValue()
        bytes.append(addingCapacity: room + 3) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.appendObject(members)
        }
        valueIsComplete()
    }

    /// Writes bytes as base 64 in a string.
    package mutating func string(base64Of content: Span<UInt8>) {
        let comma = separatorBeforeValue()
        bytes.append(addingCapacity: Base64.room(forBytes: content.count) + 3) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            Base64.append(content, to: &output)
            output.append(UInt8(ascii: "\""))
        }
        valueIsComplete()
    }

    /// The same object in another form, by way of its value.
    private mutating func rewritten(room: Int, _ members: (inout OutputSpan<UInt8>) -> Void) {
        var text: [UInt8] = []
        text.append(addingCapacity: room + 2) { $0.appendObject(members) }
        do {
            value(try JSONValue(parsing: text))
        } catch {
            preconditionFailure("a flat object is not JSON: \(error)")
        }
    }
}

extension OutputSpan<UInt8> {
    fileprivate mutating func appendObject(_ members: (inout OutputSpan<UInt8>) -> Void) {
        append(UInt8(ascii: "{"))
        let start = count
        members(&self)
        // Each member ends with a comma; the last one's makes room for the brace.
        if count > start { _ = removeLast() }
        append(UInt8(ascii: "}"))
    }

    /// Appends a member whose value is a string; nothing when there is none.
    ///
    /// It takes at most six bytes for each of the string's, and six beside the name and the string.
    package mutating func appendMember(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        beginMember(name)
        let bytes = text.utf8Span.span
        var offset = appendPlain(bytes)
        while offset < bytes.count {
            appendEscape(of: bytes[offset])
            offset += 1
            offset += appendPlain(bytes.extracting(offset...))
        }
        endMember()
    }

    /// Appends a member whose value is an integer in quotes; at most 26 bytes beside the name.
    package mutating func appendMember(_ name: StaticString, digitsOf integer: Int64) {
        beginMember(name)
        DecimalDigits(integer).append(to: &self)
        endMember()
    }

    /// Appends a member whose value is a string that needs no escapes and that the closure writes.
    package mutating func appendMember(
        _ name: StaticString,
        plain text: (inout OutputSpan<UInt8>) -> Void
    ) {
        beginMember(name)
        text(&self)
        endMember()
    }

    private mutating func beginMember(_ name: StaticString) {
        append(UInt8(ascii: "\""))
        let text = unsafe UnsafeBufferPointer(
            start: name.utf8Start,
            count: name.utf8CodeUnitCount
        )
        unsafe append(copying: text)
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
        append(UInt8(ascii: "\""))
    }

    private mutating func endMember() {
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ","))
    }
}
