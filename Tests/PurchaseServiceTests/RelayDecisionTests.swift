import AppStoreClient
import AppStoreModel
import CounterfoilBasics
import Testing

@testable import PurchaseService

@Suite("Whose answer counts")
struct RelayDecisionTests {
    /// What becomes of each pair of verdicts in a mode: whether Apple is asked before the answer
    /// (`<`), behind it (`>`) or never (`-`), then whose answer the client is given for each of
    /// Apple's verdicts: receipt, other address, no, nothing.
    private static let table: [RelayMode: [OwnVerdict: String]] = [
        .off: [
            .proved: "- ours ours ours ours", .undecided: "- ours ours ours ours",
            .refused: "- ours ours ours ours",
        ],
        .shadow: [
            .proved: "> ours ours ours ours", .undecided: "> ours ours ours ours",
            .refused: "> ours ours ours ours",
        ],
        .fallback: [
            .proved: "- ours ours ours ours", .undecided: "< apples apples apples ours",
            .refused: "- ours ours ours ours",
        ],
        .primary: [
            .proved: "< apples ours ours ours", .undecided: "< apples apples apples ours",
            .refused: "< apples apples ours ours",
        ],
    ]

    private static let marks: [RelayDecision.Asking: String] = [
        .never: "-", .behind: ">", .before: "<",
    ]

    @Test("Every mode, with everything that we and Apple may find", arguments: RelayMode.allCases)
    func answers(mode: RelayMode) throws {
        let rows = try #require(Self.table[mode])
        for own in OwnVerdict.allCases {
            let asking = try #require(Self.marks[RelayDecision.asking(mode, own)])
            let answers = AppleVerdict.allCases.map {
                RelayDecision(mode, own, $0).answer.rawValue
            }
            #expect(([asking] + answers).joined(separator: " ") == rows[own], "\(mode) \(own)")
        }
    }

    @Test("What is reported does not depend on the mode")
    func reports() {
        let expected: [OwnVerdict: [RelayDecision.Report]] = [
            .proved: [.agreement, .contradiction, .contradiction, .silence],
            .undecided: [.settlement, .settlement, .settlement, .silence],
            .refused: [.contradiction, .contradiction, .agreement, .silence],
        ]
        for mode in RelayMode.allCases {
            for own in OwnVerdict.allCases {
                let reports = AppleVerdict.allCases.map { RelayDecision(mode, own, $0).report }
                #expect(reports == expected[own])
            }
        }
    }

    @Test("Whatever Apple says or fails to say, a proof of ours is answered with a receipt")
    func proof() {
        for mode in RelayMode.allCases {
            for number in [-1, 0] + Array(21000...21300) + [22000] {
                let verdict = AppleVerdict(VerifyReceiptStatus(rawValue: number))
                let decision = RelayDecision(mode, .proved, verdict)
                #expect(decision.answer == .ours || number == 0 || number == 21006)
            }
        }
    }

    @Test("A mass of 21002, an outage and a status of the future decide nothing")
    func nothing() {
        let nothing = [20999, 21000, 21001, 21002, 21005, 21009, 21011, 21100, 21199, 22000]
        for number in nothing {
            #expect(AppleVerdict(VerifyReceiptStatus(rawValue: number)) == .nothing)
        }
        #expect(AppleVerdict(.ok) == .receipt)
        #expect(AppleVerdict(.subscriptionExpired) == .receipt)
        #expect(AppleVerdict(.sandboxReceipt) == .otherAddress)
        #expect(AppleVerdict(.productionReceipt) == .otherAddress)
        for status in [VerifyReceiptStatus.notAuthenticated, .wrongSecret, .accountNotFound] {
            #expect(AppleVerdict(status) == .no)
        }
    }
}
