import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import Testing

@testable import AppStoreVerification

/// Real signed data and what must come out of each, by the realm it is judged in.
@Suite(
    "Verdicts over real signed data",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct SignedDataCorpusTests {
    static let rows: [VerdictRow] = VerdictRow.all.filter { $0.file.hasSuffix(".jws") }

    @Test("Every row of the table comes out as it says", arguments: rows)
    func verdict(row: VerdictRow) throws {
        let jws = try Self.document(row.file)
        let outcome = Result { () throws in
            try SignedDataVerifier(trust: row.trust(for: jws)).verify(jws)
        }
        switch outcome {
        case .success(let verified):
            #expect(row.isVerified, "expected a refusal: \(row.reason)")
            #expect(verified.realm.rawValue == row.realm)
            #expect(verified.kind == Self.kind(of: row.file))
        case .failure(let error): try row.check(error)
        }
    }

    @Test("Nothing was left out of the table")
    func completeness() {
        #expect(Self.rows.count >= 64)
        #expect(Self.rows.filter(\.isVerified).count > 35)
    }

    @Test("A genuine notification proves each document in it", arguments: genuineNotifications)
    func nested(file: String) throws {
        let verified = try SignedDataVerifier().notification(Self.document(file))
        let data = try #require(verified.notification.data)
        #expect((verified.transaction == nil) == (data.signedTransactionInfo == nil))
        #expect((verified.renewalInfo == nil) == (data.signedRenewalInfo == nil))
        for scope in [verified.transaction?.proof.scope, verified.renewalInfo?.proof.scope]
        where scope != nil {
            #expect(scope == verified.notification.proof.scope)
        }
    }

    @Test("Once a chain held, the same header is not judged again", arguments: genuineNotifications)
    func remembered(file: String) throws {
        let verifier = SignedDataVerifier()
        let jws = try Self.document(file)
        let first = try verifier.notification(jws)
        let second = try verifier.notification(jws)
        #expect(first.notification.content == second.notification.content)
        #expect(first.notification.proof.certificates == second.notification.proof.certificates)
    }

    static let genuineNotifications = rows.map(\.file).filter {
        $0.hasPrefix("notifications-v2/apple-")
    }

    static func document(_ file: String) throws -> CompactJWS {
        let text = String(decoding: try Corpus.bytes(file), as: UTF8.self)
        return try CompactJWS(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private static func kind(of file: String) -> SignedDataKind {
        switch file.prefix(while: { $0 != "/" }) {
        case "transactions": .transaction
        case "renewal-info": .renewalInfo
        case "app-transactions": .appTransaction
        default: .notification
        }
    }
}

extension VerifiedSignedData {
    fileprivate var realm: Realm {
        switch self {
        case .renewalInfo(let info): info.realm
        case .realtimeRequest(let request): request.realm
        case .transaction(let transaction): transaction.proof.scope.realm
        case .appTransaction(let transaction): transaction.proof.scope.realm
        case .notification(let notification): notification.notification.proof.scope.realm
        }
    }
}
