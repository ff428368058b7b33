import AppStoreModel
import AppStoreVerification
import CounterfoilBasics
import Foundation
import Ledger
import Testing

@testable import PurchaseService

@Suite("docs/CONFIGURATION.md")
struct ConfigurationDocumentTests {
    private static func document() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(
            contentsOf: root.appendingPathComponent("docs/CONFIGURATION.md"),
            encoding: .utf8
        )
    }

    @Test("Every key has its row, with its value and with what holds without it")
    func keys() throws {
        let rows = try Self.document().split(separator: "\n").filter { $0.hasPrefix("| `") }
        let expected = ConfigurationKey.all.map { key in
            let absence =
                key.absence.contains { "\"[{0123456789".contains($0) }
                ? "`\(key.absence)`" : key.absence
            return "| `\(key.path)` | \(key.expectation) | \(absence) |"
        }
        #expect(Set(rows.map(String.init)) == Set(expected))
        #expect(Set(ConfigurationKey.all.map(\.path)).count == ConfigurationKey.all.count)
    }

    @Test("Every default is the one that holds")
    func defaults() throws {
        let elsewhere: [ConfigurationKey] = [
            .limits, .deadlines, .revocation, .appleVerifyReceipt, .proxy, .database,
        ]
        let members = ConfigurationKey.all.filter {
            $0.section == .file && !elsewhere.contains($0)
        }
        func object(_ section: ConfigurationKey.Section) -> String {
            let members = ConfigurationKey.all.filter { $0.section == section }
            return "{" + members.map { "\"\($0.name)\": \($0.absence)" }.joined(separator: ", ")
                + "}"
        }
        let text =
            "{" + members.map { "\"\($0.name)\": \($0.absence), " }.joined()
            + "\"limits\": \(object(.limits)), \"deadlines\": \(object(.deadlines)), "
            + "\"revocation\": \(object(.revocation)), "
            + "\"appleVerifyReceipt\": \(object(.appleVerifyReceipt))}"
        let written = try Configuration(parsing: Array(text.utf8))
        let absent = Configuration()
        #expect(written.listen == absent.listen)
        #expect(written.maxBodyBytes == absent.maxBodyBytes)
        #expect(written.trustedProxies == absent.trustedProxies)
        #expect(written.clientAddressField == absent.clientAddressField)
        #expect(written.limits == absent.limits)
        #expect(written.deadlines == absent.deadlines)
        #expect(written.revocation == absent.revocation)
        #expect(written.appleVerifyReceipt == absent.appleVerifyReceipt)
        let app = """
            {"apps": [{"bundleId": "a", "realm": \(ConfigurationKey.realm.absence),
              "environments": \(ConfigurationKey.environments.absence),
              "transactionReceiptIssuers": \(ConfigurationKey.transactionReceiptIssuers.absence),
              "verifyReceipt": {"environment": \(ConfigurationKey.environment.absence),
                "relay": \(ConfigurationKey.relay.absence)},
              "products": \(ConfigurationKey.products.absence),
              "renewalLeeway": \(ConfigurationKey.renewalLeeway.absence),
              "sandboxAccess": \(ConfigurationKey.sandboxAccess.absence),
              "v1Trust": \(ConfigurationKey.v1Trust.absence)}]}
            """
        #expect(try Configuration(parsing: Array(app.utf8)).apps == [AppConfiguration("a")])
    }

    private static func examples() throws -> [String] {
        try document().matches(of: #/```json\n([^`]*)```/#).map { String($0.1) }
    }

    @Test("Its example is a configuration")
    func example() throws {
        let example = try #require(Self.examples().first)
        let configuration = try Configuration(parsing: Array(example.utf8))
        #expect(configuration.apps.map(\.authority.realm) == [.appStore, .rehearsal, .xcode])
    }

    @Test("Its example of a catalogue is one, and gives what the text says")
    func catalogue() throws {
        let examples = try Self.examples()
        #expect(examples.count == 2)
        let configuration = try Configuration(parsing: Array(#require(examples.last).utf8))
        #expect(configuration.database == .sqlite(path: "counterfoil.db"))
        let rules = try #require(configuration.apps.first).rules(in: .production)
        #expect(rules.products["com.example.app.pro.year"]?.level == 1)
        #expect(rules.products["com.example.app.coins"]?.credits == 100)
        #expect(rules.products["com.example.app.season"]?.duration == .seconds(90 * 86_400))
        #expect(rules.renewalLeeway == .seconds(12 * 3600))
        #expect(rules.sandboxAccess == .nobody)
        #expect(rules.v1Trust == .signatureOnly)
    }
}
