import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Contents of app receipts")
struct AppReceiptContentTests {
    private static let needsPython = ConditionTrait.enabled(
        if: OutsideProgram.python != nil,
        "this machine has no python3"
    )

    @Test(
        "The attributes of every real receipt are written in Apple's very bytes",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
        arguments: AppReceiptCorpus.names
    )
    func realPayloads(name: String) throws {
        let expected = try AppReceiptCorpus.expected(name)
        func attribute(_ attribute: AppReceiptCorpus.Attribute) throws -> ReceiptAttribute {
            let value = try #require(attribute.hex.flatMap(Hexadecimal.decode))
            return ReceiptAttribute(attribute.type, .octets(value), version: attribute.version)
        }
        let isXcode = name.contains("xcode-")
        let payload = ReceiptPayload(
            receipt: AttributeSet(try expected.attributes.filter { $0.type != 17 }.map(attribute)),
            purchases: try expected.attributes.filter { $0.type == 17 }.map { purchase in
                AttributeSet(try #require(purchase.attributes).map(attribute))
            },
            order: isXcode ? .ascending : .der
        )
        let folder = try Folder()
        let real = try OutsideProgram.openssl.run([
            "cms", "-verify", "-binary", "-inform", "DER", "-noverify",
            "-in", folder.write("receipt", AppReceiptCorpus.document(name)),
        ])
        try #require(real.succeeded, Comment(rawValue: real.errors))
        #expect(payload.encoding == real.output)
    }

    /// What a comparison looks at: type, version and the ASN.1 type of the value.
    private struct Shape: Hashable, CustomStringConvertible {
        var type: Int64
        var version: Int64
        var tag: UInt8?

        var description: String { "\(type) v\(version) \(tag.map(String.init) ?? "raw")" }

        init(type: Int64, version: Int64, value: some Collection<UInt8>) {
            self.type = type
            self.version = version
            tag = (4...7).contains(type) ? nil : value.first
        }
    }

    private func shapes(_ attributes: [ReceiptAttribute]) -> Set<Shape> {
        Set(attributes.map { Shape(type: $0.type, version: $0.version, value: $0.value) })
    }

    @Test(
        "Issued receipts have exactly the attributes of real ones, in the same types",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
        arguments: [
            ("sandbox-dev-bonzer", ReceiptType.productionSandbox),
            ("prod-org-getpure", .production), ("xcode-com-example", .xcode),
        ]
    )
    func realAttributes(prefix: String, type: ReceiptType) throws {
        let name = try #require(
            AppReceiptCorpus.names.last { $0.contains(prefix) && !$0.contains("0iap") }
        )
        let expected = try AppReceiptCorpus.expected(name)
        func shapes(_ attributes: [AppReceiptCorpus.Attribute]) -> Set<Shape> {
            Set(
                attributes.map {
                    let value = $0.hex.flatMap(Hexadecimal.decode) ?? [0x31]
                    return Shape(type: $0.type, version: $0.version, value: value)
                }
            )
        }
        var receipt = Fixtures.receipt(type)
        receipt.inApp = [Fixtures.subscription()]
        if type == .xcode {
            receipt.inApp[0].originalTransactionId = nil
            receipt.inApp[0].originalPurchaseDate = nil
        }
        let issued = try Fixtures.issuer.completed(receipt)
        #expect(self.shapes(Array(issued.attributes)) == shapes(expected.attributes))
        let real = try #require(
            expected.attributes.first {
                $0.type == 17 && $0.attributes?.contains { $0.type == 1721 } == false
            }
        )
        #expect(
            try self.shapes(Array(issued.inApp[0].attributes)) == shapes(#require(real.attributes))
        )
    }

    @Test("A sandbox receipt has the constants of the sandbox")
    func sandboxConstants() throws {
        let receipt = try Fixtures.issuer.completed(Fixtures.receipt())
        #expect(receipt.originalPurchaseDate == Fixtures.instant("2013-08-01T07:00:00Z"))
        #expect(receipt.originalApplicationVersion == "1.0")
        #expect(receipt.originalCreationDate == nil)
        #expect(receipt.appItemId == 0)
        #expect(receipt.downloadId == 0)
        #expect(receipt.versionExternalIdentifier == 0)
        #expect(receipt.opaqueValue?.count == 16)
        let subscription = receipt.inApp[0]
        #expect(subscription.webOrderLineItemId?.hasPrefix("2000000") == true)
        #expect(subscription.itemId == 0)
        #expect(subscription.isInIntroOfferPeriod == false)
        let coins = receipt.inApp[1]
        #expect(coins.webOrderLineItemId == nil)
        #expect(coins.originalTransactionId == coins.transactionId)
        #expect(coins.isInIntroOfferPeriod == nil)
    }

    @Test("A production receipt has identifiers of production, one beyond 2^53")
    func production() throws {
        let receipt = try Fixtures.issuer.completed(Fixtures.receipt(.production))
        #expect(receipt.originalCreationDate == receipt.creationDate)
        #expect(try #require(receipt.downloadId) > 1 << 53)
        #expect(try #require(receipt.appItemId) > 0)
        #expect(receipt.originalPurchaseDate == Fixtures.instant("2025-12-01T08:00:00Z"))
        #expect(receipt.originalApplicationVersion == "1")
    }

    @Test("Python finds each attribute with the value that was given", needsPython)
    func everyField() throws {
        var receipt = Fixtures.receipt(.productionVPP)
        receipt.expirationDate = Fixtures.instant("2030-01-01T00:00:00Z")
        receipt.preorderDate = Fixtures.instant("2024-05-01T00:00:00Z")
        receipt.applicationVersion = "7"
        receipt.inApp[0].cancellationDate = Fixtures.instant("2026-01-10T00:00:00Z")
        receipt.inApp[0].cancellationReason = "1"
        receipt.inApp[0].promotionalOfferId = "spring"
        receipt.inApp[0].isTrialPeriod = true
        receipt.inApp[0].isInIntroOfferPeriod = true
        receipt.inApp[0].webOrderLineItemId = "9007199254740993"
        receipt.inApp.removeLast()
        var details = AppReceiptDetails()
        details.organizationName = "Example School"
        details.secondVPPDate = Fixtures.now
        let payload = try OpenSSL.verify(
            Fixtures.issuer.issue(receipt, details: details)
        ).output
        let found = try PythonWalk.attributes(of: payload)
        func value(_ type: Int64, in attributes: [PythonWalk.Attribute]) -> String? {
            attributes.first { $0.type == type }?.value
        }
        func text(_ text: String, tag: String = "0c") -> String {
            tag + Hexadecimal.encode([UInt8(text.utf8.count)]) + Hexadecimal.encode(text.utf8)
        }
        #expect(value(0, in: found) == text("ProductionVPP"))
        #expect(value(2, in: found) == text("com.example.app"))
        #expect(value(3, in: found) == text("7"))
        #expect(value(8, in: found) == text("2026-01-15T12:00:00Z", tag: "16"))
        #expect(value(12, in: found) == text("2026-01-15T12:00:00Z", tag: "16"))
        #expect(value(21, in: found) == text("2030-01-01T00:00:00Z", tag: "16"))
        #expect(value(22, in: found) == text("2026-01-15T12:00:00Z", tag: "16"))
        #expect(value(23, in: found) == text("Example School"))
        #expect(value(32, in: found) == text("2024-05-01T00:00:00Z", tag: "16"))
        #expect(found.first { $0.type == 4 }?.version == 2)
        let purchase = try #require(value(17, in: found).flatMap(Hexadecimal.decode))
        let inside = try PythonWalk.attributes(of: purchase)
        #expect(value(1701, in: inside) == "020101")
        #expect(value(1703, in: inside) == text("2000000000000002"))
        #expect(value(1708, in: inside) == text("2026-02-01T08:00:00Z", tag: "16"))
        #expect(value(1711, in: inside) == "020720000000000001")
        #expect(value(1712, in: inside) == text("2026-01-10T00:00:00Z", tag: "16"))
        #expect(value(1713, in: inside) == "020101")
        #expect(value(1719, in: inside) == "020101")
        #expect(value(1720, in: inside) == "020101")
        #expect(value(1721, in: inside) == text("spring"))
        #expect(Set(inside.map(\.type)).count == inside.count)
    }

    @Test("Attributes ascend by their bytes, in the receipt and in each purchase", needsPython)
    func order() throws {
        let payload = try ReceiptPayload(Fixtures.receipt())
        let found = try PythonWalk.attributes(of: payload.encoding)
        let purchases = found.filter { $0.type == 17 }.compactMap { Hexadecimal.decode($0.value) }
        #expect(purchases.count == 2)
        for attributes in try [found] + purchases.map(PythonWalk.attributes) {
            let encodings = attributes.compactMap(\.encoding)
            #expect(encodings == encodings.sorted())
            #expect(encodings.count > 15)
        }
        #expect(found.map(\.value) == payload.attributes.map { Hexadecimal.encode($0.value) })
    }

    @Test("No date is an empty text, and no subscription has line item 0", needsPython)
    func emptyValues() throws {
        let issued = try Fixtures.issuer.completed(Fixtures.receipt())
        let attributes = issued.inApp[1].attributes
        for type in [1708, 1712] as [Int64] {
            #expect(attributes.first { $0.type == type }?.value == [0x16, 0x00])
        }
        #expect(attributes.first { $0.type == 1711 }?.value == [0x02, 0x01, 0x00])
        #expect(!attributes.contains { $0.type == 1719 || $0.type == 1720 || $0.type == 1721 })
        #expect(issued.attributes.first { $0.type == 8 }?.value == [0x16, 0x00])
    }

    @Test("Xcode's dates may have an offset, and its receipts end in the year 4001")
    func xcodeDates() throws {
        var details = AppReceiptDetails()
        details.zoneMinutes = 180
        let issued = try Fixtures.issuer.completed(Fixtures.receipt(.xcode), details: details)
        func text(_ type: Int64) -> String? {
            issued.attributes.first { $0.type == type }.map {
                String(decoding: $0.value.dropFirst(2), as: UTF8.self)
            }
        }
        #expect(text(12) == "2026-01-15T15:00:00+0300")
        #expect(text(21) == "4001-01-01T03:00:00+0300")
        details.zoneMinutes = -90
        let west = try Fixtures.issuer.completed(Fixtures.receipt(.xcode), details: details)
        #expect(west.attributes[7].value.suffix(5).elementsEqual("-0130".utf8))
        #expect(issued.attributes.map(\.type) == [0, 1, 2, 3, 4, 5, 8, 12, 17, 17, 21])
    }

    @Test(
        "The hash binds the receipt to the device, as openssl computes it",
        arguments: [AppReceiptDetails.Platform.iOS, .macOS]
    )
    func deviceHash(platform: AppReceiptDetails.Platform) throws {
        var details = AppReceiptDetails(platform: platform)
        details.deviceIdentifier = Array(1...(platform == .iOS ? 16 : 6))
        let issued = try Fixtures.issuer.completed(Fixtures.receipt(), details: details)
        func value(_ type: Int64) throws -> ArraySlice<UInt8> {
            try #require(issued.attributes.first { $0.type == type }).value
        }
        let folder = try Folder()
        let message = try details.deviceIdentifier + value(4) + value(2)
        let digest = try OutsideProgram.openssl.run([
            "dgst", "-sha1", "-binary", folder.write("message", message),
        ])
        #expect(try value(5).elementsEqual(digest.output))
        #expect(issued.sha1Hash == digest.output)
        let types = Set(issued.attributes.map(\.type))
        #expect(types.contains(20) == (platform == .iOS))
        #expect(try value(25) == [0x02, 0x01, platform == .iOS ? 3 : 2])
    }

    @Test("Old receipts lack what came later")
    func eras() throws {
        var receipt = Fixtures.receipt()
        receipt.creationDate = Fixtures.instant("2016-06-01T00:00:00Z")
        let types = try Fixtures.issuer.completed(receipt).inApp[0].attributes.map(\.type)
        #expect(!types.contains(1719) && !types.contains(1722))
        receipt.creationDate = Fixtures.instant("2020-06-01T00:00:00Z")
        let later = try Fixtures.issuer.completed(receipt).inApp[0].attributes.map(\.type)
        #expect(later.contains(1719) && !later.contains(1722))
    }

    @Test("Receipts made for servers have no download id and no rating")
    func madeForServer() throws {
        let issued = try Fixtures.issuer.completed(
            Fixtures.receipt(.production),
            details: .madeForServer()
        )
        #expect(issued.downloadId == nil)
        #expect(!issued.attributes.contains { $0.type == 15 })
        #expect(
            issued.attributes.first { $0.type == 10 }?.value == [0x16, 4, 0x6E, 0x6F, 0x6E, 0x65]
        )
    }

    @Test("Five thousand purchases make a receipt that openssl verifies")
    func manyPurchases() throws {
        var receipt = Fixtures.receipt()
        receipt.inApp = (1...5000).map { number in
            var purchase = Fixtures.subscription()
            purchase.transactionId = String(2_000_000_000_000_000 + number)
            return purchase
        }
        let bytes = try Fixtures.issuer.issue(receipt)
        let outcome = try OpenSSL.verify(bytes)
        #expect(outcome.succeeded, Comment(rawValue: outcome.errors))
        #expect(bytes.count > 2_000_000)
    }

    @Test("Every attribute stands at its extremes", needsPython)
    func extremes() throws {
        var receipt = AppReceipt(
            receiptType: .init(rawValue: ""),
            bundleId: String(repeating: "ü", count: 40_000),
            creationDate: Fixtures.instant("9999-12-31T23:59:59Z")
        )
        receipt.appItemId = .min
        receipt.downloadId = .max
        receipt.versionExternalIdentifier = -1
        receipt.originalPurchaseDate = Fixtures.instant("0000-01-01T00:00:00Z")
        var purchase = InAppPurchase(productId: "", transactionId: "\u{0}\u{10FFFF}")
        purchase.quantity = .min
        purchase.productType = .init(rawValue: .max)
        purchase.webOrderLineItemId = String(Int64.max)
        receipt.inApp = [purchase]
        let payload = try OpenSSL.verify(Fixtures.issuer.issue(receipt)).output
        let found = try PythonWalk.attributes(of: payload)
        func value(_ type: Int64) -> String? { found.first { $0.type == type }?.value }
        #expect(value(1) == "02088000000000000000")
        #expect(value(15) == "02087fffffffffffffff")
        #expect(value(16) == "0201ff")
        #expect(value(12) == "1614" + Hexadecimal.encode("9999-12-31T23:59:59Z".utf8))
        #expect(value(18) == "1614" + Hexadecimal.encode("0000-01-01T00:00:00Z".utf8))
        #expect(value(2)?.hasPrefix("0c83013880c3bc") == true)
    }

    @Test("Dates lose their milliseconds, also before 1970")
    func wholeSeconds() throws {
        var receipt = Fixtures.receipt()
        receipt.creationDate = Instant(millisecondsSince1970: -1)
        let issued = try Fixtures.issuer.completed(receipt)
        #expect(issued.creationDate == Instant(millisecondsSince1970: -1000))
    }

    @Test("What the format has no place for is refused")
    func notRepresentable() throws {
        func isRefused(_ change: (inout AppReceipt) -> Void) -> Bool {
            var receipt = Fixtures.receipt()
            change(&receipt)
            do {
                _ = try Fixtures.issuer.issue(receipt)
                return false
            } catch {
                return error.code == SimulatorError.notRepresentable
            }
        }
        #expect(isRefused { $0.creationDate = Instant(millisecondsSince1970: .max) })
        #expect(isRefused { $0.inApp[0].expiresDate = Instant(millisecondsSince1970: .min) })
        #expect(isRefused { $0.inApp[0].webOrderLineItemId = "a number" })
    }

    @Test(
        "Anything can be replaced raw, repeated or left out, and is signed genuinely",
        needsPython
    )
    func rawAttributes() throws {
        var payload = try ReceiptPayload(Fixtures.receipt())
        payload.receipt.set(2, .integer(7))
        payload.receipt.remove(0)
        payload.receipt.append(ReceiptAttribute(9999, .octets([1, 2, 3]), version: 5))
        payload.receipt.append(ReceiptAttribute(12, .text("twice")))
        payload.purchases[0].remove(1703)
        payload.purchases.append(AttributeSet())
        for type in 1701...1732 as ClosedRange<Int64> {
            payload.purchases[1].append(ReceiptAttribute(type, .octets([0xFF])))
        }
        payload.order = .shuffled(seed: 1)
        let outcome = try OpenSSL.verify(Fixtures.issuer.sign(payload))
        #expect(outcome.succeeded, Comment(rawValue: outcome.errors))
        let found = try PythonWalk.attributes(of: outcome.output)
        #expect(found.filter { $0.type == 2 }.map(\.value) == ["020107"])
        #expect(!found.contains { $0.type == 0 })
        #expect(found.contains { $0.type == 9999 && $0.version == 5 && $0.value == "010203" })
        #expect(found.filter { $0.type == 12 }.count == 2)
        #expect(found.filter { $0.type == 17 }.count == 3)
        #expect(found.map(\.type) != payload.receipt.attributes.map(\.type))
    }

    @Test("Any content can be signed")
    func anyContent() throws {
        let outcome = try OpenSSL.verify(Fixtures.issuer.sign(content: Array("no receipt".utf8)))
        #expect(outcome.text == "no receipt")
    }
}
