import CounterfoilASN1
import CounterfoilBasics
import Testing

@Suite("ASN.1 reader")
struct ASN1ReaderTests {
    @Test(
        "Reads the fields of a structure whatever the form of its lengths",
        arguments: [ASN1LengthForm.minimal, .padded(bytes: 1), .padded(bytes: 9), .indefinite]
    )
    func fields(form: ASN1LengthForm) throws {
        let document = DERWriter.bytes { writer in
            writer.sequence(length: form) { fields in
                fields.integer(-129)
                fields.objectIdentifier("1.2.840.113549.1.7.2")
                fields.explicit(0, length: form) { $0.utf8String("Pâté") }
                fields.boolean(true)
            }
        }
        let bytes = document.span
        var reader = try ASN1Reader(bytes)
        var fields = try reader.nextContents(of: .sequence, in: bytes)
        #expect(try fields.nextInt64(in: bytes) == -129)
        let type = try fields.nextRequired(.objectIdentifier, in: bytes)
        let isSignedData = type.isObjectIdentifier("1.2.840.113549.1.7.2", in: bytes)
        #expect(isSignedData)
        #expect(try fields.nextIfPresent(.contextSpecific(1), in: bytes) == nil)
        #expect(try fields.peek(in: bytes)?.tag == .contextSpecific(0))
        var explicit = try fields.nextContents(of: .contextSpecific(0), in: bytes)
        #expect(try explicit.nextRequired(.utf8String, in: bytes).text(in: bytes) == "Pâté")
        try explicit.requireEnd()
        #expect(try fields.nextBooleanIfPresent(in: bytes) == true)
        #expect(try fields.nextBooleanIfPresent(in: bytes) == nil)
        #expect(fields.isAtEnd)
        try reader.requireEnd()
    }

    @Test("Says where tag, length, content and end-of-contents of an element stand")
    func ranges() throws {
        // SEQUENCE of indefinite length around SET of indefinite length around INTEGER 5.
        let document = try hex("3080 3180 020105 0000 0000 0500")
        let bytes = document.span
        var reader = try ASN1Reader(bytes)
        let sequence = try reader.nextRequired(.sequence, in: bytes)
        #expect(sequence.isConstructed && sequence.isIndefiniteLength)
        #expect(sequence.encoding == 0..<11)
        #expect(sequence.content == 2..<9)
        var inner = try reader.contents(of: sequence)
        let set = try inner.nextRequired(.set, in: bytes)
        #expect(set.encoding == 2..<9)
        #expect(set.content == 4..<7)
        #expect(inner.depth == 1)
        let null = try reader.nextRequired(.null, in: bytes)
        #expect(null.encoding == 11..<13)
        #expect(!null.isConstructed && !null.isIndefiniteLength)
    }

    @Test("Reads tag numbers of one to four bytes in all classes")
    func tags() throws {
        // The second and third were written by pyasn1.
        let vectors: [(String, ASN1Tag)] = [
            ("8001 07", .contextSpecific(0)),
            ("7f8149 03 020107", ASN1Tag(.application, 201)),
            ("df81808000 01 07", ASN1Tag(.private, 2_097_152)),
            ("1f1f 00", ASN1Tag(.universal, 31)),
            ("df87ffff7f 00", ASN1Tag(.private, ASN1Tag.maximumNumber)),
        ]
        for (text, tag) in vectors {
            let document = try hex(text)
            let bytes = document.span
            var reader = try ASN1Reader(bytes)
            let element = try reader.nextRequired(tag, in: bytes)
            #expect(element.tag == tag)
            #expect(element.tag.tagClass == tag.tagClass && element.tag.number == tag.number)
            try reader.requireEnd()
            let content = Array(document[element.content])
            let written = DERWriter.bytes { writer in
                guard element.isConstructed else { return writer.primitive(tag, content) }
                writer.constructed(tag) { $0.raw(content) }
            }
            #expect(written == document)
        }
        #expect(code { try readAll(hex("df8880800000")) } == ASN1Error.badTag)
    }

    @Test("Reads what the octets of a string hold")
    func encapsulated() throws {
        let document = DERWriter.bytes { $0.octetString { $0.integer(42) } }
        let bytes = document.span
        var reader = try ASN1Reader(bytes)
        let octets = try reader.nextRequired(.octetString, in: bytes)
        var inner = try reader.encapsulated(in: octets)
        #expect(try inner.nextInt64(in: bytes) == 42)
        #expect(code { _ = try reader.contents(of: octets) } == ASN1Error.unexpectedForm)
    }

    @Test("Tolerates zeros and white space behind a document when asked, and nothing else")
    func padding() throws {
        for (tail, accepted) in [("", true), ("0000", true), ("0a0d2009", true), ("0a01", false)] {
            let document = try hex("0500" + tail)
            let bytes = document.span
            var reader = try ASN1Reader(bytes)
            try reader.skip(.null, in: bytes)
            let found = code { try reader.requireOnlyPadding(in: document.span) }
            #expect(found == (accepted ? nil : ASN1Error.trailingBytes))
            #expect(reader.isAtEnd == tail.isEmpty)
        }
    }

    @Test("Reads a part of some bytes with offsets that count from their beginning")
    func part() throws {
        let document = try hex("ffffff 3003 020109 ffff")
        let bytes = document.span
        var reader = try ASN1Reader(3..<8)
        var fields = try reader.nextContents(of: .sequence, in: bytes)
        let number = try fields.nextRequired(.integer, in: bytes)
        #expect(number.encoding == 5..<8)
        #expect(fields.end == 8 && reader.isAtEnd)
    }

    @Test("A copy of a reader is a bookmark")
    func bookmark() throws {
        let document = try hex("020101 020102")
        let bytes = document.span
        var reader = try ASN1Reader(bytes)
        var bookmark = reader
        try reader.skipToEnd(in: bytes)
        #expect(reader.isAtEnd)
        #expect(try bookmark.nextInt64(in: bytes) == 1)
        #expect(bookmark.position == 3)
    }
}
