import CounterfoilASN1
import CounterfoilBasics
import Testing

/// The encodings were made by pyasn1 and by `openssl asn1parse -genconf`.
@Suite("ASN.1 values")
struct ASN1ValueTests {
    @Test(
        "Integers are read and written",
        arguments: [
            (0, "020100"), (1, "020101"), (-1, "0201ff"), (127, "02017f"), (128, "02020080"),
            (-128, "0202ff80"), (-129, "0202ff7f"), (255, "020200ff"), (256, "02020100"),
            (32_767, "02027fff"), (-32_768, "0203ff8000"), (2_147_483_648, "02050080000000"),
            (.max, "02087fffffffffffffff"), (.min, "0209ff8000000000000000"),
            (1_000_000_000_000_001, "0207038d7ea4c68001"),
            (500_935_934_584_949_200, "020806f3ae94142a09d0"),
        ] as [(Int64, String)]
    )
    func integers(value: Int64, text: String) throws {
        // pyasn1 pads negative powers of 256; DER has the shorter form.
        let padded = text.hasPrefix("0202ff8") || text.hasPrefix("0203ff8") || value == .min
        let document = try hex(text)
        if value != .min {
            #expect(try first(document) { try $0.int64(in: $1) } == value)
            let derCode = code { _ = try first(document, rules: .der) { try $0.int64(in: $1) } }
            #expect(derCode == (padded ? ASN1Error.notDER : nil))
        }
        let written = DERWriter.bytes { $0.integer(value) }
        if !padded { #expect(written == document) }
        #expect(try first(written, rules: .der) { try $0.int64(in: $1) } == value)
    }

    @Test("Integers may be padded up to eight bytes, and are too wide beyond")
    func paddedIntegers() throws {
        #expect(try first(hex("0204 00000001")) { try $0.int64(in: $1) } == 1)
        #expect(try first(hex("0208 ffffffffffffff85")) { try $0.int64(in: $1) } == -123)
        let tooWide = code {
            _ = try first(hex("0209 00ffffffffffffffff")) { try $0.int64(in: $1) }
        }
        #expect(tooWide == ASN1Error.integerTooWide)
    }

    @Test("Natural numbers of any size are read and written without their leading zeros")
    func naturalNumbers() throws {
        for (text, magnitude) in [
            ("0209 00ffffffffffffffff", "ffffffffffffffff"),
            ("0211 0080000000000000000000000000003039", "80000000000000000000000000003039"),
            ("0201 00", ""), ("0201 01", "01"),
        ] {
            let document = try hex(text)
            let range = try first(document, rules: .der) { try $0.naturalNumberBytes(in: $1) }
            #expect(try Array(document[range]) == hex(magnitude))
            let written = try DERWriter.bytes { try $0.naturalNumber([0, 0] + hex(magnitude)) }
            #expect(written == document)
        }
        let whole = try first(hex("0203 ff7f00")) { try $0.integerBytes(in: $1) }
        #expect(whole == 2..<5)
    }

    @Test(
        "Object identifiers are read, written and shown, with arcs of any size",
        arguments: [
            ("0.0", "060100"), ("0.39", "060127"),
            ("1.2.840.113549.1.7.2", "06092a864886f70d010702"),
            ("1.3.14.3.2.26", "06052b0e03021a"),
            ("2.16.840.1.101.3.4.2.1", "0609608648016503040201"),
            ("1.2.840.113635.100.6.11.1", "060a2a864886f76364060b01"),
            ("2.5.29.19", "0603551d13"), ("2.999.3", "0603883703"), ("2.39", "060177"),
            ("2.40", "060178"), ("2.47", "06017f"), ("2.48", "06028100"),
            ("1.39.16383.16384", "06064fff7f818000"),
            (
                "2.25.329800735698586629295641978511506172918",
                "06146983f09da7ebcfdee0c7a1a7b2c0948cc8f9d776"
            ),
        ]
    )
    func objectIdentifiers(dotted: String, text: String) throws {
        let document = try hex(text)
        let identifier = try first(document) { try $0.objectIdentifier(in: $1) }
        #expect(identifier.description == dotted)
        #expect(ASN1ObjectIdentifier(dotted) == identifier)
        #expect(DERWriter.bytes { $0.objectIdentifier(identifier) } == document)
        #expect(try first(document) { $0.isObjectIdentifier(identifier, in: $1) })
        #expect(try first(document) { $0.isObjectIdentifier("1.2.3", in: $1) } == false)
    }

    @Test(
        "Text that is no object identifier is none",
        arguments: [
            "", ".", "1", "3.1", "0.40", "1.40", "1..2", "1.2.", ".1.2", "1.02", "1.2.x", "1.-2",
            "1.2." + String(repeating: "9", count: 400), "4294967296.1",
        ]
    )
    func badDottedText(text: String) {
        #expect(ASN1ObjectIdentifier(text) == nil)
    }

    @Test("Object identifiers may have 128 bytes and no more")
    func longestObjectIdentifier() throws {
        let longest = [UInt8](repeating: 1, count: 128)
        #expect(ASN1ObjectIdentifier(contentBytes: longest.span)?.contentBytes == longest)
        #expect(ASN1ObjectIdentifier(contentBytes: (longest + [1]).span) == nil)
    }

    @Test("Booleans are read; only BER knows other bytes for true")
    func booleans() throws {
        #expect(try first(hex("0101ff"), rules: .der) { try $0.boolean(in: $1) })
        #expect(try first(hex("010100"), rules: .der) { try $0.boolean(in: $1) } == false)
        #expect(try first(hex("010101")) { try $0.boolean(in: $1) })
        let refused = code { _ = try first(hex("010101"), rules: .der) { try $0.boolean(in: $1) } }
        #expect(refused == ASN1Error.notDER)
        #expect(DERWriter.bytes { $0.boolean(true) } == [1, 1, 0xFF])
        #expect(DERWriter.bytes { $0.boolean(false) } == [1, 1, 0])
    }

    @Test("Bit strings tell their bytes, unused bits and named bits")
    func bitStrings() throws {
        let document = try hex("0303 06b740")
        let bits = try first(document) { try $0.bitString(in: $1) }
        #expect(bits.range == 3..<5)
        #expect(bits.unusedBits == 6)
        let set = (-1..<12).filter { bits.isSet($0, in: document.span) }
        #expect(set == [0, 2, 3, 5, 6, 7, 9])
        #expect(DERWriter.bytes { $0.bitString([0xB7, 0x40], unusedBits: 6) } == document)
        #expect(try first(hex("030100")) { try $0.bitString(in: $1) }.range.isEmpty)
        let stray = code {
            _ = try first(hex("030206bf"), rules: .der) { try $0.bitString(in: $1) }
        }
        #expect(stray == ASN1Error.notDER)
        #expect(try first(hex("030206bf")) { try $0.bitString(in: $1) }.unusedBits == 6)
    }

    @Test("Strings in chunks are joined at every level, and left in place when there is one chunk")
    func chunks() throws {
        let joined: [(String, [UInt8])] = [
            ("2480 040400010203 040404050607 04020809 0000", Array(0..<10)),
            ("2410 040400010203 040404050607 04020809", Array(0..<10)),
            ("2480 2480 040100 0000 2406 0401 01 0401 02 0000", [0, 1, 2]),
            ("2480 0400 0401 07 0400 0401 08 0000", [7, 8]),
        ]
        for (text, octets) in joined {
            let document = try hex(text)
            let found = try first(document) { try $0.octets(in: $1) }
            #expect(found == .joined(octets))
            #expect(found.count == octets.count)
            #expect(found.copy(from: document.span) == octets)
        }
        for (text, range) in [
            ("0402 0102", 2..<4), ("2480 0402 0102 0000", 4..<6), ("2400", 2..<2),
            ("2480 2480 0400 0401 09 0000 0000", 8..<9),
        ] {
            let document = try hex(text)
            let found = try first(document) { try $0.octets(in: $1) }
            #expect(found == .inPlace(range))
            let seen = found.withSpan(of: document.span) { $0.copy(0..<$0.count) }
            #expect(seen == Array(document[range]))
        }
    }

    @Test("Text is read in its types, in one piece or in chunks that cut through characters")
    func text() throws {
        let vectors = [
            ("0c0c 4772c3bcc39f6520f09fa7be", "Grüße 🧾"), ("0c00", ""), ("1602 342b", "4+"),
            ("1305 48656c6c6f", "Hello"), ("1a01 7e", "~"), ("1202 3120", "1 "),
            ("2c80 0403 4772c3 0404 bcc39f65 0000", "Grüße"), ("2c06 0c01 41 0c01 42", "AB"),
        ]
        for (encoding, expected) in vectors {
            #expect(try first(hex(encoding)) { try $0.text(in: $1) } == expected)
        }
        let implicit = try first(hex("8603 613a62")) { try $0.text(in: $1, as: .ia5String) }
        #expect(implicit == "a:b")
        #expect(DERWriter.bytes { $0.utf8String("Grüße 🧾") } == (try hex(vectors[0].0)))
        #expect(DERWriter.bytes { $0.ia5String("4+") } == (try hex(vectors[2].0)))
        #expect(DERWriter.bytes { $0.printableString("Hello") } == (try hex(vectors[3].0)))
    }

    @Test(
        "Times of both types are read and written",
        arguments: [
            ("170d3439313233313233353935395a", "2049-12-31T23:59:59Z"),
            ("170d3530303130313030303030305a", "1950-01-01T00:00:00Z"),
            ("180f32303530303130313030303030305a", "2050-01-01T00:00:00Z"),
            ("180f39393939313233313233353935395a", "9999-12-31T23:59:59Z"),
            ("170d3234303232393132333435365a", "2024-02-29T12:34:56Z"),
        ]
    )
    func times(text: String, expected: String) throws {
        let document = try hex(text)
        let bytes = document.span
        var reader = try ASN1Reader(bytes)
        let instant = try reader.nextTime(in: bytes)
        #expect(instant.description == expected)
        #expect(DERWriter.bytes { $0.time(instant) } == document)
    }

    @Test(
        "Times in other forms or outside the calendar are refused",
        arguments: [
            (0x17, "2402291234Z"), (0x17, "240229123456"), (0x17, "240229123456+0000"),
            (0x17, "250229123456Z"), (0x17, "240229123460Z"), (0x17, "24022912345 Z"),
            (0x18, "20240229123456.5Z"), (0x18, "20240229123456"), (0x18, "240229123456Z"),
            (0x18, "20240029123456Z"), (0x18, "2024022912345:Z"), (0x17, ""),
        ] as [(UInt8, String)]
    )
    func badTimes(tag: UInt8, text: String) {
        let document = [tag, UInt8(text.utf8.count)] + Array(text.utf8)
        #expect(code { _ = try first(document) { try $0.time(in: $1) } } == ASN1Error.badTime)
    }
}
