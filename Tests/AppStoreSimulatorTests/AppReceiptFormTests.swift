import AppStoreModel
import AppStoreSimulator
import CounterfoilASN1
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Forms of app receipts")
struct AppReceiptFormTests {
    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let form: AppReceiptForm

        init(_ name: String, _ form: AppReceiptForm) {
            testDescription = name
            self.form = form
        }

        init(_ name: String, change: (inout AppReceiptForm) -> Void) {
            var form = AppReceiptForm.appStore
            change(&form)
            self.init(name, form)
        }

        static let all = [
            Form("as the App Store signs", .appStore),
            Form("SHA-1", .sha1),
            Form("SHA-384") { $0.digest = .sha384 },
            Form("SHA-512") { $0.digest = .sha512 },
            Form("indefinite lengths", AppReceiptForm(encoding: .indefinite())),
            Form("chunks", AppReceiptForm(encoding: .indefinite(chunkSize: 100))),
            Form("single bytes", AppReceiptForm(encoding: .indefinite(chunkSize: 1))),
            Form("padded lengths", AppReceiptForm(encoding: .padded(bytes: 4))),
            Form("algorithm with digest") { $0.namedAlgorithm = .digestWithRSAEncryption },
            Form("signed attributes") { $0.hasSignedAttributes = true },
            Form("signed attributes, SHA-1") {
                $0.hasSignedAttributes = true
                $0.digest = .sha1
            },
            Form("double wrap") { $0.isDoubleWrapped = true },
            Form("certificates reversed") { $0.certificates = .reversed },
            Form("no root") { $0.certificates = .withoutRoot },
            Form("shuffled attributes") { $0.order = .shuffled(seed: 3) },
            Form("listed attributes") { $0.order = .asListed },
            Form("everything odd at once") {
                $0.encoding = .indefinite(chunkSize: 33)
                $0.hasSignedAttributes = true
                $0.isDoubleWrapped = true
                $0.namedAlgorithm = .digestWithRSAEncryption
                $0.certificates = .reversed
            },
        ]
    }

    @Test("openssl verifies each form and finds the payload in it", arguments: Form.all)
    func openssl(_ form: Form) throws {
        let receipt = Fixtures.receipt()
        let outcome = try OpenSSL.verify(Fixtures.issuer.issue(receipt, form: form.form))
        #expect(outcome.succeeded, Comment(rawValue: outcome.errors))
        var payload = try ReceiptPayload(receipt)
        payload.order = form.form.order ?? payload.order
        let wrapped = DERWriter.bytes { $0.octetString(payload.encoding) }
        #expect(outcome.output == (form.form.isDoubleWrapped ? wrapped : payload.encoding))
    }

    @Test("A receipt of the App Store's form is DER throughout, with three certificates")
    func der() throws {
        let bytes = try Fixtures.issuer.issue(Fixtures.receipt())
        #expect(throws: Never.self) {
            var reader = try ASN1Reader(bytes.span, rules: .der)
            _ = try reader.nextRequired(.sequence, in: bytes.span)
            try reader.requireEnd()
        }
        let lines = try structure(of: bytes)
        #expect(!lines.contains { $0.contains("l=inf") })
        #expect(lines.filter { $0.contains("d=4 ") && $0.contains("SEQUENCE") }.count == 5)
        #expect(lines.contains { $0.contains("d=5 ") && $0.contains("prim: OCTET STRING") })
    }

    @Test("A receipt of Xcode's form has the structure of a real one")
    func xcode() throws {
        var receipt = Fixtures.receipt(.xcode)
        receipt.inApp = []
        let bytes = try Fixtures.issuer.issue(receipt)
        let outcome = try OpenSSL.verify(
            bytes,
            root: Fixtures.authority[.storeKit].certificate
        )
        #expect(outcome.succeeded, Comment(rawValue: outcome.errors))
        #expect(try outline(of: bytes) == Self.xcodeOutline)
    }

    @Test(
        "That structure is what Xcode wrote",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
    )
    func realXcode() throws {
        let name = try #require(
            Corpus.names(in: "app-receipts", ending: ".b64").first {
                $0.contains("xcode-com-nutcall")
            }
        )
        #expect(try outline(of: AppReceiptCorpus.document(name)) == Self.xcodeOutline)
    }

    /// The depth and kind of every element down to the certificate and the signer.
    private static let xcodeOutline = [
        "0 inf SEQUENCE", "1 OBJECT", "1 inf cont [ 0 ]", "2 inf SEQUENCE", "3 INTEGER", "3 SET",
        "4 SEQUENCE", "3 inf SEQUENCE", "4 OBJECT", "4 inf cont [ 0 ]", "3 EOC", "3 cont [ 0 ]",
        "4 SEQUENCE", "3 SET", "4 SEQUENCE", "2 EOC", "1 EOC", "0 EOC",
    ]

    private func outline(of bytes: [UInt8]) throws -> [String] {
        try structure(of: bytes).compactMap { line in
            let kinds = "SEQUENCE|OBJECT|INTEGER|SET|EOC|cont \\[ 0 \\]"
            let pattern = try Regex(
                "d=(\\d+) +hl=\\d+ +l= *(\\w+) +(?:cons|prim): (\(kinds))",
                as: (Substring, Substring, Substring, Substring).self
            )
            guard let match = line.firstMatch(of: pattern)?.output, let depth = Int(match.1),
                depth <= 4
            else { return nil }
            // openssl shows the end of an element at the depth of what is inside it.
            let shown = match.3 == "EOC" ? depth - 1 : depth
            return "\(shown) \(match.2 == "inf" ? "inf " : "")\(match.3)"
        }
    }

    private func structure(of bytes: [UInt8]) throws -> [String] {
        let folder = try Folder()
        let outcome = try OutsideProgram.openssl.run([
            "asn1parse", "-inform", "DER", "-in", folder.write("receipt", bytes),
        ])
        try #require(outcome.succeeded, Comment(rawValue: outcome.errors))
        return outcome.text.split(separator: "\n").map(String.init)
    }

    @Test("Padding follows the document and is not part of it")
    func padding() throws {
        var form = AppReceiptForm.appStore
        let bare = try Fixtures.issuer.issue(Fixtures.receipt(), form: form)
        form.padding = [0x0D, 0x0A, 0x00]
        #expect(try Fixtures.issuer.issue(Fixtures.receipt(), form: form) == bare + form.padding)
    }

    @Test("The same values give the same bytes, and another seed gives others")
    func repeatable() throws {
        let first = try Fixtures.issuer.issue(Fixtures.receipt())
        #expect(try Fixtures.issuer.issue(Fixtures.receipt()) == first)
        let other = try Fixtures.issuer.issue(
            Fixtures.receipt(),
            details: AppReceiptDetails(seed: 1)
        )
        #expect(other != first)
    }
}
