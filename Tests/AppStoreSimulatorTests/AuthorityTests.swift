import AppStoreSimulator
import CounterfoilBasics
import Foundation
import Testing

@Suite("Signing authority")
struct AuthorityTests {
    private let authority = Fixtures.authority
    private let later = Fixtures.instant("2027-06-01T00:00:00Z")

    @Test("The anchors are the root first, then the issuers that iOS 6 receipts lack")
    func anchors() {
        #expect(
            authority.anchors
                == [.root, .intermediate, .transactionReceiptIssuer].map { role in
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
        for role in AuthorityRole.allCases where role != .storeKit {
            #expect(rotated[role].certificate != authority[role].certificate, "\(role)")
        }
        #expect(rotated[.storeKit].certificate == authority[.storeKit].certificate)
        #expect(rotated.anchors.first == rotated[.root].certificate)
        #expect(rotated.anchors.contains(authority[.root].certificate))
        #expect(rotated.anchors.count == 6)
        let old = try Fixtures.issuer.issue(Fixtures.receipt())
        let folder = TemporaryFolder()
        let outcome = try OutsideProgram.openssl.run([
            "cms", "-verify", "-inform", "DER", "-purpose", "any", "-attime",
            OpenSSL.seconds(Fixtures.now), "-CAfile", folder.file("root.pem", rotated.anchorsPEM),
            "-in", folder.file("receipt", old),
        ])
        #expect(outcome.succeeded, Comment(rawValue: outcome.errors))
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
