import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import Journal
import Ledger
import PurchaseService
import RecordTestSupport
import Testing

@Suite("What Xcode's sessions have in common: nothing")
struct XcodeTests {
    private static let scope = Scope(
        bundleId: Record.bundleId,
        environment: .xcode,
        realm: .xcode
    )

    /// Two developers' machines that are known, and one that is not: each has certificates of its own.
    private static let machines = Result {
        var machines = [try Record.authority.get()]
        for seed in 1...2 as ClosedRange<UInt64> {
            var machine = machines[0]
            for role in [AuthorityRole.storeKit, .storeKitSignedData] {
                let begin = Record.instant("2026-01-01T00:00:00Z")
                machine = try machine.rotating(role, at: begin, seed: seed)
            }
            machines.append(machine)
        }
        return machines
    }

    private static func begin() async throws -> Record {
        let clock = VirtualClock(at: Record.instant("2026-01-01T12:00:00Z"))
        let journal = try await OpenJournal(MemoryEngine(), for: .apple, clock: clock)
        var pinned: [String: String] = [:]
        for (number, machine) in try machines.get().prefix(2).enumerated() {
            pinned["receipts\(number).pem"] = machine.storeKitPEM
            pinned["signed-data\(number).pem"] = machine.storeKitSignedDataPEM
        }
        var app = AppConfiguration(
            Record.bundleId,
            .xcode(pinnedCertificates: pinned.keys.sorted())
        )
        app.environments = [.xcode]
        var configuration = Configuration()
        configuration.apps = [app]
        let apps = try ConfiguredApps(configuration, now: clock.now) { Array(pinned[$0]!.utf8) }
        let intake = DocumentIntake(apps: apps, journal: journal, clock: clock)
        return Record(clock: clock, journal: journal, intake: intake)
    }

    private static func transaction(
        _ product: String,
        at minute: Int,
        _ id: String = "0"
    ) -> JWSTransactionDecodedPayload {
        let begin = Record.instant("2026-01-01T10:00:00Z").advanced(by: .seconds(minute * 60))
        var payload = JWSTransactionDecodedPayload()
        payload.transactionId = id
        payload.originalTransactionId = "0"
        payload.webOrderLineItemId = "0"
        payload.bundleId = Record.bundleId
        payload.productId = product
        payload.purchaseDate = begin
        payload.originalPurchaseDate = begin
        payload.type = .nonConsumable
        payload.quantity = 1
        payload.inAppOwnershipType = .purchased
        payload.signedDate = begin
        payload.environment = .xcode
        return payload
    }

    private static func receipt(_ product: String) -> AppReceipt {
        var receipt = AppReceipt(
            receiptType: .xcode,
            bundleId: Record.bundleId,
            creationDate: Record.instant("2026-01-01T11:00:00Z")
        )
        var purchase = InAppPurchase(productId: product, transactionId: "0")
        purchase.purchaseDate = Record.instant("2026-01-01T10:00:00Z")
        receipt.inApp = [purchase]
        return receipt
    }

    @Test("Equal ids under two certificates are two purchases")
    func twoMachines() async throws {
        let record = try await Self.begin()
        for (machine, product) in zip(try Self.machines.get(), ["pro", "other"]) {
            let jws = try SignedDataIssuer(authority: machine)
                .issue(Self.transaction(product, at: 0))
            let receipt = try AppReceiptIssuer(authority: machine).issue(Self.receipt(product))
            for _ in 0..<2 {
                _ = try await record.intake.takeIn(Array(jws.utf8))
                _ = try await record.intake.takeIn(receipt)
            }
        }
        // A machine signs receipts with another certificate than signed data.
        let lineages = try await record.journal.reader.lineages(of: Self.scope)
        #expect(lineages.count == 4)
        #expect(Set(lineages.map(\.originalTransactionId)) == ["0"])
        #expect(Set(lineages.map(\.signer)).count == 4)
        var products: [String] = []
        for lineage in lineages {
            let standing = try await record.journal.reader.standing(
                of: lineage,
                at: record.clock.now
            )
            products += [standing?.productId].compactMap(\.self)
            let row = try await record.journal.reader.lineage(lineage)
            #expect(row?.told.lineage.purchases.count == 1)
        }
        #expect(products.sorted() == ["other", "other", "pro", "pro"])
    }

    @Test("Equal ids of two sessions on one machine are two purchases")
    func twoSessions() async throws {
        let record = try await Self.begin()
        let issuer = SignedDataIssuer(authority: try Self.machines.get()[0])
        for transaction in [
            Self.transaction("pro", at: 0), Self.transaction("other", at: 30),
            Self.transaction("pro", at: 0),
        ] {
            _ = try await record.intake.takeIn(Array(issuer.issue(transaction).utf8))
        }
        let lineages = try await record.journal.reader.lineages(of: Self.scope)
        #expect(lineages.count == 1)
        let row = try await record.journal.reader.lineage(lineages[0])
        let purchases = row?.told.lineage.purchases ?? []
        #expect(purchases.map(\.productId) == ["pro", "other"])
    }

    @Test("A certificate that is not pinned brings nothing in")
    func unknownMachine() async throws {
        let record = try await Self.begin()
        let stranger = try Self.machines.get()[2]
        let jws = try SignedDataIssuer(authority: stranger).issue(Self.transaction("pro", at: 0))
        let receipt = try AppReceiptIssuer(authority: stranger).issue(Self.receipt("pro"))
        for bytes in [Array(jws.utf8), receipt] {
            await #expect(throws: IntakeRefusal.self) { try await record.intake.takeIn(bytes) }
        }
        #expect(try await record.journal.reader.lineages(of: Self.scope).isEmpty)
    }
}
