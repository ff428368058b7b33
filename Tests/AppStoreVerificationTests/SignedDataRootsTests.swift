import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilCryptography
import Testing

@testable import AppStoreVerification

@Suite("Signed data under one of several roots")
struct SignedDataRootsTests {
    private static func transaction() -> JWSTransactionDecodedPayload {
        var payload = JWSTransactionDecodedPayload()
        payload.transactionId = "2000000000000001"
        payload.originalTransactionId = "2000000000000001"
        payload.bundleId = "com.example.app"
        payload.productId = "com.example.pro"
        payload.signedDate = SignedDataShape.now
        payload.environment = .sandbox
        return payload
    }

    @Test(
        "Whichever of the roots its chain ends at, and in whatever order they are given, it is proved"
    )
    func anyRoot() throws {
        let authorities = try [
            SignedDataShape.authority.get(),
            SigningAuthority(profile: AuthorityProfile(now: SignedDataShape.now, seed: 77)),
        ]
        for order in [authorities, authorities.reversed()] {
            var trust = Trust.appStore
            for authority in order {
                trust = try trust.adding(.rehearsal(anchors: Array(authority.anchorsPEM.utf8)))
            }
            let verifier = SignedDataVerifier(trust: trust)
            for authority in authorities {
                let jws = try SignedDataIssuer(authority: authority).issue(Self.transaction())
                let proved = try verifier.transaction(CompactJWS(jws), now: SignedDataShape.now)
                let root = try Certificate(authority[.signedDataRoot].certificate.der)
                #expect(proved.proof.certificates.last == root.summary)
            }
        }
    }
}
