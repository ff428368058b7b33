import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Testing

@Suite("What the local App Store refuses")
struct StoreErrorTests {
    private static let attempts: [ErrorCode: @Sendable (inout Life) throws -> Void] = [
        StoreError.unknownApp: { life in
            try life.store.buy("gold.month", of: "com.example.none", on: life.device)
        },
        StoreError.unknownProduct: { life in try life.buy("platinum.month") },
        StoreError.invalidCatalogue: { life in
            try life.store.change(Life.bundleId) {
                $0["gold.month"]?.plan?.period = CalendarPeriod(rawValue: "P0M")
            }
        },
        StoreError.unknownOffer: { life in try life.buy("gold.month", offer: "spring") },
        StoreError.unknownTransaction: { life in
            var other = Life(environment: .sandbox)
            try life.store.refund(other.buy("coins"))
        },
        StoreError.notForSale: { life in
            try life.store.change(Life.bundleId) { $0["coins"]?.isForSale = false }
            try life.buy("coins")
        },
        StoreError.notEligible: { life in
            let offer = Offer.freeTrial(.winBack, "return", for: .month)
            try life.store.change(Life.bundleId) { $0["gold.month"]?.plan?.offers = [offer] }
            try life.buy("gold.month", offer: "return")
        },
        StoreError.paymentFailed: { life in
            life.store.setPayment(.fails, of: life.account)
            try life.buy("coins")
        },
        StoreError.alreadyOwned: { life in
            try life.buy("pro")
            try life.buy("pro")
        },
        StoreError.renewalCharged: { life in
            try life.buy("silver.month")
            life.advance(to: "2026-02-28T09:30:00Z")
            try life.buy("gold.month")
        },
        StoreError.notPossible: { life in try life.store.turnRenewalOff(life.buy("pro")) },
    ]

    @Test("Each is refused with its code and a sentence, and changes nothing")
    func refused() throws {
        #expect(Set(Self.attempts.keys) == Set(StoreError.allCodes))
        for (code, attempt) in Self.attempts {
            var life = Life()
            let error = #expect(throws: StoreError.self) { try attempt(&life) }
            #expect(error?.code == code)
            #expect(error?.reason.isEmpty == false)
        }
    }
}
