package import AppStoreClient
package import AppStoreModel
package import AppStoreVerification
package import CounterfoilJSON
package import Ledger

/// What a server is told at its start: one JSON file with comments (docs/CONFIGURATION.md).
///
/// Without any it is a pure verifier: it proves receipts of every app under Apple's roots.
package struct Configuration: Sendable {
    /// Where to listen: an address and a port.
    package var listen = "127.0.0.1:8080"
    /// The largest body that is taken, in bytes.
    package var maxBodyBytes = 8 << 20
    /// Ranges of addresses of proxies in front, whose word about a client's address counts.
    package var trustedProxies: [String] = []
    /// The header field in which they name it.
    package var clientAddressField = ClientAddressField.xForwardedFor
    /// How many connections there may be.
    package var limits = Limits()
    /// How long each part of an exchange may take.
    package var deadlines = Deadlines()
    /// Whether it is asked if certificates were revoked, and whom.
    package var revocation = Revocation()
    /// The address of a proxy through which other servers are asked; nil to ask them straight.
    package var proxy: String?
    /// How Apple's verifyReceipt is asked, where an app has it asked.
    package var appleVerifyReceipt = AppleVerifyReceipt()
    /// Where the ledger is kept; nil to keep none.
    package var database: DatabaseAddress?
    /// The apps that are served; none means every app of the App Store.
    package var apps: [AppConfiguration] = []

    /// The text that all this was read from, to name the places of what is wrong with it.
    package let source: JSONConfigurationText?
    /// The name of the file that holds it; nil for a text that came without a name.
    package internal(set) var file: String?

    /// The configuration that holds where none is given.
    package init() { source = nil }

    init(source: JSONConfigurationText) { self.source = source }

    /// A header field in which proxies name their clients.
    package enum ClientAddressField: String, Hashable, Sendable, CaseIterable {
        case xForwardedFor = "X-Forwarded-For"
        /// RFC 7239.
        case forwarded = "Forwarded"
    }

    /// Whether it is asked if certificates were revoked, and whom.
    package struct Revocation: Hashable, Sendable {
        /// Whether it is asked.
        package enum Check: String, Hashable, Sendable, CaseIterable {
            /// Nobody is asked; a certificate that was revoked still proves.
            case off
            /// Responders are asked, and what is not known leaves documents undecided.
            case on
        }

        /// Whether it is asked.
        package var check = Check.off
        /// Whom certificates may have asked.
        package var hosts = HostRules.apple
    }

    /// How Apple's verifyReceipt is asked.
    package struct AppleVerifyReceipt: Hashable, Sendable {
        /// Whom to ask: Apple, or somebody who passes questions on to Apple.
        package var addresses = VerifyReceiptAddresses.apple
        /// How long and how often.
        package var patience = Patience()
        /// How many questions whose answers clients wait for may be on their way, and how many
        /// others besides.
        package var parallel = 32
        /// How many questions that nobody waits for may wait for their turn.
        package var waiting = 256
    }

    /// How many connections there may be.
    package struct Limits: Hashable, Sendable {
        /// In all.
        package var connections = 1024
        /// From one address other than this machine's own and the trusted proxies'.
        package var connectionsPerAddress = 256
    }

    /// How long each part of an exchange may take.
    package struct Deadlines: Hashable, Sendable {
        /// From a connection, or the end of a request line, to the end of the head.
        package var head: Duration = .seconds(10)
        /// From the end of the head to the end of the body.
        package var body: Duration = .seconds(30)
        /// For a kept connection, to its next request.
        package var idle: Duration = .seconds(60)
        /// When stopping, for what is in flight.
        package var stop: Duration = .seconds(10)
    }
}

/// One app that is served.
package struct AppConfiguration: Hashable, Sendable {
    /// Its bundle identifier.
    package var bundleId: String
    /// Its Apple ID in the App Store, which production receipts name too.
    package var appAppleId: Int64?
    /// Who answers for its documents.
    package var authority: Authority
    /// The environments whose purchases are answered.
    package var environments: [StoreEnvironment]
    /// Files of further issuers of iOS 6-style receipts.
    package var transactionReceiptIssuers: [String] = []
    /// Where the shared secrets stand that vouch for notifications of version 1; several while one
    /// takes over from another.
    package var sharedSecrets: [SecretSource] = []
    /// What verifyReceipt does with a sandbox receipt at the production address.
    package var environmentRule = EnvironmentRule.strict
    /// When Apple's verifyReceipt is asked about its receipts.
    package var relay = RelayMode.off
    /// What its purchases in Production are worth.
    package var productionRules = Rules(environment: .production)

    /// Who answers for an app's documents: its realm, and what that realm needs.
    package enum Authority: Hashable, Sendable {
        /// Apple.
        case appStore
        /// The roots in these files.
        case rehearsal(anchors: [String])
        /// The certificates in these files, with which Xcode signs: it has one for receipts and
        /// another for signed data, and makes new ones at will.
        case xcode(pinnedCertificates: [String])

        /// The realm alone.
        package var realm: Realm {
            switch self {
            case .appStore: .appStore
            case .rehearsal: .rehearsal
            case .xcode: .xcode
            }
        }
    }

    /// What verifyReceipt does with a sandbox receipt at the production address.
    package enum EnvironmentRule: String, Hashable, Sendable, CaseIterable {
        /// Answers 21007, as Apple does.
        case strict
        /// Answers it, for backends that cannot ask twice.
        case automatic = "auto"
    }

    /// What its purchases in an environment are worth: as in Production, but for the leeway, which
    /// would outlast the minutes that a subscription lasts elsewhere.
    package func rules(in environment: StoreEnvironment) -> Rules {
        var rules = productionRules
        if environment != .production {
            rules.renewalLeeway = Rules(environment: environment).renewalLeeway
        }
        return rules
    }

    /// Makes an app of both environments, or of Xcode's.
    package init(_ bundleId: String, _ authority: Authority = .appStore) {
        self.bundleId = bundleId
        self.authority = authority
        environments = authority.realm == .xcode ? [.xcode] : [.production, .sandbox]
    }
}
