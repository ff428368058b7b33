import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

/// The real app receipts and what an independent walk found in them.
enum AppReceiptCorpus {
    struct Expected: Decodable {
        var attributes: [Attribute]
        var cms: CMS?
    }

    struct CMS: Decodable {
        var indefinite: Bool
    }

    struct Attribute: Decodable {
        var type: Int64
        var version: Int64
        var asn1: String
        var hex: String?
        var attributes: [Attribute]?
    }

    /// The receipts that Apple or Xcode made, apart from the one of 2010.
    static var names: [String] {
        Corpus.names(in: "app-receipts", ending: ".b64").filter { name in
            ["/prod-", "/sandbox-", "/xcode-"].contains { name.contains($0) }
        }
    }

    static func document(_ name: String) throws -> [UInt8] {
        let text = String(decoding: try Corpus.bytes(name), as: UTF8.self)
        return [UInt8](
            try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters))
        )
    }

    static func expected(_ name: String) throws -> Expected {
        try JSONDecoder().decode(
            Expected.self,
            from: Data(Corpus.bytes(String(name.dropLast(4)) + ".expected.json"))
        )
    }
}
