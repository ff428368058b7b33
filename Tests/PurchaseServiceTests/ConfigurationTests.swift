import AppStoreClient
import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import Testing

@testable import PurchaseService

@Suite("Configuration")
struct ConfigurationTests {
    private static func read(_ text: String, folder: String = "") throws -> Configuration {
        try Configuration(parsing: Array(text.utf8), folder: folder)
    }

    @Test("An empty object is the configuration that holds without a file")
    func empty() throws {
        for configuration in [Configuration(), try Self.read("{}"), try Self.read("{ } // none")] {
            #expect(configuration.listen == "127.0.0.1:8080")
            #expect(configuration.maxBodyBytes == 8_388_608)
            #expect(configuration.trustedProxies.isEmpty)
            #expect(configuration.clientAddressField == .xForwardedFor)
            #expect(configuration.limits == Configuration.Limits())
            #expect(configuration.deadlines == Configuration.Deadlines())
            #expect(configuration.revocation.check == .off)
            #expect(configuration.revocation.hosts == .apple)
            #expect(configuration.appleVerifyReceipt == Configuration.AppleVerifyReceipt())
            #expect(configuration.appleVerifyReceipt.addresses == .apple)
            #expect(configuration.proxy == nil)
            #expect(configuration.database == nil)
            #expect(configuration.apps.isEmpty)
        }
    }

    @Test("Every key is read, past comments and closing commas")
    func full() throws {
        let configuration = try Self.read(
            """
            { // where
              "listen": "[::1]:9090", "maxBodyBytes": 1048576, /* one MiB */
              "trustedProxies": ["10.0.0.0/8"], "clientAddressField": "Forwarded",
              "limits": { "connections": 10, "connectionsPerAddress": 2 },
              "deadlines": { "head": "500ms", "body": "1m", "idle": "1h", "stop": "3s" },
              "revocation": { "check": "on", "hosts": ["*.apple.com", "127.0.0.1"] },
              "appleVerifyReceipt": {
                "production": "https://relay.example/p", "sandbox": "http://127.0.0.1:1/s",
                "callDeadline": "3s", "deadline": "9s", "parallel": 4, "waiting": 8 },
              "proxy": "http://proxy.example:3128",
              "apps": [
                { "bundleId": "com.example.app", "appAppleId": 1234567890,
                  "environments": ["Sandbox"], "transactionReceiptIssuers": ["old.pem"],
                  "verifyReceipt": { "environment": "auto", "relay": "fallback" } },
                { "bundleId": "com.example.rehearsed", "realm": "rehearsal",
                  "anchors": ["a.pem", "/etc/b.pem"] },
                { "bundleId": "com.example.built_here", "realm": "xcode",
                  "pinnedCertificates": ["StoreKitTestCertificate.cer", "/etc/JWS.cer"] },
              ],
            }
            """,
            folder: "/srv/counterfoil/"
        )
        #expect(configuration.listen == "[::1]:9090")
        #expect(configuration.maxBodyBytes == 1_048_576)
        #expect(configuration.trustedProxies == ["10.0.0.0/8"])
        #expect(configuration.clientAddressField == .forwarded)
        #expect(configuration.limits.connections == 10)
        #expect(configuration.limits.connectionsPerAddress == 2)
        #expect(configuration.deadlines.head == .milliseconds(500))
        #expect(configuration.deadlines.body == .seconds(60))
        #expect(configuration.deadlines.idle == .seconds(3600))
        #expect(configuration.deadlines.stop == .seconds(3))
        #expect(configuration.revocation.check == .on)
        #expect(configuration.revocation.hosts == HostRules(["*.apple.com", "127.0.0.1"]))
        #expect(configuration.proxy == "http://proxy.example:3128")
        var apple = Configuration.AppleVerifyReceipt()
        apple.addresses = try #require(
            VerifyReceiptAddresses(
                production: "https://relay.example/p",
                sandbox: "http://127.0.0.1:1/s"
            )
        )
        apple.patience.callDeadline = .seconds(3)
        apple.patience.deadline = .seconds(9)
        (apple.parallel, apple.waiting) = (4, 8)
        #expect(configuration.appleVerifyReceipt == apple)
        var first = AppConfiguration("com.example.app")
        first.appAppleId = 1_234_567_890
        first.environments = [.sandbox]
        first.transactionReceiptIssuers = ["/srv/counterfoil/old.pem"]
        first.environmentRule = .automatic
        first.relay = .fallback
        let second = AppConfiguration(
            "com.example.rehearsed",
            .rehearsal(anchors: ["/srv/counterfoil/a.pem", "/etc/b.pem"])
        )
        let third = AppConfiguration(
            "com.example.built_here",
            .xcode(pinnedCertificates: [
                "/srv/counterfoil/StoreKitTestCertificate.cer", "/etc/JWS.cer",
            ])
        )
        #expect(configuration.apps == [first, second, third])
        #expect(third.environments == [.xcode])
    }

    @Test("Files are looked for beside the configuration file")
    func folder() throws {
        let text = """
            {"apps":[{"bundleId":"a","realm":"rehearsal","anchors":["a.pem"]}]}
            """
        for (path, expected) in [
            ("counterfoil.json", "a.pem"), ("etc/counterfoil.json", "etc/a.pem"),
            ("/counterfoil.json", "/a.pem"), ("../c.json", "../a.pem"),
        ] {
            let configuration = try Configuration(file: path) { name in
                #expect(name == path)
                return Array(text.utf8)
            }
            #expect(configuration.apps[0].authority == .rehearsal(anchors: [expected]))
        }
    }
}

@Suite("Errors of a configuration")
struct ConfigurationErrorTests {
    /// A text, the code of its error, and what its sentence says.
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let code: ErrorCode
        let says: [String]
        var testDescription: String { "\(code): \(text.prefix(60))" }

        init(_ text: String, _ code: ErrorCode, _ says: String...) {
            self.text = text
            self.code = code
            self.says = says
        }

        /// An app that stands on line 2.
        init(app: String, _ code: ErrorCode, _ says: String...) {
            self.init(app: app, code, says: says)
        }

        init(app: String, _ code: ErrorCode, says: [String]) {
            text = "{\"apps\": [\n  {\(app)}\n]}"
            self.code = code
            self.says = says
        }
    }

    static let cases: [Case] =
        structure + values + relays + [
            Case(
                app: #""bundleId": "com.example.app" }, {"bundleId": "com.example.app""#,
                ConfigurationError.duplicateApp,
                "apps[1] repeats com.example.app of apps[0]",
                "line 2"
            ),
            Case(
                app: #""bundleId": "a.b" }, {"bundleId": "a.b", "realm": "xcode", "#
                    + #""pinnedCertificates": ["c"]"#,
                ConfigurationError.bundleIdInTwoRealms,
                "apps[1] puts a.b into realm xcode",
                "apps[0] puts it into realm appStore"
            ),
        ] + realms + rules

    private static let structure: [Case] = [
        Case("", ConfigurationError.syntax, "line 1, column 1"),
        Case("{ \"listen\": }", ConfigurationError.syntax, "line 1, column 13"),
        Case("{\n  /* open", ConfigurationError.syntax, "line 2, column 3"),
        Case("[]", ConfigurationError.wrongType, "the document is an array", "an object"),
        Case(
            "{\"listen\": \"a:1\",\n\"listen\": \"b:1\"}",
            ConfigurationError.duplicateKey,
            "\"listen\"",
            "line 2, column 1"
        ),
        Case(
            "{\n  \"lisen\": \"127.0.0.1:8080\"}",
            ConfigurationError.unknownKey,
            "lisen is no key of the configuration",
            "did you mean listen?",
            "line 2, column 3"
        ),
        Case(
            "{\"adminListen\": 1}",
            ConfigurationError.unknownKey,
            "expected one of listen, maxBodyBytes, trustedProxies, clientAddressField, limits"
        ),
        Case("{\"bundleId\": 1}", ConfigurationError.unknownKey, "that is a key of an app"),
        Case(
            app: #""bundleID": "a""#,
            ConfigurationError.unknownKey,
            "apps[0].bundleID is no key of an app; did you mean bundleId?",
            "line 2, column 4"
        ),
        Case(
            app: #""bundleId": "a", "verifyReceipt": {"enviroment": "auto"}"#,
            ConfigurationError.unknownKey,
            "apps[0].verifyReceipt.enviroment is no key of verifyReceipt",
            "did you mean environment?"
        ),
        Case(
            app: #""realm": "appStore""#,
            ConfigurationError.missingKey,
            "apps[0].bundleId is missing",
            "line 2, column 3"
        ),
    ]

    private static let values: [Case] = [
        Case("{\"listen\": 8080}", ConfigurationError.wrongType, "listen is a number", "column 12"),
        Case("{\"listen\": null}", ConfigurationError.wrongType, "listen is null"),
        Case("{\"listen\": \"\"}", ConfigurationError.wrongValue, "listen is \"\""),
        Case("{\"apps\": {}}", ConfigurationError.wrongType, "apps is an object", "a list of apps"),
        Case("{\"apps\": [[]]}", ConfigurationError.wrongType, "apps[0] is an array"),
        Case("{\"limits\": 3}", ConfigurationError.wrongType, "limits is a number"),
        Case("{\"maxBodyBytes\": \"1\"}", ConfigurationError.wrongType, "is a string"),
        Case("{\"maxBodyBytes\": 1023}", ConfigurationError.wrongValue, "is 1023", "from 1024"),
        Case("{\"maxBodyBytes\": 268435457}", ConfigurationError.wrongValue, "to 268435456"),
        Case("{\"maxBodyBytes\": 4096.5}", ConfigurationError.wrongValue, "is 4096.5"),
        Case("{\"revocation\": true}", ConfigurationError.wrongType, "revocation is true"),
        Case("{\"revocation\": {\"check\": \"yes\"}}", ConfigurationError.wrongValue, "\"yes\""),
        Case(
            "{\"revocation\": {\"hosts\": [\"*.a.b\", \"http://a\"]}}",
            ConfigurationError.wrongValue,
            "revocation.hosts[1] is \"http://a\"",
            "*.example.com"
        ),
        Case("{\"limits\": {\"connections\": 0}}", ConfigurationError.wrongValue, "is 0"),
        Case("{\"deadlines\": {\"head\": \"99ms\"}}", ConfigurationError.wrongValue, "\"99ms\""),
        Case("{\"deadlines\": {\"stop\": \"61m\"}}", ConfigurationError.wrongValue, "\"61m\""),
        Case("{\"deadlines\": {\"idle\": \"10\"}}", ConfigurationError.wrongValue, "\"10\""),
        Case("{\"deadlines\": {\"idle\": \"s\"}}", ConfigurationError.wrongValue, "\"s\""),
        Case("{\"deadlines\": {\"idle\": \"1 s\"}}", ConfigurationError.wrongValue, "\"1 s\""),
        Case("{\"deadlines\": {\"idle\": \"-1s\"}}", ConfigurationError.wrongValue, "\"-1s\""),
        Case(
            "{\"deadlines\": {\"idle\": \"99999999999999999999s\"}}",
            ConfigurationError.wrongValue,
            "deadlines.idle"
        ),
        Case("{\"deadlines\": {\"idle\": 10}}", ConfigurationError.wrongType, "is a number"),
        Case(app: #""bundleId": """#, ConfigurationError.wrongValue, "apps[0].bundleId is \"\""),
        Case(app: #""bundleId": "com.example.*""#, ConfigurationError.wrongValue, "letters"),
        Case(app: #""bundleId": "com.exämple""#, ConfigurationError.wrongValue, "exämple"),
        Case(
            app: "\"bundleId\": \"" + String(repeating: "a", count: 256) + "\"",
            ConfigurationError.wrongValue,
            String(repeating: "a", count: 64) + "…"
        ),
        Case(
            "{\"maxBodyBytes\": 1" + String(repeating: "0", count: 5000) + "}",
            ConfigurationError.wrongValue,
            "is 1" + String(repeating: "0", count: 63) + "…; expected"
        ),
        Case(app: #""bundleId": "a", "appAppleId": 0"#, ConfigurationError.wrongValue, "is 0"),
        Case(app: #""bundleId": "a", "appAppleId": "1""#, ConfigurationError.wrongType, "a string"),
        Case(
            app: #""bundleId": "a", "realm": "appstore""#,
            ConfigurationError.wrongValue,
            "apps[0].realm is \"appstore\"",
            "\"appStore\", \"rehearsal\" or \"xcode\"",
            "line 2, column 30"
        ),
        Case(app: #""bundleId": "a", "environments": []"#, ConfigurationError.wrongValue, "[]"),
        Case(
            app: #""bundleId": "a", "environments": ["Production", "sandbox"]"#,
            ConfigurationError.wrongValue,
            "apps[0].environments[1] is \"sandbox\""
        ),
        Case(
            app: #""bundleId": "a", "environments": ["Sandbox", "Sandbox"]"#,
            ConfigurationError.wrongValue,
            "environments[1]"
        ),
        Case(
            app: #""bundleId": "a", "environments": ["Xcode"]"#,
            ConfigurationError.wrongValue,
            "Xcode"
        ),
        Case(
            app: #""bundleId": "a", "environments": [true]"#,
            ConfigurationError.wrongType,
            "environments[0] is true"
        ),
        Case(
            app: #""bundleId": "a", "verifyReceipt": {"environment": "automatic"}"#,
            ConfigurationError.wrongValue,
            "\"strict\" or \"auto\""
        ),
    ]

    private static let realms: [Case] = [
        Case(
            app: #""bundleId": "a", "realm": "rehearsal""#,
            ConfigurationError.anchorsMissing,
            "apps[0].anchors is missing"
        ),
        Case(
            app: #""bundleId": "a", "realm": "rehearsal", "anchors": []"#,
            ConfigurationError.anchorsMissing,
            "apps[0].anchors is []; expected a list of files, at least one"
        ),
        Case(
            app: #""bundleId": "a", "realm": "rehearsal", "anchors": [""]"#,
            ConfigurationError.wrongValue,
            "apps[0].anchors[0] is \"\""
        ),
        Case(
            app: #""bundleId": "a", "anchors": ["a.pem"]"#,
            ConfigurationError.anchorsMisplaced,
            "apps[0].anchors is given in realm appStore",
            "line 2, column 21"
        ),
        Case(
            app: #""bundleId": "a", "realm": "xcode", "anchors": [], "pinnedCertificates": ["c"]"#,
            ConfigurationError.anchorsMisplaced,
            "realm xcode"
        ),
        Case(
            app: #""bundleId": "a", "realm": "xcode""#,
            ConfigurationError.pinsMissing,
            "apps[0].pinnedCertificates is missing"
        ),
        Case(
            app: #""bundleId": "a", "realm": "xcode", "pinnedCertificates": []"#,
            ConfigurationError.pinsMissing,
            "apps[0].pinnedCertificates is []; expected a list of files, at least one"
        ),
        Case(
            app: #""bundleId": "a", "realm": "xcode", "pinnedCertificate": "c.cer""#,
            ConfigurationError.unknownKey,
            "pinnedCertificates"
        ),
        Case(
            app: #""bundleId": "a", "pinnedCertificates": ["c.cer"]"#,
            ConfigurationError.pinsMisplaced,
            "realm appStore"
        ),
        Case(
            app: #""bundleId": "a", "realm": "xcode", "pinnedCertificates": ["c"], "#
                + #""environments": ["Sandbox"]"#,
            ConfigurationError.environmentsMisplaced,
            "realm xcode"
        ),
        Case(
            app: #""bundleId": "a", "realm": "xcode", "pinnedCertificates": ["c"], "#
                + #""transactionReceiptIssuers": []"#,
            ConfigurationError.issuersMisplaced,
            "realm xcode"
        ),
    ]

    private static let standIn =
        #""appleVerifyReceipt": {"production": "http://127.0.0.1:1/p", "#
        + #""sandbox": "http://127.0.0.1:1/s"}"#
    private static let asked = #""verifyReceipt": {"relay": "shadow"}"#

    /// What has somebody asked about receipts that he knows nothing of, and what looks like it.
    private static let relays: [Case] = [
        Case(
            app: #""bundleId": "a", "realm": "rehearsal", "anchors": ["a"], \#(asked)"#,
            ConfigurationError.relayMisplaced,
            "apps[0].verifyReceipt.relay",
            "realm rehearsal"
        ),
        Case(
            app: #""bundleId": "a", "realm": "xcode", "pinnedCertificates": ["c"], \#(asked)"#,
            ConfigurationError.relayMisplaced,
            "realm xcode"
        ),
        Case(
            "{\(standIn), \"apps\": [{\"bundleId\": \"a\", \(asked)}, {\"bundleId\": \"b\", "
                + "\"realm\": \"rehearsal\", \"anchors\": [\"a\"], \(asked)}]}",
            ConfigurationError.relayMisplaced,
            "apps[1].verifyReceipt.relay",
            "apps[0]",
            "one realm"
        ),
        Case(
            #"{"appleVerifyReceipt": {"production": "https://relay.example/p"}}"#,
            ConfigurationError.missingKey,
            "appleVerifyReceipt.sandbox is missing"
        ),
        Case(
            #"{"appleVerifyReceipt": {"production": "http://relay.example/p", "sandbox": "x"}}"#,
            ConfigurationError.wrongValue,
            "appleVerifyReceipt.production",
            "an address of https"
        ),
        Case(
            #"{"appleVerifyReceipt": {"deadline": "26s"}}"#,
            ConfigurationError.wrongValue,
            "appleVerifyReceipt.deadline"
        ),
        Case(
            app: #""bundleId": "a", "verifyReceipt": {"relay": "on"}"#,
            ConfigurationError.wrongValue,
            #"expected "off", "shadow", "fallback" or "primary""#
        ),
    ]

    @Test("A local App Store's receipts may be asked about where its addresses are given")
    func rehearsedRelay() throws {
        let text =
            "{\(Self.standIn), \"apps\": [{\"bundleId\": \"a\", \"realm\": \"rehearsal\", "
            + "\"anchors\": [\"a\"], \(Self.asked)}, {\"bundleId\": \"b\"}]}"
        let configuration = try Configuration(parsing: Array(text.utf8))
        #expect(configuration.apps.map(\.relay) == [.shadow, .off])
    }

    @Test("Each is refused with its code, key path and place", arguments: cases)
    func refused(_ example: Case) throws {
        let error = try #require(throws: ConfigurationError.self) {
            try Configuration(parsing: Array(example.text.utf8))
        }
        #expect(error.code == example.code, "\(error)")
        #expect(error.reason.contains(", at line "), "\(error)")
        for part in example.says { #expect(error.reason.contains(part), "\(error)") }
    }

    @Test("What is wrong with a file begins with its name as it was given")
    func named() throws {
        let texts = [
            "{\"listen\": }", "{\"lisen\": 1}", "{\"listen\": 8080}",
            "{\"apps\": [{\"bundleId\": \"\"}]}",
            "{\"apps\": [{\"bundleId\": \"a\"}, {\"bundleId\": \"a\"}]}",
        ]
        for text in texts {
            let error = try #require(throws: ConfigurationError.self) {
                try Configuration(file: "etc/counterfoil.json") { _ in Array(text.utf8) }
            }
            #expect(error.reason.hasPrefix("etc/counterfoil.json: "), "\(error)")
        }
        let configuration = try Configuration(file: "etc/counterfoil.json") { _ in
            Array("{\"apps\":[\(Self.rehearsal)]}".utf8)
        }
        let error = try #require(throws: ConfigurationError.self) {
            try ConfiguredApps(configuration, now: Issued.now) { _ in [] }
        }
        #expect(
            error.reason.hasPrefix(
                "etc/counterfoil.json: apps[0].anchors[0] names etc/roots/a.pem, which"
            )
        )
    }

    @Test("A key that was pasted where a name or a word belongs is not shown")
    func pastedKey() throws {
        let key = #"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0"#
        let word = try #require(throws: ConfigurationError.self) {
            try Configuration(parsing: Array(#"{"clientAddressField": "\#(key)"}"#.utf8))
        }
        let app = #"{"bundleId": "a", "realm": "rehearsal", "anchors": ["\#(key)"]}"#
        struct Missing: Error, CustomStringConvertible { let description = "no such file" }
        let name = try Self.error(app) { _ in throw Missing() }
        for error in [word, name] {
            #expect(error.reason.contains("a text in PEM armour (not shown)"), "\(error)")
            #expect(!error.reason.contains("MII"), "\(error)")
        }
    }

    @Test("A file that cannot be read is named, with the cause")
    func unreadable() throws {
        struct Missing: Error, CustomStringConvertible { let description = "no such file" }
        let error = try #require(throws: ConfigurationError.self) {
            try Configuration(file: "etc/counterfoil.json") { _ in throw Missing() }
        }
        #expect(error.code == ConfigurationError.unreadable)
        #expect(
            error.reason
                == "the configuration file etc/counterfoil.json cannot be read: no such file"
        )
    }

    /// What is wrong with a file that an app names.
    private static func error(
        _ app: String,
        _ file: @escaping (String) throws -> [UInt8]
    ) throws -> ConfigurationError {
        let configuration = try Configuration(parsing: Array("{\"apps\":[\n\(app)]}".utf8))
        return try #require(throws: ConfigurationError.self) {
            try ConfiguredApps(configuration, now: Issued.now, reading: file)
        }
    }

    private static let rehearsal =
        #"{"bundleId": "a", "realm": "rehearsal", "anchors": ["roots/a.pem"]}"#

    @Test("A certificate file that cannot be read is named with its place")
    func unreadableFile() throws {
        struct Denied: Error, CustomStringConvertible { let description = "permission denied" }
        let error = try Self.error(Self.rehearsal) { _ in throw Denied() }
        #expect(error.code == ConfigurationError.fileUnreadable)
        #expect(
            error.reason == "apps[0].anchors[0] names roots/a.pem, which cannot be read: "
                + "permission denied, at line 2, column 53"
        )
    }

    @Test("A file that is no certificate of its kind is refused")
    func notACertificate() throws {
        let leaf = Array(Issued.authority[.receiptSigner].certificate.pem.utf8)
        let two = Array(Issued.authority.anchorsPEM.utf8)
        let files: [(String, [UInt8])] = [
            (Self.rehearsal, []), (Self.rehearsal, Array("junk".utf8)), (Self.rehearsal, leaf),
            (#"{"bundleId": "a", "realm": "xcode", "pinnedCertificates": ["c"]}"#, two),
            (#"{"bundleId": "a", "transactionReceiptIssuers": ["i.pem"]}"#, Array("{}".utf8)),
        ]
        for (app, bytes) in files {
            let error = try Self.error(app) { _ in bytes }
            #expect(error.code == ConfigurationError.notACertificate, "\(error)")
            #expect(error.reason.contains("line 2"), "\(error)")
        }
    }

    @Test("A certificate cannot answer for two realms")
    func twoRealms() throws {
        let root = Array(Issued.authority[.root].certificate.pem.utf8)
        let app = #"{"bundleId": "b", "realm": "xcode", "pinnedCertificates": ["c"]},"#
        let error = try Self.error(app + Self.rehearsal) { _ in root }
        #expect(error.code == ConfigurationError.certificateConflict)
        #expect(error.reason.hasPrefix("apps[1].anchors[0] names roots/a.pem"))
    }

    @Test("Apple's own root is no anchor of a rehearsal", corpus)
    func appleRoot() throws {
        let root = try Corpus.bytes("certs/AppleIncRootCertificate.der")
        let error = try Self.error(Self.rehearsal) { _ in root }
        #expect(error.code == ConfigurationError.certificateConflict)
    }

    @Test("Every code of a configuration is provoked by one of these tests")
    func codes() {
        let provoked = Set(Self.cases.map(\.code)).union([
            ConfigurationError.unreadable, ConfigurationError.fileUnreadable,
            ConfigurationError.notACertificate, ConfigurationError.certificateConflict,
            // By the server, which knows addresses.
            ConfigurationError.invalidAddress, ConfigurationError.invalidNetwork,
            ConfigurationError.invalidProxy,
            // By the record of purchases, which one database keeps.
            ConfigurationError.databaseOfTwoPurposes,
        ])
        #expect(provoked == Set(ConfigurationError.allCodes))
        #expect(Set(ConfigurationError.allCodes).count == ConfigurationError.allCodes.count)
    }
}
