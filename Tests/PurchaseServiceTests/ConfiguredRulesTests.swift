import AppStoreModel
import CounterfoilBasics
import CounterfoilTestSupport
import Ledger
import Testing

@testable import AppStoreVerification
@testable import PurchaseService

@Suite("Rules of a configuration")
struct ConfiguredRulesTests {
    private static func configuration(_ app: String) throws -> Configuration {
        try Configuration(parsing: Array(#"{"apps": [{"bundleId": "a", \#(app)}]}"#.utf8))
    }

    private static func app(_ text: String) throws -> AppConfiguration {
        try #require(configuration(text).apps.first)
    }

    @Test("Every key of a product is read, and an empty one is a product that gives nothing")
    func products() throws {
        let app = try Self.app(
            """
            "products": {
              "com.example.pro.month": { "entitlements": ["pro", "Größe L"], "group": "pro", "level": 2 },
              "season-2026": { "entitlements": ["season"], "duration": "30d" },
              "coins_100": { "credits": 100 },
              "gift": {},
            }
            """
        )
        #expect(
            app.rules(in: .production).products == [
                "com.example.pro.month": ProductRule(
                    entitlements: ["pro", "Größe L"],
                    group: "pro",
                    level: 2
                ),
                "season-2026": ProductRule(
                    entitlements: ["season"],
                    duration: .seconds(30 * 86_400)
                ),
                "coins_100": ProductRule(credits: 100),
                "gift": ProductRule(),
            ]
        )
        #expect(app.rules(in: .sandbox).products == app.rules(in: .production).products)
    }

    @Test("The leeway holds in Production; elsewhere there is none, whatever is configured")
    func leeway() throws {
        for (text, expected) in [
            (#""products": {}"#, Duration.seconds(86_400)),
            (#""renewalLeeway": "0s""#, .zero),
            (#""renewalLeeway": "90m""#, .seconds(5400)),
            (#""renewalLeeway": "30d""#, .seconds(30 * 86_400)),
        ] {
            let app = try Self.app(text)
            #expect(app.rules(in: .production).renewalLeeway == expected)
            #expect(app.rules(in: .sandbox).renewalLeeway == .zero)
            #expect(app.rules(in: .xcode).renewalLeeway == .zero)
        }
    }

    @Test("Without any of these keys the rules are those of nobody's catalogue")
    func defaults() throws {
        for environment in [StoreEnvironment.production, .sandbox, .xcode] {
            let rules = try Self.app(#""appAppleId": 1"#).rules(in: environment)
            #expect(rules == Rules(environment: environment))
            #expect(rules.sandboxAccess == .everyone)
            #expect(rules.v1Trust == .secret)
        }
    }

    @Test("Policies hold in every environment")
    func policies() throws {
        let app = try Self.app(#""sandboxAccess": "nobody", "v1Trust": "signatureOnly""#)
        for environment in [StoreEnvironment.production, .sandbox] {
            let rules = app.rules(in: environment)
            #expect(rules.sandboxAccess == .nobody)
            #expect(!rules.admits(.sharedSecret))
        }
    }

    @Test("The rules of an app answer for that app in its realm, and for no other")
    func scopes() throws {
        let configuration = try Self.configuration(#""products": {"pro": {"credits": 1}}"#)
        let apps = try ConfiguredApps(configuration, now: Issued.now) { _ in [] }
        func products(_ bundleId: String, _ realm: Realm) -> [String: ProductRule] {
            let scope = Scope(bundleId: bundleId, environment: .production, realm: realm)
            return apps.rules(of: scope).products
        }
        #expect(products("a", .appStore) == ["pro": ProductRule(credits: 1)])
        #expect(products("a", .rehearsal).isEmpty)
        #expect(products("b", .appStore).isEmpty)
        let nobody = Scope(bundleId: "b", environment: .sandbox, realm: .appStore)
        #expect(apps.rules(of: nobody) == Rules(environment: .sandbox))
    }

    @Test("As many products are taken as an app can have, and not one more")
    func mostProducts() throws {
        func text(_ count: Int) -> String {
            let products = (0..<count).map {
                #""p\#($0)": {"entitlements": ["pro"], "group": "g", "level": 1}"#
            }
            return "\"products\": {\(products.joined(separator: ", "))}"
        }
        #expect(try Self.app(text(10_000)).productionRules.products.count == 10_000)
        let error = try #require(throws: ConfigurationError.self) {
            try Self.app(text(10_001))
        }
        #expect(error.code == ConfigurationError.wrongValue)
        #expect(
            error.reason.hasPrefix(
                "apps[0].products has 10001; expected an object of at most 10000"
            )
        )
    }

    @Test(
        "A database's file is looked for beside the configuration file",
        arguments: [
            (#"{}"#, nil), (#"{"database": "memory"}"#, .memory),
            (#"{"database": "sqlite:counterfoil.db"}"#, .sqlite(path: "/etc/cf/counterfoil.db")),
            (#"{"database": "sqlite:../a b.db"}"#, .sqlite(path: "/etc/cf/../a b.db")),
            (#"{"database": "sqlite:/var/lib/c.db"}"#, .sqlite(path: "/var/lib/c.db")),
        ] as [(String, DatabaseAddress?)]
    )
    func database(_ text: String, _ expected: DatabaseAddress?) throws {
        let configuration = try Configuration(file: "/etc/cf/counterfoil.json") { _ in
            Array(text.utf8)
        }
        #expect(configuration.database == expected)
    }
}

extension ConfigurationErrorTests {
    private static func product(
        _ product: String,
        _ code: ErrorCode,
        _ says: String...
    ) -> Case {
        Case(app: #""bundleId": "a", "products": {"x": {\#(product)}}"#, code, says: says)
    }

    /// What cannot be meant as an app's rules, or as where the ledger is.
    static let rules: [Case] =
        databases + names + [
            product(
                #""credits": 5, "duration": "30d""#,
                ConfigurationError.productOfTwoKinds,
                "apps[0].products.x.duration is given beside credits",
                "line 2"
            ),
            product(
                #""group": "g", "duration": "30d""#,
                ConfigurationError.productOfTwoKinds,
                "group is given beside duration"
            ),
            product(
                #""group": "g", "credits": 1"#,
                ConfigurationError.productOfTwoKinds,
                "group is given beside credits"
            ),
            product(
                #""level": 1"#,
                ConfigurationError.levelWithoutGroup,
                "apps[0].products.x.level is given without a group"
            ),
            product(#""group": "g", "level": 0"#, ConfigurationError.wrongValue, "is 0", "from 1"),
            product(#""group": "g", "level": 1001"#, ConfigurationError.wrongValue, "to 1000"),
            product(#""group": "g", "level": "1""#, ConfigurationError.wrongType, "a string"),
            product(#""group": 20000001"#, ConfigurationError.wrongType, "is a number"),
            product(#""credits": -5"#, ConfigurationError.wrongValue, "credits is -5"),
            product(#""credits": 0"#, ConfigurationError.wrongValue, "from 1"),
            product(#""credits": 1000000000001"#, ConfigurationError.wrongValue, "from 1"),
            product(#""duration": "0d""#, ConfigurationError.wrongValue, "duration is \"0d\""),
            product(#""duration": "999ms""#, ConfigurationError.wrongValue, "from \"1s\""),
            product(#""duration": "36501d""#, ConfigurationError.wrongValue, "to \"36500d\""),
            product(#""duration": "P1M""#, ConfigurationError.wrongValue, "s, m, h or d"),
            product(#""duration": 30"#, ConfigurationError.wrongType, "is a number"),
            product(
                #""entitlement": ["pro"]"#,
                ConfigurationError.unknownKey,
                "apps[0].products.x.entitlement is no key of a product",
                "did you mean entitlements?"
            ),
            Case("{\"credits\": 1}", ConfigurationError.unknownKey, "that is a key of a product"),
            Case(
                app: #""bundleId": "a", "products": ["x"]"#,
                ConfigurationError.wrongType,
                "apps[0].products is an array"
            ),
            Case(
                app: #""bundleId": "a", "products": {"com.example.pro": "pro"}"#,
                ConfigurationError.wrongType,
                "apps[0].products[\"com.example.pro\"] is a string; expected an object"
            ),
            Case(
                app: #""bundleId": "a", "renewalLeeway": "31d""#,
                ConfigurationError.wrongValue,
                "from \"0s\" to \"30d\""
            ),
            Case(
                app: #""bundleId": "a", "renewalLeeway": "-1h""#,
                ConfigurationError.wrongValue,
                "apps[0].renewalLeeway is \"-1h\""
            ),
            Case(
                app: #""bundleId": "a", "sandboxAccess": "noone""#,
                ConfigurationError.wrongValue,
                "expected \"everyone\" or \"nobody\""
            ),
            Case(
                app: #""bundleId": "a", "v1Trust": "signature""#,
                ConfigurationError.wrongValue,
                "expected \"secret\" or \"signatureOnly\""
            ),
        ]

    private static let names: [Case] =
        [
            product(#""entitlements": "pro""#, ConfigurationError.wrongType, "is a string"),
            product(
                #""entitlements": [""]"#,
                ConfigurationError.wrongValue,
                "entitlements[0] is \"\""
            ),
            product(#""entitlements": ["pro "]"#, ConfigurationError.wrongValue, "spaces around"),
            product(
                #""entitlements": ["p\nro"]"#,
                ConfigurationError.wrongValue,
                "control characters"
            ),
            product(#""entitlements": ["p\u200bro"]"#, ConfigurationError.wrongValue, "control"),
            product(
                #""entitlements": ["a", "b", "a"]"#,
                ConfigurationError.wrongValue,
                "entitlements[2] is \"a\"",
                "each once"
            ),
            product(
                "\"group\": \"" + String(repeating: "g", count: 256) + "\"",
                ConfigurationError.wrongValue,
                "at most 255 bytes"
            ),
        ]
        + [("", ""), ("a b", "a b"), ("gr\\u00f6\\u00dfe", "größe")].map { key, shown in
            Case(
                app: #""bundleId": "a", "products": {"\#(key)": {}}"#,
                ConfigurationError.wrongValue,
                "apps[0].products[\"\(shown)\"] is no product identifier",
                "line 2, column 34"
            )
        }

    private static let databases: [Case] = [
        "", "memor", "Memory", "counterfoil.db", "sqlite", "sqlite:", "sqlite:dir/",
        "sqlite://counterfoil.db", "sqlite::memory:", "sqlite:file:a.db?mode=memory",
        "sqlite:a\\u0000b", "postgresql://localhost/counterfoil",
    ].map { text in
        Case(
            "{\"database\": \"\(text)\"}",
            ConfigurationError.wrongValue,
            "expected \"sqlite:\" and the name of a file, or \"memory\""
        )
    }
}
