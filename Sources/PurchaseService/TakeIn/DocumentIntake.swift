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
    case notServed(VerifyReceiptRefusal, Scope?)
    /// It could not be kept.
    case notStored(StorageError)
}

extension IntakeRefusal: CodedError {
    package var code: ErrorCode { error.code }
    package var reason: String { error.reason }

    private var error: any CodedError {
        switch self {
        case .unproved(let error): error
        case .notServed(let refusal, _): refusal
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
        try serving(receipt.proof.scope) { () throws(VerifyReceiptRefusal) in
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
                ),
                nil
            )
        }
        try serving(proof.scope) { () throws(VerifyReceiptRefusal) in
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
        return try notificationV1(body, password: password)
    }

    private func notificationV1(
        _ body: ResponseBodyV1,
        password: Redacted<String>?
    ) throws(IntakeRefusal) -> Learning {
        let verifier = NotificationV1Verifier(
            secrets: body.statedBundleId.flatMap { secrets[$0] } ?? [],
            receipts: receipts
        )
        return try vouched { () throws(VerificationError) in
            try verifier.verify(body, password: password, realm: realmOfSecrets, now: clock.now)
        }
    }

    /// Shared secrets are the App Store's, or a local one's.
    private var realmOfSecrets: Realm { journal.purpose == .rehearsal ? .rehearsal : .appStore }

    private func vouched(
        _ verify: () throws(VerificationError) -> VouchedNotification
    ) throws(IntakeRefusal) -> Learning {
        let vouched = try proving(verify)
        let scope = vouched.notification.scope
        try serving(scope) { () throws(VerifyReceiptRefusal) in _ = try apps.match(scope) }
        let bytes = vouched.notification.content.json
        return Learning(vouched, bytes: bytes, journal.references)
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
        _ scope: Scope,
        _ body: () throws(VerifyReceiptRefusal) -> Void
    ) throws(IntakeRefusal) {
        do throws(VerifyReceiptRefusal) {
            // Where no app of the App Store is named, receipts of all of them are answered, and not
            // recorded beside others.
            try apps.requireRecorded(scope)
            try body()
        } catch {
            throw .notServed(error, scope)
        }
    }
}

// MARK: - Notifications

extension DocumentIntake {
    /// Proves a notification of either version, and everything in it that is learned from.
    ///
    /// - Throws: ``IntakeRefusal``, never that something could not be kept.
    func learning(from envelope: NotificationEnvelope) throws(IntakeRefusal) -> Learning {
        switch envelope {
        case .v1(let body, let password): return try notificationV1(body, password: password)
        case .v2(let signedPayload):
            let verified = try prove(signedPayload)
            guard case .notification = verified else {
                throw .notServed(
                    VerifyReceiptRefusal(
                        VerifyReceiptRefusal.noNotification,
                        "what is signed is a document of the kind \(verified.kind), not a "
                            + "notification"
                    ),
                    verified.proof?.scope
                )
            }
            return try signed(signedPayload, verified)
        }
    }

    /// Proves a notification from the quarantine, whose password is known by what it comes to.
    func learning(from body: QuarantinedBody) throws(IntakeRefusal) -> Learning {
        let text = String(decoding: body.bytes, as: UTF8.self)
        let document = try? NotificationEnvelope(parsing: body.bytes.span)
        // What is no JSON is the signed payload of version 2 itself.
        guard case .v1(let notification, _)? = document else {
            return try learning(from: .v2(signedPayload: text))
        }
        let known = notification.statedBundleId.flatMap { secrets[$0] } ?? []
        let secret = known.first { journal.fingerprint(ofSecret: $0.digest) == body.password }
        guard let secret else { return try notificationV1(notification, password: nil) }
        let verifier = NotificationV1Verifier(secrets: [secret], receipts: receipts)
        return try vouched { () throws(VerificationError) in
            try verifier.verify(
                notification,
                vouchedForBy: secret,
                realm: realmOfSecrets,
                now: clock.now
            )
        }
    }

    /// The app of a receipt inside a notification that is genuine, whoever vouches for the rest; nil
    /// where there is none.
    func appOfGenuineReceipt(in body: ResponseBodyV1) -> String? {
        let verifier = NotificationV1Verifier(secrets: [], receipts: receipts)
        for receipt in verifier.embeddedReceipts(in: body, now: clock.now) {
            if case .success(let receipt) = receipt.result { return receipt.proof.scope.bundleId }
        }
        return nil
    }
}

extension ResponseBodyV1 {
    /// The app that it says it is of; before 2021 it stood only in what the receipt says.
    fileprivate var statedBundleId: String? {
        bid ?? latestReceiptInfo?.bid ?? latestExpiredReceiptInfo?.bid
    }
}
