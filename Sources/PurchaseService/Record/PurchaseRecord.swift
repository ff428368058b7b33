import AppStoreModel
package import AppStoreVerification
package import CounterfoilBasics
import CounterfoilJSON
package import Journal
import Ledger

/// The record that a purchase server keeps: the journal, and the one way into it, under the rules of
/// a configuration.
package struct PurchaseRecord: Sendable {
    /// The journal.
    package let journal: OpenJournal
    /// The one way into it.
    package let intake: DocumentIntake
    /// The apps in each environment whose rules are other ones than when it was opened last.
    package let revised: [Scope]

    /// Opens the record, and takes over the rules of the configuration.
    ///
    /// - Parameters:
    ///   - engine: Where it is kept.
    ///   - configuration: The apps and their rules.
    ///   - apps: The same apps, with their certificates.
    ///   - secrets: The shared secrets of apps, by bundle identifier.
    ///   - revocation: What is known of revoked certificates.
    ///   - clock: What time it is.
    /// - Throws: ``ConfigurationError`` for apps that cannot be in one record, ``StorageError``.
    package init(
        in engine: any StorageEngine,
        _ configuration: Configuration,
        _ apps: ConfiguredApps,
        secrets: [String: [SharedSecret]] = [:],
        revocation: RevocationRegister? = nil,
        clock: any WallClock = SystemClock()
    ) async throws {
        journal = try await OpenJournal(engine, for: configuration.purpose(), clock: clock)
        intake = DocumentIntake(
            apps: apps,
            journal: journal,
            secrets: secrets,
            revocation: revocation,
            clock: clock
        )
        var revised: [Scope] = []
        for app in configuration.apps {
            for environment in app.environments {
                let scope = Scope(
                    bundleId: app.bundleId,
                    environment: environment,
                    realm: app.authority.realm
                )
                let rules = app.rules(in: environment)
                if try await journal.writer.revise(rules, of: scope) != nil {
                    revised.append(scope)
                }
            }
        }
        self.revised = revised
    }
}

extension Configuration {
    /// Whose documents the record of these apps is for.
    fileprivate func purpose() throws(ConfigurationError) -> OpenJournal.Purpose {
        let purposes = Set(apps.map { OpenJournal.Purpose($0.authority.realm) })
        guard purposes.count < 2 else {
            let index = apps.firstIndex { $0.authority.realm == .rehearsal } ?? 0
            throw refusal(
                ConfigurationError.databaseOfTwoPurposes,
                at: .member(Configuration.path(ofApp: index), ConfigurationKey.realm.name),
                "is rehearsal beside apps of Apple's realms; what is rehearsed is kept in a database "
                    + "of its own, by a server of its own"
            )
        }
        return purposes.first ?? .apple
    }
}
