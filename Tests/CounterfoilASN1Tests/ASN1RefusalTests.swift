import CounterfoilASN1
import CounterfoilBasics
import Testing

@Suite("ASN.1 refusals")
struct ASN1RefusalTests {
    /// One way to provoke each code, with the offset that the error tells.
    static let provocations: [(ErrorCode, Int, @Sendable () throws -> Void)] = [
        (ASN1Error.truncated, 0, { try readAll(hex("3005 0500")) }),
        (ASN1Error.lengthOverflow, 1, { try readAll(hex("0485 0080000000 00")) }),
        (ASN1Error.badLength, 1, { try readAll(hex("04ff 00")) }),
        (ASN1Error.badTag, 0, { try readAll(hex("1f8001 00")) }),
        (
            ASN1Error.unexpectedTag, 0,
            {
                let document = try hex("0500")
                var reader = try ASN1Reader(document.span)
                try reader.skip(.integer, in: document.span)
            }
        ),
        (
            ASN1Error.missingElement, 2,
            {
                let document = try hex("0500")
                var reader = try ASN1Reader(document.span)
                try reader.skip(.null, in: document.span)
                try reader.skip(.null, in: document.span)
            }
        ),
        (
            ASN1Error.unexpectedForm, 0,
            { _ = try first(hex("2203020100")) { try $0.int64(in: $1) } }
        ),
        (
            ASN1Error.tooDeep, 2,
            { try readAll(hex("3004 3002 0500"), limits: limits(nesting: 1)) }
        ),
        (
            ASN1Error.tooManyElements, 4,
            { try readAll(hex("0500 0500 0500"), limits: limits(elements: 2)) }
        ),
        (ASN1Error.tooLong, 0, { try readAll(hex("0500 0500"), limits: limits(bytes: 3)) }),
        (ASN1Error.indefinitePrimitive, 0, { try readAll(hex("0480 0000")) }),
        (ASN1Error.unexpectedEndOfContents, 2, { try readAll(hex("3002 0000")) }),
        (
            ASN1Error.trailingBytes, 0,
            {
                let document = try hex("0500")
                let reader = try ASN1Reader(document.span)
                try reader.requireEnd()
            }
        ),
        (ASN1Error.notDER, 1, { try readAll(hex("3080 0000"), rules: .der) }),
        (ASN1Error.badBoolean, 0, { _ = try first(hex("0100")) { try $0.boolean(in: $1) } }),
        (ASN1Error.badInteger, 0, { _ = try first(hex("0200")) { try $0.int64(in: $1) } }),
        (
            ASN1Error.integerTooWide, 0,
            { _ = try first(hex("0209 000000000000000001")) { try $0.int64(in: $1) } }
        ),
        (
            ASN1Error.badNull, 0,
            { try first(hex("050100")) { element, _ in try element.requireNull() } }
        ),
        (
            ASN1Error.badObjectIdentifier, 0,
            { _ = try first(hex("0602 2a86")) { try $0.objectIdentifier(in: $1) } }
        ),
        (ASN1Error.badBitString, 0, { _ = try first(hex("0300")) { try $0.bitString(in: $1) } }),
        (ASN1Error.badText, 0, { _ = try first(hex("0c02 c328")) { try $0.text(in: $1) } }),
        (ASN1Error.badTime, 0, { _ = try first(hex("1700")) { try $0.time(in: $1) } }),
    ]

    @Test("Each code can be provoked, and its error tells where", arguments: ASN1Error.allCodes)
    func codes(code: ErrorCode) throws {
        let (_, offset, provoke) = try #require(Self.provocations.first { $0.0 == code })
        let error = #expect(throws: ASN1Error.self) { try provoke() }
        #expect(error?.code == code)
        #expect(error?.offset == offset)
        #expect(error?.reason.hasSuffix("at byte \(offset)") == true)
    }

    @Test("Codes are distinct and begin with the floor's name")
    func codeNames() {
        #expect(Set(ASN1Error.allCodes).count == ASN1Error.allCodes.count)
        #expect(ASN1Error.allCodes.allSatisfy { $0.rawValue.hasPrefix("asn1.") })
    }

    @Test(
        "Malformed encodings are refused",
        arguments: [
            ("02", ASN1Error.truncated), ("1f", ASN1Error.truncated), ("1f81", ASN1Error.truncated),
            ("0482 01", ASN1Error.truncated), ("0401", ASN1Error.truncated),
            ("3080", ASN1Error.truncated), ("3080 00", ASN1Error.truncated),
            ("3080 0500", ASN1Error.truncated), ("3080 3080 0000", ASN1Error.truncated),
            ("3003 3080 0000", ASN1Error.truncated), ("3080 0000 00", ASN1Error.truncated),
            ("04fe" + String(repeating: "00", count: 125), ASN1Error.truncated),
            ("0488 8000000000000000", ASN1Error.lengthOverflow),
            ("0488 7fffffffffffffff", ASN1Error.lengthOverflow),
            ("0489 010000000000000000", ASN1Error.lengthOverflow),
            ("0484 80000000", ASN1Error.lengthOverflow),
            ("0484 7fffffff", ASN1Error.truncated),
            ("1fffffffff7f 00", ASN1Error.badTag),
            ("0000", ASN1Error.unexpectedEndOfContents),
            ("2000", ASN1Error.unexpectedEndOfContents),
            ("1f00 00", ASN1Error.unexpectedEndOfContents),
            ("3080 0001 ff 0000", ASN1Error.unexpectedEndOfContents),
            ("3080 2000 0000", ASN1Error.unexpectedEndOfContents),
            ("3080 000000", ASN1Error.truncated),
            ("3080 1f0000 0000", ASN1Error.unexpectedEndOfContents),
        ]
    )
    func malformed(text: String, expected: ErrorCode) throws {
        let document = try hex(text)
        #expect(code { try readAll(document) } == expected)
    }

    @Test(
        "Malformed values are refused",
        arguments: [
            ("0600", ASN1Error.badObjectIdentifier), ("0601 80", ASN1Error.badObjectIdentifier),
            ("0603 2a8001", ASN1Error.badObjectIdentifier), ("0301 01", ASN1Error.badBitString),
            ("0302 08ff", ASN1Error.badBitString), ("1602 41c3", ASN1Error.badText),
            ("1602 c3bc", ASN1Error.badText), ("1e02 0041", ASN1Error.unexpectedTag),
            ("2c04 0202 4142", ASN1Error.unexpectedTag), ("0102 ffff", ASN1Error.badBoolean),
            ("2603 060100", ASN1Error.unexpectedForm), ("2303 030100", ASN1Error.unexpectedForm),
            ("2480 0401", ASN1Error.truncated),
        ]
    )
    func malformedValues(text: String, expected: ErrorCode) throws {
        let document = try hex(text)
        let found = code {
            try first(document) { element, bytes in
                switch element.tag {
                case .boolean: _ = try element.boolean(in: bytes)
                case .bitString: _ = try element.bitString(in: bytes)
                case .objectIdentifier: _ = try element.objectIdentifier(in: bytes)
                case .octetString: _ = try element.octets(in: bytes)
                default: _ = try element.text(in: bytes)
                }
            }
        }
        #expect(found == expected)
    }

    @Test("Natural numbers are not negative")
    func negative() throws {
        let found = code { _ = try first(hex("0201ff")) { try $0.naturalNumberBytes(in: $1) } }
        #expect(found == ASN1Error.badInteger)
    }

    @Test("An optional element that is malformed is refused and not taken as absent")
    func malformedOptional() throws {
        let document = try hex("a005 0500")
        var reader = try ASN1Reader(document.span)
        let found = code { _ = try reader.nextIfPresent(.null, in: document.span) }
        #expect(found == ASN1Error.truncated)
    }

    private static func limits(
        bytes: Int = 100,
        nesting: Int = 9,
        elements: Int = 9
    ) -> ASN1Limits {
        ASN1Limits(bytes: bytes, nesting: nesting, elements: elements)
    }
}
