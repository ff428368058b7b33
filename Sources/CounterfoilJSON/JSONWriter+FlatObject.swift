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
    /// - Returns: where the object stands in the document, for ``repeatObject(at:)``; nil in the
    ///   pretty form, in which the same object looks different at another depth.
    @discardableResult
    package mutating func flatObject(
        room: Int,
        _ members: (inout OutputSpan<UInt8>) -> Void
    ) -> Range<Int>? {
        guard form == .compact else {
            rewritten(room: room, members)
            return nil
        }
        let comma = separatorBeforeValue()
        bytes.append(addingCapacity: room + 3) { output in
            if comma { output.append(UInt8(ascii: ",")) }
        }
        let start = bytes.count
        bytes.append(addingCapacity: room + 2) { $0.appendObject(members) }
        valueIsComplete()
        return start..<bytes.count
    }

    /// Writes an object once more that ``flatObject(room:_:)`` wrote into this document.
    package mutating func repeatObject(at place: Range<Int>) {
        let comma = separatorBeforeValue()
        bytes.append(addingCapacity: place.count + 1) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(repeating: 0, count: place.count)
        }
        unsafe bytes.withUnsafeMutableBytes { bytes in
            let copy = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes.suffix(place.count))
            unsafe copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[place]))
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

    /// Writes text that needs no escapes as a string.
    package mutating func string(plain text: Span<UInt8>) {
        let comma = separatorBeforeValue()
        bytes.append(addingCapacity: text.count + 3) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            unsafe text.withUnsafeBufferPointer { unsafe output.append(copying: $0) }
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

    /// Appends `"name":"`, with one look at the room for it.
    private mutating func beginMember(_ name: StaticString) {
        let length = name.utf8CodeUnitCount
        precondition(length + 4 <= freeCapacity, "no room for a member")
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            unsafe buffer[count] = UInt8(ascii: "\"")
            if let base = buffer.baseAddress {
                unsafe (base + count + 1).initialize(from: name.utf8Start, count: length)
            }
            count += length + 1
            unsafe buffer[count] = UInt8(ascii: "\"")
            unsafe buffer[count + 1] = UInt8(ascii: ":")
            unsafe buffer[count + 2] = UInt8(ascii: "\"")
            count += 3
        }
    }

    private mutating func endMember() {
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ","))
    }
}
