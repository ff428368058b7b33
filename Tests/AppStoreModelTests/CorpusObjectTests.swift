import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Testing

@testable import AppStoreModel

/// The payloads of real signed documents, and what an independent decoder found in them.
enum SignedCorpus {
    static let names = ["transactions", "renewal-info", "app-transactions", "notifications-v2"]
        .flatMap {
            Corpus.names(in: $0, ending: ".jws")
        }

    static func payload(_ name: String) throws -> [UInt8] {
        let text = String(decoding: try Corpus.bytes(name), as: UTF8.self)
        let parts = text.split(separator: ".")
        return try #require(parts.count == 3 ? base64url(parts[1]) : nil)
    }

    static func oracle(_ name: String) throws -> JSONObject {
        let file = String(name.dropLast(4)) + ".decoded.json"
        return try #require(JSONValue(parsing: Corpus.bytes(file))["payload"]?.object)
    }

    /// Written anew for the tests, bit by bit.
    private static func base64url(_ text: Substring) -> [UInt8]? {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var bytes: [UInt8] = []
        var bits = 0
        var count = 0
        for character in text {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return bytes
    }

    static func read(_ object: JSONObject) throws -> any AppStoreObject {
        switch SignedDataKind(of: object) {
        case .transaction: try JWSTransactionDecodedPayload(object)
        case .renewalInfo: try JWSRenewalInfoDecodedPayload(object)
        case .appTransaction: try AppTransaction(object)
        case .realtimeRequest: try DecodedRealtimeRequestBody(object)
        case .notification, .unknown: try ResponseBodyV2DecodedPayload(object)
        }
    }
}

@Suite(
    "Real signed documents",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct CorpusObjectTests {
    @Test(
        "A payload is read as the oracle says, and written as it came",
        arguments: SignedCorpus.names
    )
    func roundTrip(name: String) throws {
        let payload = try SignedCorpus.payload(name)
        let object = try #require(JSONValue(parsing: payload).object)
        #expect(object == (try SignedCorpus.oracle(name)))
        let value = try SignedCorpus.read(object)
        #expect(value.object.keys == object.keys)
        #expect(try JSONValue(parsing: value.json) == .object(object))
    }

    @Test("Each kind is told by its content", arguments: SignedCorpus.names)
    func kinds(name: String) throws {
        let kind = SignedDataKind(of: try SignedCorpus.oracle(name))
        let expected: SignedDataKind =
            switch name.prefix(while: { $0 != "/" }) {
            // Two documents among the transactions are realtime requests; the key of one has
            // another name than Apple's.
            case "transactions" where name.contains("2eec41"): .realtimeRequest
            case "transactions" where name.contains("dac513"): .unknown
            case "transactions": .transaction
            case "renewal-info": .renewalInfo
            case "app-transactions": .appTransaction
            case "notifications-v2" where name.contains("other-"): .unknown
            default: .notification
            }
        #expect(kind == expected)
    }

    @Test("Everything Apple wrote is known by name", arguments: SignedCorpus.names)
    func knownMembers(name: String) throws {
        let object = try SignedCorpus.oracle(name)
        func unknown<Root: FieldedObject>(_ type: Root.Type) -> Set<String> {
            Set(object.keys).subtracting(Root.fields.fields.map(\.name))
        }
        switch SignedDataKind(of: object) {
        case .transaction: #expect(unknown(JWSTransactionDecodedPayload.self) == [])
        case .renewalInfo: #expect(unknown(JWSRenewalInfoDecodedPayload.self) == [])
        case .appTransaction: #expect(unknown(AppTransaction.self) == [])
        case .realtimeRequest: #expect(unknown(DecodedRealtimeRequestBody.self) == [])
        case .notification: #expect(unknown(ResponseBodyV2DecodedPayload.self) == [])
        case .unknown: break
        }
    }

    @Test("Xcode's fractional dates and zeros are read")
    func xcode() throws {
        let name = "transactions/xcode-Auto-Renewable-Subscript-pass-premium-53090b.jws"
        let transaction = try JWSTransactionDecodedPayload(parsing: SignedCorpus.payload(name))
        #expect(transaction.transactionId == "0")
        #expect(transaction.purchaseDate?.millisecondsSince1970 == 1_697_679_936_049)
        #expect(transaction.expiresDate?.millisecondsSince1970 == 1_700_358_336_049)
        #expect(transaction.isUpgraded == false)
        #expect(transaction.offerType == .introductory)
        #expect(transaction.environment == .xcode)
        #expect(String(decoding: transaction.json, as: UTF8.self).contains("1697679936049.7297"))
        let app = try #require(Corpus.names(in: "app-transactions", ending: ".jws").last)
        let year1 = try AppTransaction(parsing: SignedCorpus.payload(app)).originalPurchaseDate
        #expect(year1?.description == "0000-12-30T00:00:00Z")
    }

    @Test("A refunded transaction and a subscription's renewal say what they say")
    func values() throws {
        let refunded = try #require(
            SignedCorpus.names.filter { $0.hasPrefix("transactions/") }.lazy
                .map { try JWSTransactionDecodedPayload(SignedCorpus.oracle($0)) }
                .first { $0.revocationDate != nil }
        )
        #expect(refunded.revocationReason == .other)
        #expect(refunded.revocationDate?.millisecondsSince1970 == 1_760_591_999_000)
        #expect(refunded.storefront == "AUS")
        #expect(refunded.currency == "AUD")
        #expect(refunded.type == .autoRenewableSubscription)
    }

    @Test("Decoded documents of Apple's own tests are read whole")
    func decoded() throws {
        let transaction = try JWSTransactionDecodedPayload(
            parsing: Corpus.bytes("server-api/decoded-signedTransaction.json")
        )
        #expect(transaction.price == Milliunits(rawValue: 10_990))
        #expect(transaction.offerPeriod?.length?.unit == .year)
        #expect(transaction.commitmentInfo?.totalBillingPeriods == 12)
        let item = try #require(transaction.advancedCommerceInfo?.items?.first)
        #expect(item.SKU == "com.example.sku.premium")
        #expect(item.refunds?.first?.refundReason == .fulfillmentIssue)
        #expect(item.revocationDate == Instant(millisecondsSince1970: 1_698_149_200_000))
        let revoked = try JWSTransactionDecodedPayload(
            parsing: Corpus.bytes("server-api/decoded-signedTransactionWithRevocation.json")
        )
        #expect(revoked.revocationType == .refundProrated)
        #expect(revoked.revocationPercentage == Millipercent(rawValue: 50_000))
        let renewal = try JWSRenewalInfoDecodedPayload(
            parsing: Corpus.bytes("server-api/decoded-signedRenewalInfo.json")
        )
        #expect(renewal.expirationIntent == .customerCancelled)
        #expect(renewal.eligibleWinBackOfferIds == ["eligible1", "eligible2"])
        #expect(renewal.commitmentInfo?.commitmentAutoRenewStatus == .on)
        let increase = renewal.advancedCommerceInfo?.items?.first?.priceIncreaseInfo
        #expect(increase?.dependentSKUs == ["com.example.sku.1", "com.example.sku.2"])
        #expect(increase?.status == .pending)
    }
}
