import AppStoreVerification
import CounterfoilBasics
import Foundation
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
        let elsewhere: [ConfigurationKey] = [.limits, .deadlines, .revocation, .proxy]
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
            + "\"revocation\": \(object(.revocation))}"
        let written = try Configuration(parsing: Array(text.utf8))
        let absent = Configuration()
        #expect(written.listen == absent.listen)
        #expect(written.maxBodyBytes == absent.maxBodyBytes)
        #expect(written.trustedProxies == absent.trustedProxies)
        #expect(written.clientAddressField == absent.clientAddressField)
        #expect(written.limits == absent.limits)
        #expect(written.deadlines == absent.deadlines)
        #expect(written.revocation == absent.revocation)
        let app = """
            {"apps": [{"bundleId": "a", "realm": \(ConfigurationKey.realm.absence),
              "environments": \(ConfigurationKey.environments.absence),
              "transactionReceiptIssuers": \(ConfigurationKey.transactionReceiptIssuers.absence),
              "verifyReceipt": {"environment": \(ConfigurationKey.environment.absence)}}]}
            """
        #expect(try Configuration(parsing: Array(app.utf8)).apps == [AppConfiguration("a")])
    }

    @Test("Its example is a configuration")
    func example() throws {
        let document = try Self.document()
        let example = try #require(document.firstMatch(of: #/```json\n([^`]*)```/#)).1
        let configuration = try Configuration(parsing: Array(example.utf8))
        #expect(configuration.apps.map(\.authority.realm) == [.appStore, .rehearsal, .xcode])
    }
}
