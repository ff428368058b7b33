import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import Testing

@Suite("App receipts of the local App Store")
struct AppReceiptTests {
    @Test("A device's receipt verifies, is bound to the device and says what the app's store knows")
    func production() throws {
        var life = Life { $0.version = "7" }
        let number = try life.buy("silver.month")
        life.advance(days: 40)
        let receipt = try life.store.receipt(of: Life.bundleId, on: life.device)
        let proved = try Proof.receipt(receipt, at: life.store.now)
        let vendor = Hexadecimal.encode(life.store[life.device].vendorIdentifier)
        try proved.requireDevice(#require(DeviceIdentifier(vendor)))
        let content = proved.content
        #expect(content.receiptType == .production)
        #expect(content.bundleId == Life.bundleId)
        #expect(content.appItemId == 1_234_567_890)
        #expect(content.applicationVersion == "7")
        #expect(content.originalApplicationVersion == "7")
        #expect(content.originalPurchaseDate == Life.start)
        #expect(content.creationDate == life.store.now)
        #expect(
            content.inApp.map(\.originalTransactionId) == Array(repeating: "\(number)", count: 2)
        )
        let periods = life.store.lineages[0].purchases
        #expect(content.inApp.map(\.transactionId).sorted() == periods.map(\.number.description))
        #expect(
            Set(content.inApp.map(\.webOrderLineItemId))
                == Set(periods.map(\.lineItem?.description))
        )
        #expect(
            content.inApp.allSatisfy { $0.isTrialPeriod == false && $0.cancellationDate == nil }
        )
    }

    @Test("The sandbox has its constants")
    func sandbox() throws {
        var life = Life(environment: .sandbox)
        try life.buy("coins")
        let receipt = try life.store.receipt(of: Life.bundleId, on: life.device)
        let content = try Proof.receipt(receipt, at: life.store.now).content
        #expect(content.receiptType == .productionSandbox)
        #expect(content.appItemId == 0)
        #expect(content.downloadId == 0)
        #expect(content.versionExternalIdentifier == 0)
        #expect(content.originalPurchaseDate == Life.instant("2013-08-01T07:00:00Z"))
        #expect(content.originalApplicationVersion == "1.0")
        #expect(content.inApp.map(\.productType) == [.consumable])
    }

    @Test("A finished or refunded consumable is in no later receipt; what else was refunded stays")
    func consumables() throws {
        var life = Life()
        let (coins, more) = (try life.buy("coins"), try life.buy("coins"))
        let pro = try life.buy("pro")
        #expect(try life.listed() == ["coins", "coins", "pro"])
        try life.store.finish(coins)
        #expect(try life.listed() == ["coins", "pro"])
        try life.store.refund(more)
        try life.store.refund(pro, .appIssue)
        #expect(try life.listed() == ["pro"])
        let refunded = try life.receipt().inApp[0]
        #expect(refunded.cancellationDate == life.store.now)
        #expect(refunded.cancellationReason == "1")
    }

    @Test("A second device shows what was bought there, and everything once it is refreshed")
    func devices() throws {
        var life = Life()
        try life.buy("pro")
        let other = life.store.addDevice(of: life.account)
        try life.store.install(Life.bundleId, on: other)
        #expect(try life.listed(on: other) == [])
        try life.store.buy("season", of: Life.bundleId, on: other)
        #expect(try life.listed(on: other) == ["season"])
        #expect(try life.listed() == ["pro"])
        try life.store.refreshReceipt(of: Life.bundleId, on: other)
        #expect(try life.listed(on: other) == ["pro", "season"])
        try life.buy("coins")
        #expect(try life.listed(on: other) == ["pro", "season"])
    }

    @Test(
        "A restored subscription keeps dates and line items of its periods, a product its original date"
    )
    func restored() throws {
        var life = Life()
        let subscription = try life.buy("silver.month")
        let pro = try life.buy("pro")
        try life.buy("coins")
        life.advance(days: 40)
        let bought = try life.receipt()
        let other = life.store.addDevice(of: life.account)
        try life.store.restore(Life.bundleId, on: other)
        life.advance(days: 1)
        let restored = try life.receipt(on: other)
        let numbers = Set(bought.inApp.map(\.transactionId))
        let then = life.store.now.advanced(by: .seconds(-86_400))
        #expect(restored.inApp.count == 4)
        for element in restored.inApp where element.productId != "coins" {
            #expect(!numbers.contains(element.transactionId))
            let twin = bought.inApp.first {
                $0.productId == element.productId
                    && $0.webOrderLineItemId == element.webOrderLineItemId
            }
            if element.productId == "pro" {
                #expect(element.originalTransactionId == pro.description)
                #expect(element.purchaseDate == then)
                #expect(element.originalPurchaseDate == Life.start)
            } else {
                #expect(element.originalTransactionId == subscription.description)
                #expect(element.purchaseDate == twin?.purchaseDate)
                #expect(element.expiresDate == twin?.expiresDate)
                #expect(element.originalPurchaseDate == then)
            }
        }
        #expect(try life.receipt().inApp.map(\.transactionId).sorted() == numbers.sorted())
    }

    @Test("What the family shares is on every device of a member, with other numbers")
    func family() throws {
        var life = Life { $0["pro"]?.isFamilyShareable = true }
        let member = life.store.openAccount()
        let device = life.store.addDevice(of: member)
        try life.store.formFamily([life.account, member])
        let number = try life.buy("pro")
        try life.store.install(Life.bundleId, on: device)
        let shared = try life.receipt(on: device).inApp
        #expect(shared.map(\.productId) == ["pro"])
        #expect(shared[0].originalTransactionId != number.description)
        try life.store.leaveFamily(member)
        #expect(try life.receipt(on: device).inApp.map(\.cancellationDate) == [life.store.now])
        #expect(try life.receipt().inApp.map(\.cancellationDate) == [nil])
    }

    @Test("Trials, introductory prices and promotional offers are marked, codes are not")
    func offers() throws {
        let prices = PriceList(Price(990, "USD"))
        var life = Life {
            $0["gold.month"]?.plan?.offers = [
                .freeTrial(for: .week),
                .payAsYouGo(.promotional, "spring", for: .month, prices),
                .freeTrial(.code, "flyer", for: .month),
            ]
            $0["silver.month"]?.plan?.offers = [.payAsYouGo(for: .month, prices)]
        }
        try life.buy("gold.month")
        var element = try life.receipt().inApp[0]
        #expect(element.isTrialPeriod == true && element.isInIntroOfferPeriod == false)
        try life.buy("gold.month", offer: "spring")
        life.advance(days: 7)
        element = try #require(try life.receipt().inApp.first { $0.promotionalOfferId != nil })
        #expect(element.promotionalOfferId == "spring")
        #expect(element.isTrialPeriod == false && element.isInIntroOfferPeriod == false)
        var other = Life { $0["silver.month"]?.plan?.offers = [.payAsYouGo(for: .month, prices)] }
        try other.buy("silver.month")
        element = try other.receipt().inApp[0]
        #expect(element.isTrialPeriod == false && element.isInIntroOfferPeriod == true)
    }

    @Test("A receipt is dated a whole second after everything signed before, and all else after it")
    func dates() throws {
        var life = Life(at: Life.start.advanced(by: .milliseconds(400)))
        try life.buy("silver.month")
        var last = Instant(millisecondsSince1970: 0)
        for _ in 0..<3 {
            try life.buy("coins")
            let receipt = try life.receipt()
            #expect(receipt.creationDate.millisecondsSince1970 % 1000 == 0)
            #expect(receipt.creationDate > last)
            last = receipt.creationDate
        }
        let number = life.store.lineages[0].original
        _ = life.store.takeHappenings()
        try life.store.turnRenewalOff(number)
        let told = try #require(life.store.takeHappenings().first?.purchase)
        #expect(told.signedDate > last)
        life.advance(days: 1)
        #expect(try life.receipt().creationDate == Life.start.advanced(by: .seconds(86_400)))
    }

    @Test(
        "What was signed before the switch of August 2023 has SHA-1, and what comes later SHA-256"
    )
    func digests() throws {
        let before = Life.instant("2023-08-15T23:59:00Z")
        var life = Life(at: before)
        try life.buy("pro")
        let old = try life.store.receipt(of: Life.bundleId, on: life.device)
        life.advance(days: 1)
        let new = try life.store.receipt(of: Life.bundleId, on: life.device)
        #expect(old.form == .sha1)
        #expect(new.form == .appStore)
        for receipt in [old, new] {
            let proved = try Proof.receipt(receipt, at: life.store.now)
            #expect(proved.content.inApp.count == 1)
        }
    }

    @Test("The same seed and the same calls give the same bytes")
    func repeatable() throws {
        func bytes() throws -> [UInt8] {
            var life = Life(seed: 9)
            try life.buy("gold.month")
            try life.buy("coins")
            life.advance(days: 33)
            return try life.store.receipt(of: Life.bundleId, on: life.device)
                .signed(by: Proof.authority.get())
        }
        #expect(try bytes() == bytes())
    }

    @Test("A device without the app has no receipt of it")
    func missing() throws {
        var life = Life()
        for attempt in [
            { _ = try $0.store.receipt(of: Life.bundleId, on: $0.device) },
            { try $0.store.refreshReceipt(of: Life.bundleId, on: $0.device) },
        ] as [(inout Life) throws -> Void] {
            let error = #expect(throws: StoreError.self) { try attempt(&life) }
            #expect(error?.code == StoreError.notPossible)
        }
    }
}

extension Life {
    /// The receipt of a device, the life's own unless told otherwise, proved.
    mutating func receipt(on other: Device.ID? = nil) throws -> AppReceipt {
        let receipt = try store.receipt(of: Self.bundleId, on: other ?? device)
        return try Proof.receipt(receipt, at: store.now.advanced(by: .seconds(60))).content
    }

    /// The products in a device's receipt, sorted.
    mutating func listed(on other: Device.ID? = nil) throws -> [String] {
        try receipt(on: other).inApp.map(\.productId).sorted()
    }

    @Test("Asked for again while nothing happens, it is the same receipt, however often")
    func again() throws {
        var life = Life()
        try life.buy("pro")
        let first = try life.store.receipt(of: Life.bundleId, on: life.device)
        for _ in 0..<400 {
            #expect(try life.store.receipt(of: Life.bundleId, on: life.device) == first)
        }
        try life.buy("coins")
        let second = try life.store.receipt(of: Life.bundleId, on: life.device)
        #expect(second.receipt.creationDate > first.receipt.creationDate)
        #expect(second.receipt.inApp.count == 2)
    }

    @Test("A clock beyond the years that documents have is at their end")
    func endOfTime() throws {
        var life = Life(at: Instant(millisecondsSince1970: .max))
        try life.buy("gold.month")
        life.store.advance(by: .seconds(86_400))
        #expect(life.store.now.description == "9999-12-31T00:00:00Z")
        #expect(life.states == [.active])
    }
}
