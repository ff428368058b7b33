import AppStoreModel
import CounterfoilBasics
import Testing

@testable import AppStoreVerification
@testable import Ledger

@Suite("What is one purchase, and what is not")
struct IdentityTests {
    private static func stamp(_ seconds: Int64, _ byte: UInt8) -> Stamp {
        Stamp(
            attestedAt: Instant(secondsSince1970: seconds),
            grade: .signature,
            digest: SHA256Digest([UInt8](repeating: byte, count: 32))!
        )
    }

    private static let begin = Witness.instant("2026-01-01T10:00:00Z")
    private static let end = Witness.instant("2026-02-01T10:00:00Z")

    private static func claim(
        _ transactionId: String,
        lineItem: String?,
        begin: Instant? = begin,
        isSubscription: Bool = true,
        isOfXcode: Bool = false
    ) -> PurchaseClaim {
        var claim = PurchaseClaim(
            id: PurchaseID(
                transactionId: transactionId,
                lineItem: lineItem,
                begin: begin,
                isSubscription: isSubscription,
                isOfXcode: isOfXcode
            ),
            transactionId: transactionId,
            purchaseDate: begin,
            originalPurchaseDate: begin
        )
        if isSubscription { claim.expiresDate = .says(end) }
        claim.type = .says(isSubscription ? .autoRenewableSubscription : .nonConsumable)
        return claim
    }

    private static func lineage(_ claims: PurchaseClaim...) -> Ledger.Lineage {
        var lineage = Ledger.Lineage(Witness.lineage("500"))
        for (index, claim) in claims.enumerated() {
            lineage.join(
                Statement(
                    lineage: lineage.id,
                    stamp: stamp(Int64(index), UInt8(index)),
                    purchases: [claim],
                    renewal: .silent
                )
            )
        }
        return lineage
    }

    @Test(
        "A period without a line item, or with 0, is the one that another document shows with its begin"
    )
    func lineItems() {
        for missing in [nil, "", "0"] as [String?] {
            for claims in [
                [Self.claim("500", lineItem: "900"), Self.claim("501", lineItem: missing)],
                [Self.claim("501", lineItem: missing), Self.claim("500", lineItem: "900")],
            ] {
                let lineage = Self.lineage(claims[0], claims[1])
                #expect(lineage.purchases.map(\.id) == [.period(lineItem: "900")])
                #expect(
                    lineage.purchases[0].registers.transactions.keys.sorted() == ["500", "501"]
                )
            }
            // Milliseconds are cut by receipts.
            let later = Self.begin.advanced(by: .milliseconds(868))
            let lineage = Self.lineage(
                Self.claim("500", lineItem: "900", begin: later),
                Self.claim("500", lineItem: missing)
            )
            #expect(lineage.purchases.count == 1)
        }
    }

    @Test("Two periods of other begins, or of other line items with one begin, stay two")
    func distinct() {
        let next = Self.begin.advanced(by: .seconds(60))
        #expect(
            Self.lineage(
                Self.claim("500", lineItem: nil),
                Self.claim("501", lineItem: nil, begin: next)
            ).purchases.count == 2
        )
        #expect(
            Self.lineage(
                Self.claim("500", lineItem: "900"),
                Self.claim("501", lineItem: "901")
            ).purchases.count == 2
        )
        // Nobody can say which of two periods is meant that begin at one instant.
        #expect(
            Self.lineage(
                Self.claim("500", lineItem: "900"),
                Self.claim("501", lineItem: "901"),
                Self.claim("502", lineItem: nil)
            ).purchases.count == 3
        )
    }

    @Test("A one-time purchase is one under whatever numbers it is restored")
    func oneTime() {
        let lineage = Self.lineage(
            Self.claim("800", lineItem: nil, isSubscription: false),
            Self.claim("801", lineItem: "0", begin: Self.end, isSubscription: false),
            Self.claim("802", lineItem: nil, begin: nil, isSubscription: false)
        )
        #expect(lineage.purchases.map(\.id) == [.oneTime])
        #expect(lineage.purchases[0].purchaseDate == Self.begin)
    }

    @Test("Xcode's ids count from 0 in each session, so there the begin is part of the name")
    func xcode() {
        let next = Self.begin.advanced(by: .seconds(60))
        let lineage = Self.lineage(
            Self.claim("0", lineItem: "0", isOfXcode: true),
            Self.claim("0", lineItem: "0", begin: next, isOfXcode: true),
            Self.claim("0", lineItem: "0", begin: next, isOfXcode: true)
        )
        #expect(lineage.purchases.count == 2)
        let digest = { (byte: UInt8) in SHA256Digest([UInt8](repeating: byte, count: 32))! }
        let ids = [1, 2, 1].map {
            LineageID(scope: Witness.scope, signer: digest($0), originalTransactionId: "0")
        }
        #expect(ids[0] != ids[1] && ids[0] == ids[2])
        #expect(ids[0] != Witness.lineage("0"))
    }
}
