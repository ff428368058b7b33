import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Specifications")
struct SpecificationTests {
    private let now = Fixtures.now

    private func receipt(_ json: String) throws(SimulatorError) -> ReceiptSpecification {
        try ReceiptSpecification(json: Array(json.utf8), now: now)
    }

    private func transaction(
        _ json: String
    ) throws(SimulatorError) -> TransactionReceiptSpecification {
        try TransactionReceiptSpecification(json: Array(json.utf8), now: now)
    }

    private func refusal(_ json: String) -> SimulatorError? {
        do {
            _ = try receipt(json)
            return nil
        } catch {
            return error
        }
    }

    @Test("An empty specification is a sandbox receipt with a subscription that is open now")
    func defaults() throws {
        let specification = try receipt("{}")
        #expect(specification.receipt.receiptType == .productionSandbox)
        #expect(specification.receipt.bundleId == "com.example.app")
        #expect(specification.receipt.creationDate == now)
        let purchase = try #require(specification.receipt.inApp.first)
        #expect(specification.receipt.inApp.count == 1)
        #expect(purchase.isAutoRenewable)
        #expect(try #require(purchase.purchaseDate) < now)
        #expect(try #require(purchase.expiresDate) > now)
        #expect(purchase.transactionId.hasPrefix("2000000"))
        let outcome = try OpenSSL.verify(specification.issue(by: Fixtures.authority))
        #expect(outcome.succeeded, Comment(rawValue: outcome.errors))
    }

    @Test("Every key of a receipt is taken")
    func allKeys() throws {
        let specification = try receipt(
            """
            {   // as people write it
                "environment": "Production", "bundleId": "com.example.two",
                "applicationVersion": "7", "creationDate": "-1h",
                "originalCreationDate": "-2h", "originalPurchaseDate": "2020-02-29T12:00:00Z",
                "expirationDate": "+1w", "preorderDate": "-90s",
                "originalApplicationVersion": "3", "organizationName": "A School",
                "ageRating": "17+", "appItemId": 12, "downloadId": 9007199254740993,
                "versionExternalIdentifier": 14, "platform": "macOS",
                "device": "01:23:45:67:89:ab", "zoneMinutes": null, "seed": 5,
                "omit": [25], "signer": "appStore", "digest": "SHA-1", "encoding": "BER",
                "chunkSize": 10, "algorithm": "digestWithRSAEncryption",
                "certificates": "reversed", "order": "shuffled",
                "signedAttributes": true, "doubleWrapped": true,
                "purchases": [
                    { "type": "consumable", "productId": "coins", "quantity": 4,
                      "transactionId": 77, "originalTransactionId": "76",
                      "purchaseDate": "-4d", "originalPurchaseDate": "-5d",
                      "expiresDate": null, "webOrderLineItemId": "8", "itemId": 9,
                      "cancellationDate": "now", "cancellationReason": "1",
                      "trial": true, "introOffer": true, "promotionalOfferId": "spring" },
                ],
            }
            """
        )
        let receipt = specification.receipt
        #expect(receipt.receiptType == .production)
        #expect(receipt.bundleId == "com.example.two")
        #expect(receipt.applicationVersion == "7")
        #expect(receipt.creationDate == now.advanced(by: .seconds(-3600)))
        #expect(receipt.originalCreationDate == now.advanced(by: .seconds(-7200)))
        #expect(receipt.originalPurchaseDate == Fixtures.instant("2020-02-29T12:00:00Z"))
        #expect(receipt.expirationDate == now.advanced(by: .seconds(604_800)))
        #expect(receipt.preorderDate == now.advanced(by: .seconds(-90)))
        #expect(receipt.originalApplicationVersion == "3")
        #expect(receipt.appItemId == 12)
        #expect(receipt.downloadId == 9_007_199_254_740_993)
        #expect(receipt.versionExternalIdentifier == 14)
        #expect(specification.details.organizationName == "A School")
        #expect(specification.details.ageRating == "17+")
        #expect(specification.details.platform == .macOS)
        #expect(specification.details.deviceIdentifier == [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB])
        #expect(specification.details.seed == 5)
        #expect(specification.payload.receipt[25] == nil)
        var form = AppReceiptForm(digest: .sha1, encoding: .indefinite(chunkSize: 10))
        form.namedAlgorithm = .digestWithRSAEncryption
        form.certificates = .reversed
        form.order = .shuffled(seed: 5)
        form.hasSignedAttributes = true
        form.isDoubleWrapped = true
        #expect(specification.form == form)
        let purchase = receipt.inApp[0]
        #expect(purchase.productType == .consumable)
        #expect(purchase.productId == "coins")
        #expect(purchase.quantity == 4)
        #expect(purchase.transactionId == "77")
        #expect(purchase.originalTransactionId == "76")
        #expect(purchase.purchaseDate == now.advanced(by: .seconds(-4 * 86_400)))
        #expect(purchase.originalPurchaseDate == now.advanced(by: .seconds(-5 * 86_400)))
        #expect(purchase.expiresDate == nil)
        #expect(purchase.webOrderLineItemId == "8")
        #expect(purchase.itemId == 9)
        #expect(purchase.cancellationDate == now)
        #expect(purchase.cancellationReason == "1")
        #expect(purchase.isTrialPeriod == true)
        #expect(purchase.isInIntroOfferPeriod == true)
        #expect(purchase.promotionalOfferId == "spring")
        let outcome = try OpenSSL.verify(specification.issue(by: Fixtures.authority))
        #expect(outcome.succeeded, Comment(rawValue: outcome.errors))
    }

    @Test("A number of purchases is so many periods of one subscription, the last one open")
    func periods() throws {
        let purchases = try receipt(#"{ "purchases": 12 }"#).receipt.inApp
        #expect(purchases.count == 12)
        #expect(Set(purchases.map(\.transactionId)).count == 12)
        #expect(Set(purchases.map(\.originalTransactionId)) == [purchases[0].transactionId])
        for (earlier, later) in zip(purchases, purchases.dropFirst()) {
            #expect(earlier.expiresDate == later.purchaseDate)
        }
        #expect(try #require(purchases.last?.purchaseDate) < now)
        #expect(try #require(purchases.last?.expiresDate) > now)
        #expect(try receipt(#"{ "purchases": 0 }"#).receipt.inApp.isEmpty)
        #expect(try receipt(#"{ "purchases": [] }"#).receipt.inApp.isEmpty)
        #expect(try receipt(#"{ "purchases": 10000 }"#).receipt.inApp.count == 10_000)
        #expect(refusal(#"{ "purchases": 10001 }"#)?.code == SimulatorError.invalidValue)
    }

    @Test("Xcode's receipts are signed in Xcode's form, and count their transactions from 0")
    func xcode() throws {
        let specification = try receipt(#"{ "environment": "Xcode", "purchases": 2 }"#)
        #expect(specification.form == .xcode)
        #expect(specification.receipt.inApp.map(\.transactionId) == ["0", "1"])
        #expect(specification.payload.purchases[0][1705] == nil)
        let bytes = try specification.issue(by: Fixtures.authority)
        let root = Fixtures.authority[.storeKit].certificate
        #expect(try OpenSSL.verify(bytes, root: root).succeeded)
    }

    @Test("Raw attributes stand in the place of all others of their types")
    func rawAttributes() throws {
        let specification = try receipt(
            """
            { "attributes": [
                  { "type": 2, "integer": 7 }, { "type": 9999, "version": 3, "octets": "0102" },
                  { "type": 12, "asciiText": "a" }, { "type": 12, "text": "b" } ],
              "purchases": [ { "omit": [1703], "attributes": [ { "type": 1702, "text": "x" } ] } ] }
            """
        )
        let payload = specification.payload
        #expect(payload.receipt[2]?.value == [2, 1, 7])
        #expect(payload.receipt[9999] == ReceiptAttribute(type: 9999, version: 3, value: [1, 2]))
        #expect(
            payload.receipt.attributes.filter { $0.type == 12 }.map(\.value)
                == [[0x16, 1, 0x61], [0x0C, 1, 0x62]]
        )
        #expect(payload.purchases[0][1703] == nil)
        #expect(payload.purchases[0][1702]?.value == [0x0C, 1, 0x78])
    }

    @Test("A spoiled receipt is what its flaw makes of the good one")
    func spoiled() throws {
        let specification = try receipt(#"{ "flaw": "leafMarkerMissing", "seed": 2 }"#)
        #expect(specification.flaw == "leafMarkerMissing")
        let bytes = try specification.issue(by: Fixtures.authority)
        let expected = try AppReceiptIssuer(authority: Fixtures.authority).sign(
            specification.payload,
            spoiledBy: "leafMarkerMissing",
            seed: 2
        )
        #expect(bytes == expected)
    }

    @Test("The same seed gives the same bytes")
    func seeds() throws {
        func bytes(_ json: String) throws -> [UInt8] {
            try receipt(json).issue(by: Fixtures.authority)
        }
        #expect(try bytes(#"{ "seed": 1 }"#) == bytes(#"{ "seed": 1 }"#))
        #expect(try bytes(#"{ "seed": 1 }"#) != bytes(#"{ "seed": 2 }"#))
    }

    @Test(
        "Unknown keys are refused by name",
        arguments: [
            (#"{ "bundelId": "x" }"#, "bundelId"),
            (#"{ "purchases": [ {}, { "product_id": "x" } ] }"#, "purchases[1].product_id"),
            (#"{ "attributes": [ { "type": 1, "value": "x" } ] }"#, "attributes[0].value"),
        ]
    )
    func unknownKeys(json: String, name: String) throws {
        let error = try #require(refusal(json))
        #expect(error.code == SimulatorError.unknownKey)
        #expect(error.reason.contains("unknown key \(name),"))
    }

    @Test(
        "Wrong values are refused with the key and what belongs there",
        arguments: [
            (#"{ "creationDate": "yesterday" }"#, "creationDate"),
            (#"{ "creationDate": "1425205230456" }"#, "creationDate"),
            (#"{ "creationDate": "-3y" }"#, "creationDate"),
            (#"{ "creationDate": "-d" }"#, "creationDate"),
            (#"{ "creationDate": "+9999999999d" }"#, "creationDate"),
            (#"{ "creationDate": 1425205230456 }"#, "creationDate"),
            (#"{ "environment": "Moon" }"#, "environment"),
            (#"{ "environment": "Sandbox", "receiptType": "Production" }"#, "receiptType"),
            (#"{ "purchases": [ { "type": "gift" } ] }"#, "purchases[0].type"),
            (#"{ "purchases": "many" }"#, "purchases"),
            (#"{ "purchases": -1 }"#, "purchases"),
            (#"{ "seed": -1 }"#, "seed"),
            (#"{ "device": "abc" }"#, "device"),
            (#"{ "chunkSize": 0 }"#, "chunkSize"),
            (#"{ "zoneMinutes": 1440 }"#, "zoneMinutes"),
            (#"{ "digest": "MD5" }"#, "digest"),
            (#"{ "flaw": "everything" }"#, "flaw"),
            (#"{ "omit": ["two"] }"#, "omit"),
            (#"{ "attributes": [ { "text": "x" } ] }"#, "attributes[0].type"),
            (#"{ "attributes": [ { "type": 1 } ] }"#, "attributes[0].type"),
            (#"{ "attributes": [ { "type": 1, "text": "", "integer": 1 } ] }"#, "[0].type"),
            (#"{ "attributes": [ { "type": 1, "octets": "0g" } ] }"#, "attributes[0].octets"),
            (#"{ "quantity": 1 }"#, "quantity"),
        ]
    )
    func wrongValues(json: String, key: String) throws {
        let error = try #require(refusal(json))
        #expect([SimulatorError.invalidValue, SimulatorError.unknownKey].contains(error.code))
        #expect(error.reason.contains(key), Comment(rawValue: error.reason))
    }

    @Test("What is no JSON object is refused with its place", arguments: ["", "{", "[]", "{]"])
    func noJSON(text: String) {
        #expect(refusal(text)?.code == SimulatorError.specificationUnreadable)
    }

    @Test("An empty transaction specification is a sandbox subscription that is open now")
    func transactionDefaults() throws {
        let specification = try transaction("{}")
        let receipt = specification.receipt
        #expect(receipt.environment == "Sandbox")
        #expect(receipt.transactionId.hasPrefix("1000000"))
        #expect(receipt.purchaseDate < now)
        #expect(try #require(receipt.expiresDate) > now)
        let parts = try TransactionReceiptParts(specification.issue(by: Fixtures.authority))
        #expect(try parts.isGenuine())
        #expect(parts.version == 3)
    }

    @Test("Every key of a transaction is taken")
    func transactionKeys() throws {
        let specification = try transaction(
            """
            { "environment": "Production", "type": "consumable", "bundleId": "com.example.two",
              "bundleVersion": "9", "productId": "coins", "quantity": 2, "transactionId": 5,
              "originalTransactionId": 4, "purchaseDate": "2012-04-30T15:05:55.868Z",
              "originalPurchaseDate": "2012-04-29T15:05:55Z", "itemId": 1, "appItemId": 2,
              "versionExternalIdentifier": 3, "uniqueIdentifier": "u",
              "uniqueVendorIdentifier": "v", "cancellationDate": "2012-05-01T00:00:00Z",
              "purchaseInfo": { "bvrs": null, "quantity": "many", "extra": "é" },
              "version": 2, "seed": 3, "omitEnvironment": true }
            """
        )
        let parts = try TransactionReceiptParts(specification.issue(by: Fixtures.authority))
        #expect(try parts.isGenuine())
        #expect(parts.version == 2)
        let found = Dictionary(
            uniqueKeysWithValues: try parts.entries().map { ($0.key, $0.value) }
        )
        #expect(found["bid"] == "com.example.two")
        #expect(found["purchase-date-ms"] == "1335798355868")
        #expect(found["purchase-date"] == "2012-04-30 15:05:55 Etc/GMT")
        #expect(found["original-transaction-id"] == "4")
        #expect(found["cancellation-date-pst"] == "2012-04-30 17:00:00 America/Los_Angeles")
        #expect(found["bvrs"] == nil)
        #expect(found["quantity"] == "many")
        #expect(found["extra"] == "\\U00e9")
        #expect(found["expires-date"] == nil)
        #expect(found["app-item-id"] == "2")
    }

    @Test("A transaction's specification is refused as a receipt's is")
    func transactionRefusals() {
        func code(_ json: String) -> ErrorCode? {
            do {
                _ = try transaction(json)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(#"{ "version": 4 }"#) == SimulatorError.invalidValue)
        #expect(code(#"{ "version": 258 }"#) == SimulatorError.invalidValue)
        #expect(code(#"{ "purchaseInfo": [] }"#) == SimulatorError.invalidValue)
        #expect(code(#"{ "purchaseInfo": { "bid": 1 } }"#) == SimulatorError.invalidValue)
        #expect(code(#"{ "purchases": [] }"#) == SimulatorError.unknownKey)
        #expect(code("nothing") == SimulatorError.specificationUnreadable)
    }

    @Test("Sandbox lines that are removed, and flaws, are as asked")
    func transactionVariants() throws {
        #expect(try transaction(#"{ "omitEnvironment": true }"#).receipt.environment == nil)
        let spoiled = try transaction(#"{ "flaw": "signatureZero" }"#)
        let parts = try TransactionReceiptParts(spoiled.issue(by: Fixtures.authority))
        #expect(parts.signature.allSatisfy { $0 == 0 })
        let old = try transaction(
            #"{ "allDateForms": false, "purchaseDate": "2011-01-01T00:00:00Z" }"#
        )
        #expect(!old.receipt.purchaseInfo.contains { $0.key.hasSuffix("-date-ms") })
    }
}
