import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import Testing

@Suite("Rotations within a life")
struct RotationTests {
    /// What an authority signed at one moment of a life.
    private struct Documents {
        let receipt: [UInt8]
        let notification: String
        let transactionReceipt: [UInt8]
    }

    /// Signs what a life has to tell at present.
    private static func documents(
        of life: inout Life,
        _ authority: SigningAuthority
    ) throws -> Documents {
        let last = try #require(life.store.takeHappenings().last?.notificationV2)
        let newest = life.store.lineages[0].newest.number
        let purchase = try life.store.transactionReceipt(of: newest, on: life.device)
        return Documents(
            receipt: try life.store.receipt(of: Life.bundleId, on: life.device)
                .signed(by: authority),
            notification: try SignedDataIssuer(authority: authority)
                .issue(last.notification, holding: last.nested),
            transactionReceipt: try TransactionReceiptIssuer(authority: authority)
                .issue(purchase.receipt)
        )
    }

    private static func verify(
        _ documents: Documents,
        under anchors: String,
        at now: Instant
    ) throws {
        let trust = try Trust.rehearsal(anchors: Array(anchors.utf8))
        let receipts = ReceiptVerifier(trust: trust)
        _ = try receipts.verify(Document(detecting: documents.receipt), now: now)
        _ = try receipts.verify(Document(detecting: documents.transactionReceipt), now: now)
        _ = try SignedDataVerifier(trust: trust).notification(
            CompactJWS(documents.notification),
            of: ExpectedApp(bundleId: Life.bundleId, appAppleId: 1_234_567_890),
            now: now
        )
    }

    @Test("Signers are exchanged, and what was signed before and after verifies under old anchors")
    func signers() throws {
        var life = Life()
        try life.buy("gold.month")
        var authority = try Proof.authority.get()
        let anchors = authority.anchorsPEM
        var all = [try Self.documents(of: &life, authority)]
        life.advance(days: 10)
        for role in [AuthorityRole.receiptSigner, .signedDataSigner, .transactionReceiptSigner] {
            authority = try authority.rotating(role, at: life.store.now, seed: 3)
        }
        life.advance(days: 25)
        all.append(try Self.documents(of: &life, authority))
        #expect(authority.anchorsPEM == anchors)
        for documents in all { try Self.verify(documents, under: anchors, at: life.store.now) }
    }

    @Test("SHA-1 gives way to SHA-256 and issuers are exchanged, and one set of anchors proves all")
    func issuers() throws {
        let begin = Life.instant("2023-06-10T08:00:00Z")
        var life = Life(at: begin)
        try life.buy("bronze.week")
        var authority = try SigningAuthority(
            profile: AuthorityProfile(now: begin, digest: .sha1, seed: 5)
        )
        var all = [try Self.documents(of: &life, authority)]
        life.advance(days: 75)
        authority = try authority.switching(to: .sha256)
        life.advance(days: 7)
        all.append(try Self.documents(of: &life, authority))
        for role in [
            AuthorityRole.intermediate, .signedDataIntermediate, .transactionReceiptIssuer,
        ] {
            authority = try authority.rotating(role, at: life.store.now, seed: 7)
        }
        life.advance(days: 7)
        all.append(try Self.documents(of: &life, authority))
        for documents in all {
            try Self.verify(documents, under: authority.anchorsPEM, at: life.store.now)
        }
    }
}
