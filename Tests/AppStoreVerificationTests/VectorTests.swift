import AppStoreModel
import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilPropertyList
import CounterfoilTestSupport
import Testing

@testable import AppStoreVerification

@Suite("Vectors")
struct VectorTests {
    @Test("What a vector expects is what comes of it", arguments: Vector.all)
    func verdict(vector: Vector) throws {
        let outcome: String
        do {
            outcome = try Self.judge(vector)
        } catch let error as any CodedError {
            outcome = error.code.rawValue
        }
        #expect(outcome == vector.expectation)
    }

    /// The word for success of a vector's group; a refusal is thrown.
    private static func judge(_ vector: Vector) throws -> String {
        switch vector.group {
        case "app-receipts", "transaction-receipts", "transport":
            try verify(vector)
            return "verified"
        case "signed-data":
            try verifySignedData(vector)
            return "verified"
        case "certificates":
            for certificate in try Certificate.all(in: vector.payload) {
                _ = try PublicKey(certificate.subjectPublicKeyInfo)
            }
        case "property-lists":
            let bytes = vector.payload.span
            _ = try PropertyListValue(parsing: bytes)
        case "ber", "der":
            try read(vector.payload, as: vector.group == "der" ? .der : .ber)
        default:
            Issue.record("nobody reads the group \(vector.group)")
        }
        return "readable"
    }

    private static func verify(_ vector: Vector) throws {
        let now = try #require(AppStoreDate.parse(vector.header["judged-at"] ?? ""))
        let trust: Trust =
            switch vector.header["trust"] {
            case nil: try .rehearsal(anchors: root).adding(.xcode(pinnedCertificate: storeKit))
            case "root": try .rehearsal(anchors: root)
            case "apple": .appStore
            case let word?: try #require(nil as Trust?, "there is no trust called \(word)")
            }
        let document = try Document(detecting: vector.payload)
        let receipt = try ReceiptVerifier(trust: trust).verify(document, now: now)
        if let app = vector.header["app"] { try receipt.requireApp(app) }
        if let environment = vector.header["environment"] {
            #expect(receipt.proof.scope.environment.rawValue == environment)
        }
        if let count = vector.header["purchases"] {
            if case .appReceipt(let receipt) = receipt {
                #expect(String(receipt.inApp.count) == count)
            }
        }
        if let repairs = vector.header["repairs"] {
            #expect(document.repairs.map(\.code.rawValue).joined(separator: " ") == repairs)
        }
    }

    private static func verifySignedData(_ vector: Vector) throws {
        let now = try #require(AppStoreDate.parse(vector.header["judged-at"] ?? ""))
        let trust: Trust =
            switch vector.header["trust"] {
            case nil:
                try .rehearsal(anchors: root).adding(.xcode(pinnedCertificate: storeKitSignedData))
            case "root": try .rehearsal(anchors: root)
            case "apple": .appStore
            case let word?: try #require(nil as Trust?, "there is no trust called \(word)")
            }
        let environment = vector.header["environment"].map(StoreEnvironment.init(rawValue:))
        let verified = try SignedDataVerifier(trust: trust).verify(
            CompactJWS(vector.payload),
            of: vector.header["app"].map {
                ExpectedApp(bundleId: $0, environments: environment.map { [$0] })
            },
            now: now
        )
        if let kind = vector.header["kind"] { #expect(verified.kind.rawValue == kind) }
    }

    private static let root = Vector.bytes(of: "root.pem")
    private static let storeKit = Vector.bytes(of: "storekit.pem")
    private static let storeKitSignedData = Vector.bytes(of: "storekit-signed-data.pem")

    /// Reads every element, entering all that are constructed.
    private static func read(_ document: [UInt8], as rules: ASN1Rules) throws {
        let bytes = document.span
        var reader = try ASN1Reader(bytes, rules: rules)
        if rules == .der { try reader.requireDER(in: bytes) }
        reader = try ASN1Reader(bytes, rules: rules)
        try visit(reader, in: bytes)
    }

    private static func visit(_ reader: ASN1Reader, in bytes: Span<UInt8>) throws(ASN1Error) {
        var reader = reader
        while let element = try reader.next(in: bytes) {
            if element.isConstructed { try visit(reader.contents(of: element), in: bytes) }
        }
    }
}
