import AppStoreModel
package import AppStoreVerification
package import CounterfoilBasics
import CounterfoilJSON
package import Ledger

/// The apps that are served, and who may answer for their documents.
package struct ConfiguredApps: Sendable {
    /// Everybody who may answer for a document: Apple always, others as configured.
    package let trust: Trust
    /// What people should know before they rely on this.
    package private(set) var warnings: [ConfigurationWarning] = []

    private var apps: [String: App] = [:]
    private let namesAppStoreApps: Bool

    private struct App: Sendable {
        let configuration: AppConfiguration
        /// The certificates of which one must stand at the end of a document's chain; empty for
        /// Apple's, which answer for every app of the App Store.
        let authorities: Set<SHA256Digest>

        /// An anchor of one app never answers for another.
        func requireAuthority(of proof: SignatureProof) throws(VerifyReceiptRefusal) {
            guard !authorities.isEmpty else { return }
            guard let last = proof.certificates.last, authorities.contains(last.fingerprint)
            else {
                throw VerifyReceiptRefusal(
                    VerifyReceiptRefusal.otherAuthority,
                    "the document leads to a certificate that is not configured for the app "
                        + configuration.bundleId
                )
            }
        }

        func requireAppleId(_ found: Int64?) throws(VerifyReceiptRefusal) {
            guard let expected = configuration.appAppleId, found != expected else { return }
            throw VerifyReceiptRefusal(
                VerifyReceiptRefusal.appleIdMismatch,
                "the document names \(found.map { "the Apple ID \($0)" } ?? "no Apple ID") for "
                    + "\(configuration.bundleId); \(expected) is configured"
            )
        }

        func requireEnvironment(
            _ environment: StoreEnvironment
        ) throws(VerifyReceiptRefusal) {
            guard configuration.environments.contains(environment) else {
                throw VerifyReceiptRefusal(
                    VerifyReceiptRefusal.environmentNotServed,
                    "the app \(configuration.bundleId) is not configured for "
                        + environment.rawValue
                )
            }
        }
    }

    /// No app: every app of the App Store is answered.
    package init() {
        trust = .appStore
        namesAppStoreApps = false
    }

    /// Reads the certificates that a configuration names.
    ///
    /// - Parameters:
    ///   - configuration: what to serve.
    ///   - now: the instant at which certificates are looked at for the warning.
    ///   - read: gives the bytes of a file.
    /// - Throws: `configuration.file_unreadable`, `configuration.not_a_certificate` or
    ///   `configuration.certificate_in_two_realms`.
    package init(
        _ configuration: Configuration,
        now: Instant,
        reading read: Configuration.FileReader
    ) throws(ConfigurationError) {
        var assembly = TrustAssembly(configuration: configuration)
        for (index, app) in configuration.apps.enumerated() {
            let authorities = try assembly.add(app, at: index, read)
            apps[app.bundleId] = App(
                configuration: app,
                authorities: Set(authorities.map(\.fingerprint))
            )
            warnings += Self.warnings(of: app, authorities, now: now)
        }
        trust = assembly.trust
        namesAppStoreApps = configuration.apps.contains { $0.authority == .appStore }
    }

    private static func warnings(
        of app: AppConfiguration,
        _ authorities: [CertificateSummary],
        now: Instant
    ) -> [ConfigurationWarning] {
        var warnings = authorities.filter { $0.notAfter < now }.map { certificate in
            ConfigurationWarning(
                code: ConfigurationWarning.certificateExpired,
                text: "the certificate \(certificate.name) of the app \(app.bundleId) ended on "
                    + "\(certificate.notAfter); what was signed since does not verify"
            )
        }
        if app.environmentRule == .automatic {
            let warning = ConfigurationWarning(
                code: ConfigurationWarning.automaticEnvironment,
                text: "the app \(app.bundleId) is answered for sandbox receipts at the production "
                    + "address too: whoever can buy in its sandbox pays nothing, so look at "
                    + "environment in every answer"
            )
            warnings.append(warning)
        }
        return warnings
    }
}

extension ConfiguredApps {
    /// What the production address does with receipts of other environments of an app.
    func environmentRule(of scope: Scope) -> AppConfiguration.EnvironmentRule {
        app(of: scope)?.configuration.environmentRule ?? .strict
    }

    /// What purchases of an app are worth; nothing where it is not configured.
    package func rules(of scope: Scope) -> Rules {
        app(of: scope)?.configuration.rules(in: scope.environment)
            ?? Rules(environment: scope.environment)
    }

    /// Whether Apple is asked about any app's receipts.
    package var asksApple: Bool { apps.values.contains { $0.configuration.relay != .off } }

    /// What is configured of the app of a proved document.
    func configuration(of scope: Scope) -> AppConfiguration? { app(of: scope)?.configuration }

    /// What is configured of the app that a document names and nobody proved: enough to ask about
    /// it, and for nothing else.
    func configuration(ofUnproved bundleId: String) -> AppConfiguration? {
        guard let app = apps[bundleId]?.configuration, app.bundleId.hasSameUTF8(as: bundleId)
        else { return nil }
        return app
    }

    private func app(of scope: Scope) -> App? {
        guard let app = apps[scope.bundleId], app.configuration.authority.realm == scope.realm,
            app.configuration.bundleId.hasSameUTF8(as: scope.bundleId)
        else { return nil }
        return app
    }

    /// Checks that a proved document is of an app that is served.
    ///
    /// - Parameters:
    ///   - proof: the document's proof.
    ///   - appAppleId: the Apple ID that the document names; nil or 0 where it names none.
    /// - Returns: whether the app is configured; nil when no app of the App Store is, and so each
    ///   of them is answered.
    /// - Throws: `app.…` or `environment.not_served`.
    package func match(
        _ proof: SignatureProof,
        appAppleId: Int64?
    ) throws(VerifyReceiptRefusal) -> Bool? {
        let scope = proof.scope
        guard let app = try configured(scope) else { return nil }
        try app.requireAuthority(of: proof)
        if let found = appAppleId, found != 0 { try app.requireAppleId(found) }
        try app.requireEnvironment(scope.environment)
        return true
    }

    /// Checks that a document that somebody's word vouches for is of an app that is served.
    ///
    /// - Returns: as above.
    /// - Throws: `app.not_configured` or `environment.not_served`.
    package func match(_ scope: Scope) throws(VerifyReceiptRefusal) -> Bool? {
        guard let app = try configured(scope) else { return nil }
        try app.requireEnvironment(scope.environment)
        return true
    }

    /// Checks that a proved document is of an app that is served, and names its Apple ID where
    /// documents of its kind do.
    ///
    /// - Throws: `app.…` or `environment.not_served`.
    package func require(
        _ proof: SignatureProof,
        _ named: NamedApp
    ) throws(VerifyReceiptRefusal) {
        guard try match(proof, appAppleId: nil) == true, let app = app(of: proof.scope) else {
            return
        }
        if case .named(let found) = named.appleId { try app.requireAppleId(found) }
    }

    /// Checks that an app is one whose purchases are recorded: one that is configured or, where none
    /// is, any of the App Store.
    ///
    /// - Throws: `app.not_configured`.
    package func requireRecorded(_ scope: Scope) throws(VerifyReceiptRefusal) {
        guard app(of: scope) != nil || apps.isEmpty && scope.realm == .appStore else {
            throw VerifyReceiptRefusal(
                VerifyReceiptRefusal.appNotConfigured,
                "no app \(scope.bundleId) is configured in realm \(scope.realm)"
            )
        }
    }

    /// The app of a scope; nil where every app of the App Store is served.
    private func configured(_ scope: Scope) throws(VerifyReceiptRefusal) -> App? {
        if let app = app(of: scope) { return app }
        if scope.realm == .appStore, !namesAppStoreApps { return nil }
        throw VerifyReceiptRefusal(
            VerifyReceiptRefusal.appNotConfigured,
            "no app \(scope.bundleId) is configured in realm \(scope.realm)"
        )
    }
}

/// Gathers the trust of all apps, file by file, so that an error names the one at fault.
private struct TrustAssembly {
    let configuration: Configuration
    var trust = Trust.appStore

    /// Adds what an app needs.
    ///
    /// - Returns: the certificates that answer for this app and not for others.
    mutating func add(
        _ app: AppConfiguration,
        at index: Int,
        _ read: Configuration.FileReader
    ) throws(ConfigurationError) -> [CertificateSummary] {
        let path = Configuration.path(ofApp: index)
        _ = try add(
            app.transactionReceiptIssuers,
            of: .member(path, ConfigurationKey.transactionReceiptIssuers.name),
            read
        ) { (bytes) throws(VerificationError) in
            try Trust.nobody.addingTransactionReceiptIssuers(bytes)
        }
        switch app.authority {
        case .appStore: return []
        case .rehearsal(let anchors):
            return try add(anchors, of: .member(path, ConfigurationKey.anchors.name), read) {
                (bytes) throws(VerificationError) in try Trust.rehearsal(anchors: bytes)
            }
        case .xcode(let certificates):
            let place = JSONKeyPath.member(path, ConfigurationKey.pinnedCertificates.name)
            return try add(certificates, of: place, read) {
                (bytes) throws(VerificationError) in try Trust.xcode(pinnedCertificate: bytes)
            }
        }
    }

    private mutating func add(
        _ files: [String],
        of path: JSONKeyPath,
        _ read: Configuration.FileReader,
        _ make: ([UInt8]) throws(VerificationError) -> Trust
    ) throws(ConfigurationError) -> [CertificateSummary] {
        var authorities: [CertificateSummary] = []
        for (number, file) in files.enumerated() {
            authorities += try add(file, at: .element(path, number), read, make)
        }
        return authorities
    }

    private mutating func add(
        _ file: String,
        at path: JSONKeyPath,
        _ read: Configuration.FileReader,
        _ make: ([UInt8]) throws(VerificationError) -> Trust
    ) throws(ConfigurationError) -> [CertificateSummary] {
        let bytes: [UInt8]
        do {
            bytes = try read(file)
        } catch {
            throw configuration.refusal(
                ConfigurationError.fileUnreadable,
                at: path,
                "names \(ShownValue.name(file)), which cannot be read: \(error)"
            )
        }
        let added: Trust
        do throws(VerificationError) {
            added = try make(bytes)
        } catch {
            throw configuration.refusal(
                ConfigurationError.notACertificate,
                at: path,
                "names \(ShownValue.name(file)), which holds no certificate for it (\(error.description))"
            )
        }
        do throws(VerificationError) {
            trust = try trust.adding(added)
        } catch {
            throw configuration.refusal(
                ConfigurationError.certificateConflict,
                at: path,
                "names \(ShownValue.name(file)), which answers for another realm already (\(error.description))"
            )
        }
        return added.authorities
    }
}
