import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Signed data")
struct SignedDataTests {
    private let issuer = SignedDataIssuer(authority: Fixtures.authority)

    private func transaction(_ environment: StoreEnvironment) -> JWSTransactionDecodedPayload {
        var transaction = JWSTransactionDecodedPayload()
        transaction.transactionId = "2000000000000001"
        transaction.originalTransactionId = "2000000000000001"
        transaction.bundleId = "com.example.app"
        transaction.productId = "com.example.month"
        transaction.environment = environment
        transaction.signedDate = Fixtures.now
        return transaction
    }

    @Test("The payload is the value as it stands, under three certificates and ES256")
    func appStore() throws {
        let value = transaction(.production)
        let document = try Compact(issuer.issue(value))
        #expect(document.payload == value.json)
        #expect(document.header.keys == ["alg", "x5c"])
        #expect(document.header["alg"] == "ES256")
        let chain = Fixtures.authority.chain(of: .signedDataSigner).map(\.der)
        #expect(document.certificates.map { [UInt8]($0) } == chain)
        #expect(chain.count == 3)
        #expect(try document.isSignedByItsFirstCertificate())
    }

    @Test("What says Xcode is signed as Xcode signs")
    func xcode() throws {
        let document = try Compact(issuer.issue(transaction(.xcode)))
        #expect(document.header["alg"] == "ES256")
        #expect(document.header["kid"] == "Apple_Xcode_Key")
        #expect(document.header["typ"] == "JWT")
        let pinned = Fixtures.authority[.storeKitSignedData].certificate.der
        #expect(document.certificates.map { [UInt8]($0) } == [pinned])
        #expect(try document.isSignedByItsFirstCertificate())
        let other = try Compact(issuer.issue(transaction(.xcode), form: .appStore))
        #expect(other.certificates.count == 3)
    }

    @Test("The form follows the environment of each kind")
    func forms() throws {
        var appTransaction = AppTransaction()
        appTransaction.receiptType = .xcode
        appTransaction.receiptCreationDate = Fixtures.now
        #expect(try Compact(issuer.issue(appTransaction)).certificates.count == 1)
        var notification = ResponseBodyV2DecodedPayload()
        notification.notificationType = .test
        notification.data = .init()
        #expect(try Compact(issuer.issue(notification)).certificates.count == 3)
        notification.data?.environment = .xcode
        #expect(try Compact(issuer.issue(notification)).certificates.count == 1)
    }

    @Test("A date of signing stands in the place of the one that is stated")
    func signingDate() throws {
        let instant = Fixtures.instant("2026-01-02T03:04:05Z")
        let signed = try Compact(issuer.issue(transaction(.sandbox), signedAt: instant))
        let read = try JWSTransactionDecodedPayload(parsing: signed.payload)
        #expect(read.signedDate == instant)
        #expect(read.object.keys == transaction(.sandbox).object.keys)
        var appTransaction = AppTransaction()
        appTransaction.receiptType = .sandbox
        appTransaction.receiptCreationDate = Fixtures.now
        let document = try Compact(issuer.issue(appTransaction, signedAt: instant))
        let members = try AppTransaction(parsing: document.payload)
        #expect(members.receiptCreationDate == instant)
        #expect(members.object["signedDate"] == nil)
    }

    @Test("Documents are signed into a notification, where the App Store has them")
    func nested() throws {
        var notification = ResponseBodyV2DecodedPayload()
        notification.notificationType = .didRenew
        notification.data = .init()
        notification.data?.bundleId = "com.example.app"
        var renewalInfo = JWSRenewalInfoDecodedPayload()
        renewalInfo.originalTransactionId = "2000000000000001"
        renewalInfo.autoRenewStatus = .on
        let nested = NestedPayloads(
            transaction: transaction(.sandbox),
            renewalInfo: renewalInfo
        )
        let text = try issuer.issue(notification, holding: nested, signedAt: Fixtures.now)
        let outer = try ResponseBodyV2DecodedPayload(parsing: Compact(text).payload)
        #expect(outer.data?.bundleId == "com.example.app")
        #expect(outer.signedDate == Fixtures.now)
        #expect(outer.appData == nil)
        let inner = try Compact(try #require(outer.data?.signedTransactionInfo))
        #expect(inner.payload == transaction(.sandbox).json)
        #expect(try inner.isSignedByItsFirstCertificate())
        let renewal = try Compact(try #require(outer.data?.signedRenewalInfo))
        renewalInfo.signedDate = Fixtures.now
        #expect(renewal.payload == renewalInfo.json)
        let body = SignedDataIssuer.body(signedPayload: text)
        #expect(String(decoding: body, as: UTF8.self) == #"{"signedPayload":"\#(text)"}"#)
    }

    @Test("An app transaction stands in a notification without data")
    func nestedAppTransaction() throws {
        var notification = ResponseBodyV2DecodedPayload()
        notification.notificationType = .rescindConsent
        var appTransaction = AppTransaction()
        appTransaction.receiptType = .sandbox
        appTransaction.receiptCreationDate = Fixtures.now
        let text = try issuer.issue(
            notification,
            holding: NestedPayloads(appTransaction: appTransaction)
        )
        let outer = try ResponseBodyV2DecodedPayload(parsing: Compact(text).payload)
        let inner = try Compact(try #require(outer.appData?.signedAppTransactionInfo))
        #expect(inner.payload == appTransaction.json)
        #expect(outer.data == nil)
    }

    @Test("Any bytes are signed, and each time with another number")
    func anyBytes() throws {
        let texts = try (0..<2).map { _ in try issuer.sign(payload: [0xFF, 0x00]) }
        #expect(texts[0] != texts[1])
        for text in texts {
            let document = try Compact(text)
            #expect(document.payload == [0xFF, 0x00])
            #expect(document.signature.count == 64)
            #expect(try document.isSignedByItsFirstCertificate())
        }
    }
}

/// The parts of signed data, as Foundation and openssl find them.
struct Compact {
    let header: JSONObject
    let payload: [UInt8]
    let signature: [UInt8]
    let certificates: [Data]
    private let signed: String

    init(_ text: String) throws {
        let segments = text.split(separator: ".", omittingEmptySubsequences: false)
        try #require(segments.count == 3)
        let parts = try segments.map { try #require(Self.bytes($0)) }
        header = try JSONMembers(JSONValue(parsing: parts[0])).object
        payload = parts[1]
        signature = parts[2]
        certificates = try #require(header["x5c"]?.array).map {
            try #require(Data(base64Encoded: $0.string ?? ""))
        }
        signed = segments[0] + "." + segments[1]
    }

    private static func bytes(_ segment: Substring) -> [UInt8]? {
        guard !segment.contains(where: { "+/=".contains($0) }) else { return nil }
        let text = segment.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: text + padding).map { [UInt8]($0) }
    }

    /// The verdict of `openssl dgst` on the signature in DER, as two numbers of up to 33 bytes.
    func isSignedByItsFirstCertificate() throws -> Bool {
        var numbers: [UInt8] = []
        for half in [signature[..<32], signature[32...]] {
            var number = Array(half.drop { $0 == 0 })
            if number[0] >= 0x80 { number.insert(0, at: 0) }
            numbers += [0x02, UInt8(number.count)] + number
        }
        let folder = try Folder()
        let leaf = try folder.write("leaf.der", certificates[0])
        let key = try OutsideProgram.openssl.run([
            "x509", "-inform", "DER", "-noout", "-pubkey", "-in", leaf,
        ])
        return try OutsideProgram.openssl.run([
            "dgst", "-sha256", "-verify", folder.write("key.pem", key.output), "-signature",
            folder.write("signature", [0x30, UInt8(numbers.count)] + numbers),
            folder.write("signed", signed),
        ]).succeeded
    }
}
