import AppStoreModel
import AppStoreVerification
import CounterfoilBasics
import CounterfoilTestSupport
import DocumentInspection
import Foundation
import Testing

/// Compares what is shown with an account of each document by other hands.
@Suite(
    "Inspections of real documents",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct CorpusInspectionTests {
    private static let now = CivilTime(year: 2026, month: 3, day: 1).instant

    private func inspect(_ name: String) throws -> Inspection {
        Inspection(of: try Corpus.bytes(name), by: Judge(), now: Self.now)
    }

    private func expected(_ name: String) throws -> [String: Any] {
        let path = name.replacingOccurrences(of: ".b64", with: ".expected.json")
        let value = try JSONSerialization.jsonObject(with: Data(Corpus.bytes(path)))
        return try #require(value as? [String: Any])
    }

    @Test(
        "Every attribute is shown with its number, version, type and value, proved or not",
        arguments: Corpus.names(in: "app-receipts", ending: ".b64")
    )
    func attributes(name: String) throws {
        let expected = try expected(name)["attributes"] as? [[String: Any]] ?? []
        let content = try inspect(name).content
        guard !expected.isEmpty, case .appReceipt(let receipt) = content else {
            #expect(expected.isEmpty, "\(name) has attributes that are not shown")
            return
        }
        try compare(Array(receipt.attributes), with: expected, name)
        let purchases = expected.filter { $0["type"] as? Int == 17 }
        #expect(receipt.inApp.count == purchases.count)
        for (purchase, attribute) in zip(receipt.inApp, purchases) {
            let inner = try #require(attribute["attributes"] as? [[String: Any]])
            try compare(Array(purchase.attributes), with: inner, name)
        }
    }

    private func compare(
        _ attributes: [ReceiptAttribute],
        with expected: [[String: Any]],
        _ name: String
    ) throws {
        try #require(attributes.count == expected.count)
        for (attribute, expected) in zip(attributes, expected) {
            let reading = AttributeReading(attribute)
            #expect(Int(reading.type) == expected["type"] as? Int)
            #expect(Int(reading.version) == expected["version"] as? Int)
            switch reading.value {
            case .text(let text):
                #expect(text == expected["value"] as? String)
                #expect(reading.asn1Type == expected["asn1"] as? String)
            case .integer(let number): #expect(number == expected["value"] as? Int64)
            case .bytes(let bytes): #expect(Hexadecimal.encode(bytes) == expected["hex"] as? String)
            case .purchase: #expect(expected["type"] as? Int == 17)
            }
        }
    }

    @Test(
        "Every key of an iOS 6-style receipt is shown, even where its signature is none",
        arguments: Corpus.names(in: "transaction-receipts-ios6", ending: ".b64")
    )
    func keys(name: String) throws {
        let inspection = try inspect(name)
        guard case .transactionReceipt(let receipt) = inspection.content else {
            Issue.record("\(name) is shown as something else")
            return
        }
        let expected = try expected(name)["purchase_info"] as? [String: String]
        let shown = receipt.purchaseInfo.map { ($0.key, $0.value) }
        #expect(Dictionary(uniqueKeysWithValues: shown) == expected)
        #expect(shown.allSatisfy { PurchaseInfoKey.isKnown($0.0) })
        #expect(inspection.purchases.first?.transactionId == expected?["transaction-id"])
        #expect(inspection.isProved == !name.contains("/bad-"))
    }

    @Test("Certificates have the markers that another reader finds, signer first")
    func markers() throws {
        for name in Corpus.names(in: "app-receipts", ending: ".b64") {
            let cms = try expected(name)["cms"] as? [String: Any]
            let expected = cms?["certificates"] as? [[String: Any]] ?? []
            let links = try inspect(name).certificates
            for certificate in expected {
                let fingerprint = certificate["sha256"] as? String
                let link = links.first { $0.summary.fingerprint.description == fingerprint }
                guard let link else { continue }
                let oids = certificate["appleOids"] as? [String] ?? []
                let markers = oids.filter { $0.hasPrefix("1.2.840.113635.100.6.") }
                #expect(link.markers.map(\.identifier).sorted() == markers.sorted(), "\(name)")
            }
            for (link, issuer) in zip(links, links.dropFirst()) where links.count == 3 {
                #expect(link.issuer == issuer.summary.name, "\(name)")
            }
        }
    }

    @Test("A verified receipt has passed every check that was asked for")
    func passed() throws {
        let name = "app-receipts/sandbox-dev-bonzer-weeka-app-2iap-sha256-bebb16.b64"
        let device = try #require(DeviceIdentifier("956328D9-CC6A-47F4-BE40-6953FB0AB6C7"))
        let judge = Judge(bundleIds: ["dev.bonzer.weeka.app"], device: device)
        let inspection = Inspection(of: try Corpus.bytes(name), by: judge, now: Self.now)
        let others: Set<Check.Subject> = [.voucher, .documents]
        #expect(
            inspection.checks.map(\.subject)
                == Check.Subject.allCases.filter { !others.contains($0) }
        )
        #expect(inspection.checks.allSatisfy { $0.outcome == .passed && !$0.detail.isEmpty })
        #expect(inspection.judgement.verdict == .verified)
        #expect(inspection.judgement.appMatched == true)
        #expect(inspection.judgement.deviceMatched == true)
    }

    @Test("What comes after the failed check was not reached")
    func notReached() throws {
        let inspection = try inspect("app-receipts/testca-receipt-89d593.b64")
        let outcomes = Dictionary(
            uniqueKeysWithValues: inspection.checks.map { ($0.subject, $0.outcome) }
        )
        #expect(outcomes[.signature] == .passed)
        #expect(outcomes[.chain] == .failed)
        #expect(outcomes[.content] == .notReached)
        #expect(outcomes[.app] == .notAsked)
    }
}

/// Bytes that no one would send on purpose.
@Suite(
    "Inspections of damaged documents",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct DamagedInspectionTests {
    private static let now = CivilTime(year: 2026, month: 3, day: 1).instant
    private static let names = [
        "app-receipts/xcode-com-nutcall-alert-1iap-cb8e47.b64",
        "transaction-receipts-ios6/sandbox-uk-co-guardian-iphone2-sub-v3-1a19b3.b64",
    ]

    private func document(_ name: String) throws -> [UInt8] {
        let text = Data(try Corpus.bytes(name))
        return [UInt8](try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters)))
    }

    @Test("A document cut anywhere is refused and still shown", arguments: names)
    func truncated(name: String) throws {
        let bytes = try document(name)
        for length in stride(from: 0, to: bytes.count, by: 7) {
            let inspection = Inspection(of: Array(bytes[..<length]), by: Judge(), now: Self.now)
            #expect(inspection.judgement.verdict == .refused)
            #expect(!inspection.isProved)
            _ = inspection.json(source: "-")
        }
    }

    @Test("A flipped bit is never proved, and never a trap", arguments: names)
    func flipped(name: String) throws {
        let bytes = try document(name)
        var random = SeededRandom(seed: 6)
        for _ in 0..<400 {
            var damaged = bytes
            let place = Int.random(in: 0..<bytes.count, using: &random)
            damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            let inspection = Inspection(of: damaged, by: Judge(), now: Self.now)
            _ = inspection.json(source: "-")
            _ = inspection.purchases
            // The outer list of an iOS 6-style receipt has parts that nobody signed.
            if name.hasPrefix("app-receipts") { #expect(!inspection.isProved) }
        }
    }

    @Test("Several failures are one: the first")
    func firstFailure() throws {
        let inspection = Inspection(of: Array("not a receipt".utf8), by: Judge(), now: Self.now)
        #expect(inspection.checks.first?.outcome == .failed)
        #expect(inspection.checks.dropFirst().allSatisfy { $0.outcome != .passed })
        #expect(inspection.content == nil)
        #expect(inspection.certificates.isEmpty)
    }
}
