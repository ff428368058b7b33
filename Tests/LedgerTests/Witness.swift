import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilJSON
import Ledger

@testable import AppStoreVerification

/// Turns what the App Store would say into statements, by the only way there is: it is signed, and
/// proved.
enum Witness {
    static let bundleId = "com.example.app"
    static let secret = "0123456789abcdef0123456789abcdef"

    private static let authority = Result {
        try SigningAuthority(profile: AuthorityProfile(now: instant("2026-01-01T00:00:00Z")))
    }
    private static let doors = Result {
        let trust = try Trust.rehearsal(anchors: Array(authority.get().anchorsPEM.utf8))
        let receipts = ReceiptVerifier(trust: trust)
        return Doors(
            signedData: SignedDataVerifier(trust: trust),
            receipts: receipts,
            notificationsV1: NotificationV1Verifier(
                secrets: [SharedSecret(id: "own", secret)],
                receipts: receipts
            )
        )
    }

    private struct Doors: Sendable {
        let signedData: SignedDataVerifier
        let receipts: ReceiptVerifier
        let notificationsV1: NotificationV1Verifier
    }

    static let scope = Scope(
        bundleId: bundleId,
        environment: .production,
        realm: .rehearsal
    )

    static let references = PersonalReferences { PersonalReference(rawValue: "ref of \($0)") }

    static func instant(_ text: String) -> Instant { AppStoreDate.parse(text)! }

    static func lineage(_ original: String) -> LineageID {
        LineageID(scope: scope, originalTransactionId: original)
    }

    private static func digest(_ bytes: [UInt8]) -> SHA256Digest {
        SHA256Digest(MessageDigest(of: bytes.span, .sha256).bytes)!
    }

    private static let never = instant("2999-01-01T00:00:00Z")

    // MARK: - One document each

    static func statements(_ transaction: JWSTransactionDecodedPayload) throws -> [Statement] {
        let jws = try SignedDataIssuer(authority: authority.get()).issue(transaction)
        return try statements(signedTransaction: jws)
    }

    static func statements(_ receipt: AppReceipt) throws -> [Statement] {
        try statements(
            receipt: AppReceiptIssuer(authority: authority.get()).issue(receipt)
        )
    }

    /// What is in a notification: its transaction, and its renewal info.
    static func statements(_ notification: StoreNotification) throws -> [Statement] {
        let jws = try SignedDataIssuer(authority: authority.get())
            .issue(notification.notification, holding: notification.nested)
        let proved = try doors.get().signedData.notification(CompactJWS(jws), now: never)
        let data = proved.notification.content.data
        var statements: [Statement] = []
        if let transaction = proved.transaction, let text = data?.signedTransactionInfo {
            let evidence = digest(Array(text.utf8))
            statements += [
                Statement.statement(in: transaction, evidence: evidence, references)
            ].compactMap(\.self)
        }
        if let renewalInfo = proved.renewalInfo, let text = data?.signedRenewalInfo {
            let evidence = digest(Array(text.utf8))
            statements += [Statement.statement(in: renewalInfo, evidence: evidence)]
                .compactMap(\.self)
        }
        return statements
    }

    /// What a delivered document says, with every document in it.
    static func statements(_ document: DeliveredDocument) throws -> [Statement] {
        switch document {
        case .notificationV2(let notification): return try statements(notification)
        case .notificationV1(let notification):
            return try statements(v1: notification.json(signedBy: authority.get()))
        case .transaction(let transaction): return try statements(transaction)
        case .appReceipt, .transactionReceipt:
            return try statements(receipt: document.signed(by: authority.get()))
        }
    }

    private static func statements(signedTransaction jws: String) throws -> [Statement] {
        let proved = try doors.get().signedData.transaction(CompactJWS(jws), now: never)
        let evidence = digest(Array(jws.utf8))
        return [Statement.statement(in: proved, evidence: evidence, references)].compactMap(\.self)
    }

    private static func statements(receipt bytes: [UInt8]) throws -> [Statement] {
        let proved = try doors.get().receipts.verify(Document(detecting: bytes), now: never)
        return statements(proved, digest(bytes))
    }

    private static func statements(
        _ receipt: VerifiedReceipt,
        _ evidence: SHA256Digest
    ) -> [Statement] {
        switch receipt {
        case .appReceipt(let receipt): Statement.statements(in: receipt, evidence: evidence)
        case .transactionReceipt(let receipt):
            [Statement.statement(in: receipt, evidence: evidence)]
        }
    }

    private static func statements(v1 bytes: [UInt8]) throws -> [Statement] {
        guard
            case .v1(let body, let password) = try NotificationEnvelope(parsing: bytes.span)
        else { return [] }
        let vouched = try doors.get().notificationsV1.verify(
            body,
            password: password,
            realm: .rehearsal,
            now: never
        )
        let evidence = digest(body.json)
        var statements = Statement.statements(in: vouched, evidence: evidence, references)
        for receipt in vouched.receipts {
            let text =
                switch receipt.place {
                case .unifiedReceipt: body.unifiedReceipt?.latestReceipt
                case .latestReceipt: body.latestReceipt
                case .latestExpiredReceipt: body.latestExpiredReceipt
                }
            let document = try Document(detecting: Array((text ?? "").utf8))
            statements += Self.statements(try receipt.result.get(), digest(document.bytes))
        }
        return statements
    }
}

/// A ledger in the small: lineages by their names, joined as statements come.
struct Book {
    private(set) var lineages: [LineageID: Ledger.Lineage] = [:]

    mutating func learn(_ statements: [Statement]) {
        for statement in statements {
            lineages[statement.lineage, default: Ledger.Lineage(statement.lineage)].join(statement)
        }
    }

    /// How a lineage stands under rules without leeway.
    func standing(_ original: String, at text: String, leeway: Duration = .zero) -> Standing? {
        var rules = Rules(environment: .production)
        rules.renewalLeeway = leeway
        return lineages[Witness.lineage(original)]?
            .standing(at: Witness.instant(text), under: rules)
    }
}

extension Array {
    /// Every order of the elements.
    var permutations: [[Element]] {
        guard count > 1 else { return [self] }
        return indices.flatMap { index in
            var rest = self
            let first = rest.remove(at: index)
            return rest.permutations.map { [first] + $0 }
        }
    }
}
