import CounterfoilASN1
import CounterfoilBasics

extension FuzzTarget {
    /// The reader of BER and DER, and every value that it reads out of elements.
    static func checkBER(_ bytes: [UInt8]) throws(Contradiction) {
        let span = bytes.span
        let limits = ASN1Limits(bytes: 1 << 16, nesting: 16, elements: 4096)
        let lenient = attempt { try tree(in: bytes, .ber, limits) }
        let strict = attempt { try tree(in: bytes, .der, limits) }
        if let strict {
            try Contradiction.unless(lenient == strict, "BER and DER read other elements")
            var writer = DERWriter()
            for node in strict { node.write(to: &writer, bytes) }
            try Contradiction.unless(writer.bytes == bytes, "DER written again is other bytes")
        }
        var reader = attempt { try ASN1Reader(span, limits: limits) }
        let isDER = attempt { try reader?.requireDER(in: span) } != nil
        try Contradiction.unless(!isDER || strict != nil, "DER by one question and not by another")
        for node in lenient ?? [] { try node.checkValues(bytes) }
    }

    private static func tree(
        in bytes: [UInt8],
        _ rules: ASN1Rules,
        _ limits: ASN1Limits
    ) throws(ASN1Error) -> [ElementNode] {
        var reader = try ASN1Reader(bytes.span, rules: rules, limits: limits)
        return try ElementNode.all(of: &reader, bytes)
    }
}

/// An element and those inside of it.
private struct ElementNode: Equatable {
    let tag: ASN1Tag
    let element: ASN1Element
    let children: [ElementNode]

    static func == (left: ElementNode, right: ElementNode) -> Bool {
        left.tag == right.tag && left.element.encoding == right.element.encoding
            && left.element.content == right.element.content
            && left.element.isConstructed == right.element.isConstructed
            && left.children == right.children
    }

    static func all(
        of reader: inout ASN1Reader,
        _ bytes: [UInt8]
    ) throws(ASN1Error) -> [ElementNode] {
        var nodes: [ElementNode] = []
        while let element = try reader.next(in: bytes.span) {
            var children: [ElementNode] = []
            if element.isConstructed {
                var inner = try reader.contents(of: element)
                children = try all(of: &inner, bytes)
            }
            nodes.append(ElementNode(tag: element.tag, element: element, children: children))
        }
        return nodes
    }

    func write(to writer: inout DERWriter, _ bytes: [UInt8]) {
        guard element.isConstructed else {
            writer.primitive(tag, bytes[element.content])
            return
        }
        writer.constructed(tag) { inner in
            for child in children { child.write(to: &inner, bytes) }
        }
    }

    /// Reads the element as every type, since a schema may call anything by any tag.
    func checkValues(_ bytes: [UInt8]) throws(Contradiction) {
        let span = bytes.span
        if let number = attempt({ try element.int64(in: span) }) {
            let written = DERWriter.bytes { $0.integer(number) }
            let read = try Contradiction.unlessSucceeds("an INTEGER written is not read") {
                var reader = try ASN1Reader(written.span, rules: .der)
                return try reader.nextInt64(in: written.span)
            }
            try Contradiction.unless(read == number, "the INTEGER \(number) comes back as \(read)")
        }
        if let identifier = attempt({ try element.objectIdentifier(in: span) }) {
            try Contradiction.unless(
                identifier.contentBytes.elementsEqual(bytes[element.content]),
                "\(identifier) is written as other bytes"
            )
            _ = identifier.description
        }
        if let time = attempt({ try element.time(in: span) }) { try Self.check(time) }
        if let magnitude = attempt({ try element.naturalNumberBytes(in: span) }) {
            _ = bytes[magnitude]
        }
        if let string = attempt({ try element.bitString(in: span) }) {
            _ = bytes[string.range]
            for bit in [0, 7, 8, 1 << 20] { _ = string.isSet(bit, in: span) }
        }
        _ = attempt { try element.boolean(in: span) }
        _ = attempt { try element.text(in: span) }
        if let octets = attempt({ try element.octets(in: span) }) {
            try Contradiction.unless(
                octets.copy(from: span).count == octets.count,
                "octets have another count than they say"
            )
        }
        for child in children { try child.checkValues(bytes) }
    }

    private static func check(_ time: Instant) throws(Contradiction) {
        let written = DERWriter.bytes { $0.time(time) }
        let read = try Contradiction.unlessSucceeds("a time written is not read") {
            var reader = try ASN1Reader(written.span, rules: .der)
            return try reader.nextTime(in: written.span)
        }
        try Contradiction.unless(read == time, "the time \(time) comes back as \(read)")
    }
}
