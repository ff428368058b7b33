import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

@testable import AppStoreVerification

@Suite("What clients send as a receipt")
struct DocumentTests {
    /// A SEQUENCE of the size of a small receipt, whose base 64 has plus signs and slashes.
    static let sequence: [UInt8] = {
        var random = SeededRandom(seed: 7)
        let content = (0..<1000).map { _ in UInt8.random(in: 0...255, using: &random) }
        return [0x30, 0x82, 0x03, 0xE8] + content
    }()

    static let text = Base64.encode(sequence.span)

    /// Ways in which real clients spoil a receipt, and the notes that mending leaves.
    static let forms: [(name: String, input: [UInt8], notes: [ErrorCode])] = {
        let lines = text.inLines(of: 64, separator: "\r\n")
        let spaced = text.inLines(of: 76, separator: " ")
        let urlSafe = text.replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
        let unpadded = text.trimmingCharacters(in: ["="])
        let formEncoded = text.replacingOccurrences(of: "+", with: " ")
        let percent = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let twice = Base64.encode(Array(text.utf8).span)
        let json = "\"\(text.replacingOccurrences(of: "/", with: "\\/"))\""
        let body = "{\"receipt-data\": \"\(text)\", \"password\": \"secret\"}"
        let pem = "-----BEGIN PKCS7-----\n\(lines)\n-----END PKCS7-----\n"
        return [
            ("raw bytes", sequence, []),
            ("raw bytes and a newline", sequence + [0x0A], []),
            ("base 64", Array(text.utf8), []),
            ("base 64 behind a byte order mark", [0xEF, 0xBB, 0xBF] + Array(text.utf8), []),
            ("base 64 and a newline", Array("\(text)\n".utf8), []),
            ("lines of 64", Array(lines.utf8), [VerificationNote.whiteSpaceRemoved]),
            ("spaces", Array(spaced.utf8), [VerificationNote.whiteSpaceRemoved]),
            ("URL-safe", Array(urlSafe.utf8), [VerificationNote.urlSafeLetters]),
            ("no padding", Array(unpadded.utf8), [VerificationNote.paddingMended]),
            ("spaces for plus", Array(formEncoded.utf8), [VerificationNote.spacesForPlus]),
            ("percent signs", Array(percent.utf8), [VerificationNote.percentDecoded]),
            ("twice", Array(twice.utf8), [VerificationNote.base64Twice]),
            ("a JSON string", Array(json.utf8), [VerificationNote.jsonString]),
            ("a body", Array(body.utf8), [VerificationNote.jsonObject]),
            (
                "PEM", Array(pem.utf8),
                [VerificationNote.pemArmour, VerificationNote.whiteSpaceRemoved]
            ),
            (
                "URL-safe, unpadded, in lines",
                Array(
                    urlSafe.trimmingCharacters(in: ["="]).inLines(of: 60, separator: "\n").utf8
                ),
                [
                    VerificationNote.urlSafeLetters, VerificationNote.whiteSpaceRemoved,
                    VerificationNote.paddingMended,
                ]
            ),
        ]
    }()

    @Test("Every form is read, and what was mended is noted", arguments: forms.indices)
    func readable(index: Int) throws {
        let form = Self.forms[index]
        let document = try Document(detecting: form.input)
        #expect(document.bytes.starts(with: Self.sequence), "\(form.name)")
        #expect(document.kind == .appReceipt)
        #expect(document.repairs.map(\.code) == form.notes, "\(form.name)")
    }

    @Test("Spaces for plus signs are told from spaces between letters whatever their number")
    func plusSigns() throws {
        var random = SeededRandom(seed: 11)
        for length in 300..<420 {
            let content = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let bytes = [0x30, 0x82, UInt8(length >> 8), UInt8(length & 0xFF)] + content
            let text = Base64.encode(bytes.span)
            let plus = text.replacingOccurrences(of: "+", with: " ")
            #expect(try Document(detecting: Array(plus.utf8)).bytes == bytes)
            let spaced = text.inLines(of: 20, separator: " ")
            #expect(try Document(detecting: Array(spaced.utf8)).bytes == bytes)
        }
    }

    @Test(
        "What is no receipt is refused with a code and the place",
        arguments: [
            ("", "encoding.empty"), ("  \n", "encoding.empty"),
            ("TU", "encoding.not_base64"), ("TUlJ", "encoding.unknown_document"),
            ("hello world!", "encoding.not_base64"), ("MIIB*A==", "encoding.not_base64"),
            ("MIIBA", "encoding.not_base64"), ("MI%2", "encoding.not_base64"),
            ("AAAA", "encoding.unknown_document"), ("\"\"", "encoding.empty"),
            ("{\"status\": 21002}", "encoding.unknown_document"),
            ("{\"receipt-data\": 5}", "encoding.unknown_document"),
            ("[1, 2]", "encoding.not_base64"),
            ("-----BEGIN PKCS7-----", "encoding.not_base64"),
            ("MIIB=A==", "encoding.not_base64"),
            // JSON in which nothing is signed.
            ("{\"errorCode\": 4040010}", "encoding.unknown_document"),
            ("{\"signedPayload\": 5}", "encoding.unknown_document"),
            ("{\"notification_type\": null}", "encoding.unknown_document"),
            ("{\"data\": [{\"originalTransactionId\": \"1\"}]}", "encoding.unknown_document"),
        ]
    )
    func refusals(text: String, code: String) {
        let error = #expect(throws: VerificationError.self) {
            try Document(detecting: Array(text.utf8))
        }
        #expect(error?.code.rawValue == code)
        #expect(error?.reason.isEmpty == false)
    }

    private static let jws = "eyJhbGciOiJFUzI1NiJ9.e30.AAAA"

    @Test(
        "Signed data is freed of white space and of the JSON around it",
        arguments: [
            jws, "\u{FEFF}\(jws)\n", " \(jws) \r\n ", "\"\(jws)\"",
            "{\"signedPayload\":\"\(jws)\"}",
            "{\"receipt-data\": \"\(jws)\"}", "eyJhbGciOiJF\n  UzI1NiJ9.e30\r\n.AAAA",
        ]
    )
    func signedData(text: String) throws {
        let document = try Document(detecting: Array(text.utf8))
        #expect(document.kind == .signedData)
        #expect(document.bytes == Array(Self.jws.utf8))
    }

    @Test(
        "Signed data is told by its dots and the object that it begins with",
        arguments: ["eyJhIjoxfQ.e30.AA", "eyAiYSI6MX0.e30.AA", "ewogImEiOjF9.e30.AA", "eyJ.x"]
    )
    func openings(text: String) throws {
        #expect(try Document(detecting: Array(text.utf8)).kind == .signedData)
    }

    @Test(
        "Other JSON is a document where it is a notification or something in it is signed",
        arguments: [
            ("{\"notification_type\": \"CANCEL\"}", Document.Kind.notificationV1),
            ("{\"signedTransactions\": [\"\(jws)\"]}", .serverAnswer),
            // An answer of Get Test Notification Status is no notification that was posted.
            ("{\"signedPayload\": \"\(jws)\", \"sendAttempts\": []}", .serverAnswer),
            ("{\"a\": [{\"b\": {\"c\": \"\(jws)\"}}]}", .serverAnswer),
            // What its key says is signed counts, so that a spoiled one is refused, not overlooked.
            ("{\"signedTransactionInfo\": \"x\"}", .serverAnswer),
        ]
    )
    func json(text: String, kind: Document.Kind) throws {
        let document = try Document(detecting: Array(text.utf8))
        #expect(document.kind == kind)
        #expect(document.bytes == Array(text.utf8))
    }

    @Test(
        "What begins as JSON is refused as JSON, and says what is wrong with it",
        arguments: [
            ("{\"signedTransactionInfo\": \"x\", \"k\": 1, \"k\": 1}", "stands twice"),
            ("\n{ \"a\\\"\" : ", "found the end"),
            ("{\"signedTransactionInfo\": \"x\"} x", "expected the end"),
            ("{\"a\":\(String(repeating: "[", count: 100_000))", "in one another"),
            ("{\"signed\":[\(String(repeating: "0,", count: 1_000_000))0]}", "1000000 values"),
        ]
    )
    func noJSON(text: String, reason: String) {
        let error = #expect(throws: VerificationError.self) {
            try Document(detecting: Array(text.utf8))
        }
        #expect(error?.code == VerificationError.unknownDocument)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test(
        "A property list is none of JSON",
        arguments: ["{ \"a\" = \":\"; }", "{\"a:", "{ a : b }", "{\"\\\": = 1;}"]
    )
    func propertyList(text: String) throws {
        #expect(try Document(detecting: Array(text.utf8)).kind == .transactionReceipt)
    }

    @Test(
        "A body of version 2 has signed data in it and nothing else",
        arguments: ["MIIB", "", "5"]
    )
    func notSignedData(text: String) throws {
        let body = Array("{\"signedPayload\": \"\(text)\"}".utf8)
        let error = #expect(throws: VerificationError.self) {
            let document = try Document(detecting: body)
            #expect(document.kind == .signedData)
            _ = try CompactJWS(document.bytes)
        }
        #expect(error?.code.rawValue == (text.isEmpty ? "encoding.empty" : "jws.not_compact"))
    }

    @Test(
        "The verifier of receipts says what another document is",
        arguments: [jws, "{\"notification_type\": \"CANCEL\"}", "{\"signedPayloads\": [\"x\"]}"]
    )
    func wrongKind(text: String) throws {
        let document = try Document(detecting: Array(text.utf8))
        let error = #expect(throws: VerificationError.self) {
            try ReceiptVerifier().verify(document)
        }
        #expect(error?.code == VerificationError.wrongKind)
        #expect(error?.reason == "this is \(document.kind.words), not a receipt")
    }

    @Test("The documents of an answer are bounded, and found in their places")
    func answers() throws {
        func answer(_ count: Int) throws -> ServerAnswer {
            let texts = Array(repeating: "\"\(Self.jws)\"", count: count).joined(separator: ",")
            let text = "{\"signedTransactions\": [\(texts)]}"
            return try Document(detecting: Array(text.utf8)).serverAnswer()
        }
        let limit = VerificationLimits.default.answerDocuments
        #expect(try answer(limit).entries.count == limit)
        let error = #expect(throws: VerificationError.self) { try answer(limit + 1) }
        #expect(error?.code == VerificationError.tooManyDocuments)
        let nested = """
            {"data": [{"lastTransactions": [
              {"status": 1, "signedRenewalInfo": "r", "signedTransactionInfo": "t"},
              {"signedRenewalInfo": "alone"}]}], "signedDate": 5, "other": "\(Self.jws)"}
            """
        let entries = try Document(detecting: Array(nested.utf8)).serverAnswer().entries
        #expect(
            entries.map(\.path) == [
                "data[0].lastTransactions[0].signedRenewalInfo",
                "data[0].lastTransactions[0].signedTransactionInfo",
                "data[0].lastTransactions[1].signedRenewalInfo", "other",
            ]
        )
        #expect(entries.map(\.transaction) == [1, nil, nil, nil])
    }

    @Test("Input and document are bounded: read at the limit, refused one past it")
    func limits() throws {
        var limits = VerificationLimits()
        limits.inputBytes = Self.text.utf8.count
        limits.documentBytes = Self.sequence.count
        let input = Array(Self.text.utf8)
        _ = try Document(detecting: input, limits: limits)
        limits.inputBytes -= 1
        #expect(refusal(of: input, limits) == VerificationError.inputTooLong)
        limits.inputBytes += 1
        limits.documentBytes -= 1
        #expect(refusal(of: input, limits) == VerificationError.documentTooLong)
    }

    private func refusal(of input: [UInt8], _ limits: VerificationLimits) -> ErrorCode? {
        #expect(throws: VerificationError.self) {
            try Document(detecting: input, limits: limits)
        }?.code
    }

    @Test("A random text never crashes and gives a document or a reason")
    func randomText() {
        var random = SeededRandom(seed: 3)
        let letters = Array("MIIAe+/-_= \n\r\t%{}\"\\:20FreceiptdataAbcZz09*\0".utf8)
        for _ in 0..<3000 {
            let count = Int.random(in: 0...200, using: &random)
            let input = (0..<count).map { _ in letters.randomElement(using: &random) ?? 0 }
            _ = try? Document(detecting: input)
        }
    }

    @Test(
        "A device identifier is read in all its spellings",
        arguments: [
            "956328D9-CC6A-47F4-BE40-6953FB0AB6C7", "956328d9cc6a47f4be406953fb0ab6c7",
            "{956328D9-CC6A-47F4-BE40-6953FB0AB6C7}",
        ]
    )
    func vendorIdentifier(text: String) {
        #expect(
            DeviceIdentifier(text)?.bytes == Hexadecimal.decode("956328d9cc6a47f4be406953fb0ab6c7")
        )
    }

    @Test(
        "A network address is read in all its spellings",
        arguments: [
            "0017f2c4bcc0", "00:17:f2:c4:bc:c0", "00-17-F2-C4-BC-C0", "0:17:F2:c4:bc:c0",
            "0017.f2c4.bcc0", "ABfyxLzA",
        ]
    )
    func networkAddress(text: String) {
        #expect(DeviceIdentifier(text)?.bytes == [0x00, 0x17, 0xF2, 0xC4, 0xBC, 0xC0])
    }

    @Test(
        "Text that is no device identifier is nil",
        arguments: [
            "", "00:17:f2:c4:bc", "00:17:f2:c4:bc:c0:01", "0017f2c4bc", "zz", "00:17:f2::bc:c0",
        ]
    )
    func noIdentifier(text: String) {
        #expect(DeviceIdentifier(text) == nil)
    }
}

extension String {
    /// The text with a separator after every so many characters.
    fileprivate func inLines(of length: Int, separator: String) -> String {
        stride(from: 0, to: utf8.count, by: length).map { start in
            let from = utf8.index(utf8.startIndex, offsetBy: start)
            let to = utf8.index(from, offsetBy: length, limitedBy: utf8.endIndex) ?? utf8.endIndex
            return String(self[from..<to])
        }.joined(separator: separator)
    }
}
