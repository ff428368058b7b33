import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Testing

@Suite("Extensions of renewal dates")
struct ExtensionTests {
    /// A subscription that cannot be extended, and why.
    private struct Obstacle: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let live: @Sendable (inout Life) throws -> TransactionNumber

        init(
            _ description: String,
            live: @escaping @Sendable (inout Life) throws -> TransactionNumber
        ) {
            testDescription = description
            self.live = live
        }
    }

    private static let obstacles: [Obstacle] = [
        Obstacle("over") { life in
            let number = try life.buy("silver.month")
            try life.store.turnRenewalOff(number)
            life.advance(days: 40)
            return number
        },
        Obstacle("in the grace period") { life in
            let number = try life.buy("silver.month")
            life.store.setPayment(.fails, of: life.account)
            life.advance(days: 29)
            return number
        },
        Obstacle("in a free trial") { life in try life.buy("gold.month") },
        Obstacle("the next period is paid") { life in
            let number = try life.buy("silver.month")
            life.advance(to: "2026-02-28T09:30:00Z")
            return number
        },
        Obstacle("shared by the family") { life in
            try life.store.formFamily([life.account, life.store.openAccount()])
            try life.buy("silver.month")
            return life.store.lineages[1].original
        },
        Obstacle("bought once") { life in try life.buy("season") },
    ]

    @Test(
        "What is over, unpaid, free, paid ahead or somebody else's is not extended",
        arguments: obstacles
    )
    private func refused(obstacle: Obstacle) throws {
        var life = Life {
            $0.gracePeriod = GracePeriod(.sixteenDays)
            $0["gold.month"]?.plan?.offers = [.freeTrial(for: .week)]
            $0["silver.month"]?.isFamilyShareable = true
        }
        let number = try obstacle.live(&life)
        let lineages = life.store.lineages
        let error = #expect(throws: StoreError.self) { try life.store.extend(number, days: 1) }
        #expect(error?.code == StoreError.notPossible)
        #expect(life.store.lineages == lineages)
    }

    @Test("A subscription is extended by 1 to 90 days, twice a year at most")
    func bounds() throws {
        var life = Life()
        let number = try life.buy("silver.year")
        for days in [0, 91, -1] {
            #expect(throws: StoreError.self) { try life.store.extend(number, days: days) }
        }
        try life.store.extend(number, days: 90)
        life.advance(days: 100)
        try life.store.extend(number, days: 1)
        #expect(throws: StoreError.self) { try life.store.extend(number, days: 1) }
        #expect(
            life.store.lineages[0].newest.expiresDate
                == Life.instant("2027-01-31T10:00:00Z").advanced(by: .seconds(91 * 86_400))
        )
        life.advance(days: 265)
        try life.store.extend(number, days: 1)
    }

    @Test("The next period begins at the later end, for the family as for the one who pays")
    func later() throws {
        var life = Life { $0["silver.month"]?.isFamilyShareable = true }
        let member = life.store.openAccount()
        try life.store.formFamily([life.account, member])
        try life.store.extend(life.buy("silver.month"), days: 10)
        #expect(life.events().suffix(2) == [.renewalExtended, .renewalExtended])
        life.advance(to: "2026-03-11T00:00:00Z")
        for lineage in life.store.lineages {
            #expect(
                lineage.purchases.map(\.expiresDate?.description)
                    == ["2026-03-10T10:00:00Z", "2026-04-10T10:00:00Z"]
            )
        }
        #expect(life.states == [.active])
        let truth = life.store.truth(of: member, in: Life.bundleId, at: life.store.now)
        #expect(truth.map(\.state) == [.active])
    }
}
