import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Testing

@testable import AppStoreVerification

/// What signed data and the signed data around it must have in common.
@Suite("Documents inside notifications")
struct NestedDocumentsTests {
    private let issuers: [SignedDataIssuer]
    private let verifier: SignedDataVerifier

    /// Two local App Stores, both of them trusted.
    init() throws {
        let authorities = try [
            SignedDataShape.authority.get(),
            SigningAuthority(profile: AuthorityProfile(now: SignedDataShape.now, seed: 77)),
        ]
        var trust = Trust.appStore
        for authority in authorities {
            trust = try trust.adding(.rehearsal(anchors: Array(authority.anchorsPEM.utf8)))
            trust = try trust.adding(
                .xcode(pinnedCertificate: Array(authority.storeKitSignedDataPEM.utf8))
            )
        }
        issuers = authorities.map { SignedDataIssuer(authority: $0) }
        verifier = SignedDataVerifier(trust: trust)
    }

    private func transaction(
        _ bundleId: String = "com.example.app",
        _ environment: StoreEnvironment = .sandbox
    ) -> JWSTransactionDecodedPayload {
        var payload = JWSTransactionDecodedPayload()
        payload.transactionId = "2000000000000001"
        payload.originalTransactionId = "2000000000000001"
        payload.bundleId = bundleId
        payload.productId = "com.example.pro"
        payload.signedDate = SignedDataShape.now
        payload.environment = environment
        return payload
    }

    private func renewalInfo(
        _ environment: StoreEnvironment = .sandbox
    ) -> JWSRenewalInfoDecodedPayload {
        var payload = JWSRenewalInfoDecodedPayload()
        payload.originalTransactionId = "2000000000000001"
        payload.autoRenewProductId = "com.example.pro"
        payload.signedDate = SignedDataShape.now
        payload.environment = environment
        return payload
    }

    private func notification(
        _ environment: StoreEnvironment = .sandbox,
        transaction: String? = nil,
        renewalInfo: String? = nil
    ) -> ResponseBodyV2DecodedPayload {
        var data = ResponseBodyV2DecodedPayload.Data()
        data.bundleId = "com.example.app"
        data.environment = environment
        data.signedTransactionInfo = transaction
        data.signedRenewalInfo = renewalInfo
        var notification = ResponseBodyV2DecodedPayload()
        notification.notificationType = .didRenew
        notification.data = data
        notification.version = "2.0"
        notification.signedDate = SignedDataShape.now
        return notification
    }

    private func refusal(
        of notification: ResponseBodyV2DecodedPayload,
        by issuer: Int = 0
    ) throws -> VerificationError? {
        let jws = try CompactJWS(issuers[issuer].issue(notification))
        do {
            _ = try verifier.notification(jws, now: SignedDataShape.now)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "They end at the same anchor or pinned certificate as the notification, whichever it is",
        arguments: [StoreEnvironment.sandbox, .xcode]
    )
    func anchors(environment: StoreEnvironment) throws {
        for (inner, outer) in [(0, 0), (1, 1), (0, 1), (1, 0)] {
            let transaction = try issuers[inner].issue(transaction("com.example.app", environment))
            let renewalInfo = try issuers[inner].issue(renewalInfo(environment))
            for notification in [
                notification(environment, transaction: transaction),
                notification(environment, renewalInfo: renewalInfo),
                notification(environment, transaction: transaction, renewalInfo: renewalInfo),
            ] {
                let refusal = try refusal(of: notification, by: outer)
                #expect(
                    refusal?.code.rawValue
                        == (inner == outer ? nil : "notification.nested_disagrees")
                )
                if inner != outer { #expect(refusal?.reason.contains("authority") == true) }
            }
        }
    }

    @Test("They are of the environment of the notification")
    func environments() throws {
        let transaction = try issuers[0].issue(transaction("com.example.app", .production))
        let renewalInfo = try issuers[0].issue(renewalInfo(.production))
        for (environment, code) in [
            (StoreEnvironment.production, nil), (.sandbox, "notification.nested_disagrees"),
        ] {
            for notification in [
                notification(environment, transaction: transaction),
                notification(environment, renewalInfo: renewalInfo),
                notification(environment, transaction: transaction, renewalInfo: renewalInfo),
            ] {
                let refusal = try refusal(of: notification)
                #expect(refusal?.code.rawValue == code)
                if code != nil { #expect(refusal?.reason.contains("environment") == true) }
            }
        }
    }

    @Test(
        "What Apple signed is none of a local App Store's notification",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
        arguments: SignedDataCorpusTests.genuineNotifications.filter { !$0.contains("-TEST-") }
    )
    func realms(file: String) throws {
        let genuine = try verifier.notification(
            SignedDataCorpusTests.document(file),
            now: SignedDataShape.now
        )
        let scope = genuine.notification.proof.scope
        let data = try #require(genuine.notification.data)
        var notifications: [ResponseBodyV2DecodedPayload] = []
        if let transaction = data.signedTransactionInfo {
            notifications.append(notification(scope.environment, transaction: transaction))
        }
        if let renewalInfo = data.signedRenewalInfo {
            notifications.append(notification(scope.environment, renewalInfo: renewalInfo))
        }
        try #require(!notifications.isEmpty)
        for var notification in notifications {
            notification.data?.bundleId = scope.bundleId
            let refusal = try refusal(of: notification)
            #expect(refusal?.code.rawValue == "notification.nested_disagrees")
            #expect(refusal?.reason.contains("the realm \"appStore\"") == true)
        }
    }

    @Test("Renewal info is bound to no transaction of another anchor")
    func bound() throws {
        let transactions = try issuers.map { issuer in
            try verifier.transaction(
                CompactJWS(issuer.issue(transaction())),
                now: SignedDataShape.now
            )
        }
        let renewalInfo = try verifier.renewalInfo(
            CompactJWS(issuers[1].issue(renewalInfo())),
            now: SignedDataShape.now
        )
        #expect(try renewalInfo.bound(to: transactions[1]).proof.scope.realm == .rehearsal)
        let error = #expect(throws: VerificationError.self) {
            try renewalInfo.bound(to: transactions[0])
        }
        #expect(error?.code == "notification.nested_disagrees")
    }

    @Test("They are of the app whose name has the same bytes, not of one that only looks the same")
    func bytes() throws {
        // Swift's == finds the Kelvin sign equal to K, and é to e and an accent.
        for name in ["com.example.\u{212A}", "com.example.e\u{301}"] {
            let twin = name == "com.example.K" ? "com.example.K" : "com.example.\u{E9}"
            #expect(name == twin)
            var notification = notification(transaction: try issuers[0].issue(transaction(name)))
            notification.data?.bundleId = twin
            #expect(
                try refusal(of: notification)?.code.rawValue == "notification.nested_disagrees"
            )
            notification.data?.bundleId = name
            #expect(try refusal(of: notification) == nil)
        }
    }

    @Test("Scopes differ where the bytes of what they name do")
    func scopes() {
        let scopes = ["com.example.K", "com.example.\u{212A}"].map {
            Scope(bundleId: $0, environment: .sandbox, realm: .rehearsal)
        }
        #expect(scopes[0] != scopes[1])
        #expect(Set(scopes).count == 2)
    }
}
