import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Journal
import Ledger
import RecordTestSupport
import Testing

@Suite("docs/LEDGER.md and docs/EVENTS.md beside the sources")
struct LedgerDocumentTests {
    private let ledger: ProjectDocument
    private let events: ProjectDocument

    init() throws {
        ledger = try ProjectDocument("docs/LEDGER.md")
        events = try ProjectDocument("docs/EVENTS.md")
    }

    @Test("Every type of event is listed, and no other")
    func types() {
        #expect(events.names(under: "### Changes") == Change.Kind.allCases.map(\.rawValue))
        #expect(events.names(under: "### Occurrences") == Occurrence.Kind.allCases.map(\.rawValue))
    }

    @Test("Every state is listed, with whether it gives access")
    func states() {
        let listed = ledger.rows(under: "### States").map { [$0[0], $0[2]] }
        let states = Standing.State.allCases.map { state in
            ["`\(state.rawValue)`", state.isEntitled ? "yes" : "no"]
        }
        #expect(Set(listed) == Set(states))
    }

    @Test("The directions and the grades are named")
    func words() {
        let text = events.rows(under: "### Of a change") + events.rows(under: "### `reasons`")
        let named = text.map { $0[1] }.joined()
        let words = Change.Direction.allCases.map(\.rawValue) + Grade.allCases.map(\.name)
        for word in words { #expect(named.contains("`\(word)`"), "\(word)") }
    }

    @Test("Every table is listed")
    func tables() {
        #expect(
            ledger.names(under: "## What is kept") == StorageTable.allCases.map(\.rawValue)
        )
    }

    @Test("Each kind of document says what the table of registers says that it says")
    func registers() async throws {
        let titles = ledger.titles(under: "## Who says what")
        let rows = ledger.rows(under: "## Who says what")
        let found = try await Self.sayings()
        #expect(Set(rows.map { $0[0] }) == Set(Saying.registers.map { "`\($0)`" }))
        for row in rows {
            let register = String(row[0].dropFirst().dropLast())
            for (title, cell) in zip(titles, row).dropFirst() {
                let kind = try #require(Self.kinds[title])
                let saying = found[kind]?[register] ?? Saying()
                switch cell {
                case "says": #expect(saying.silent == 0 && saying.said > 0, "\(title) \(row[0])")
                case "–": #expect(saying.said == 0, "\(title) \(row[0])")
                default: #expect(cell == "when there", "\(title) \(row[0])")
                }
            }
        }
    }

    private static let kinds: [String: Evidence.Kind] = [
        "transaction": .transaction, "app receipt": .appReceipt,
        "iOS 6 receipt": .transactionReceipt, "renewal info": .renewalInfo,
        "V1": .notificationV1,
    ]

    /// What documents of simulated lives say, by their kinds.
    private static func sayings() async throws -> [Evidence.Kind: [String: Saying]] {
        var sayings: [Evidence.Kind: [String: Saying]] = [:]
        let record = try await Record.begin(at: Record.instant("2099-01-01T00:00:00Z"))
        for seed in 1...UInt64(4) {
            let lives = try Lives(seed: seed, steps: 60, faults: .usual)
            for arrival in lives.arrivals {
                for learning in try record.learnings(arrival.bytes) {
                    let kinds = Dictionary(
                        learning.documents.map { ($0.evidence.digest, $0.evidence.kind) }
                    ) { first, _ in first }
                    for statement in learning.statements {
                        guard let kind = kinds[statement.stamp.digest] else { continue }
                        Saying.count(statement, in: &sayings[kind, default: [:]])
                    }
                }
            }
        }
        return sayings
    }
}

/// How often a register was said, and how often not.
private struct Saying {
    var said = 0
    var silent = 0

    private static let ofPurchases: [(String, @Sendable (PurchaseClaim) -> Bool)] = [
        ("productId", { $0.productId != .silent }), ("type", { $0.type != .silent }),
        ("expiresDate", { $0.expiresDate != .silent }),
        ("revocation", { $0.revocation != .silent }),
        ("isUpgraded", { $0.isUpgraded != .silent }),
        ("ownership", { $0.ownership != .silent }),
        ("appAccountToken", { $0.appAccountToken != .silent }),
        ("appTransactionId", { $0.appTransactionId != .silent }),
        ("group", { $0.group != .silent }), ("quantity", { $0.quantity != .silent }),
        ("offer", { $0.offer != .silent }), ("price", { $0.price != .silent }),
        ("storefront", { $0.storefront != .silent }),
    ]
    private static let ofRenewal: [(String, @Sendable (RenewalClaim) -> Bool)] = [
        ("renewalChoice", { $0.choice != .silent }),
        ("renewalFailure", { $0.failure != .silent }),
        ("priceConsent", { $0.priceConsent != .silent }),
    ]

    static var registers: [String] { ofPurchases.map(\.0) + ofRenewal.map(\.0) }

    static func count(_ statement: Statement, in sayings: inout [String: Saying]) {
        for (register, isSaid) in ofPurchases {
            for claim in statement.purchases {
                sayings[register, default: Saying()].add(isSaid(claim))
            }
        }
        for (register, isSaid) in ofRenewal {
            sayings[register, default: Saying()].add(isSaid(statement.renewal))
        }
    }

    private mutating func add(_ isSaid: Bool) {
        if isSaid { said += 1 } else { silent += 1 }
    }
}
