import CounterfoilASN1
import CounterfoilBasics
import CounterfoilTestSupport
import Testing

@Suite("ASN.1 limits and hostile bytes")
struct ASN1HostileTests {
    @Test("Elements may be entered to the limit of nesting and not beyond")
    func nesting() throws {
        let limits = ASN1Limits(bytes: 1000, nesting: 5, elements: 100)
        for form in [ASN1LengthForm.minimal, .indefinite] {
            #expect(try readAll(nested(5, form), limits: limits) == 6)
            #expect(code { try readAll(nested(6, form), limits: limits) } == ASN1Error.tooDeep)
        }
        #expect(try readAll(nested(32, .indefinite)) == 33)
        #expect(code { try readAll(nested(33, .indefinite)) } == ASN1Error.tooDeep)
    }

    @Test("Ten thousand levels are refused at the limit, not followed")
    func tenThousandLevels() throws {
        let definite = nested(10_000, .minimal)
        #expect(code { try readAll(definite) } == ASN1Error.tooDeep)
        let open = [UInt8](repeating: 0, count: 20_000).indices.map { $0 % 2 == 0 ? 0x30 : 0x80 }
        let error = #expect(throws: ASN1Error.self) { try readAll(open.map(UInt8.init)) }
        #expect(error?.code == ASN1Error.tooDeep)
        #expect(error?.offset == 64)
        let chunks = open.map { $0 == 0x30 ? 0x24 : UInt8($0) }
        let joined = code { _ = try first(chunks) { try $0.octets(in: $1) } }
        #expect(joined == ASN1Error.tooDeep)
    }

    @Test("An element may hold elements to the limit and not beyond")
    func elements() throws {
        let limits = ASN1Limits(bytes: 1000, nesting: 5, elements: 7)
        for form in [ASN1LengthForm.minimal, .indefinite] {
            // The search for the end of an indefinite length passes the end as well.
            let most = form == .indefinite ? 6 : 7
            #expect(try readAll(wide(most, form), limits: limits) == most + 1)
            let beyond = code { try readAll(wide(most + 1, form), limits: limits) }
            #expect(beyond == ASN1Error.tooManyElements)
        }
    }

    @Test("A document may have bytes to the limit and not beyond")
    func bytes() throws {
        let limits = ASN1Limits(bytes: 22, nesting: 5, elements: 100)
        #expect(try readAll(wide(10, .minimal), limits: limits) == 11)
        #expect(code { try readAll(wide(11, .minimal), limits: limits) } == ASN1Error.tooLong)
    }

    @Test("The costliest nesting of indefinite lengths is read in bounded time")
    func costliest() throws {
        var document = [UInt8]()
        for _ in 0..<32 { document += [0x30, 0x80] }
        for _ in 0..<10_000 { document += [0x05, 0x00] }
        for _ in 0..<32 { document += [0, 0] }
        let stopwatch = Stopwatch()
        #expect(try readAll(document) == 10_032)
        #expect(stopwatch.elapsed < .seconds(10))
    }

    @Test(
        "A receipt cut at any byte is refused",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
        arguments: Self.receipts
    )
    func truncation(name: String) throws {
        let document = try receipt(name)
        for length in 1..<document.count {
            let cut = Array(document[..<length])
            let found = code { try readAll(cut) }
            #expect(found == ASN1Error.truncated, "cut to \(length) bytes")
        }
    }

    @Test(
        "A receipt with any bit flipped is read or refused",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
        arguments: Self.receipts
    )
    func bitFlips(name: String) throws {
        var document = try receipt(name)
        var refused = 0
        for bit in 0..<document.count * 8 {
            document[bit / 8] ^= 1 << UInt8(bit % 8)
            if code({ try readEverything(document, around: bit / 8) }) != nil { refused += 1 }
            document[bit / 8] ^= 1 << UInt8(bit % 8)
        }
        #expect(refused > 0)
    }

    @Test("Random bytes are read or refused", arguments: 0..<20)
    func randomBytes(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let likely: [UInt8] = [
            0x30, 0x31, 0x80, 0x00, 0x02, 0x04, 0x24, 0xA0, 0x06, 0x82, 0x1F, 0x17,
        ]
        for _ in 0..<2_000 {
            let count = Int.random(in: 1...40, using: &random)
            var document: [UInt8] = []
            for _ in 0..<count {
                let pick = Int.random(in: 0..<2 * likely.count, using: &random)
                let any = UInt8.random(in: 0...255, using: &random)
                document.append(pick < likely.count ? likely[pick] : any)
            }
            _ = code { try readEverything(document, around: count / 2) }
            _ = code { try readAll(document, rules: .der) }
        }
    }

    /// Small genuine receipts: DER of the App Store and BER of Xcode.
    private static let receipts = [
        "app-receipts/noenv-com-example-SampleApp-0iap-sha1-ece5c5.b64",
        "app-receipts/xcode-com-nutcall-alert-1iap-cb8e47.b64",
    ]

    /// Reads every element, and tries every way to take the value of those around an offset.
    private func readEverything(_ document: [UInt8], around offset: Int) throws {
        var elements: [ASN1Element] = []
        try visit(ASN1Reader(document.span), in: document.span, depth: 0) { element, _ in
            if element.encoding.contains(offset) { elements.append(element) }
        }
        for element in elements {
            _ = code { _ = try element.int64(in: document.span) }
            _ = code { _ = try element.naturalNumberBytes(in: document.span) }
            _ = code { _ = try element.boolean(in: document.span) }
            _ = code { _ = try element.objectIdentifier(in: document.span).description }
            _ = code { _ = try element.bitString(in: document.span) }
            _ = code { _ = try element.text(in: document.span) }
            _ = code { _ = try element.time(in: document.span) }
        }
        _ = code {
            var reader = try ASN1Reader(document.span)
            try reader.requireDER(in: document.span)
        }
    }

    private func nested(_ levels: Int, _ form: ASN1LengthForm) -> [UInt8] {
        var document: [UInt8] = [5, 0]
        for _ in 0..<levels {
            document = DERWriter.bytes { writer in
                writer.sequence(length: form) { $0.raw(document) }
            }
        }
        return document
    }

    private func wide(_ count: Int, _ form: ASN1LengthForm) -> [UInt8] {
        DERWriter.bytes { writer in
            writer.sequence(length: form) { content in
                for _ in 0..<count { content.null() }
            }
        }
    }
}
