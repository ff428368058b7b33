import AppStoreModel
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import Foundation
import Testing

@testable import AppStoreVerification

/// Real receipts and what must come out of each, by the realm it is judged in.
@Suite(
    "Verdicts over real receipts",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct CorpusVerdictTests {
    static let rows: [VerdictRow] = VerdictRow.all.filter {
        $0.file.hasPrefix("app-receipts/") || $0.file.hasPrefix("transaction-receipts-ios6/")
    }

    @Test("Every row of the table comes out as it says", arguments: rows)
    func verdict(row: VerdictRow) throws {
        let outcome = Result { () throws in
            let document = try Document(detecting: Corpus.bytes(row.file))
            return try ReceiptVerifier(trust: row.trust(for: document)).verify(document)
        }
        switch outcome {
        case .success(let receipt):
            #expect(row.isVerified, "expected a refusal: \(row.reason)")
            #expect(receipt.proof.scope.realm.rawValue == row.realm)
            if let environment = row.environment {
                #expect(receipt.proof.scope.environment == environment)
            }
        case .failure(let error): try row.check(error)
        }
    }

    @Test("Nothing was left out of the table")
    func completeness() {
        #expect(Self.rows.count > 55)
        #expect(Self.rows.filter(\.isVerified).count > 40)
    }

    @Test(
        "Every attribute of an app receipt equals that of an independent decoder",
        arguments: Corpus.names(in: "app-receipts", ending: ".expected.json")
    )
    func attributes(name: String) throws {
        let expected = try #require(
            JSONSerialization.jsonObject(with: Data(Corpus.bytes(name))) as? [String: Any]
        )
        guard let attributes = expected["attributes"] as? [[String: Any]] else { return }
        let file = name.replacingOccurrences(of: ".expected.json", with: ".b64")
        guard !file.contains("foreign-cms") else { return }
        let document = try Document(detecting: Corpus.bytes(file))
        let message = try CMSSignedData(document.bytes, certificateLimit: 3)
        let payload = try ReceiptPayload(message.attachedContent())
        var found = payload.attributes
        try payload.forEachAttribute(limit: .max) { attribute, value in
            found.append(attribute, value)
            return true
        }
        try compare(found, with: attributes)
    }

    private func compare(
        _ found: ReceiptAttributes,
        with expected: [[String: Any]]
    ) throws {
        try #require(found.count == expected.count)
        for (attribute, expected) in zip(found, expected) {
            #expect(attribute.type == expected["type"] as? Int64)
            #expect(attribute.version == expected["version"] as? Int64)
            if let nested = expected["attributes"] as? [[String: Any]] {
                var inner = ReceiptAttributes(lyingIn: attribute.value)
                try ReceiptPayload.forEachAttribute(ofPurchase: attribute.value, limit: .max) {
                    attribute,
                    value in
                    inner.append(attribute, value)
                    return true
                }
                try compare(inner, with: nested)
            } else {
                #expect(Hexadecimal.encode(attribute.value) == expected["hex"] as? String)
            }
            switch expected["asn1"] as? String {
            case "INTEGER"?:
                let number = try AttributeValue.integer(attribute.value.span)
                #expect(number == expected["value"] as? Int64)
            case "UTF8String"?, "IA5String"?:
                let text = try AttributeValue.text(attribute.value.span)
                #expect(text == expected["value"] as? String)
            default: break
            }
        }
    }

    @Test(
        "Every key of an iOS 6-style receipt equals that of an independent decoder",
        arguments: Corpus.names(in: "transaction-receipts-ios6", ending: ".expected.json")
    )
    func keys(name: String) throws {
        let expected = try #require(
            JSONSerialization.jsonObject(with: Data(Corpus.bytes(name))) as? [String: Any]
        )
        let purchaseInfo = try #require(expected["purchase_info"] as? [String: String])
        let file = name.replacingOccurrences(of: ".expected.json", with: ".b64")
        let document = try Document(detecting: Corpus.bytes(file))
        let envelope = try TransactionReceiptEnvelope(document.bytes, limits: .default)
        let receipt = try TransactionReceiptDecoder(envelope, limits: .default).receipt()
        let found = Dictionary(
            uniqueKeysWithValues: receipt.purchaseInfo.map { ($0.key, $0.value) }
        )
        #expect(found == purchaseInfo)
        #expect(receipt.purchaseInfo.count == purchaseInfo.count)
    }

    @Test("Device hashes are reproduced, and another device is refused")
    func deviceHashes() throws {
        var reproduced = 0
        for row in try Corpus.table("app-receipts/DEVICE-HASHES.tsv") {
            let file = try #require(row["file"])
            let guid = try #require(row["guid_hex"])
            let document = try Document(detecting: Corpus.bytes("app-receipts/\(file)"))
            guard
                case .appReceipt(let receipt)? = try? ReceiptVerifier().verify(document)
            else {
                // The sample of 2010, whose intermediate has no marker.
                #expect(file.hasPrefix("noenv-"))
                continue
            }
            try receipt.requireDevice(#require(DeviceIdentifier(guid)))
            let other = try #require(DeviceIdentifier("00:11:22:33:44:55"))
            #expect(throws: VerificationError.self) { try receipt.requireDevice(other) }
            reproduced += 1
        }
        #expect(reproduced >= 8)
    }
}
