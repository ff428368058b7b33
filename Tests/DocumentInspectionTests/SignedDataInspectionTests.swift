import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import DocumentInspection
import Testing

/// Signed data, notifications and answers of a local App Store.
@Suite("Inspections of signed data")
struct SignedDataInspectionTests {
    static let now = CivilTime(year: 2026, month: 6, day: 1, hour: 12).instant
    static let authority = Result {
        try SigningAuthority(profile: AuthorityProfile(now: now))
    }

    func issue(
        _ kind: SignedDataSpecification.Kind,
        _ json: String = "{}",
        flaw: SignedDataFlaw? = nil
    ) throws -> String {
        try SignedDataSpecification(
            kind,
            json: Array(json.utf8),
            now: Self.now,
            seed: 3,
            flaw: flaw
        )
        .issue(by: Self.authority.get())
    }

    func inspect(
        _ text: String,
        secrets: [SharedSecret] = [],
        bundleIds: [String] = [],
        appAppleId: Int64? = nil,
        device: DeviceIdentifier? = nil
    ) throws -> Inspection {
        let anchors = Array(try Self.authority.get().anchorsPEM.utf8)
        let judge = Judge(
            trust: try .appStore.adding(.rehearsal(anchors: anchors)),
            secrets: secrets,
            bundleIds: bundleIds,
            appAppleId: appAppleId,
            device: device
        )
        return Inspection(of: Array(text.utf8), by: judge, now: Self.now)
    }

    @Test(
        "Each kind passes every check, and says what was signed",
        arguments: SignedDataSpecification.Kind.allCases
    )
    func kinds(kind: SignedDataSpecification.Kind) throws {
        let inspection = try inspect(issue(kind))
        #expect(inspection.judgement.verdict == .verified)
        let outcomes = Set(inspection.checks.map(\.outcome))
        #expect(outcomes == [.passed, .notAsked])
        #expect(inspection.certificates.count == 3)
        guard case .signedData(let content) = inspection.content else {
            Issue.record("it is shown as something else")
            return
        }
        #expect(content.kind == inspection.judgement.type)
        let isPurchase = kind == .transaction || kind == .notification
        #expect(inspection.judgement.purchaseCount == (isPurchase ? 1 : 0))
        #expect(inspection.story?.sentences.isEmpty == false)
        #expect(inspection.story?.facts.isEmpty == false)
        let members = MemberReading.all(of: content.payload, known: content.knownMembers)
        #expect(members.allSatisfy { $0.isKnown })
    }

    @Test("A flaw is refused, proves nothing, and fails exactly one check")
    func flaws() throws {
        for kind in SignedDataSpecification.Kind.allCases {
            for flaw in SignedDataFlaw.allCases {
                guard let text = try? issue(kind, flaw: flaw) else { continue }
                let inspection = try inspect(
                    text,
                    bundleIds: ["com.example.app"]
                )
                guard inspection.judgement.objection != nil else { continue }
                let failed = inspection.checks.filter { $0.outcome == .failed }
                #expect(failed.count >= 1, "\(kind) \(flaw)")
                #expect(failed.last?.detail == inspection.judgement.objection?.reason)
                let isOfOtherApp = inspection.judgement.objection?.code == "app.bundle_mismatch"
                #expect(inspection.isProved == isOfOtherApp, "\(kind) \(flaw)")
                let last = inspection.checks.lastIndex { $0.outcome == .failed } ?? 0
                #expect(inspection.checks[(last + 1)...].allSatisfy { $0.outcome != .passed })
                let json = try JSONValue(parsing: inspection.json(source: "-"))
                if !isOfOtherApp {
                    #expect(json["signedData"] == .null && json["type"] == .null)
                    #expect(json["bundleId"] == .null && json["label"] == .null)
                }
            }
        }
    }

    @Test("What is wrong with a document inside fails the check of those, and nothing is proved")
    func nested() throws {
        let text = try issue(.notification, flaw: "nestedOfOtherApp")
        let inspection = try inspect(text)
        let failed = inspection.checks.last { $0.outcome == .failed }
        #expect(failed?.subject == .documents)
        #expect(inspection.judgement.objection?.member == "signedTransactionInfo")
        #expect(inspection.parts.count == 0)
        guard case .signedData(let content) = inspection.content else {
            Issue.record("it is shown as something else")
            return
        }
        #expect(
            content.inside.map(\.path) == ["data.signedTransactionInfo", "data.signedRenewalInfo"]
        )
        #expect(content.inside.first?.content.transaction?.productId != nil)
    }

    @Test("Documents inside a notification are shown in their places, of its app")
    func places() throws {
        let inspection = try inspect(issue(.notification), bundleIds: ["com.example.app"])
        #expect(
            inspection.parts.map(\.path) == [
                "data.signedTransactionInfo", "data.signedRenewalInfo",
            ]
        )
        for part in inspection.parts {
            #expect(part.inspection.isProved)
            #expect(part.inspection.judgement.proof?.bundleId == "com.example.app")
        }
        #expect(inspection.judgement.label == .init(rawValue: "subscribed"))
        #expect(inspection.judgement.purchaseCount == 1)
    }

    // MARK: - The app and the device asked for

    @Test("Renewal info alone names no app, and is not held against it")
    func unbound() throws {
        let inspection = try inspect(issue(.renewalInfo), bundleIds: ["com.other"])
        #expect(inspection.judgement.verdict == .verified)
        #expect(inspection.judgement.appMatched == nil)
        #expect(inspection.checks.last?.outcome == .notStated)
    }

    @Test("A retention request is held against the Apple ID, and others where they name one")
    func appleId() throws {
        let request = try issue(.realtimeRequest, #"{"appAppleId": 1234}"#)
        #expect(try inspect(request, appAppleId: 1234).judgement.appMatched == true)
        #expect(
            try inspect(request, appAppleId: 5).judgement.objection?.code == "app.apple_id_mismatch"
        )
        #expect(try inspect(request, bundleIds: ["com.other"]).judgement.appMatched == nil)
        let production = #"{"environment": "Production", "appAppleId": 1234}"#
        let app = try issue(.appTransaction, production)
        #expect(try inspect(app, appAppleId: 1234).judgement.appMatched == true)
        #expect(try inspect(app, appAppleId: 5).judgement.appMatched == false)
        let notification = try issue(.notification, production)
        #expect(try inspect(notification, appAppleId: 1234).judgement.appMatched == true)
        #expect(
            try inspect(notification, appAppleId: 5).judgement.objection?.code
                == "app.apple_id_mismatch"
        )
        let transaction = try inspect(issue(.transaction), appAppleId: 5)
        #expect(transaction.judgement.verdict == .verified)
        #expect(transaction.judgement.appMatched == nil)
        // The sandbox need not name it, and says 0 in receipts.
        let sandbox = try issue(.appTransaction, #"{"environment": "Sandbox"}"#)
        #expect(try inspect(sandbox, appAppleId: 5).judgement.verdict == .verified)
        let receipt = try ReceiptSpecification(
            json: Array(#"{"environment": "Sandbox"}"#.utf8),
            now: Self.now,
            seed: 3
        )
        .issue(by: Self.authority.get())
        let inspection = try inspect(Base64.encode(receipt.span), appAppleId: 5)
        #expect(inspection.judgement.verdict == .verified)
        #expect(inspection.judgement.appMatched == nil)
    }

    @Test("A device that is asked for is never passed over in silence")
    func device() throws {
        let device = try #require(DeviceIdentifier("956328D9-CC6A-47F4-BE40-6953FB0AB6C7"))
        let inspection = try inspect(issue(.transaction), device: device)
        #expect(inspection.judgement.verdict == .refused)
        #expect(inspection.judgement.objection?.code == "receipt.device_hash_missing")
        #expect(inspection.checks.last?.subject == .device)
        #expect(inspection.checks.last?.outcome == .failed)
        let notification = try inspect(
            notificationV1(#"{"password": "pass-word"}"#),
            secrets: [SharedSecret(id: "file", "pass-word")],
            device: device
        )
        #expect(notification.judgement.objection?.code == "receipt.device_hash_missing")
    }

    // MARK: - Answers

    private func answer(_ transaction: String, _ renewalInfo: String) -> String {
        """
        {"environment": "Sandbox", "data": [{"lastTransactions": [{"status": 1,
        "signedRenewalInfo": "\(renewalInfo)", "signedTransactionInfo": "\(transaction)"}]}]}
        """
    }

    @Test("Renewal info in an answer is of the app of the transaction beside it")
    func bound() throws {
        let text = answer(try issue(.transaction), try issue(.renewalInfo))
        let inspection = try inspect(text, bundleIds: ["com.example.app"])
        #expect(inspection.judgement.verdict == .verified)
        #expect(inspection.judgement.appMatched == true)
        #expect(inspection.isProved)
        #expect(inspection.judgement.purchaseCount == 1)
        let apps = inspection.parts.map(\.inspection.judgement.proof?.bundleId)
        #expect(apps == ["com.example.app", "com.example.app"])
        #expect(inspection.parts.allSatisfy { $0.inspection.judgement.appMatched == true })
        let json = try JSONValue(parsing: inspection.json(source: "-"))
        #expect(json["signedData"] == .null)
        #expect(json["answer"]?["environment"] == "Sandbox")
        #expect(json["documents"]?.array?.count == 2)
    }

    @Test(
        "Renewal info beside another purchase or environment makes the answer refused",
        arguments: [("2000000000000009", "Sandbox"), ("2000000000000001", "Production")]
    )
    func mixed(originalTransactionId: String, environment: String) throws {
        let other = try issue(
            .renewalInfo,
            """
            {"originalTransactionId": "\(originalTransactionId)", "environment": "\(environment)"}
            """
        )
        #expect(try inspect(other).judgement.verdict == .verified)
        let transaction = try issue(
            .transaction,
            #"{"originalTransactionId": "2000000000000001", "environment": "Sandbox"}"#
        )
        let inspection = try inspect(answer(transaction, other))
        #expect(inspection.judgement.verdict == .refused)
        #expect(inspection.judgement.objection?.code == "notification.nested_disagrees")
        #expect(
            inspection.judgement.objection?.member
                == "data[0].lastTransactions[0].signedRenewalInfo"
        )
        #expect(!inspection.parts[0].inspection.judgement.isVerified)
        #expect(inspection.parts[1].inspection.judgement.isVerified)
    }

    @Test("An answer is as good as the worst of its documents; a refused one is worse than late")
    func worst() throws {
        let good = try issue(.transaction)
        let early = try issue(.transaction, #"{"signedDate": "+1d"}"#)
        let forged = String(good.dropLast(8)) + "AAAAAAAA"
        func verdict(_ texts: [String]) throws -> Judgement.Verdict {
            let list = texts.map { "\"\($0)\"" }.joined(separator: ",")
            return try inspect("{\"signedTransactions\": [\(list)]}").judgement.verdict
        }
        #expect(try verdict([good, good]) == .verified)
        #expect(try verdict([good, early]) == .undecided)
        #expect(try verdict([early, forged, good]) == .refused)
        #expect(try verdict(["signed_transaction_value"]) == .refused)
        // An answer within an answer is no document.
        #expect(try verdict([good, #"{\"signedTransactions\": []}"#]) == .refused)
    }

    @Test("An answer with a document of another app is of another app, whatever else is in it")
    func otherApp() throws {
        let ours = try issue(.transaction)
        let other = try issue(.transaction, #"{"bundleId": "com.other"}"#)
        for texts in [[ours, other], [other, ours]] {
            let text = #"{"signedTransactions": ["\#(texts[0])", "\#(texts[1])"]}"#
            let judgement = try inspect(text, bundleIds: ["com.example.app"]).judgement
            #expect(judgement.appMatched == false)
            #expect(judgement.objection?.code == "app.bundle_mismatch")
            let index = texts[0] == other ? 0 : 1
            #expect(judgement.objection?.member == "signedTransactions[\(index)]")
            #expect(judgement.purchaseCount == 2)
        }
    }

    // MARK: - Notifications of version 1

    private func notificationV1(_ json: String = "{}") throws -> String {
        let body = try NotificationV1Specification(json: Array(json.utf8), now: Self.now, seed: 1)
            .issue(by: Self.authority.get())
        return String(decoding: body, as: UTF8.self)
    }

    @Test("A shared secret vouches for version 1; without it the receipts stand for themselves")
    func version1() throws {
        let text = try notificationV1(#"{"password": "pass-word", "receipt": {"purchases": 2}}"#)
        let secret = SharedSecret(id: "file", "pass-word")
        let vouched = try inspect(text, secrets: [secret], bundleIds: ["com.example.app"])
        #expect(vouched.judgement.verdict == .vouched)
        #expect(!vouched.isProved)
        #expect(vouched.judgement.appMatched == true)
        #expect(vouched.judgement.proof?.voucher == "file")
        let refused = try inspect(text)
        #expect(refused.judgement.objection?.code == "notification.password_unknown")
        #expect(refused.checks.last { $0.outcome == .failed }?.subject == .voucher)
        for inspection in [vouched, refused] {
            #expect(inspection.parts.map(\.path) == ["unified_receipt.latest_receipt"])
            #expect(inspection.parts.allSatisfy { $0.inspection.isProved })
            #expect(inspection.judgement.purchaseCount == 2)
            let json = String(decoding: inspection.json(source: "-"), as: UTF8.self)
            #expect(!json.contains("pass-word"))
            #expect(!String(describing: inspection.story).contains("pass-word"))
        }
        let json = try JSONValue(parsing: vouched.json(source: "-"))
        #expect(json["vouched"]?["body"]?["notification_type"] == "INITIAL_BUY")
        #expect(json["vouched"]?["voucher"] == "file")
        #expect(
            json["receipt"] == .null && json["signedData"] == .null && json["unproved"] == .null
        )
        let other = try inspect(text, secrets: [secret], bundleIds: ["com.other"])
        #expect(other.judgement.objection?.code == "app.bundle_mismatch")
        // The receipt is held against the app also where nothing vouches for what it stands in.
        for (bundleId, isOurs) in [("com.example.app", true), ("com.other", false)] {
            let part = try #require(try inspect(text, bundleIds: [bundleId]).parts.first)
            #expect(part.inspection.judgement.appMatched == isOurs)
            #expect(part.inspection.judgement.verdict == (isOurs ? .verified : .refused))
        }
    }

    @Test("A notification of version 1 with a member of a wrong type is refused, and names it")
    func malformedVersion1() throws {
        let inspection = try inspect(#"{"notification_type": "CANCEL", "unified_receipt": 5}"#)
        #expect(inspection.judgement.objection?.code == "payload.malformed")
        #expect(inspection.judgement.objection?.reason.contains("unified_receipt") == true)
        #expect(inspection.content == nil)
    }
}

extension Judgement {
    fileprivate var isVerified: Bool { verdict == .verified }
}
