import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

/// What the suites share, made once: keys take a second.
enum Fixtures {
    static let now = instant("2026-01-15T12:00:00Z")

    static let authority = try! SigningAuthority(profile: AuthorityProfile(now: now))

    static let issuer = AppReceiptIssuer(authority: authority)

    /// A key that no authority knows.
    static let foreignKey = try! SigningKey.rsa()

    static func instant(_ text: String) -> Instant { AppStoreDate.parse(text)! }

    /// A receipt of a type with one purchase of each kind.
    static func receipt(_ type: ReceiptType = .productionSandbox) -> AppReceipt {
        var receipt = AppReceipt(
            receiptType: type,
            bundleId: "com.example.app",
            creationDate: now
        )
        receipt.inApp = [subscription(), coins()]
        return receipt
    }

    static func subscription() -> InAppPurchase {
        var purchase = InAppPurchase(
            productId: "com.example.pro.month",
            transactionId: "2000000000000002"
        )
        purchase.purchaseDate = instant("2026-01-01T08:00:00Z")
        purchase.expiresDate = instant("2026-02-01T08:00:00Z")
        purchase.originalTransactionId = "2000000000000001"
        purchase.originalPurchaseDate = instant("2025-12-01T08:00:00Z")
        return purchase
    }

    static func coins() -> InAppPurchase {
        var purchase = InAppPurchase(
            productId: "com.example.coins",
            transactionId: "2000000000000003"
        )
        purchase.productType = .consumable
        purchase.quantity = 3
        return purchase
    }
}

/// The verdicts of `openssl`.
enum OpenSSL {
    static func seconds(_ instant: Instant) -> String {
        String(instant.millisecondsSince1970 / 1000)
    }

    /// `openssl verify` of the certificate of a role against the authority's root.
    static func verify(
        _ role: AuthorityRole,
        of authority: SigningAuthority,
        root: IssuedCertificate? = nil,
        at instant: Instant = Fixtures.now,
        isStrict: Bool = true
    ) throws -> OutsideProgram.Outcome {
        let folder = try Folder()
        let chain = authority.chain(of: role)
        let between = chain.dropFirst().dropLast().map(\.pem).joined()
        return try OutsideProgram.openssl.run(
            ["verify", "-purpose", "any", "-attime", seconds(instant), "-auth_level", "0"]
                + (isStrict ? ["-x509_strict"] : [])
                + ["-CAfile", folder.write("root.pem", (root ?? chain[chain.count - 1]).pem)]
                + (between.isEmpty ? [] : ["-untrusted", folder.write("between.pem", between)])
                + [folder.write("leaf.pem", chain[0].pem)]
        )
    }

    /// `openssl cms -verify` of a receipt; its output is the signed content.
    static func verify(
        _ receipt: [UInt8],
        root: IssuedCertificate = Fixtures.authority[.root].certificate,
        at instant: Instant = Fixtures.now
    ) throws -> OutsideProgram.Outcome {
        let folder = try Folder()
        return try OutsideProgram.openssl.run([
            "cms", "-verify", "-binary", "-inform", "DER", "-purpose", "any", "-auth_level", "0",
            "-attime", seconds(instant), "-CAfile", folder.write("root.pem", root.pem),
            "-in", folder.write("receipt", receipt),
        ])
    }

    /// The text that `openssl x509` prints of a certificate.
    static func text(of certificate: IssuedCertificate) throws -> String {
        let folder = try Folder()
        return try OutsideProgram.openssl.run([
            "x509", "-noout", "-text", "-in", folder.write("certificate.pem", certificate.pem),
        ]).text
    }
}
