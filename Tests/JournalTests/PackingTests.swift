import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilTestSupport
import Testing

@testable import Journal

@Suite("Packing")
struct PackingTests {
    /// Packs a document, reads what would be stored, and expects the same bytes of it and of each
    /// document that is nested in it.
    @discardableResult
    static func expectReturn(
        of document: [UInt8],
        holding nested: [[UInt8]] = [],
        _ comment: Comment? = nil
    ) throws -> DocumentPacking {
        let packing = try DocumentPacking(document)
        let stored = try PackedDocument(reading: packing.packed.bytes)
        #expect(Set(stored.sharedDigests) == Set(packing.shared.keys), comment)
        #expect(packing.digest == PackedSample.digest(document), comment)
        for bytes in [document] + nested {
            let digest = PackedSample.digest(bytes)
            if bytes != document { #expect(packing.nested.contains(digest), comment) }
            #expect(try stored.document(digest, shared: packing.shared) == bytes, comment)
        }
        for digest in packing.nested {
            let bytes = try stored.document(digest, shared: packing.shared)
            #expect(PackedSample.digest(bytes) == digest, comment)
        }
        return packing
    }

    // MARK: - Comes back

    @Test(
        "Every real document comes back byte for byte",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
        arguments: [
            "app-receipts", "transaction-receipts-ios6", "notifications-v1", "notifications-v2",
            "transactions", "renewal-info", "app-transactions", "server-api",
            "verify-receipt-responses",
        ]
    )
    func corpus(folder: String) throws {
        let names = Corpus.names(in: folder, ending: "")
        #expect(!names.isEmpty)
        for name in names {
            let file = try Corpus.bytes(name)
            try Self.expectReturn(of: file, "\(name)")
            guard let document = try? Document(detecting: file) else { continue }
            try Self.expectReturn(of: document.bytes, "\(name), decoded")
        }
    }

    @Test("Every document of a life comes back, and what is nested in it by its own digest")
    func lives() throws {
        let authority = try PackedSample.authority.get()
        var kinds: Set<String> = []
        let seeds = 1...UInt64(Soak.size(12, soak: 100))
        for delivered in try seeds.flatMap({ try PackedSample.deliveries(seed: $0, steps: 80) }) {
            let document = try delivered.signed(by: authority)
            switch delivered {
            case .notificationV2(let notification):
                let envelope = try NotificationEnvelope(parsing: document.span)
                guard case .v2(let jws) = envelope else { continue }
                let packing = try Self.expectReturn(of: document, holding: [Array(jws.utf8)])
                #expect(packing.nested.count == 1 + Self.nestedCount(notification))
                kinds.insert("v2")
            case .notificationV1:
                let envelope = try NotificationEnvelope(parsing: document.span)
                guard case .v1(let body, _) = envelope else { continue }
                let texts = [
                    body.unifiedReceipt?.latestReceipt, body.latestReceipt,
                    body.latestExpiredReceipt,
                ]
                let receipts = try texts.compactMap(\.self).map {
                    try Document(detecting: Array($0.utf8)).bytes
                }
                #expect(!receipts.isEmpty)
                try Self.expectReturn(of: body.json, holding: receipts)
                kinds.insert("v1")
            case .appReceipt, .transactionReceipt, .transaction:
                let packing = try Self.expectReturn(of: document)
                #expect(packing.nested.isEmpty)
                kinds.insert("\(try Document(detecting: document).kind)")
            }
        }
        let all: Set<String> = ["v1", "v2", "appReceipt", "transactionReceipt", "signedData"]
        #expect(kinds == all)
    }

    private static func nestedCount(_ notification: StoreNotification) -> Int {
        let nested = notification.nested
        return [
            nested.transaction != nil, nested.renewalInfo != nil, nested.appTransaction != nil,
        ].count(where: \.self)
    }

    @Test(
        "A text that is nearly of a kind comes back",
        arguments: [
            "", "{}", "e..", "eyJhbGciOiJFUzI1NiJ9", "\u{0}\u{FF}", "0", "{\"signedPayload\":\"\"}",
        ]
            + [
                // Bits behind the last byte, padding where there is none, dots too many and too few.
                "eyJhbGciOiJFUzI1NiJ9.\(letters(63)).\(letters(30))B",
                "eyJhbGciOiJFUzI1NiJ9.\(letters(62))==.\(letters(32))",
                "eyJhbGciOiJFUzI1NiJ9.\(letters(64)).", ".\(letters(80)).\(letters(80))",
                "e.\(letters(64)).\(letters(64)).", "e\(letters(300))..\(letters(300))",
                // Base 64 of each form, and what is none.
                letters(100), letters(101), letters(98) + "==", letters(99) + "=",
                letters(97) + "B=", letters(99) + "_", letters(99) + "-", letters(98) + "-+",
                String(repeating: "\\/", count: 100), letters(64) + "\\/\\/\\/\\/",
                letters(64) + "\\/\\/\\//", letters(64) + "\\/\\n\\/", letters(67) + "\\",
                letters(64) + "\\\\/AA", letters(64) + "\r\n" + letters(64),
            ]
    )
    func nearly(text: String) throws {
        for whole in [text, "\"\(text)\"", "[\"\(text)\",\"\(text)\"]"] {
            try Self.expectReturn(of: Array(whole.utf8), "\(whole)")
        }
    }

    private static func letters(_ count: Int) -> String { String(repeating: "A", count: count) }

    @Test("Escaped slashes hide no receipt")
    func escapedSlashes() throws {
        let receipt = try Self.receipt()
        let text = Base64.encode(receipt.span).replacing("/", with: "\\/")
        #expect(text.contains("\\/"))
        try Self.expectReturn(
            of: Array("{\"latest_receipt\":\"\(text)\"}".utf8),
            holding: [receipt]
        )
    }

    @Test("Base 64 in base 64 comes back, however often")
    func nesting() throws {
        let receipt = try Self.receipt()
        var text = receipt
        for level in 1...18 {
            text = Array(Base64.encode(text.span).utf8)
            let packing = try Self.expectReturn(of: text, holding: level < 15 ? [receipt] : [])
            #expect(level > 15 || packing.packed.bytes.count < 1_500)
        }
    }

    @Test("Any bytes come back")
    func anyBytes() throws {
        var random = SeededRandom(seed: 1)
        let pieces = try [Self.receipt(), PackedSample.notifications(1)[0].body]
        for _ in 0..<Soak.size(200, soak: 20_000) {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let piece = pieces.randomElement(using: &random)!
                let start = Int.random(in: 0..<piece.count, using: &random)
                bytes += piece[start..<Int.random(in: start...piece.count, using: &random)]
                bytes += (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            }
            try Self.expectReturn(of: bytes)
        }
    }

    private static func receipt() throws -> [UInt8] {
        let authority = try PackedSample.authority.get()
        for case .appReceipt(let receipt) in try PackedSample.deliveries(seed: 5, steps: 80) {
            return try receipt.signed(by: authority)
        }
        return []
    }

    // MARK: - Costs little

    @Test("A notification with all that is nested in it takes less than 700 bytes")
    func sizeOfNotifications() throws {
        var types: Set<String> = []
        for (type, body) in try PackedSample.notifications(60) {
            let packing = try DocumentPacking(body)
            #expect(packing.packed.bytes.count < 700, "\(type) of \(body.count) bytes")
            types.insert(type)
        }
        #expect(types.isSuperset(of: ["SUBSCRIBED", "DID_RENEW"]))
    }

    @Test("The certificates of a chain are shared, once, by all that they signed")
    func sharing() throws {
        let bodies = try PackedSample.notifications(20).map(\.body)
        let shared = try bodies.map { try DocumentPacking($0).shared }
        #expect(shared.allSatisfy { $0.count == 1 && $0 == shared[0] })
        let authority = try PackedSample.authority.get()
        var bags: Set<Set<SHA256Digest>> = []
        for case .appReceipt(let receipt) in try PackedSample.deliveries(seed: 5, steps: 200) {
            bags.insert(Set(try DocumentPacking(receipt.signed(by: authority)).shared.keys))
        }
        #expect(bags.count == 1 && bags.first?.count == 1)
    }

    @Test("The receipt that stands twice in a body is packed once")
    func repetition() throws {
        let receipt = try Self.receipt()
        let text = Base64.encode(receipt.span)
        let once = try DocumentPacking(Array("{\"a\":\"\(text)\"}".utf8))
        let twice = try DocumentPacking(Array("{\"a\":\"\(text)\",\"b\":\"\(text)\"}".utf8))
        #expect(twice.packed.bytes.count < once.packed.bytes.count + 40)
        #expect(twice.nested == once.nested)
    }

    // MARK: - Relies on nothing

    @Test("A document that is taken apart wrongly is packed as it is")
    func wrongDissection() throws {
        let document = try PackedSample.notifications(1)[0].body
        let wrong: [([UInt8], inout RecipeWriter) -> Void] = [
            { _, _ in },
            { $1.text($0.dropLast()) },
            { bytes, writer in writer.form(.base64) { $0.text(bytes[...]) } },
            { bytes, writer in
                Dissection.write(bytes, to: &writer)
                writer.shared(bytes[...])
            },
        ]
        for dissect in wrong {
            let packing = try DocumentPacking(document, by: dissect)
            #expect(packing.shared.isEmpty && packing.nested.isEmpty)
            #expect(try packing.packed.document(packing.digest, shared: [:]) == document)
        }
    }
}
