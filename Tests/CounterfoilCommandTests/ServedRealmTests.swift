import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

/// A server that is told of a local App Store and of Xcode, and what these two issued just now.
final class ServedRealms: Sendable {
    static let shared = Result { try ServedRealms() }

    let folder: Folder
    /// A receipt in Xcode's form, and one whose signer nobody pinned.
    let ofXcode: [UInt8]
    let ofOtherXcode: [UInt8]
    /// An iOS 6-style receipt of the app whose issuers are named, and one of the app without.
    let transaction: [UInt8]
    let transactionOfOther: [UInt8]
    /// An app receipt of the same authority, in the App Store's form.
    let appReceipt: [UInt8]

    private init() throws {
        let now = SystemClock().now
        let authority = try SigningAuthority(profile: AuthorityProfile(now: now))
        let other = try SigningAuthority(profile: AuthorityProfile(now: now))
        folder = try Folder()
        try folder.write("root.pem", Array(authority[.root].certificate.pem.utf8))
        let issuers = authority.anchorsPEM.replacing(authority[.root].certificate.pem, with: "")
        try folder.write("issuers.pem", Array(issuers.utf8))
        try folder.write("xcode.cer", authority[.storeKit].certificate.der)
        ofXcode = try Self.receipt(.xcode, "com.example.xcode", now, by: authority)
        ofOtherXcode = try Self.receipt(.xcode, "com.example.xcode", now, by: other)
        appReceipt = try Self.receipt(.productionSandbox, "com.example.issuers", now, by: authority)
        transaction = try Self.transaction("com.example.issuers", now, by: authority)
        transactionOfOther = try Self.transaction("com.example.none", now, by: other)
    }

    private static func receipt(
        _ type: ReceiptType,
        _ bundleId: String,
        _ now: Instant,
        by authority: SigningAuthority
    ) throws -> [UInt8] {
        let receipt = AppReceipt(receiptType: type, bundleId: bundleId, creationDate: now)
        return try AppReceiptIssuer(authority: authority).issue(receipt)
    }

    private static func transaction(
        _ bundleId: String,
        _ now: Instant,
        by authority: SigningAuthority
    ) throws -> [UInt8] {
        let purchase = TransactionPurchase(
            bundleId: bundleId,
            productId: "com.example.coins",
            transactionId: "1000000000000001",
            purchaseDate: now.advanced(by: .seconds(-60))
        )
        return try TransactionReceiptIssuer(authority: authority).issue(purchase.receipt)
    }

    /// Serves some apps.
    func serve(_ apps: String) throws -> RunningTool {
        let file = try folder.write("\(UUID()).json", Array("{ \"apps\": [\(apps)] }".utf8))
        return try RunningTool(["serve", "--config", file, "--listen", "127.0.0.1:0"])
    }

    /// The answer to a receipt.
    func answer(_ receipt: [UInt8], _ url: String) throws -> JSONText {
        let file = try folder.write("\(UUID()).json", body(receipt))
        return try JSONText(Shell.run("curl -s --data-binary @\(file) \(url)").output)
    }

    private func body(_ receipt: [UInt8]) -> [UInt8] {
        Array("{\"receipt-data\":\"\(Base64.encode(receipt.span))\"}".utf8)
    }
}

@Suite("Realms over HTTP")
struct ServedRealmTests {
    private let realms: ServedRealms

    init() throws { realms = try ServedRealms.shared.get() }

    private static let xcode =
        #"{ "bundleId": "com.example.xcode", "realm": "xcode", "pinnedCertificates": ["xcode.cer"] }"#

    @Test("A receipt of Xcode counts where its certificate is pinned, and as Xcode's alone")
    func xcode() throws {
        let server = try realms.serve(Self.xcode)
        let url = server.url
        let production = try realms.answer(realms.ofXcode, url + "/verifyReceipt")
        #expect(production["status"] as? Int == 21007)
        let sandbox = try realms.answer(realms.ofXcode, url + "/sandbox/verifyReceipt")
        #expect(sandbox["status"] as? Int == 0)
        #expect(sandbox.text("environment") == "Xcode")
        #expect(sandbox.text("receipt", "bundle_id") == "com.example.xcode")
        // Signed by another certificate of the same name, and by an authority that is no Xcode.
        for receipt in [realms.ofOtherXcode, realms.appReceipt] {
            let refused = try realms.answer(receipt, url + "/sandbox/verifyReceipt")
            #expect(refused["status"] as? Int == 21003)
        }
        let plain = try RunningTool(["serve", "--listen", "127.0.0.1:0"])
        for path in ["/verifyReceipt", "/sandbox/verifyReceipt"] {
            let refused = try realms.answer(realms.ofXcode, plain.url + path)
            #expect(refused["status"] as? Int == 21003)
        }
    }

    @Test("A pinned certificate vouches for no receipt of the App Store's form")
    func pinnedIsNoAnchor() throws {
        let server = try realms.serve(
            Self.xcode.replacing("com.example.xcode", with: "com.example.issuers")
        )
        for receipt in [realms.appReceipt, realms.transaction] {
            let answer = try realms.answer(receipt, server.url + "/sandbox/verifyReceipt")
            #expect(answer["status"] as? Int == 21003)
        }
    }

    @Test("An iOS 6-style receipt counts where its issuer is named and leads to the app's root")
    func transactionReceiptIssuers() throws {
        func app(_ bundleId: String, _ issuers: String) -> String {
            #"{ "bundleId": "\#(bundleId)", "realm": "rehearsal", "anchors": ["root.pem"]\#(issuers) }"#
        }
        let named = #", "transactionReceiptIssuers": ["issuers.pem"]"#
        let with = try realms.serve(app("com.example.issuers", named))
        let answer = try realms.answer(realms.transaction, with.url + "/sandbox/verifyReceipt")
        #expect(answer["status"] as? Int == 0)
        #expect(answer.text("receipt", "bid") == "com.example.issuers")
        let production = try realms.answer(realms.transaction, with.url + "/verifyReceipt")
        #expect(production["status"] as? Int == 21007)
        let foreign = try realms.answer(
            realms.transactionOfOther,
            with.url + "/sandbox/verifyReceipt"
        )
        #expect(foreign["status"] as? Int == 21003)
        let without = try realms.serve(app("com.example.issuers", ""))
        let refused = try realms.answer(realms.transaction, without.url + "/sandbox/verifyReceipt")
        #expect(refused["status"] as? Int == 21003)
        // The issuers answer for whatever leads to the root, but the app is compared all the same.
        let other = try realms.serve(app("com.example.other", named))
        let unnamed = try realms.answer(realms.transaction, other.url + "/sandbox/verifyReceipt")
        #expect(unnamed["status"] as? Int == 21010)
    }
}
