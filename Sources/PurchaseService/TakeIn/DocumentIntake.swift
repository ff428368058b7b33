import AppStoreModel
package import AppStoreVerification
package import CounterfoilBasics
package import Journal

/// The one way into the journal: what comes in is proved, must be of an app that is served, and is
/// then learned from.
package struct DocumentIntake: Sendable {
    private let apps: ConfiguredApps
    private let journal: OpenJournal
    private let clock: any WallClock
    private let secrets: [String: [SharedSecret]]
    private let receipts: ReceiptVerifier
    private let signedData: SignedDataVerifier

    /// Makes an intake.
    ///
    /// - Parameters:
    ///   - apps: The apps that are served, and who may answer for their documents.
    ///   - journal: Where it is learned.
    ///   - secrets: The shared secrets of apps, by bundle identifier.
    ///   - revocation: What is known of revoked certificates.
    ///   - clock: What time it is.
    package init(
        apps: ConfiguredApps,
        journal: OpenJournal,
        secrets: [String: [SharedSecret]] = [:],
        revocation: RevocationRegister? = nil,
        clock: any WallClock = SystemClock()
    ) {
        self.apps = apps
        self.journal = journal
        self.secrets = secrets
        self.clock = clock
        receipts = ReceiptVerifier(trust: apps.trust, revocation: revocation)
        signedData = SignedDataVerifier(trust: apps.trust, revocation: revocation)
    }

    /// Takes in a document of any kind, as a request or a file hands it in.
    ///
    /// When it returns, everything of it is durable. Of an answer of the App Store Server API each
    /// signed document is taken in by itself, and the first that cannot be ends it: what was taken
    /// in before stays, and taking it all in again does no harm.
    ///
    /// - Returns: What was learned, document by document.
    /// - Throws: ``IntakeRefusal``.
    package func takeIn(_ input: [UInt8]) async throws(IntakeRefusal) -> [TakenIn] {
        var taken: [TakenIn] = []
        for learning in try learnings(from: input) {
            taken.append(TakenIn(learning, try await learn(learning)))
        }
        return taken
    }

    private func learn(_ learning: Learning) async throws(IntakeRefusal) -> Committed {
        do throws(StorageError) {
            return try await journal.writer.learn(learning)
        } catch {
            throw .notStored(error)
        }
    }
}

/// What came of one document that was taken in.
package struct TakenIn: Sendable {
    /// The document.
    package let document: Evidence
    /// The app, the environment and the realm.
    package let scope: Scope
    /// Proof that it is kept.
    package let committed: Committed

    fileprivate init(_ learning: Learning, _ committed: Committed) {
        document = learning.document.evidence
        scope = learning.scope
        self.committed = committed
    }
}

/// Why a document was not taken in; nothing of it is kept then.
package enum IntakeRefusal: Sendable {
    /// It is not proved.
    case unproved(VerificationError)
    /// It is genuine, and of no app that is served.
    case notServed(VerifyReceiptRefusal)
    /// It could not be kept.
    case notStored(StorageError)
}

extension IntakeRefusal: CodedError {
    package var code: ErrorCode { error.code }
    package var reason: String { error.reason }

    private var error: any CodedError {
        switch self {
        case .unproved(let error): error
        case .notServed(let refusal): refusal
        case .notStored(let error): error
        }
    }
}

// MARK: - Proving

extension DocumentIntake {
    /// Proves a document, and everything in it that is learned from.
    ///
    /// - Throws: ``IntakeRefusal``, never that something could not be kept.
    package func learnings(from input: [UInt8]) throws(IntakeRefusal) -> [Learning] {
        let document = try proving { () throws(VerificationError) in
            try Document(detecting: input)
        }
        switch document.kind {
        case .appReceipt, .transactionReceipt: return [try receipt(document)]
        case .signedData:
            let text = String(decoding: document.bytes, as: UTF8.self)
            return [try signed(text, try prove(text))]
        case .notificationV1: return [try notificationV1(document)]
        case .serverAnswer: return try answer(document)
        }
    }

    private func receipt(_ document: Document) throws(IntakeRefusal) -> Learning {
        let receipt = try proving { () throws(VerificationError) in
            try receipts.verify(document, now: clock.now)
        }
        try serving { () throws(VerifyReceiptRefusal) in
            try apps.require(receipt.proof, NamedApp(receipt))
        }
        return Learning(receipt, of: document)
    }

    private func prove(_ text: String) throws(IntakeRefusal) -> VerifiedSignedData {
        try proving { () throws(VerificationError) in
            try signedData.verify(CompactJWS(text), now: clock.now)
        }
    }

    private func signed(
        _ text: String,
        _ verified: VerifiedSignedData
    ) throws(IntakeRefusal) -> Learning {
        guard let proof = verified.proof else {
            throw .notServed(
                VerifyReceiptRefusal(
                    VerifyReceiptRefusal.noAppNamed,
                    "a document of the kind \(verified.kind) names no app, so nothing can be learned "
                        + "from it alone"
                )
            )
        }
        try serving { () throws(VerifyReceiptRefusal) in
            try apps.require(proof, NamedApp(verified))
        }
        switch verified {
        case .transaction(let transaction):
            return Learning(transaction, text: text, journal.references)
        case .appTransaction(let appTransaction): return Learning(appTransaction, text: text)
        case .notification(let notification):
            return Learning(notification, text: text, journal.references)
        case .renewalInfo, .realtimeRequest:
            preconditionFailure("what names an app has a proof, and nothing else")
        }
    }

    private func notificationV1(_ document: Document) throws(IntakeRefusal) -> Learning {
        let (body, password) = try proving { () throws(VerificationError) in
            try document.notificationV1()
        }
        let named = body.bid ?? body.latestReceiptInfo?.bid ?? body.latestExpiredReceiptInfo?.bid
        let verifier = NotificationV1Verifier(
            secrets: named.flatMap { secrets[$0] } ?? [],
            receipts: receipts
        )
        let vouched = try proving { () throws(VerificationError) in
            try verifier.verify(
                body,
                password: password,
                realm: journal.purpose == .rehearsal ? .rehearsal : .appStore,
                now: clock.now
            )
        }
        try serving { () throws(VerifyReceiptRefusal) in
            _ = try apps.match(vouched.notification.scope)
        }
        return Learning(vouched, bytes: body.json, journal.references)
    }

    /// Renewal info counts beside the transaction of its subscription.
    private func answer(_ document: Document) throws(IntakeRefusal) -> [Learning] {
        let answer = try proving { () throws(VerificationError) in try document.serverAnswer() }
        var proved: [VerifiedSignedData] = []
        for entry in answer.entries { proved.append(try prove(entry.text)) }
        var learnings: [Learning] = []
        for (entry, document) in zip(answer.entries, proved) {
            guard case .renewalInfo(let renewalInfo) = document, let place = entry.transaction,
                case .transaction(let transaction) = proved[place]
            else {
                learnings.append(try signed(entry.text, document))
                continue
            }
            let bound = try proving { () throws(VerificationError) in
                try renewalInfo.bound(to: transaction)
            }
            learnings.append(Learning(bound, text: entry.text))
        }
        return learnings
    }

    private func proving<Value>(
        _ body: () throws(VerificationError) -> Value
    ) throws(IntakeRefusal) -> Value {
        do throws(VerificationError) {
            return try body()
        } catch {
            throw .unproved(error)
        }
    }

    private func serving(
        _ body: () throws(VerifyReceiptRefusal) -> Void
    ) throws(IntakeRefusal) {
        do throws(VerifyReceiptRefusal) {
            try body()
        } catch {
            throw .notServed(error)
        }
    }
}
