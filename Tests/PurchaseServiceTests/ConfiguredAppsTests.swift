import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Testing

@testable import PurchaseService

@Suite("Which apps verifyReceipt answers")
struct ConfiguredAppsTests {
    /// Apps of the App Store, which need no files.
    private static func appStore(_ apps: AppConfiguration...) throws -> ConfiguredApps {
        var configuration = Configuration()
        configuration.apps = apps
        return try ConfiguredApps(configuration, now: Issued.now) { _ in [] }
    }

    private static let refused21010: JSONValue = [
        "status": 21010, "environment": "Production", "is_retryable": false,
    ]

    @Test("Without an app of the App Store any bundle id is answered, and none is matched", corpus)
    func pureVerifier() throws {
        for apps in [ConfiguredApps(), try Issued.apps()] {
            let (outcome, json) = try answer(body(Real.text(Real.production)), from: apps)
            #expect(json["status"] == 0)
            #expect(outcome.appMatched == nil)
        }
    }

    @Test("Once one is configured it is answered, and another is 21010", corpus)
    func otherApp() throws {
        let apps = try Self.appStore(AppConfiguration("org.getpure.pure-iphone"))
        let (outcome, json) = try answer(body(Real.text(Real.production)), from: apps)
        #expect(json["status"] == 0)
        #expect(outcome.appMatched == true)
        let others = try Self.appStore(AppConfiguration("org.getpure.Pure-iphone"))
        let (refused, body) = try answer(body(Real.text(Real.production)), from: others)
        #expect(body == Self.refused21010)
        #expect(refused.refusal?.code == VerifyReceiptRefusal.appNotConfigured)
        #expect(refused.appMatched == false)
        #expect(refused.scope?.bundleId == "org.getpure.pure-iphone")
        #expect(refused.purchases == 4)
    }

    @Test("The environment is judged before the app", corpus)
    func order() throws {
        let apps = try Self.appStore(AppConfiguration("com.example.other"))
        let (outcome, json) = try answer(body(Real.text(Real.revenueCat)), from: apps)
        #expect(json == ["status": 21007])
        #expect(outcome.appMatched == nil)
    }

    @Test("A sandbox receipt is never answered for an app that lists Production alone", corpus)
    func environments() throws {
        var app = AppConfiguration("com.revenuecat.sampleapp")
        app.environments = [.production]
        for rule in AppConfiguration.EnvironmentRule.allCases {
            app.environmentRule = rule
            let apps = try Self.appStore(app)
            let (outcome, json) = try answer(
                body(Real.text(Real.revenueCat)),
                at: .sandbox,
                from: apps
            )
            #expect(json == ["status": 21010, "environment": "Sandbox", "is_retryable": false])
            #expect(outcome.refusal?.code == VerifyReceiptRefusal.environmentNotServed)
            let (production, _) = try answer(body(Real.text(Real.revenueCat)), from: apps)
            #expect(production.status == (rule == .strict ? .sandboxReceipt : .accountNotFound))
        }
    }

    @Test("An app that lists Sandbox alone refuses production receipts", corpus)
    func sandboxOnly() throws {
        var app = AppConfiguration("org.getpure.pure-iphone")
        app.environments = [.sandbox]
        let (outcome, _) = try answer(
            body(Real.text(Real.production)),
            from: try Self.appStore(app)
        )
        #expect(outcome.refusal?.code == VerifyReceiptRefusal.environmentNotServed)
    }

    @Test("With auto, the production address answers sandbox receipts and says Sandbox", corpus)
    func automatic() throws {
        var app = AppConfiguration("com.revenuecat.sampleapp")
        app.environmentRule = .automatic
        let apps = try Self.appStore(app, AppConfiguration("org.getpure.pure-iphone"))
        #expect(apps.warnings.map(\.code) == [ConfigurationWarning.automaticEnvironment])
        for address in VerifyReceiptRequest.Address.allCases {
            let (_, json) = try answer(body(Real.text(Real.revenueCat)), at: address, from: apps)
            #expect(json["status"] == 0)
            #expect(json["environment"] == "Sandbox")
        }
        // The other way round nothing changes, and no client is sent in a circle.
        let (_, json) = try answer(body(Real.text(Real.production)), at: .sandbox, from: apps)
        #expect(json == ["status": 21008])
    }

    @Test("A production receipt of another Apple ID than the app's is 21010", corpus)
    func appleId() throws {
        let (_, receipt) = try answer(body(Real.text(Real.production)))
        let id = try #require(receipt["receipt"]?["app_item_id"]?.number?.int64)
        var app = AppConfiguration("org.getpure.pure-iphone")
        for (expected, status) in [(id, 0), (id + 1, 21010)] {
            app.appAppleId = expected
            let (outcome, json) = try answer(
                body(Real.text(Real.production)),
                from: try Self.appStore(app)
            )
            #expect(json["status"] == JSONValue(status))
            if status != 0 {
                #expect(outcome.refusal?.code == VerifyReceiptRefusal.appleIdMismatch)
            }
        }
    }

    @Test("Receipts of the sandbox name no Apple ID, so none is compared")
    func noAppleId() throws {
        let apps = try Issued.apps { $0.appAppleId = 1_234_567_890 }
        let bytes = try Issued.sign(Issued.receipt(.productionSandbox))
        let (outcome, _) = try answer(body(bytes), at: .sandbox, from: apps)
        #expect(outcome.status == .ok)
    }
}

@Suite("Realms that are not Apple's")
struct RealmTests {
    private static let xcodeReceipt = try! Issued.sign(Issued.receipt(.xcode))

    private static func apps(
        _ apps: [AppConfiguration],
        _ files: [String: String] = [:]
    ) throws -> ConfiguredApps {
        var configuration = Configuration()
        configuration.apps = apps
        let own = [
            "anchors.pem": Issued.authority.anchorsPEM, "xcode.pem": Issued.authority.storeKitPEM,
        ]
        return try ConfiguredApps(configuration, now: Issued.now) { name in
            Array((files[name] ?? own[name] ?? "").utf8)
        }
    }

    @Test("A rehearsal receipt is answered for its app alone")
    func rehearsal() throws {
        let apps = try Issued.apps()
        let (outcome, json) = try answer(body(Issued.sign(Issued.receipt())), from: apps)
        #expect(json["status"] == 0)
        #expect(outcome.scope?.realm == .rehearsal)
        let foreign = try Issued.sign(Issued.receipt(bundleId: "com.example.other"))
        let (refused, refusedJSON) = try answer(body(foreign), from: apps)
        #expect(refusedJSON["status"] == 21010)
        #expect(refused.refusal?.code == VerifyReceiptRefusal.appNotConfigured)
    }

    @Test("Without its anchors a rehearsal receipt is not authenticated")
    func noAnchors() throws {
        let (_, json) = try answer(body(Issued.sign(Issued.receipt())))
        #expect(json == ["status": 21003])
    }

    @Test("A rehearsal receipt that names an app of the App Store is 21010")
    func otherRealm() throws {
        let apps = try Self.apps([
            AppConfiguration("com.example.app"),
            AppConfiguration("com.example.rehearsed", .rehearsal(anchors: ["anchors.pem"])),
        ])
        let (outcome, json) = try answer(body(Issued.sign(Issued.receipt())), from: apps)
        #expect(json["status"] == 21010)
        #expect(outcome.refusal?.code == VerifyReceiptRefusal.appNotConfigured)
    }

    @Test("The anchor of one app does not answer for another")
    func otherAuthority() throws {
        let profile = AuthorityProfile(now: Issued.now, organization: "Elsewhere", seed: 7)
        let elsewhere = try SigningAuthority(profile: profile)
        let apps = try Self.apps(
            [
                AppConfiguration("com.example.app", .rehearsal(anchors: ["anchors.pem"])),
                AppConfiguration("com.example.other", .rehearsal(anchors: ["elsewhere.pem"])),
            ],
            ["elsewhere.pem": elsewhere.anchorsPEM]
        )
        let forged = try Issued.sign(Issued.receipt(), by: elsewhere)
        let (outcome, json) = try answer(body(forged), from: apps)
        #expect(json["status"] == 21010)
        #expect(outcome.refusal?.code == VerifyReceiptRefusal.otherAuthority)
        #expect(outcome.appMatched == false)
        let own = try Issued.sign(Issued.receipt(bundleId: "com.example.other"), by: elsewhere)
        #expect(try answer(body(own), from: apps).outcome.status == .ok)
    }

    @Test("A receipt of Xcode is 21007 at the production address and 0 at the sandbox's")
    func xcode() throws {
        let app = AppConfiguration("com.example.app", .xcode(pinnedCertificates: ["xcode.pem"]))
        let apps = try Self.apps([app])
        let (_, production) = try answer(body(Self.xcodeReceipt), from: apps)
        #expect(production == ["status": 21007])
        let (outcome, json) = try answer(body(Self.xcodeReceipt), at: .sandbox, from: apps)
        #expect(json["status"] == 0)
        #expect(json["environment"] == "Xcode")
        #expect(json["receipt"]?["receipt_type"] == "Xcode")
        #expect(outcome.scope?.realm == .xcode)
        var automatic = app
        automatic.environmentRule = .automatic
        let (_, atProduction) = try answer(
            body(Self.xcodeReceipt),
            from: try Self.apps([automatic])
        )
        #expect(atProduction["environment"] == "Xcode")
    }

    @Test("A configuration of the App Store alone always refuses Xcode's receipts")
    func xcodeElsewhere() throws {
        let apps = try Self.apps([AppConfiguration("com.example.app")])
        for address in VerifyReceiptRequest.Address.allCases {
            let (_, json) = try answer(body(Self.xcodeReceipt), at: address, from: apps)
            #expect(json == ["status": 21003])
        }
    }

    @Test("Real receipts of Xcode are answered where their certificate is pinned", corpus)
    func realXcode() throws {
        let names = Corpus.names(in: "certs", ending: ".pem").filter { $0.contains("/StoreKit-") }
        let certificates = try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, String(decoding: try Corpus.bytes($0), as: UTF8.self))
            }
        )
        var answered = 0
        for name in Corpus.names(in: "app-receipts", ending: ".b64") where name.contains("xcode-") {
            let expected = try JSONValue(
                parsing: Corpus.bytes(String(name.dropLast(4)) + ".expected.json")
            )
            let bundleId = try #require(
                expected["attributes"]?.array?.first { $0["type"] == 2 }?["value"]?.string
            )
            let app = AppConfiguration(
                bundleId,
                .xcode(pinnedCertificates: certificates.keys.sorted())
            )
            let apps = try Self.apps([app], certificates)
            let (_, json) = try answer(body(Real.text(name)), at: .sandbox, from: apps)
            guard json["status"] == 0 else { continue }
            answered += 1
            #expect(json["receipt"]?["bundle_id"]?.string == bundleId)
            #expect(json["environment"] == "Xcode")
        }
        #expect(answered >= 3)
    }

    @Test("An anchor that has ended is a warning, and its old receipts verify")
    func expiredAnchor() throws {
        let expired = try Issued.authority.expiring(
            .root,
            at: Issued.instant("2026-01-14T00:00:00Z")
        )
        let apps = try Self.apps(
            [AppConfiguration("com.example.app", .rehearsal(anchors: ["old.pem"]))],
            ["old.pem": expired[.root].certificate.pem]
        )
        let warning = try #require(apps.warnings.first)
        #expect(apps.warnings.count == 1)
        #expect(warning.code == ConfigurationWarning.certificateExpired)
        #expect(warning.text.contains("2026-01-14"))
    }
}
