import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Ledger
import Testing

@Suite("An app's rules")
struct RulesTests {
    /// Rules that say something else than the defaults, everywhere.
    private static let rules = Rules(
        products: [
            "pro.year": ProductRule(entitlements: ["pro", "export"], group: "pro", level: 1),
            "coins": ProductRule(credits: 100),
            "Season": ProductRule(entitlements: ["Größe"], duration: .seconds(30 * 86_400)),
        ],
        renewalLeeway: .seconds(3600),
        sandboxAccess: .nobody,
        v1Trust: .signatureOnly
    )

    private static let text =
        #"{"products":{"# + #""Season":{"credits":0,"durationMilliseconds":2592000000,"#
        + #""entitlements":["Größe"],"group":null,"level":null},"#
        + #""coins":{"credits":100,"durationMilliseconds":null,"#
        + #""entitlements":[],"group":null,"level":null},"#
        + #""pro.year":{"credits":0,"durationMilliseconds":null,"#
        + #""entitlements":["export","pro"],"group":"pro","level":1}},"#
        + #""renewalLeewayMilliseconds":3600000,"sandboxAccess":"nobody","#
        + #""v1Trust":"signatureOnly","version":1}"#

    @Test("These bytes of version 1 are written and read for ever")
    func pinned() throws {
        #expect(String(decoding: Self.rules.bytes, as: UTF8.self) == Self.text)
        #expect(try Rules(bytes: Array(Self.text.utf8)) == Self.rules)
    }

    @Test("Rules of any content are read as they were written, and equal ones have equal bytes")
    func roundTrip() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<Soak.size(200, soak: 20_000) {
            let rules = Self.someRules(&random)
            let read = try Rules(bytes: rules.bytes)
            #expect(read == rules)
            #expect(read.bytes == rules.bytes)
            var other = rules
            // Another order of insertion is another order in memory.
            other.products = Dictionary(
                uniqueKeysWithValues: rules.products.shuffled(using: &random)
            )
            #expect(other.bytes == rules.bytes)
            other.products["one more"] = ProductRule()
            #expect(other.bytes != rules.bytes)
        }
    }

    private static func someRules(_ random: inout SeededRandom) -> Rules {
        var products: [String: ProductRule] = [:]
        for index in 0..<Int.random(in: 0...60, using: &random) {
            let names = ["pro", "export", "\"quoted\"", "Größe", "日本", "🎟"]
            products["product.\(index)"] = ProductRule(
                entitlements: Set(names.filter { _ in Bool.random(using: &random) }),
                credits: Bool.random(using: &random) ? 0 : .random(in: 1...(.max), using: &random),
                duration: Bool.random(using: &random)
                    ? nil : .milliseconds(Int64.random(in: 1...(.max), using: &random)),
                group: Bool.random(using: &random) ? nil : names.randomElement(using: &random),
                level: Bool.random(using: &random) ? nil : .random(in: 1...9, using: &random)
            )
        }
        return Rules(
            products: products,
            renewalLeeway: .seconds(Int64.random(in: 0...1_000_000, using: &random)),
            sandboxAccess: Bool.random(using: &random) ? .everyone : .nobody,
            v1Trust: Bool.random(using: &random) ? .secret : .signatureOnly
        )
    }

    @Test(
        "Bytes that nobody wrote are refused",
        arguments: [
            ("", ""), (#","version":1"#, ""), (#""version":1"#, #""version":2"#),
            (#""version":1"#, #""version":"1""#), (#""nobody""#, #""somebody""#),
            (#","v1Trust":"signatureOnly""#, ""), (#""credits":100,"#, ""),
            (#""entitlements":[],"#, ""), (#""entitlements":[]"#, #""entitlements":[7]"#),
            (#""level":1"#, #""level":1.5"#), (#""coins":{"#, #""gems":7,"coins":{"#),
            ("3600000", "null"), (#"{"products""#, #"{"product""#),
        ]
    )
    func refused(change: (of: String, to: String)) throws {
        let text = change.of.isEmpty ? "" : Self.text.replacing(change.of, with: change.to)
        #expect(text != Self.text)
        #expect(throws: JSONError.self) { try Rules(bytes: Array(text.utf8)) }
    }

    @Test("Where only signatures count, a shared secret vouches for nothing, and all else counts")
    func admission() {
        var rules = Rules(environment: .production)
        #expect(Grade.allCases.allSatisfy(rules.admits))
        rules.v1Trust = .signatureOnly
        #expect(
            Grade.allCases.filter(rules.admits) == [.operatorFile, .appleChannel, .signature]
        )
    }
}
