/// A key of the configuration file, with what docs/CONFIGURATION.md says of it.
package struct ConfigurationKey: Hashable, Sendable {
    /// The object that a key stands in, named as in a key path.
    package enum Section: String, Hashable, Sendable, CaseIterable {
        case file = ""
        case limits = "limits"
        case deadlines = "deadlines"
        case revocation = "revocation"
        case appleVerifyReceipt = "appleVerifyReceipt"
        case app = "apps[]"
        case verifyReceipt = "apps[].verifyReceipt"
        case secret = "apps[].sharedSecrets[]"
        case product = "apps[].products.*"

        /// The object in a sentence.
        var inWords: String {
            switch self {
            case .file: "the configuration"
            case .limits: "limits"
            case .deadlines: "deadlines"
            case .revocation: "revocation"
            case .appleVerifyReceipt: "appleVerifyReceipt"
            case .app: "an app"
            case .verifyReceipt: "verifyReceipt"
            case .secret: "a secret"
            case .product: "a product"
            }
        }
    }

    /// The object that it stands in.
    package let section: Section
    /// The key itself.
    package let name: String
    /// What its value must be, as the end of a sentence.
    package let expectation: String
    /// What holds without it, as JSON or in words.
    package let absence: String

    private init(
        _ section: Section,
        _ name: String,
        _ expectation: String,
        absence: String
    ) {
        self.section = section
        self.name = name
        self.expectation = expectation
        self.absence = absence
    }

    /// The key with what it stands in: `apps[].bundleId`.
    package var path: String {
        section == .file ? name : "\(section.rawValue).\(name)"
    }
}

extension ConfigurationKey {
    static let listen = ConfigurationKey(
        .file,
        "listen",
        #"an address and a port such as "127.0.0.1:8080" or "[::1]:8080""#,
        absence: #""127.0.0.1:8080""#
    )
    static let maxBodyBytes = ConfigurationKey(
        .file,
        "maxBodyBytes",
        "a number of bytes from 1024 to 268435456",
        absence: "8388608"
    )
    static let trustedProxies = ConfigurationKey(
        .file,
        "trustedProxies",
        #"a list of addresses or ranges such as "10.0.0.0/8" or "::1""#,
        absence: "[]"
    )
    static let clientAddressField = ConfigurationKey(
        .file,
        "clientAddressField",
        #""X-Forwarded-For" or "Forwarded""#,
        absence: #""X-Forwarded-For""#
    )
    static let limits = ConfigurationKey(.file, "limits", "an object", absence: "{}")
    static let deadlines = ConfigurationKey(.file, "deadlines", "an object", absence: "{}")
    static let revocation = ConfigurationKey(.file, "revocation", "an object", absence: "{}")
    static let appleVerifyReceipt = ConfigurationKey(
        .file,
        "appleVerifyReceipt",
        "an object",
        absence: "{}"
    )
    static let proxy = ConfigurationKey(
        .file,
        "proxy",
        #"an address such as "http://proxy.example:3128""#,
        absence: "none"
    )
    static let database = ConfigurationKey(
        .file,
        "database",
        #""sqlite:" and the name of a file, or "memory""#,
        absence: "none"
    )
    static let apps = ConfigurationKey(.file, "apps", "a list of apps", absence: "[]")

    static let connections = ConfigurationKey(
        .limits,
        "connections",
        "a number from 1 to 100000",
        absence: "1024"
    )
    static let connectionsPerAddress = ConfigurationKey(
        .limits,
        "connectionsPerAddress",
        "a number from 1 to 100000",
        absence: "256"
    )

    static let head = ConfigurationKey(.deadlines, "head", deadline, absence: #""10s""#)
    static let body = ConfigurationKey(.deadlines, "body", deadline, absence: #""30s""#)
    static let idle = ConfigurationKey(.deadlines, "idle", deadline, absence: #""60s""#)
    static let stop = ConfigurationKey(.deadlines, "stop", deadline, absence: #""10s""#)
    private static let deadline = #"a time from "100ms" to "1h", with the unit ms, s, m or h"#

    static let check = ConfigurationKey(
        .revocation,
        "check",
        #""off" or "on""#,
        absence: #""off""#
    )
    static let hosts = ConfigurationKey(
        .revocation,
        "hosts",
        #"a list of names or addresses such as "*.example.com" or "127.0.0.1""#,
        absence: #"["*.apple.com"]"#
    )

    static let productionAddress = ConfigurationKey(
        .appleVerifyReceipt,
        "production",
        address,
        absence: #""https://buy.itunes.apple.com/verifyReceipt""#
    )
    static let sandboxAddress = ConfigurationKey(
        .appleVerifyReceipt,
        "sandbox",
        address,
        absence: #""https://sandbox.itunes.apple.com/verifyReceipt""#
    )
    private static let address = "an address of https, or one of http on this machine"
    static let callDeadline = ConfigurationKey(
        .appleVerifyReceipt,
        "callDeadline",
        patience,
        absence: #""5s""#
    )
    static let wholeDeadline = ConfigurationKey(
        .appleVerifyReceipt,
        "deadline",
        patience,
        absence: #""10s""#
    )
    private static let patience = #"a time from "100ms" to "25s", with the unit ms or s"#
    static let parallel = ConfigurationKey(
        .appleVerifyReceipt,
        "parallel",
        "a number from 1 to 100",
        absence: "32"
    )
    static let waiting = ConfigurationKey(
        .appleVerifyReceipt,
        "waiting",
        "a number from 1 to 100000",
        absence: "256"
    )

    static let bundleId = ConfigurationKey(
        .app,
        "bundleId",
        "a bundle identifier, of letters, digits, hyphens, periods and low lines",
        absence: "required"
    )
    static let appAppleId = ConfigurationKey(
        .app,
        "appAppleId",
        "the app's Apple ID, a number above 0",
        absence: "not compared"
    )
    static let realm = ConfigurationKey(
        .app,
        "realm",
        #""appStore", "rehearsal" or "xcode""#,
        absence: #""appStore""#
    )
    static let environments = ConfigurationKey(
        .app,
        "environments",
        #"a list of "Production", "Sandbox" or both, each once"#,
        absence: #"["Production", "Sandbox"]"#
    )
    static let anchors = ConfigurationKey(
        .app,
        "anchors",
        "a list of files, at least one",
        absence: "required in realm rehearsal"
    )
    static let pinnedCertificates = ConfigurationKey(
        .app,
        "pinnedCertificates",
        "a list of files, at least one",
        absence: "required in realm xcode"
    )
    static let transactionReceiptIssuers = ConfigurationKey(
        .app,
        "transactionReceiptIssuers",
        "a list of files",
        absence: "[]"
    )
    static let verifyReceipt = ConfigurationKey(.app, "verifyReceipt", "an object", absence: "{}")

    static let sharedSecrets = ConfigurationKey(
        .app,
        "sharedSecrets",
        "a list of secrets, each in a file or a variable of the environment",
        absence: "[]"
    )
    static let secretFile = ConfigurationKey(
        .secret,
        "file",
        "a file that holds the secret and nothing else",
        absence: "none"
    )
    static let secretVariable = ConfigurationKey(
        .secret,
        "env",
        "a variable of the environment that holds the secret",
        absence: "none"
    )

    static let products = ConfigurationKey(
        .app,
        "products",
        "an object of at most 10000 products, each under its product identifier",
        absence: "{}"
    )
    static let renewalLeeway = ConfigurationKey(
        .app,
        "renewalLeeway",
        #"a time from "0s" to "30d", with the unit ms, s, m, h or d"#,
        absence: #""24h""#
    )
    static let sandboxAccess = ConfigurationKey(
        .app,
        "sandboxAccess",
        #""everyone" or "nobody""#,
        absence: #""everyone""#
    )
    static let v1Trust = ConfigurationKey(
        .app,
        "v1Trust",
        #""secret" or "signatureOnly""#,
        absence: #""secret""#
    )

    static let environment = ConfigurationKey(
        .verifyReceipt,
        "environment",
        #""strict" or "auto""#,
        absence: #""strict""#
    )

    static let relay = ConfigurationKey(
        .verifyReceipt,
        "relay",
        #""off", "shadow", "fallback" or "primary""#,
        absence: #""off""#
    )

    static let entitlements = ConfigurationKey(
        .product,
        "entitlements",
        "a list of names, each once, \(label)",
        absence: "[]"
    )
    static let credits = ConfigurationKey(
        .product,
        "credits",
        "a number from 1 to 1000000000000",
        absence: "none"
    )
    static let duration = ConfigurationKey(
        .product,
        "duration",
        #"a time from "1s" to "36500d", with the unit ms, s, m, h or d"#,
        absence: "for ever"
    )
    static let group = ConfigurationKey(.product, "group", "a name \(label)", absence: "none")
    static let level = ConfigurationKey(
        .product,
        "level",
        "a number from 1 to 1000, 1 for the highest level of service",
        absence: "none"
    )

    private static let label = "of at most 255 bytes without control characters or spaces around"

    /// Every key, in the order of the documentation.
    package static let all: [ConfigurationKey] = [
        listen, maxBodyBytes, trustedProxies, clientAddressField, limits, connections,
        connectionsPerAddress, deadlines, head, body,
        idle, stop, revocation, check, hosts, appleVerifyReceipt, productionAddress,
        sandboxAddress, callDeadline, wholeDeadline, parallel, waiting, proxy, database, apps,
        bundleId, appAppleId, realm,
        environments, anchors, pinnedCertificates,
        transactionReceiptIssuers, sharedSecrets, secretFile, secretVariable, verifyReceipt,
        environment, relay, products, renewalLeeway,
        sandboxAccess, v1Trust, entitlements, credits, duration, group, level,
    ]
}
