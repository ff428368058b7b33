import CounterfoilASN1
import CounterfoilBasics
import Testing

@Suite("DER writer")
struct DERWriterTests {
    @Test("Writes a structure as pyasn1 does, in definite and indefinite lengths")
    func structure() throws {
        func structure(_ form: ASN1LengthForm, _ numbers: [Int64]) -> [UInt8] {
            DERWriter.bytes { writer in
                writer.sequence(length: form) { fields in
                    fields.integer(5)
                    fields.ia5String("4+")
                    guard form != .minimal else {
                        return fields.setOf(numbers) { $0.integer($1) }
                    }
                    fields.set(length: form) { set in
                        for number in numbers { set.integer(number) }
                    }
                }
            }
        }
        let definite = structure(.minimal, [300, 2, 1, 70_000])
        #expect(try definite == hex("30180201051602342b310f0201010201020202012c0203011170"))
        let indefinite = structure(.indefinite, [300, 2, 1, 70_000])
        #expect(
            try indefinite == hex("30800201051602342b31800202012c02010202010102030111700000 0000")
        )
    }

    @Test("Orders a SET OF by the encodings of its elements")
    func setOf() throws {
        let written = DERWriter.bytes {
            $0.setOf(["b", "aa", "a", "", "zz"]) { $0.utf8String($1) }
        }
        #expect(try written == hex("31100c000c01610c01620c0261610c027a7a"))
        var reader = try ASN1Reader(written.span)
        try reader.requireDER(in: written.span)
    }

    @Test("Writes lengths in the form that is asked for")
    func lengths() throws {
        func length(_ count: Int, _ form: ASN1LengthForm) -> [UInt8] {
            let content = [UInt8](repeating: 0, count: count)
            let written = DERWriter.bytes { $0.primitive(.octetString, content, length: form) }
            return Array(written.dropFirst().dropLast(count))
        }
        #expect(length(127, .minimal) == [0x7F])
        #expect(length(128, .minimal) == [0x81, 0x80])
        #expect(length(256, .minimal) == [0x82, 1, 0])
        #expect(length(65_536, .minimal) == [0x83, 1, 0, 0])
        #expect(length(5, .padded(bytes: 1)) == [0x81, 5])
        #expect(length(5, .padded(bytes: 4)) == [0x84, 0, 0, 0, 5])
        #expect(length(300, .padded(bytes: 1)) == [0x82, 1, 44])
        #expect(length(0, .padded(bytes: 126)) == [0xFE] + [UInt8](repeating: 0, count: 126))
    }

    @Test("Cuts octet strings into chunks, of indefinite or definite length")
    func chunks() throws {
        let octets = [UInt8](0..<10)
        let indefinite = DERWriter.bytes { $0.chunkedOctetString(octets, chunkSize: 4) }
        #expect(try indefinite == hex("2480040400010203040404050607040208090000"))
        let definite = DERWriter.bytes {
            $0.chunkedOctetString(octets, chunkSize: 4, length: .minimal)
        }
        #expect(try definite == hex("241004040001020304040405060704020809"))
        let one = DERWriter.bytes { $0.chunkedOctetString(octets) }
        #expect(try one == hex("2480 040a 00010203040506070809 0000"))
        #expect(DERWriter.bytes { $0.chunkedOctetString([]) } == [0x24, 0x80, 0, 0])
    }

    @Test("An error of a closure passes through")
    func errors() {
        struct Refusal: Error, Equatable {}
        #expect(throws: Refusal()) {
            try DERWriter.bytes { writer throws(Refusal) in
                try writer.sequence { _ throws(Refusal) in throw Refusal() }
            }
        }
    }

    @Test("What was written is read again, whatever the shape", arguments: 0..<200)
    func roundTrip(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let values = (0..<3).map { _ in Value.random(depth: 4, using: &random) }
        let document = DERWriter.bytes { writer in
            for value in values { value.write(to: &writer, using: &random) }
        }
        let reader = try ASN1Reader(document.span)
        #expect(try Value.read(reader, in: document.span) == values)
    }
}

/// A value of any shape, with the ways in which a writer may encode it.
private indirect enum Value: Hashable {
    case integer(Int64)
    case octets([UInt8])
    case text(String)
    case identifier(ASN1ObjectIdentifier)
    case time(Instant)
    case constructed(ASN1Tag, [Value])

    static func random(depth: Int, using random: inout SeededRandom) -> Value {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0:
            let value = Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random)
            return .integer(value)
        case 1:
            let count = [0, 1, 5, 127, 128, 300].randomElement(using: &random) ?? 0
            return .octets((0..<count).map { _ in .random(in: 0...255, using: &random) })
        case 2:
            return .text(
                ["", "com.example.app", "Grüße 🧾", "4+"].randomElement(using: &random) ?? ""
            )
        case 3:
            return .identifier("1.2.840.113635.100.6.11.1")
        case 4:
            return .time(Instant(secondsSince1970: .random(in: 0..<4_000_000_000, using: &random)))
        default:
            let tags: [ASN1Tag] = [.sequence, .set, .contextSpecific(0), ASN1Tag(.private, 5000)]
            let count = Int.random(in: 0...4, using: &random)
            return .constructed(
                tags.randomElement(using: &random) ?? .sequence,
                (0..<count).map { _ in Self.random(depth: depth - 1, using: &random) }
            )
        }
    }

    func write(to writer: inout DERWriter, using random: inout SeededRandom) {
        let forms: [ASN1LengthForm] = [
            .minimal, .indefinite, .padded(bytes: 3), .padded(bytes: 20),
        ]
        let form = forms.randomElement(using: &random) ?? .minimal
        switch self {
        case .integer(let value): writer.integer(value)
        case .text(let text): writer.utf8String(text)
        case .identifier(let identifier): writer.objectIdentifier(identifier)
        case .time(let instant): writer.time(instant)
        case .octets(let octets):
            guard Bool.random(using: &random) else { return writer.octetString(octets) }
            let size = Int.random(in: 1...100, using: &random)
            writer.chunkedOctetString(octets, chunkSize: size, length: form)
        case .constructed(let tag, let values):
            writer.constructed(tag, length: form) { writer in
                for value in values { value.write(to: &writer, using: &random) }
            }
        }
    }

    static func read(_ reader: ASN1Reader, in bytes: Span<UInt8>) throws -> [Value] {
        var reader = reader
        var values: [Value] = []
        while let element = try reader.next(in: bytes) {
            switch element.tag {
            case .integer: try values.append(.integer(element.int64(in: bytes)))
            case .utf8String: try values.append(.text(element.text(in: bytes)))
            case .objectIdentifier:
                try values.append(.identifier(element.objectIdentifier(in: bytes)))
            case .utcTime, .generalizedTime: try values.append(.time(element.time(in: bytes)))
            case .octetString:
                try values.append(.octets(element.octets(in: bytes).copy(from: bytes)))
            default:
                let inner = try read(reader.contents(of: element), in: bytes)
                values.append(.constructed(element.tag, inner))
            }
        }
        return values
    }
}
