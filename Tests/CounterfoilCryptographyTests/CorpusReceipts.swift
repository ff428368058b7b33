import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import Foundation

/// A receipt of the corpus, and what the corpus knows about it.
struct CorpusReceipt: CustomStringConvertible {
    let name: String
    let bytes: [UInt8]
    private let expected: [String: Any]

    init(_ name: String) throws {
        self.name = name
        let text = String(decoding: try Corpus.bytes(name), as: UTF8.self)
        bytes = [UInt8](Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
        let json = try Corpus.bytes(name.replacing(".b64", with: ".expected.json"))
        expected = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] ?? [:]
    }

    /// The names of the receipts whose file names begin with one of some words.
    static func names(_ prefixes: String...) -> [String] {
        Corpus.names(in: "app-receipts", ending: ".b64").filter { name in
            prefixes.contains { name.hasPrefix("app-receipts/\($0)-") }
        }
    }

    /// The receipts that Apple signed.
    static let appleSigned = names("prod", "sandbox", "noenv")

    /// Attribute 12, to the second.
    var creationDate: Instant? {
        let attributes = expected["attributes"] as? [[String: Any]] ?? []
        guard let text = attributes.first(where: { $0["type"] as? Int == 12 })?["value"] as? String,
            let date = ISO8601DateFormatter().date(from: text)
        else { return nil }
        return Instant(secondsSince1970: Int64(date.timeIntervalSince1970))
    }

    /// What the corpus's own reading of the message found.
    var message: [String: Any] { expected["cms"] as? [String: Any] ?? [:] }

    var description: String { name }
}

/// Apple's three roots.
enum AppleRoots {
    static func all() throws -> [Certificate] {
        try ["AppleIncRootCertificate", "AppleRootCA-G2", "AppleRootCA-G3"].map(certificate)
    }

    static func certificate(_ name: String) throws -> Certificate {
        try Certificate(Corpus.bytes("certs/\(name).der"))
    }
}
