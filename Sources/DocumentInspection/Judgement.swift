package import AppStoreModel
package import AppStoreVerification
package import CounterfoilBasics

/// What came of judging a document.
///
/// A document can be genuine and still be refused, because it is of another app or device than asked
/// for: then something is ``proved`` and there is an ``objection``.
package struct Judgement: Sendable {
    /// The answer in one word.
    package enum Verdict: String, Sendable, CaseIterable {
        /// Genuine, and of the app and device that were asked for.
        case verified
        /// Signed by nobody, but a shared secret of the app vouches for it.
        case vouched
        /// Not genuine, not for you, or no document at all.
        case refused
        /// Neither valid nor forged; the same bytes may be verified later.
        case undecided
    }

    /// What the door answers for.
    package enum Proved: Sendable {
        /// A receipt.
        case receipt(VerifiedReceipt)
        /// Signed data of any kind.
        case signedData(VerifiedSignedData)
        /// Renewal info whose app what stands beside it says.
        case renewalInfo(Verified<JWSRenewalInfoDecodedPayload>)
        /// A notification that nobody signed.
        case vouched(VouchedNotification)
    }

    /// A document inside another one.
    package struct Part: Sendable {
        /// The member that it is: `data.signedTransactionInfo`.
        package let path: String
        /// What came of it by itself.
        package let judgement: Judgement
    }

    /// The instant that counted as the present.
    package let now: Instant
    /// The document, where there is one in the input.
    package let document: Document?
    /// What was proved, where signature and certificates were, or vouched for.
    package internal(set) var proved: Proved?
    /// The documents inside that were judged, in the order in which they stand there.
    package internal(set) var parts: [Part] = []
    /// Why it was not verified.
    package internal(set) var objection: VerificationError?
    /// Whether a proved document is of one of the apps asked for; nil where none was, where it
    /// does not say, and where nothing is proved.
    package internal(set) var appMatched: Bool?
    /// Whether a proved receipt is of the device asked for; nil as above.
    package internal(set) var deviceMatched: Bool?

    init(now: Instant, document: Document? = nil, objection: VerificationError? = nil) {
        self.now = now
        self.document = document
        self.objection = objection
    }

    /// The answer in one word.
    package var verdict: Verdict {
        if let objection { return objection.isUndecided ? .undecided : .refused }
        return grade == .vouched ? .vouched : .verified
    }

    /// The receipt that was proved.
    package var receipt: VerifiedReceipt? {
        if case .receipt(let receipt)? = proved { receipt } else { nil }
    }

    /// How many purchases were proved, those in documents inside included.
    package var purchaseCount: Int {
        let own =
            switch proved {
            case .receipt(.appReceipt(let receipt)): receipt.inApp.count
            case .receipt(.transactionReceipt), .signedData(.transaction): 1
            case .signedData, .renewalInfo, .vouched, nil: 0
            }
        return parts.reduce(own) { $0 + $1.judgement.purchaseCount }
    }

    /// Of signed data that was proved, which kind it is.
    package var type: SignedDataKind? {
        switch proved {
        case .signedData(let document): document.kind
        case .renewalInfo: .renewalInfo
        case .receipt, .vouched, nil: nil
        }
    }

    /// Of a notification that was proved or vouched for, what it tells.
    package var label: NotificationLabel? {
        switch proved {
        case .signedData(.notification(let notification)):
            NotificationLabel(notification.notification.content)
        case .vouched(let notification): NotificationLabel(notification.notification.content)
        case .signedData, .renewalInfo, .receipt, nil: nil
        }
    }
}

// MARK: - How far it can be believed

extension Judgement {
    /// How far what a document says can be believed.
    package enum Grade: Sendable {
        /// Signature and certificates held; of what nobody signed, those of all documents inside.
        case proved
        /// A shared secret vouches for it.
        case vouched
        /// Anyone could have written it.
        case claimed
    }

    /// How far what the document says can be believed.
    package var grade: Grade {
        switch proved {
        case .receipt, .signedData, .renewalInfo: return .proved
        case .vouched: return .vouched
        case nil:
            let isAnswer = document?.kind == .serverAnswer && !parts.isEmpty
            return isAnswer && parts.allSatisfy { $0.judgement.grade == .proved }
                ? .proved : .claimed
        }
    }

    /// The document inside that decides about the whole: a refused one, else an undecided one.
    var worstPart: Part? {
        parts.first { $0.judgement.verdict == .refused }
            ?? parts.first { $0.judgement.verdict == .undecided }
    }

    /// What the documents inside say that say anything: no if one does, else yes.
    func commonAnswer(_ answer: (Judgement) -> Bool?) -> Bool? {
        let answers = parts.compactMap { answer($0.judgement) }
        return answers.isEmpty ? nil : answers.allSatisfy(\.self)
    }
}

// MARK: - What the proof says

/// What there is to say of a proof, whatever was proved by it.
package struct Proof: Sendable {
    /// The app; nil for a document that names none.
    package let bundleId: String?
    /// The environment; nil where an odd notification does not say.
    package let environment: StoreEnvironment?
    /// Who answered for the signature; nil where nobody signed.
    package let realm: Realm?
    /// The signer first, then its issuers up to the anchor.
    package var certificates: [CertificateSummary] = []
    /// The instant at which the certificates were judged.
    package var judgedAt: Instant?
    /// The digest that was signed.
    package var digest: String?
    /// The name of the shared secret that vouches for what nobody signed.
    package var voucher: String?
    /// What is worth knowing and refuses nothing.
    package var notes: [VerificationNote] = []

    private init(_ bundleId: String?, _ environment: StoreEnvironment?, _ realm: Realm?) {
        // An odd notification that does not say has an empty text for both.
        self.bundleId = bundleId == "" ? nil : bundleId
        self.environment = environment?.rawValue == "" ? nil : environment
        self.realm = realm
    }

    init(_ proof: SignatureProof) {
        self.init(proof.scope.bundleId, proof.scope.environment, proof.scope.realm)
        (certificates, judgedAt, digest) = (proof.certificates, proof.judgedAt, proof.digest)
        notes = proof.notes
    }

    init<Content>(_ document: Unbound<Content>) {
        self.init(nil, document.environment, document.realm)
        certificates = document.certificates
        (judgedAt, digest, notes) = (document.judgedAt, document.digest, document.notes)
    }

    init<Content>(_ document: Vouched<Content>) {
        self.init(document.scope.bundleId, document.scope.environment, nil)
        switch document.voucher {
        case .sharedSecret(let id): voucher = id
        case .appleChannel(let host): voucher = host
        }
    }

    /// What the proofs of several documents have in common; nil where there are none.
    init?(inCommon proofs: [Proof]) {
        guard !proofs.isEmpty else { return nil }
        func common<Value: Equatable>(
            _ value: (Proof) -> Value?,
            _ areSame: (Value, Value) -> Bool = { $0 == $1 }
        ) -> Value? {
            let values = proofs.compactMap(value)
            guard let first = values.first else { return nil }
            return values.allSatisfy { areSame($0, first) } ? first : nil
        }
        self.init(
            common(\.bundleId) { $0.hasSameUTF8(as: $1) },
            common(\.environment),
            common(\.realm)
        )
    }
}

extension Judgement {
    /// What there is to say of the proof; of an answer, what its documents have in common.
    package var proof: Proof? {
        switch proved {
        case .receipt(let receipt): Proof(receipt.proof)
        case .signedData(.renewalInfo(let renewalInfo)): Proof(renewalInfo)
        case .signedData(.realtimeRequest(let request)): Proof(request)
        case .signedData(let document): document.proof.map { Proof($0) }
        case .renewalInfo(let renewalInfo): Proof(renewalInfo.proof)
        case .vouched(let notification): Proof(notification.notification)
        case nil:
            grade == .proved ? Proof(inCommon: parts.compactMap(\.judgement.proof)) : nil
        }
    }
}
