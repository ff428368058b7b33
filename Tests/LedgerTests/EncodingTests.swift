import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Ledger
import Testing

@Suite("Claims as bytes")
struct EncodingTests {
    private static func statements(seed: UInt64) throws -> [Statement] {
        var lives = try LifeGenerator(seed: seed, app: TruthTests.app)
        var network = DeliveryGenerator(seed: seed, faults: .usual)
        var statements: [Statement] = []
        for _ in 0..<80 {
            let step = lives.step()
            for delivery in network.take(step, from: &lives) {
                statements += try Witness.statements(delivery.document)
            }
        }
        return statements
    }

    private static func read(_ claims: [UInt8], as other: Statement) throws -> Statement {
        try Statement(lineage: other.lineage, stamp: other.stamp, claims: claims)
    }

    @Test("What is written is read again, and a lineage that is joined from it is the same")
    func roundTrip() throws {
        for seed in 1...UInt64(Soak.size(4, soak: 100)) {
            for statement in try Self.statements(seed: seed) {
                let read = try Self.read(statement.claims, as: statement)
                #expect(read.claims == statement.claims)
                #expect(Set(read.purchases) == Set(statement.purchases))
                #expect(read.renewal == statement.renewal)
                var (one, other) = (
                    Ledger.Lineage(statement.lineage), Ledger.Lineage(statement.lineage)
                )
                one.join(statement)
                other.join(read)
                #expect(one == other)
            }
        }
    }

    @Test("Silence is absent, and that there is none is null")
    func silence() throws {
        var transaction = JWSTransactionDecodedPayload()
        transaction.transactionId = "500"
        transaction.originalTransactionId = "500"
        transaction.bundleId = Witness.bundleId
        transaction.productId = "pro"
        transaction.purchaseDate = Witness.instant("2026-01-01T10:00:00Z")
        transaction.type = .nonConsumable
        transaction.signedDate = Witness.instant("2026-01-01T10:00:01Z")
        transaction.environment = .production
        let statement = try #require(Witness.statements(transaction).first)
        let expected =
            #"{"version":1,"purchases":[{"id":"once","transactionId":"500","#
            + #""purchaseDate":1767261600000,"expiresDate":null,"revocation":null,"#
            + #""isUpgraded":false,"productId":"pro","type":"Non-Consumable"}]}"#
        #expect(String(decoding: statement.claims, as: UTF8.self) == expected)
    }

    @Test(
        "Bytes that nobody wrote are refused",
        arguments: [
            "", "[]", "{}", #"{"version":2}"#, #"{"version":1,"purchases":[7]}"#,
            #"{"version":1,"purchases":[{"id":"period:1"}]}"#,
            #"{"version":1,"purchases":[{"id":"month","transactionId":"1"}]}"#,
            #"{"version":1,"purchases":[{"id":"once","transactionId":"1","expiresDate":"soon"}]}"#,
            #"{"version":1,"renewal":{"choice":{}}}"#, #"{"version":1,"renewal":7}"#,
        ]
    )
    func refused(text: String) throws {
        let statement = try #require(Self.statements(seed: 1).first)
        #expect(throws: JSONError.self) {
            try Self.read(Array(text.utf8), as: statement)
        }
    }
}
