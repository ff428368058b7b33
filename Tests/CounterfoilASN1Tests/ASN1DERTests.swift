import CounterfoilASN1
import CounterfoilTestSupport
import Testing

@Suite("Distinguished encoding rules")
struct ASN1DERTests {
    @Test(
        "Whatever has another encoding is refused",
        arguments: [
            "3080 0000", "0481 01 00", "0482 0080" + String(repeating: "00", count: 128),
            "1f05 00", "2403 0401 00", "2c02 0c00", "2304 030200ff", "0202 0001", "0202 ff80",
            "0a02 0001", "0101 01",
            "0302 01 01", "a004 0202 0001", "3106 0201 02 0201 01",
            "3104 0500 0400", "3107 0402 0102 0401 01",
        ]
    )
    func refused(text: String) throws {
        let document = try hex(text)
        #expect(code { try requireDER(document) } == ASN1Error.notDER)
        _ = try readAll(document)
    }

    @Test(
        "Whatever is the one encoding of its value is accepted",
        arguments: [
            "", "3000", "0481 80" + String(repeating: "00", count: 128), "1f1f 00", "0101 ff",
            "0201 00", "0202 0080", "0202 ff7f", "0302 01 02", "0500", "0602 2a03",
            "3106 0201 01 0201 01", "3107 0401 01 0402 0000", "3104 8000 a000", "3104 0c00 3000",
            "170d3234303232393132333435365a",
        ]
    )
    func accepted(text: String) throws {
        try requireDER(hex(text))
    }

    @Test("Malformed values inside are refused with their own codes")
    func malformed() throws {
        for (text, expected) in [
            ("3003 0101", ASN1Error.truncated), ("3002 0100", ASN1Error.badBoolean),
            ("3002 0600", ASN1Error.badObjectIdentifier), ("3003 0501 00", ASN1Error.badNull),
            ("3002 1700", ASN1Error.badTime), ("1000", ASN1Error.unexpectedForm),
            ("2203 020100", ASN1Error.unexpectedForm),
        ] {
            #expect(code { try requireDER(hex(text)) } == expected, "\(text)")
        }
    }

    @Test("A DER reader asks of the values it reads what it asks of their encodings")
    func values() throws {
        let chunks = code {
            _ = try first(hex("2403 0401 00"), rules: .der) { try $0.octets(in: $1) }
        }
        #expect(chunks == ASN1Error.notDER)
        let document = try hex("3004 0202 0001")
        var reader = try ASN1Reader(document.span, rules: .der)
        var fields = try reader.nextContents(of: .sequence, in: document.span)
        #expect(fields.rules == .der)
        #expect(code { _ = try fields.nextInt64(in: document.span) } == ASN1Error.notDER)
    }

    @Test(
        "Every certificate of the corpus is DER",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
        arguments: Corpus.names(in: "certs", ending: ".der")
    )
    func certificates(name: String) throws {
        try requireDER(Corpus.bytes(name))
    }

    private func requireDER(_ document: [UInt8]) throws {
        var reader = try ASN1Reader(document.span)
        try reader.requireDER(in: document.span)
        #expect(reader.isAtEnd)
    }
}
