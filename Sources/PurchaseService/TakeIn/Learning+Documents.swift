import AppStoreModel
import AppStoreVerification
import CounterfoilBasics
import CounterfoilCryptography
import Journal
import Ledger

// What proved and vouched documents bring to the journal. There is no other way from a document to
// a statement, so nothing unproved is ever one.
extension Learning {
    /// What a receipt of either style brings.
    init(_ receipt: VerifiedReceipt, of document: Document) {
        let document = LearnedDocument(receipt, document)
        self.init(
            scope: receipt.proof.scope,
            document: document,
            statements: receipt.statements(document.evidence.digest)
        )
    }

    /// What a signed transaction brings.
    init(
        _ transaction: Verified<JWSTransactionDecodedPayload>,
        text: String,
        _ references: PersonalReferences
    ) {
        let document = LearnedDocument(.transaction, transaction.proof, text)
        let digest = document.evidence.digest
        self.init(
            scope: transaction.proof.scope,
            document: document,
            statements: [Statement.statement(in: transaction, evidence: digest, references)]
                .compactMap(\.self),
            persons: references.persons(in: transaction)
        )
    }

    /// What renewal info brings that a transaction or a notification bound to its app.
    init(_ renewalInfo: Verified<JWSRenewalInfoDecodedPayload>, text: String) {
        let document = LearnedDocument(.renewalInfo, renewalInfo.proof, text)
        let digest = document.evidence.digest
        self.init(
            scope: renewalInfo.proof.scope,
            document: document,
            statements: [Statement.statement(in: renewalInfo, evidence: digest)]
                .compactMap(\.self)
        )
    }

    /// What an app transaction brings: it is kept, and says nothing of purchases.
    init(_ appTransaction: Verified<AppTransaction>, text: String) {
        self.init(
            scope: appTransaction.proof.scope,
            document: LearnedDocument(.appTransaction, appTransaction.proof, text),
            statements: []
        )
    }

    /// What a notification of version 2 brings, with the documents in it.
    init(_ notification: VerifiedNotification, text: String, _ references: PersonalReferences) {
        let proof = notification.notification.proof
        let document = LearnedDocument(.notification, proof, text)
        let digest = document.evidence.digest
        let content = notification.notification.content
        var parts: [Learning] = []
        if let transaction = notification.transaction,
            let text = content.data?.signedTransactionInfo
        {
            parts.append(Learning(transaction, text: text, references))
        }
        if let renewalInfo = notification.renewalInfo, let text = content.data?.signedRenewalInfo {
            parts.append(Learning(renewalInfo, text: text))
        }
        if let appTransaction = notification.appTransaction,
            let text = content.appData?.signedAppTransactionInfo
        {
            parts.append(Learning(appTransaction, text: text))
        }
        self.init(
            scope: proof.scope,
            document: document,
            nested: parts.map { $0.document.inside(digest) },
            // What is about several things at once is kept, and says nothing.
            statements: content.isOdd ? [] : parts.flatMap(\.statements),
            occurrence: Occurrence(notification, evidence: digest),
            inbox: InboxNote(
                key: content.notificationUUID ?? digest.description,
                version: 2,
                type: content.notificationType?.rawValue,
                subtype: content.subtype?.rawValue
            ),
            persons: parts.reduce(into: [:]) { $0.merge($1.persons) { old, _ in old } }
        )
    }

    /// What a notification of version 1 brings, with the receipts in it that are proved.
    ///
    /// - Parameters:
    ///   - notification: The notification, vouched for.
    ///   - bytes: Its bytes, without the password.
    ///   - references: Turns account tokens into references.
    init(_ notification: VouchedNotification, bytes: [UInt8], _ references: PersonalReferences) {
        let digest = SHA256Digest(of: bytes.span)
        let evidence = Evidence(
            digest: digest,
            kind: .notificationV1,
            grade: .sharedSecret,
            attestedAt: notification.attestedAt,
            signer: nil
        )
        var nested: [LearnedDocument] = []
        var statements = Statement.statements(in: notification, evidence: digest, references)
        for embedded in notification.receipts {
            guard case .success(let receipt) = embedded.result,
                let receiptDocument = embedded.document
            else { continue }
            let learned = LearnedDocument(receipt, receiptDocument)
            nested.append(learned.inside(digest))
            statements += receipt.statements(learned.evidence.digest)
        }
        self.init(
            scope: notification.notification.scope,
            document: LearnedDocument(evidence, bytes),
            nested: nested,
            statements: statements,
            occurrence: Occurrence(notification, evidence: digest),
            inbox: InboxNote(
                key: digest.description,
                version: 1,
                type: notification.notification.content.notificationType?.rawValue,
                subtype: nil
            ),
            persons: references.persons(in: notification.notification.content)
        )
    }
}

extension LearnedDocument {
    fileprivate init(_ kind: Evidence.Kind, _ proof: SignatureProof, _ text: String) {
        let bytes = Array(text.utf8)
        self.init(
            Evidence(
                digest: SHA256Digest(of: bytes.span),
                kind: kind,
                grade: .signature,
                attestedAt: proof.judgedAt,
                signer: proof.certificates.first?.fingerprint
            ),
            bytes
        )
    }

    fileprivate init(_ receipt: VerifiedReceipt, _ document: Document) {
        let (kind, attestedAt): (Evidence.Kind, Instant) =
            switch receipt {
            case .appReceipt(let receipt): (.appReceipt, receipt.content.creationDate)
            case .transactionReceipt(let receipt):
                (.transactionReceipt, receipt.content.purchaseDate)
            }
        self.init(
            Evidence(
                digest: SHA256Digest(of: document.bytes.span),
                kind: kind,
                grade: .signature,
                attestedAt: attestedAt,
                signer: receipt.proof.certificates.first?.fingerprint
            ),
            document.bytes
        )
    }

    /// The same document as one that came inside another.
    fileprivate func inside(_ envelope: SHA256Digest) -> LearnedDocument {
        LearnedDocument(
            Evidence(
                digest: evidence.digest,
                kind: evidence.kind,
                grade: evidence.grade,
                attestedAt: evidence.attestedAt,
                signer: evidence.signer,
                envelope: envelope
            ),
            bytes
        )
    }
}

extension VerifiedReceipt {
    fileprivate func statements(_ evidence: SHA256Digest) -> [Statement] {
        switch self {
        case .appReceipt(let receipt): Statement.statements(in: receipt, evidence: evidence)
        case .transactionReceipt(let receipt):
            [Statement.statement(in: receipt, evidence: evidence)]
        }
    }
}

extension PersonalReferences {
    /// The account token that a transaction was bought with.
    fileprivate func persons(
        in transaction: Verified<JWSTransactionDecodedPayload>
    ) -> [PersonalReference: String] {
        transaction.content.appAccountToken.map { [self($0): $0] } ?? [:]
    }

    /// The account tokens that a notification of version 1 names.
    fileprivate func persons(in body: ResponseBodyV1) -> [PersonalReference: String] {
        let tokens = (body.unifiedReceipt?.latestReceiptInfo ?? []).compactMap(\.appAccountToken)
        return Dictionary(tokens.map { (self($0), $0) }) { first, _ in first }
    }
}
