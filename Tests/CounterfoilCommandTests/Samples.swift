import CounterfoilBasics
import CounterfoilTestSupport
import Foundation

/// Documents of the corpus by what makes them worth a test, and others made by hand.
enum Sample {
    static let production = path("app-receipts/prod-org-getpure-pure-iphone-4iap-sha256-cc2093.b64")
    static let sandbox = path("app-receipts/sandbox-dev-bonzer-weeka-app-2iap-sha256-bebb16.b64")
    static let manyPurchases = path("app-receipts/sandbox-com-nutcall-alert-187iap-sha1-ec62c6.b64")
    static let ofXcode = path("app-receipts/xcode-com-nutcall-alert-1iap-cb8e47.b64")
    static let certificateOfXcode = path("certs/StoreKit-2040-03-27.pem")
    static let foreign = path("app-receipts/testca-receipt-89d593.b64")
    static let truncated = path("app-receipts/broken-truncated-49bee7.b64")

    static func path(_ name: String) -> String {
        (Corpus.folder ?? URL(fileURLWithPath: "/")).appendingPathComponent(name).path
    }

    /// The bytes of a receipt of the corpus, freed of base 64.
    static func bytes(_ path: String) throws -> [UInt8] {
        let text = try Data(contentsOf: URL(fileURLWithPath: path))
        return [UInt8](Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
    }

    /// An iOS 6-style receipt that nobody signed, with any texts in it.
    static func transactionReceipt(_ entries: [(String, String)]) -> [UInt8] {
        func list(_ entries: [(String, String)]) -> String {
            let lines = entries.map { "\t\"\($0)\" = \"\($1)\";\n" }
            return "{\n\(lines.joined())}"
        }
        let purchaseInfo = Data(list(entries).utf8).base64EncodedString()
        let signature = Data("signature".utf8).base64EncodedString()
        let outer = list([
            ("signature", signature), ("purchase-info", purchaseInfo), ("environment", "Sandbox"),
        ])
        return Array(Data(outer.utf8).base64EncodedString().utf8)
    }
}
