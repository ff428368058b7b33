import CounterfoilASN1
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

/// What `openssl asn1parse` sees in the same bytes.
@Suite(
    "Agreement with openssl asn1parse",
    .enabled(if: OutsideProgram.openssl.isPresent, "needs openssl")
)
struct OpenSSLAgreementTests {
    @Test(
        "Every element of the corpus' receipts stands where OpenSSL sees it",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
        arguments: Corpus.names(in: "app-receipts", ending: ".b64").filter {
            !$0.contains("broken")
        }
    )
    func receipts(name: String) throws {
        try compare(receipt(name))
    }

    @Test(
        "Every element of the corpus' certificates stands where OpenSSL sees it",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
        arguments: Corpus.names(in: "certs", ending: ".der")
    )
    func certificates(name: String) throws {
        try compare(Corpus.bytes(name))
    }

    @Test("OpenSSL reads what the writer writes, in every form")
    func written() throws {
        let document = DERWriter.bytes { writer in
            writer.sequence(length: .indefinite) { fields in
                fields.integer(-1_000_000)
                fields.set(length: .padded(bytes: 5)) { $0.boolean(true) }
                fields.explicit(0, length: .indefinite) { explicit in
                    explicit.chunkedOctetString([1, 2, 3, 4, 5], chunkSize: 2)
                    explicit.bitString([0xF0], unusedBits: 4)
                }
                fields.constructed(ASN1Tag(.private, 70_000)) { $0.null() }
                fields.objectIdentifier("2.16.840.1.101.3.4.2.1")
                fields.time(Instant(secondsSince1970: 1_700_000_000))
            }
        }
        try compare(document)
        let text = try OpenSSL.asn1parse(document)
        #expect(text.contains(":-0F4240"))
        #expect(text.contains(":sha256"))
        #expect(text.contains("UTCTIME           :231114221320Z"))
    }

    private func compare(_ document: [UInt8]) throws {
        var lines: [String] = []
        try visit(ASN1Reader(document.span), in: document.span, depth: 0) { element, depth in
            let header = element.content.lowerBound - element.encoding.lowerBound
            let length = element.isIndefiniteLength ? "inf" : "\(element.content.count)"
            let form = element.isConstructed ? "cons" : "prim"
            lines.append("\(element.encoding.lowerBound) \(depth) \(header) \(length) \(form)")
        }
        let theirs = try OpenSSL.asn1parse(document).split(separator: "\n")
            .filter { !$0.contains("prim: EOC") }
            .compactMap(OpenSSL.element)
        #expect(theirs.count == lines.count)
        #expect(theirs == lines)
    }
}

enum OpenSSL {
    static func asn1parse(_ document: [UInt8]) throws -> String {
        let folder = try Folder()
        let file = try folder.write("document.der", document)
        let outcome = try OutsideProgram.openssl.run(["asn1parse", "-inform", "DER", "-in", file])
        guard outcome.succeeded else { throw CocoaError(.executableLoad) }
        return outcome.text
    }

    /// Offset, depth, header length, length and form of a line such as
    /// `4:d=1  hl=2 l=   9 prim: OBJECT            :pkcs7-signedData`.
    static func element(_ line: Substring) -> String? {
        let pattern = /^ *(\d+):d=(\d+) +hl=(\d+) l= *(\d+|inf) +(cons|prim):/
        guard let match = line.prefixMatch(of: pattern) else { return nil }
        return "\(match.1) \(match.2) \(match.3) \(match.4) \(match.5)"
    }
}
