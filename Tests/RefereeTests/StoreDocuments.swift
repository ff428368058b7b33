import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics

/// What a local App Store hands out in a customer's life, with our verdicts.
enum StoreDocuments {
    private static let bundleId = "com.example.app"
    private static let appAppleId: Int64 = 1_234_567_890
    private static let begin = CivilTime(year: 2026, month: 1, day: 31, hour: 10).instant

    /// One of each kind in each environment.
    static func all() throws -> [Judged] {
        let authority = try IssuedReceipts.authority.get()
        return try [StoreEnvironment.production, .sandbox].flatMap { environment in
            var life = try StoreLife(in: environment)
            try life.live()
            return try life.receipts(signedBy: authority)
                + life.signedData(signedBy: authority)
        }
    }

    private struct StoreLife {
        var store: LocalAppStore
        let account: AppleAccount.ID
        let device: Device.ID

        init(in environment: StoreEnvironment) throws {
            store = LocalAppStore(environment: environment, at: begin, pace: .real, seed: 3)
            let plan = Product.Plan(group: SubscriptionGroup("20000001"), period: .month)
            var app = StoreApp(
                bundleId: bundleId,
                appAppleId: appAppleId,
                products: [
                    Product("gold.month", .autoRenewable(plan), Price(9_990, "USD")),
                    Product("coins", .consumable, Price(990, "USD")),
                ]
            )
            app.notificationVersions = [.v1, .v2]
            try store.add(app)
            account = store.openAccount()
            device = store.addDevice(of: account)
        }

        mutating func live() throws {
            try store.buy("gold.month", of: bundleId, on: device)
            store.advance(by: .seconds(40 * 86_400))
            try store.buy("coins", of: bundleId, on: device, quantity: 3)
        }

        /// The device's receipts of either style, and that of a server in a notification.
        mutating func receipts(signedBy authority: SigningAuthority) throws -> [Judged] {
            let newest = store.lineages[0].newest.number
            let purchase = try store.transactionReceipt(of: newest, on: device)
            let notification = store.takeHappenings().flatMap(\.notificationsV1).last
            let body = try notification?.body(signedBy: authority)
            let text = body?.unifiedReceipt?.latestReceipt ?? ""
            return try [
                judged("device", store.receipt(of: bundleId, on: device).signed(by: authority)),
                judged("server", Array(text.utf8)),
                judged(
                    "transaction",
                    TransactionReceiptIssuer(authority: authority).issue(purchase.receipt)
                ),
            ]
        }

        private func judged(_ name: String, _ bytes: [UInt8]) throws -> Judged {
            let authority = try IssuedReceipts.authority.get()
            return Judged(
                "store",
                id: "\(name) receipt of a local App Store, \(store.environment.rawValue)",
                bytes,
                trust: try .rehearsal(anchors: Array(authority.anchorsPEM.utf8)),
                roots: [authority[.root].certificate.pem],
                issuers: authority.anchors.dropFirst().map(\.pem),
                now: store.now.advanced(by: .seconds(60))
            )
        }

        /// The answers of the server API, document by document.
        mutating func signedData(signedBy authority: SigningAuthority) throws -> [Judged] {
            let issuer = SignedDataIssuer(authority: authority)
            let history = try store.transactionHistory(of: account, in: bundleId).transactions
            let download = try store.appTransaction(of: account, in: bundleId)
            let transactions = try history.enumerated().map { position, record in
                try judged(
                    "transaction \(position)",
                    .transaction,
                    issuer.issue(record.transaction)
                )
            }
            let renewals = try history.compactMap(\.renewalInfo).prefix(1).map {
                try judged("renewal", .renewalInfo, issuer.issue($0))
            }
            return try transactions + renewals
                + [judged("app", .appTransaction, issuer.issue(download))]
        }

        private func judged(_ name: String, _ kind: SignedDataKind, _ text: String) throws -> Judged
        {
            let authority = try IssuedReceipts.authority.get()
            return try Judged(
                "store",
                id: "\(name) of a local App Store, \(store.environment.rawValue)",
                text,
                RefereeRequest.Expected(
                    kind: kind.rawValue,
                    bundleId: bundleId,
                    environment: store.environment.rawValue,
                    appAppleId: appAppleId
                ),
                anchors: [authority[.signedDataRoot].certificate.pem],
                signedAt: store.now,
                now: store.now.advanced(by: .seconds(60))
            )
        }
    }
}
