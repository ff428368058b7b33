import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Certificates")
struct CertificateTests {
    private let authority = Fixtures.authority

    @Test(
        "Each chain passes the strict checks of openssl",
        arguments: [
            .receiptSigner, .transactionReceiptSigner, .signedDataSigner,
        ] as [AuthorityRole]
    )
    func chainsAreStrictlyValid(role: AuthorityRole) throws {
        let outcome = try OpenSSL.verify(role, of: authority)
        #expect(outcome.succeeded, Comment(rawValue: outcome.errors))
    }

    @Test("Each certificate has the marker of its role, and a NULL as its value")
    func markers() throws {
        let markers: [AuthorityRole: String] = [
            .intermediate: "1.2.840.113635.100.6.2.1", .receiptSigner: "1.2.840.113635.100.6.11.1",
            .transactionReceiptIssuer: "1.2.840.113635.100.6.2.2",
            .transactionReceiptSigner: "1.2.840.113635.100.6.5.1",
            .signedDataIntermediate: "1.2.840.113635.100.6.2.1",
            .signedDataSigner: "1.2.840.113635.100.6.11.1",
        ]
        for (role, marker) in markers {
            let text = try OpenSSL.text(of: authority[role].certificate)
            #expect(text.contains("\(marker): \n                ..\n"), "\(role)")
        }
    }

    @Test("Names have Apple's common names and say that they are of a test")
    func names() throws {
        let text = try OpenSSL.text(of: authority[.receiptSigner].certificate)
        #expect(
            text.contains(
                "Subject: CN = Mac App Store and iTunes Store Receipt Signing, OU = Apple "
                    + "Worldwide Developer Relations, O = Counterfoil Test, C = US"
            )
        )
        #expect(text.contains("Digital Signature"))
        #expect(text.contains("CA:FALSE"))
        #expect(text.contains("Policy: 1.2.840.113635.100.5.6.1"))
        for role in AuthorityRole.allCases where role != .storeKit {
            #expect(!(try OpenSSL.text(of: authority[role].certificate)).contains("Apple Inc."))
        }
    }

    @Test("The chain of signed data is on Apple's curves, signed with Apple's digest")
    func curves() throws {
        let curves: [AuthorityRole: String] = [
            .signedDataRoot: "P-384", .signedDataIntermediate: "P-384",
            .signedDataSigner: "P-256",
        ]
        for (role, curve) in curves {
            let text = try OpenSSL.text(of: authority[role].certificate)
            #expect(text.contains("NIST CURVE: \(curve)\n"), "\(role)")
            #expect(text.contains("Signature Algorithm: ecdsa-with-SHA384\n"), "\(role)")
        }
        let text = try OpenSSL.text(of: authority[.signedDataSigner].certificate)
        #expect(text.contains("CA:FALSE"))
        #expect(
            text.contains(
                "Subject: CN = Prod ECC Mac App Store and iTunes Store Receipt Signing, OU = Apple "
                    + "Worldwide Developer Relations, O = Counterfoil Test, C = US"
            )
        )
    }

    @Test("The certificate of StoreKit testing's signed data says what Xcode's says")
    func storeKitSignedData() throws {
        let text = try OpenSSL.text(of: authority[.storeKitSignedData].certificate)
        let name = "CN = StoreKit Testing in Xcode, O = StoreKit Testing in Xcode"
        for line in [
            "Subject: \(name)\n", "Issuer: \(name)\n", "Serial Number: 1 (0x1)",
            "NIST CURVE: P-256",
            "ecdsa-with-SHA256", "CA:TRUE, pathlen:0", "email:StoreKit Testing in Xcode",
            "X509v3 Key Usage: critical\n                Digital Signature\n",
        ] { #expect(text.contains(line), "\(line)") }
    }

    @Test("The certificate of StoreKit testing says what Xcode's says")
    func storeKit() throws {
        let text = try OpenSSL.text(of: authority[.storeKit].certificate)
        let name =
            "CN = StoreKit, O = StoreKit, OU = StoreKit, C = US, emailAddress = StoreKit"
        #expect(text.contains("Subject: \(name)\n"))
        #expect(text.contains("Issuer: \(name)\n"))
        #expect(text.contains("Serial Number: 1 (0x1)"))
        #expect(text.contains("Not Before: Apr  1 17:52:35 2020 GMT"))
        #expect(text.contains("Not After : Mar 27 17:52:35 2040 GMT"))
        #expect(text.contains("Digital Signature, Certificate Sign\n"))
        #expect(text.contains("X509v3 Extended Key Usage: critical\n                Code Signing"))
    }

    @Test("Serial numbers follow the seed, and keys do not")
    func seeds() {
        let first = AuthorityProfile(now: Fixtures.now, seed: 7)
        #expect(first == AuthorityProfile(now: Fixtures.now, seed: 7))
        let other = AuthorityProfile(now: Fixtures.now, seed: 8)
        #expect(first[.root].serialNumber != other[.root].serialNumber)
    }

    @Test("openssl reads keys of odd kinds as what they are")
    func oddKeys() throws {
        let root = authority[.root]
        let profile = authority[.receiptSigner].certificate.profile
        let expected: [(CertifiedKey, String)] = [
            (.unfactoredRSA(bits: 16_384, seed: 1), "Public-Key: (16384 bit)"),
            (
                .unfactoredRSA(bits: 2048, exponent: 0x2_0000_0001, seed: 1),
                "8589934593 (0x200000001)"
            ),
            (.basePoint(of: .p521), "NIST CURVE: P-521"),
            (.basePoint(of: .secp256k1), "ASN1 OID: secp256k1"),
        ]
        for (key, words) in expected {
            let text = try OpenSSL.text(of: profile.certificate(for: key, issuedBy: root))
            #expect(text.contains(words))
        }
    }

    @Test(
        "Every property can be spoiled, and openssl finds what was spoiled",
        arguments: Spoiled.all
    )
    func spoiled(_ spoiled: Spoiled) throws {
        let twin = try spoiled.make(authority)
        let outcome = try OpenSSL.verify(
            .receiptSigner,
            of: twin,
            root: authority[.root].certificate
        )
        #expect(!outcome.succeeded)
        #expect(outcome.errors.contains(spoiled.words), Comment(rawValue: outcome.errors))
    }

    struct Spoiled: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: String
        let make: @Sendable (SigningAuthority) throws -> SigningAuthority

        init(
            _ name: String,
            _ words: String,
            _ make: @escaping @Sendable (SigningAuthority) throws -> SigningAuthority
        ) {
            testDescription = name
            self.words = words
            self.make = make
        }

        static let all = [
            Spoiled("expired", "certificate has expired") {
                try $0.expiring(.receiptSigner, at: Fixtures.now.advanced(by: .seconds(-60)))
            },
            Spoiled("not yet valid", "certificate is not yet valid") {
                try $0.changing(.intermediate) {
                    $0.notBefore = Fixtures.now.advanced(by: .seconds(60))
                }
            },
            Spoiled("no authority", "invalid CA certificate") {
                try $0.changing(.intermediate) {
                    $0.setExtension(.basicConstraints(isAuthority: false))
                }
            },
            Spoiled("no basic constraints", "invalid CA certificate") {
                try $0.changing(.intermediate) { $0.removeExtension("2.5.29.19") }
            },
            Spoiled("no right to sign certificates", "keyCertSign") {
                try $0.changing(.intermediate) { $0.setExtension(.keyUsage([.digitalSignature])) }
            },
            Spoiled("no key identifier", "Missing Subject Key Identifier") {
                try $0.changing(.intermediate) { $0.removeExtension("2.5.29.14") }
            },
            Spoiled("broken signature", "certificate signature failure") {
                try $0.changing(.receiptSigner) { $0.flaws.breaksSignature = true }
            },
            Spoiled("wrong issuer", "unable to get") {
                try $0.changing(.receiptSigner) {
                    $0.flaws.issuerName = .init(commonName: "Nobody", organization: "Nowhere")
                }
            },
            Spoiled("two algorithms", "signature algorithm") {
                try $0.changing(.receiptSigner) { $0.flaws.statedDigest = .sha1 }
            },
            Spoiled("unknown critical extension", "unhandled critical extension") {
                try $0.changing(.receiptSigner) {
                    $0.extensions.append(
                        .init(identifier: "1.3.6.1.4.1.99999.1", isCritical: true, value: [5, 0])!
                    )
                }
            },
            Spoiled("another root key", "unable to get local issuer certificate") {
                try $0.replacingKey(of: .root, with: Fixtures.foreignKey)
            },
        ]
    }

    @Test("A path longer than a root allows is found")
    func pathLength() throws {
        let twin = try authority.changing(.root) {
            $0.setExtension(.basicConstraints(isAuthority: true, pathLength: 0))
        }
        let outcome = try OpenSSL.verify(.receiptSigner, of: twin)
        #expect(outcome.errors.contains("path length constraint exceeded"))
    }

    @Test("A duplicate extension and an old version are written as asked")
    func unwelcomeForms() throws {
        let twin = try authority.changing(.receiptSigner) { profile in
            profile.extensions.append(.keyUsage([.digitalSignature]))
        }
        let text = try OpenSSL.text(of: twin[.receiptSigner].certificate)
        #expect(text.components(separatedBy: "X509v3 Key Usage").count == 3)
        let old = try authority.changing(.receiptSigner) { $0.flaws.version = 1 }
        let oldText = try OpenSSL.text(of: old[.receiptSigner].certificate)
        #expect(oldText.contains("Version: 1 (0x0)"))
        #expect(!oldText.contains("X509v3"))
    }

    @Test("Setting an extension replaces all of its kind, in the place of the first")
    func settingExtensions() throws {
        var profile = authority[.receiptSigner].certificate.profile
        let before = profile.extensions.map(\.identifier)
        profile.extensions.append(.keyUsage([.cRLSign]))
        profile.setExtension(.keyUsage([.keyCertSign]))
        #expect(profile.extensions.map(\.identifier) == before)
        #expect(profile.extensions.contains(.keyUsage([.keyCertSign])))
    }

    @Test("A year that certificates cannot state is refused")
    func yearTooLarge() throws {
        #expect {
            try authority.changing(.root) {
                $0.notAfter = Fixtures.instant("9999-12-31T23:59:59Z").advanced(by: .seconds(1))
            }
        } throws: { ($0 as? SimulatorError)?.code == SimulatorError.notRepresentable }
    }

    @Test("Keys are kept as PEM, and nothing else shows them")
    func keys() throws {
        let pem = try Fixtures.foreignKey.pem()
        #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(try SigningKey(pem: pem).publicKey == Fixtures.foreignKey.publicKey)
        #expect("\(Fixtures.foreignKey)" == "a private key (RSA-2048)")
        #expect { try SigningKey(pem: "no key") } throws: {
            ($0 as? SimulatorError)?.code == SimulatorError.keyUnusable
        }
        #expect(try SigningKey.p256().publicKey.der.count == 91)
        #expect(try SigningKey.p384().publicKey.der.count == 120)
    }
}
