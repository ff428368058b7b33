import AppStoreModel
import CounterfoilBasics
import Testing

@testable import AppStoreSimulator

@Suite("What the local App Store refuses")
struct StoreErrorTests {
    /// What is refused, after what went well.
    private struct Attempt: Sendable {
        var after: @Sendable (inout Life) throws -> Void = { _ in }
        let refused: @Sendable (inout Life) throws -> Void
    }

    private static let attempts: [ErrorCode: Attempt] = [
        StoreError.unknownApp: Attempt { life in
            try life.store.buy("gold.month", of: "com.example.none", on: life.device)
        },
        StoreError.unknownProduct: Attempt { life in try life.buy("platinum.month") },
        StoreError.invalidCatalogue: Attempt { life in
            try life.store.change(Life.bundleId) {
                $0["gold.month"]?.plan?.period = CalendarPeriod(rawValue: "P0M")
            }
        },
        StoreError.unknownOffer: Attempt { life in try life.buy("gold.month", offer: "spring") },
        StoreError.unknownTransaction: Attempt { life in
            var other = Life(environment: .sandbox)
            try life.store.refund(other.buy("coins"))
        },
        StoreError.notForSale: Attempt { life in
            try life.store.change(Life.bundleId) { $0["coins"]?.isForSale = false }
        } refused: { life in
            try life.buy("coins")
        },
        StoreError.notEligible: Attempt { life in
            let offer = Offer.freeTrial(.winBack, "return", for: .month)
            try life.store.change(Life.bundleId) { $0["gold.month"]?.plan?.offers = [offer] }
        } refused: { life in
            try life.buy("gold.month", offer: "return")
        },
        StoreError.paymentFailed: Attempt { life in
            life.store.setPayment(.fails, of: life.account)
        } refused: { life in
            try life.buy("coins")
        },
        StoreError.alreadyOwned: Attempt { life in
            try life.buy("pro")
        } refused: { life in
            try life.buy("pro")
        },
        StoreError.renewalCharged: Attempt { life in
            try life.buy("silver.month")
            life.advance(to: "2026-02-28T09:30:00Z")
        } refused: { life in
            try life.buy("gold.month")
        },
        StoreError.notPossible: Attempt { life in
            try life.buy("pro")
        } refused: { life in
            try life.store.turnRenewalOff(life.store.lineages[0].original)
        },
    ]

    /// Everything but the clock, which no call moves.
    private struct Books: Equatable {
        let apps: [String: StoreApp]
        let lineages: [Lineage]
        let accounts: [AppleAccount]
        let devices: [Device]
        let families: [Family]

        init(_ store: LocalAppStore) {
            apps = store.apps
            lineages = store.lineages
            accounts = store.accounts
            devices = store.devices
            families = store.families
        }
    }

    private static func refuse(_ attempt: Attempt, with code: ErrorCode) throws {
        var life = Life()
        try attempt.after(&life)
        _ = life.events()
        let before = Books(life.store)
        let error = #expect(throws: StoreError.self) { try attempt.refused(&life) }
        #expect(error?.code == code)
        #expect(error?.reason.isEmpty == false)
        #expect(Books(life.store) == before, "\(code)")
        #expect(life.events().isEmpty, "\(code)")
    }

    @Test("Each is refused with its code and a sentence, and changes nothing")
    func refused() throws {
        #expect(Set(Self.attempts.keys) == Set(StoreError.allCodes))
        for (code, attempt) in Self.attempts { try Self.refuse(attempt, with: code) }
    }

    @Test("What was not bought left no trace: the next who buys gets the same numbers")
    func numbers() throws {
        var life = Life()
        var other = Life()
        other.store.setPayment(.fails, of: other.account)
        #expect(throws: StoreError.self) { try other.buy("gold.month") }
        other.store.setPayment(.works, of: other.account)
        #expect(try other.buy("gold.month") == life.buy("gold.month"))
        #expect(other.store.lineages == life.store.lineages)
        #expect(other.store.accounts == life.store.accounts)
    }

    @Test("A product that is bought once has no offers but its own codes")
    func offers() throws {
        try Self.refuse(
            Attempt { try $0.buy("coins", offer: "spring") },
            with: StoreError.unknownOffer
        )
    }

    @Test("A family is not formed with one who is in a family, or with the same one twice")
    func families() throws {
        for isTwice in [true, false] {
            try Self.refuse(
                Attempt { life in
                    let member = life.store.openAccount()
                    try life.store.formFamily(isTwice ? [] : [member])
                } refused: { life in
                    let member = life.store.accounts[1].id
                    try life.store.formFamily(
                        [life.account, member] + (isTwice ? [life.account] : [])
                    )
                },
                with: StoreError.notPossible
            )
        }
    }
}
