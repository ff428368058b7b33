import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Ledger
import Testing

@Suite("The laws of joining")
struct LawTests {
    /// The statements of some lives, by lineage.
    private static func statements(seed: UInt64) throws -> [[Statement]] {
        var lives = try LifeGenerator(seed: seed, app: TruthTests.app)
        var network = DeliveryGenerator(seed: seed, faults: .usual)
        var statements: [Statement] = []
        for _ in 0..<80 {
            let step = lives.step()
            for delivery in network.take(step, from: &lives) {
                statements += try Witness.statements(delivery.document)
            }
        }
        return Dictionary(grouping: statements, by: \.lineage).values.map(\.self)
    }

    private static func join(
        _ statements: some Sequence<Statement>,
        _ id: LineageID
    ) -> Ledger.Lineage {
        var lineage = Ledger.Lineage(id)
        for statement in statements { lineage.join(statement) }
        return lineage
    }

    @Test("Lineages join in any grouping and order, and joining again changes nothing")
    func lineages() throws {
        for seed in 1...UInt64(Soak.size(4, soak: 100)) {
            for statements in try Self.statements(seed: seed) {
                let id = statements[0].lineage
                var random = SeededRandom(seed: seed)
                let shuffled = statements.shuffled(using: &random)
                let cut = Int.random(in: 0...shuffled.count, using: &random)
                let second = Int.random(in: cut...shuffled.count, using: &random)
                let parts = [
                    Self.join(shuffled[..<cut], id), Self.join(shuffled[cut..<second], id),
                    Self.join(shuffled[second...], id),
                ]
                let whole = Self.join(statements, id)
                var left = parts[0]
                left.join(parts[1])
                left.join(parts[2])
                var right = parts[1]
                right.join(parts[2])
                var grouped = parts[0]
                grouped.join(right)
                var turned = parts[2]
                turned.join(parts[0])
                turned.join(parts[1])
                #expect(left == whole && grouped == whole && turned == whole, "seed \(seed)")
                var again = whole
                again.join(whole)
                for statement in statements { again.join(statement) }
                #expect(again == whole, "seed \(seed)")
            }
        }
    }

    @Test(
        "Of two values the one said later counts, then the better proved, then the further in life"
    )
    func stamps() {
        func digest(_ byte: UInt8) -> SHA256Digest {
            SHA256Digest([UInt8](repeating: byte, count: 32))!
        }
        func stamp(
            _ seconds: Int64,
            _ grade: Grade,
            _ rank: LifeCycleRank,
            _ byte: UInt8
        ) -> Stamp {
            Stamp(
                attestedAt: Instant(secondsSince1970: seconds),
                grade: grade,
                rank: rank,
                digest: digest(byte)
            )
        }
        let rising = [
            stamp(1, .signature, .expired, 9), stamp(2, .operatorFile, .expired, 9),
            stamp(2, .sharedSecret, .expired, 9), stamp(2, .signature, .paid, 9),
            stamp(2, .signature, .retrying, 1), stamp(2, .signature, .retrying, 2),
            stamp(2, .signature, .expired, 1), stamp(3, .operatorFile, .paid, 0),
        ]
        for (index, earlier) in rising.enumerated() {
            for later in rising[(index + 1)...] {
                #expect(earlier < later)
                for order in [
                    [(earlier, "old"), (later, "new")], [(later, "new"), (earlier, "old")],
                ] {
                    var register = Register<String>()
                    for (stamp, value) in order { register.join(.says(value), stamp) }
                    register.join(.silent, rising[7])
                    #expect(register.value == "new")
                }
            }
        }
    }

    @Test("Of two words of one instant about a failed charge the one counts that the store gave up")
    func retriesAndEnds() throws {
        var store = LocalAppStore(at: Witness.instant("2026-01-01T10:00:00Z"), seed: 3)
        try store.add(TruthTests.app)
        let device = store.addDevice(of: store.openAccount())
        let number = try store.buy("silver.month", of: Witness.bundleId, on: device)
        var notification = try #require(store.takeHappenings().first?.notificationV2)
        for _ in 0..<4 {
            // The digests, which differ each time, decide nothing.
            let statements = try [true, false].map { isRetrying in
                notification.nested.renewalInfo?.expirationIntent = .billingError
                notification.nested.renewalInfo?.isInBillingRetryPeriod = isRetrying
                return try Witness.statements(notification)
            }
            for order in statements.permutations {
                var book = Book()
                for statements in order { book.learn(statements) }
                let lineage = book.lineages[Witness.lineage(number.description)]
                #expect(lineage?.failure.value?.isInBillingRetry == false)
            }
        }
    }

    @Test("Two values of one document about one thing have one order, whatever is read first")
    func ties() {
        let stamp = Stamp(
            attestedAt: Instant(secondsSince1970: 1),
            grade: .signature,
            digest: SHA256Digest([UInt8](repeating: 7, count: 32))!
        )
        for values in [["a", "b"], ["b", "a"]] {
            var register = Register<String>()
            for value in values { register.join(.says(value), stamp) }
            #expect(register.value == "b")
        }
    }
}
