package import AppStoreModel
package import AppStoreVerification
package import CounterfoilBasics
package import CounterfoilJSON

/// Everything that can be said of a document: the verdict, the checks that led to it, the
/// certificates, what the document says, and the same of each document inside it.
///
/// What a document says is *proved* or it is not, and never partly: ``isProved`` is true only
/// where the signature and the certificates held.
package struct Inspection: Sendable {
    /// What a document says.
    package enum Content: Sendable {
        /// An app receipt.
        case appReceipt(AppReceipt)
        /// An iOS 6-style receipt.
        case transactionReceipt(TransactionReceipt)
        /// Signed data of any kind.
        case signedData(SignedContent)
        /// A notification of version 1, without its password.
        case notificationV1(ResponseBodyV1)
        /// What nobody signed around the documents of a server's answer.
        case answer(JSONObject)
    }

    /// A document inside another one.
    package struct Part: Sendable {
        /// The member that it is: `data.signedTransactionInfo`.
        package let path: String
        /// What can be said of it by itself.
        package let inspection: Inspection
    }

    /// The verdict and what it rests on.
    package let judgement: Judgement
    /// What was looked at and what came of it, in order.
    package let checks: [Check]
    /// The certificates: the proved chain, signer first, else what the document brings along.
    package let certificates: [ChainLink]
    /// What the document says; nil when nothing can be read in it.
    package let content: Content?
    /// When the document says that it was signed; nil when it does not say.
    package let signingDate: Instant?
    /// Remarks that change no verdict, without the repairs.
    package let notes: [VerificationNote]
    /// The documents inside that were judged, in the order in which they stand there.
    package let parts: [Part]

    /// Whether signature and certificates held, so that ``content`` is what the App Store said; of
    /// an answer, which nobody signed, whether they held of all documents in it.
    package var isProved: Bool { judgement.grade == .proved }

    /// What had to be mended to get at the document's bytes.
    package var repairs: [VerificationNote] { judgement.document?.repairs ?? [] }

    /// Inspects a document as a client, a file or a log hands it in.
    package init(of input: [UInt8], by judge: Judge, now: Instant) {
        self.init(judge.judge(input, now: now), by: judge)
    }

    private init(_ judgement: Judgement, by judge: Judge) {
        let limits = judge.limits
        let document = judgement.document
        let embedded = document?.embeddedCertificates(limits: limits) ?? []
        self.judgement = judgement
        if let proved = judgement.proved, let proof = judgement.proof {
            content = Content(proved)
            signingDate = judgement.signedAt
            let repairs = document?.repairs ?? []
            notes = proof.notes.filter { !repairs.contains($0) }
            let known = embedded + judge.receipts.trust.certificates
            certificates = proof.certificates.map { ChainLink($0, among: known) }
        } else {
            let claims = document.map { Claims(reading: $0, limits: limits) }
            content = claims?.content
            signingDate = claims?.signingDate
            // The verdict has said what it fails at.
            let objection = judgement.objection?.reason
            notes = claims?.remarks.filter { $0.text != objection } ?? []
            certificates = embedded.map(ChainLink.init)
        }
        parts = judgement.parts.map { part in
            Part(path: part.path, inspection: Inspection(part.judgement, by: judge))
        }
        checks = Check.all(
            of: judgement,
            asked: judge,
            signer: certificates.first?.summary,
            signingDate: signingDate
        )
    }

    /// The purchases of a receipt, in the document's own order.
    package var purchases: [PurchaseRow] {
        switch content {
        case .appReceipt(let receipt): receipt.inApp.map(PurchaseRow.init)
        case .transactionReceipt(let receipt): [PurchaseRow(receipt, date: signingDate)]
        case .signedData, .notificationV1, .answer, nil: []
        }
    }
}

extension Judgement {
    /// When what was proved says that it was signed.
    fileprivate var signedAt: Instant? {
        switch proved {
        case .receipt(.appReceipt(let receipt)): receipt.creationDate
        case .receipt(.transactionReceipt(let receipt)): receipt.purchaseDate
        case .signedData, .renewalInfo: proof?.judgedAt
        case .vouched, nil: nil
        }
    }
}

extension Inspection.Content {
    fileprivate init(_ proved: Judgement.Proved) {
        switch proved {
        case .receipt(.appReceipt(let receipt)): self = .appReceipt(receipt.content)
        case .receipt(.transactionReceipt(let receipt)): self = .transactionReceipt(receipt.content)
        case .signedData(let document): self = .signedData(SignedContent(document))
        case .renewalInfo(let renewalInfo):
            self = .signedData(SignedContent(.renewalInfo, renewalInfo.object))
        case .vouched(let notification): self = .notificationV1(notification.notification.content)
        }
    }
}

/// What a document says of itself where nobody proved it.
private struct Claims {
    var content: Inspection.Content?
    var signingDate: Instant?
    var remarks: [VerificationNote] = []

    init(reading document: Document, limits: VerificationLimits) {
        switch document.kind {
        case .appReceipt, .transactionReceipt:
            let unproved = UnprovedReceipt(reading: document, limits: limits)
            content = unproved.claims.map(Self.content)
            (signingDate, remarks) = (unproved.signingDate, unproved.remarks)
        case .signedData:
            let unproved = UnprovedSignedData(reading: document, limits: limits)
            content = unproved.payload.map { payload in
                .signedData(SignedContent(claimedBy: unproved.kind, payload, limits: limits))
            }
            (signingDate, remarks) = (unproved.signingDate, unproved.remarks)
        case .notificationV1, .serverAnswer:
            do {
                content = try Self.content(ofUnsigned: document, limits: limits)
            } catch {
                // The verdict says what cannot be read in it.
                content = nil
            }
        }
    }

    private static func content(_ claims: UnprovedReceipt.Claims) -> Inspection.Content {
        switch claims {
        case .appReceipt(let receipt): .appReceipt(receipt)
        case .transactionReceipt(let receipt): .transactionReceipt(receipt)
        }
    }

    private static func content(
        ofUnsigned document: Document,
        limits: VerificationLimits
    ) throws(VerificationError) -> Inspection.Content {
        document.kind == .notificationV1
            ? .notificationV1(try document.notificationV1().body)
            : .answer(try document.serverAnswer(limits: limits).object)
    }
}

/// A certificate of a chain, as a person wants to see it.
package struct ChainLink: Hashable, Sendable {
    /// Name, serial number, key, validity and fingerprint.
    package let summary: CertificateSummary
    /// Who issued it; nil where only a summary is at hand.
    package let issuer: String?
    /// Apple's marker extensions, dotted, with what they mean.
    package let markers: [Marker]

    /// What Apple issued a certificate for.
    package struct Marker: Hashable, Sendable {
        /// The extension's identifier, dotted.
        package let identifier: String
        /// Its meaning; nil for one that nobody here knows.
        package let meaning: String?
    }

    fileprivate init(_ summary: CertificateSummary, among known: [EmbeddedCertificate]) {
        let same = known.first { $0.summary.fingerprint == summary.fingerprint }
        self.summary = summary
        issuer = same?.issuer
        markers = same?.markers.map(Marker.init) ?? []
    }

    fileprivate init(_ certificate: EmbeddedCertificate) {
        summary = certificate.summary
        issuer = certificate.issuer
        markers = certificate.markers.map(Marker.init)
    }
}

extension ChainLink.Marker {
    fileprivate init(_ identifier: String) {
        self.identifier = identifier
        meaning = Self.meanings[identifier]
    }

    private static let meanings = [
        "1.2.840.113635.100.6.11.1": "signs App Store receipts and signed data",
        "1.2.840.113635.100.6.5.1": "signs iOS 6-style receipts",
        "1.2.840.113635.100.6.2.1": "Worldwide Developer Relations authority",
        "1.2.840.113635.100.6.2.2": "iTunes Store authority",
    ]
}
