import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Signing authority")
struct AuthorityTests {
    private let authority = Fixtures.authority
    private let later = Fixtures.instant("2027-06-01T00:00:00Z")

    @Test("The anchors are both roots and the issuers that iOS 6 receipts lack")
    func anchors() {
        #expect(
            authority.anchors
                == [.root, .intermediate, .transactionReceiptIssuer, .signedDataRoot].map { role in
                    authority[role].certificate
                }
        )
        #expect(authority.anchorsPEM.hasPrefix(authority[.root].certificate.pem))
    }

    @Test("A rotated signer is valid from then on, under the same issuer")
    func rotatedSigner() throws {
        let rotated = try authority.rotating(.receiptSigner, at: later, seed: 1)
        #expect(rotated[.receiptSigner].key.publicKey != authority[.receiptSigner].key.publicKey)
        #expect(rotated.anchors == authority.anchors)
        #expect(rotated[.intermediate].certificate == authority[.intermediate].certificate)
        #expect(!(try OpenSSL.verify(.receiptSigner, of: rotated)).succeeded)
        #expect(try OpenSSL.verify(.receiptSigner, of: rotated, at: later).succeeded)
    }

    @Test("A rotated root renews all below it, and the older root stays known")
    func rotatedRoot() throws {
        let rotated = try authority.rotating(.root, at: later)
        let below: [AuthorityRole] = [
            .root, .intermediate, .receiptSigner, .transactionReceiptIssuer,
            .transactionReceiptSigner,
        ]
        for role in AuthorityRole.allCases {
            let isNew = rotated[role].certificate != authority[role].certificate
            #expect(isNew == below.contains(role), "\(role)")
        }
        #expect(rotated.anchors.first == rotated[.root].certificate)
        #expect(rotated.anchors.contains(authority[.root].certificate))
        #expect(rotated.anchors.count == 7)
        let old = try Fixtures.issuer.issue(Fixtures.receipt())
        let folder = try Folder()
        let outcome = try OutsideProgram.openssl.run([
            "cms", "-verify", "-inform", "DER", "-purpose", "any", "-attime",
            OpenSSL.seconds(Fixtures.now), "-CAfile", folder.write("root.pem", rotated.anchorsPEM),
            "-in", folder.write("receipt", old),
        ])
        #expect(outcome.succeeded, Comment(rawValue: outcome.errors))
    }

    @Test("A rotated root of signed data renews its chain alone, and the older root stays known")
    func rotatedSignedDataRoot() throws {
        let rotated = try authority.rotating(.signedDataRoot, at: later)
        let below: [AuthorityRole] = [.signedDataRoot, .signedDataIntermediate, .signedDataSigner]
        for role in AuthorityRole.allCases {
            let isNew = rotated[role].certificate != authority[role].certificate
            #expect(isNew == below.contains(role), "\(role)")
        }
        #expect(rotated.retired == [authority[.signedDataRoot].certificate])
        #expect(try OpenSSL.verify(.signedDataSigner, of: rotated, at: later).succeeded)
        #expect(!(try OpenSSL.verify(.signedDataSigner, of: rotated)).succeeded)
    }

    @Test("The address of an OCSP responder is stated, replaced and taken out, under the same keys")
    func ocspResponder() throws {
        let stating = try authority.stating(ocspResponder: "http://127.0.0.1:1")
            .stating(ocspResponder: "http://127.0.0.1:8888/a?b=c")
        for role in [AuthorityRole.receiptSigner, .signedDataIntermediate, .signedDataSigner] {
            let text = try OpenSSL.text(of: stating[role].certificate)
            #expect(text.contains("OCSP - URI:http://127.0.0.1:8888/a?b=c"))
            #expect(!text.contains("127.0.0.1:1\n"))
            #expect(stating[role].key.publicKey == authority[role].key.publicKey)
        }
        #expect(try OpenSSL.verify(.signedDataSigner, of: stating).succeeded)
        #expect(try OpenSSL.verify(.receiptSigner, of: stating).succeeded)
        #expect(stating.anchors == authority.anchors)
        let without = try stating.stating(ocspResponder: nil)
        let profile = without[.signedDataSigner].certificate.profile
        #expect(profile == authority[.signedDataSigner].certificate.profile)
        for url in ["", "http://a b", "http://ä"] {
            #expect { try authority.stating(ocspResponder: url) } throws: {
                ($0 as? SimulatorError)?.code == SimulatorError.notRepresentable
            }
        }
    }

    @Test("Switching the digest signs issuer and signer anew and leaves the keys")
    func switchedDigest() throws {
        let old = try authority.switching(to: .sha1)
        #expect(try OpenSSL.text(of: old[.receiptSigner].certificate).contains("sha1WithRSA"))
        #expect(try OpenSSL.text(of: old[.intermediate].certificate).contains("sha1WithRSA"))
        #expect(old[.root].certificate == authority[.root].certificate)
        #expect(old[.receiptSigner].key.publicKey == authority[.receiptSigner].key.publicKey)
        #expect(old.anchors.contains(authority[.intermediate].certificate))
        #expect(try OpenSSL.verify(.receiptSigner, of: old).succeeded)
    }

    @Test("A changed issuer's name is found in what it issued")
    func renamedIssuer() throws {
        let renamed = try authority.changing(.intermediate) {
            $0.subject = .init(commonName: "Another", organization: "Counterfoil Test")
        }
        #expect(
            renamed[.receiptSigner].certificate.issuer
                == renamed[.intermediate].certificate.profile.subject
        )
        #expect(try OpenSSL.verify(.receiptSigner, of: renamed).succeeded)
    }

    @Test("Changing one authority leaves the other as it was")
    func values() throws {
        let before = authority.anchorsPEM
        _ = try authority.expiring(.intermediate, at: Fixtures.now)
        #expect(authority.anchorsPEM == before)
    }
}
