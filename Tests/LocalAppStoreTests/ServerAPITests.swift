import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Testing

@Suite("Answers of the local App Store's server API")
struct ServerAPITests {
    private static let app = ExpectedApp(bundleId: Life.bundleId, appAppleId: 1_234_567_890)

    private static func issuer() throws -> SignedDataIssuer {
        SignedDataIssuer(authority: try Proof.authority.get())
    }

    private static func verifier() throws -> SignedDataVerifier {
        SignedDataVerifier(
            trust: try .rehearsal(anchors: Array(Proof.authority.get().anchorsPEM.utf8))
        )
    }

    @Test("Each subscription has its status and two documents that verify and agree with it")
    func statuses() throws {
        var life = Life { $0["other.month"] = Life.other }
        let gold = try life.buy("gold.month")
        let other = try life.buy("other.month")
        try life.buy("pro")
        try life.store.turnRenewalOff(other)
        life.advance(days: 40)
        let answer = try life.store.subscriptionStatuses(of: life.account, in: Life.bundleId)
        let json = JSONValue.object(try answer.json(signedBy: Self.issuer()))
        #expect(json["environment"] == "Production")
        #expect(json["appAppleId"] == 1_234_567_890)
        #expect(json["bundleId"] == .string(Life.bundleId))
        let groups = try #require(json["data"]?.array)
        #expect(groups.map { $0["subscriptionGroupIdentifier"] } == ["20000001", "20000002"])
        let elements = groups.flatMap { $0["lastTransactions"]?.array ?? [] }
        #expect(elements.map { $0["status"] } == [1, 2])
        #expect(
            elements.map { $0["originalTransactionId"]?.string } == ["\(gold)", "\(other)"]
        )
        let verifier = try Self.verifier()
        for (element, status) in zip(elements, [AutoRenewStatus.on, .off]) {
            let transaction = try verifier.transaction(
                CompactJWS(#require(element["signedTransactionInfo"]?.string)),
                of: Self.app,
                now: life.store.now
            ).content
            let renewal = try verifier.renewalInfo(
                CompactJWS(#require(element["signedRenewalInfo"]?.string)),
                now: life.store.now
            ).content
            #expect(transaction.originalTransactionId == element["originalTransactionId"]?.string)
            #expect(renewal.originalTransactionId == transaction.originalTransactionId)
            #expect(renewal.autoRenewStatus == status)
        }
        let active = try life.store.subscriptionStatuses(
            of: life.account,
            in: Life.bundleId,
            statuses: [.active]
        )
        #expect(active.subscriptions.map(\.lineage.original) == [gold])
    }

    @Test("The history has every transaction once, twenty a page, and what changes later again")
    func history() throws {
        var life = Life()
        let coins = try life.buy("coins")
        try life.store.finish(coins)
        try life.buy("bronze.week")
        life.advance(days: 7 * 43)
        let everything = life.store.lineages.flatMap(\.purchases).map(\.number.description)
        #expect(everything.count == 45)
        var (told, revision, sizes) = ([String](), String?.none, [Int]())
        let verifier = try Self.verifier()
        while true {
            let page = try life.store.transactionHistory(
                of: life.account,
                in: Life.bundleId,
                after: revision
            )
            let json = JSONValue.object(try page.json(signedBy: Self.issuer()))
            #expect(json["revision"]?.string == page.revision)
            #expect(json["hasMore"] == .bool(page.hasMore))
            let signed = try #require(json["signedTransactions"]?.array)
            for text in signed.compactMap(\.string) {
                let document = try verifier.transaction(
                    CompactJWS(text),
                    of: Self.app,
                    now: life.store.now.advanced(by: .seconds(1))
                )
                told.append(try #require(document.content.transactionId))
            }
            sizes.append(signed.count)
            revision = page.revision
            guard page.hasMore else { break }
        }
        #expect(told == everything)
        #expect(sizes == [20, 20, 5])
        life.advance(days: 1)
        try life.store.refund(coins)
        let news = try life.store.transactionHistory(
            of: life.account,
            in: Life.bundleId,
            after: revision
        )
        #expect(news.transactions.map(\.purchase.number) == [coins])
        #expect(!news.hasMore)
    }

    @Test("A query leaves out what it does not ask for")
    func query() throws {
        var life = Life()
        let coins = try life.buy("coins")
        try life.store.finish(coins)
        let pro = try life.buy("pro")
        life.advance(days: 1)
        try life.buy("gold.month")
        life.advance(days: 1)
        try life.store.refund(pro)
        func products(_ change: (inout TransactionHistoryQuery) -> Void) throws -> [String] {
            var query = TransactionHistoryQuery()
            change(&query)
            return try life.store.transactionHistory(of: life.account, in: Life.bundleId, query)
                .transactions.map(\.purchase.productId)
        }
        #expect(try products { _ in } == ["coins", "gold.month", "pro"])
        #expect(try products { $0.isDescending = true } == ["pro", "gold.month", "coins"])
        #expect(
            try products { $0.includesFinishedConsumables = false } == ["gold.month", "pro"]
        )
        #expect(try products { $0.isRevoked = true } == ["pro"])
        #expect(try products { $0.productTypes = [.consumable] } == ["coins"])
        #expect(try products { $0.productIds = ["pro", "coins"] } == ["coins", "pro"])
        #expect(
            try products { $0.subscriptionGroupIdentifiers = [Life.group.id] } == ["gold.month"]
        )
        #expect(try products { $0.inAppOwnershipType = .familyShared } == [])
        #expect(
            try products { $0.startDate = Life.start.advanced(by: .seconds(1)) } == ["gold.month"]
        )
        #expect(
            try products { $0.endDate = Life.start.advanced(by: .seconds(1)) } == ["coins", "pro"]
        )
    }

    @Test(
        "A revision that no page ended with is refused",
        arguments: ["", "1", "1_", "a_b", "1_2_3"]
    )
    func revision(_ text: String) throws {
        var life = Life()
        let error = #expect(throws: StoreError.self) {
            try life.store.transactionHistory(of: life.account, in: Life.bundleId, after: text)
        }
        #expect(error?.code == StoreError.notPossible)
    }

    @Test("A customer's app transaction verifies; who has not the app has none")
    func appTransaction() throws {
        var life = Life(environment: .sandbox)
        try life.buy("pro")
        let payload = try life.store.appTransaction(of: life.account, in: Life.bundleId)
        let jws = try Self.issuer().issue(payload)
        let proved = try Self.verifier().appTransaction(
            CompactJWS(jws),
            of: Self.app,
            now: life.store.now
        ).content
        #expect(proved.originalApplicationVersion == "1.0")
        #expect(
            proved.appTransactionId
                == life.store[life.account].downloads[Life.bundleId]?.appTransactionId
        )
        let stranger = life.store.openAccount()
        let error = #expect(throws: StoreError.self) {
            try life.store.appTransaction(of: stranger, in: Life.bundleId)
        }
        #expect(error?.code == StoreError.notPossible)
    }

    @Test(
        "The keys are those of Apple's examples",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
        arguments: [
            "getAllSubscriptionStatusesResponse.json", "transactionHistoryResponse-aporat.json",
        ]
    )
    func shapes(name: String) throws {
        var life = Life()
        try life.buy("gold.month")
        let statuses = try life.store.subscriptionStatuses(of: life.account, in: Life.bundleId)
        let history = try life.store.transactionHistory(of: life.account, in: Life.bundleId)
        let ours =
            try name.hasPrefix("get")
            ? statuses.json(signedBy: Self.issuer()) : history.json(signedBy: Self.issuer())
        let published = try Shape(published: "server-api/" + name)
        #expect(Shape(.object(ours)).differences(from: published) == [])
    }
}

extension Life {
    /// A subscription of a second group.
    static let other = Product(
        "other.month",
        .autoRenewable(Product.Plan(group: SubscriptionGroup("20000002"), period: .month)),
        Price(1_990, "USD")
    )
}
