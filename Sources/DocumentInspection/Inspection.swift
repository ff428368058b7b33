package import AppStoreModel
package import AppStoreVerification
package import CounterfoilBasics

/// Everything that can be said of a document: the verdict, the checks that led to it, the
/// certificates, and what the document says.
///
/// What a document says is *proved* or it is not, and never partly: ``isProved`` is true only
/// where the signature and the certificates held.
package struct Inspection: Sendable {
    /// What a document says, in the shape of a receipt.
    package enum Content: Sendable {
        /// An app receipt.
        case appReceipt(AppReceipt)
        /// An iOS 6-style receipt.
        case transactionReceipt(TransactionReceipt)
    }

    /// The verdict and what it rests on.
    package let judgement: Judgement
    /// What was looked at and what came of it, in order.
    package let checks: [Check]
    /// The certificates: the proved chain, signer first, else what the document brings along.
    package let certificates: [ChainLink]
    /// What the document says; nil when nothing of a receipt can be read in it.
    package let content: Content?
    /// When the document says that it was signed; nil when it does not say.
    package let signingDate: Instant?
    /// Remarks that change no verdict, without the repairs.
    package let notes: [VerificationNote]

    /// Whether signature and certificates held, so that ``content`` is what the App Store said.
    package var isProved: Bool { judgement.receipt != nil }

    /// What had to be mended to get at the document's bytes.
    package var repairs: [VerificationNote] { judgement.document?.repairs ?? [] }

    /// Inspects a document as a client, a file or a log hands it in.
    package init(of input: [UInt8], by judge: Judge, now: Instant) {
        let judgement = judge.judge(input, now: now)
        self.judgement = judgement
        let limits = judge.verifier.limits
        let embedded = judgement.document?.embeddedCertificates(limits: limits) ?? []
        if let receipt = judgement.receipt {
            content = Content(receipt)
            signingDate = Content(receipt).signingDate
            let repairs = judgement.document?.repairs ?? []
            notes = receipt.proof.notes.filter { !repairs.contains($0) }
            certificates = receipt.proof.certificates.map { ChainLink($0, among: embedded) }
        } else {
            let unproved = judgement.document.map { UnprovedReceipt(reading: $0, limits: limits) }
            content = unproved?.claims.map(Content.init)
            signingDate = unproved?.signingDate
            notes = unproved?.remarks ?? []
            certificates = embedded.map(ChainLink.init)
        }
        checks = Check.all(
            of: judgement,
            asked: judge,
            signer: certificates.first?.summary,
            signingDate: signingDate
        )
    }

    /// The purchases, in the document's own order.
    package var purchases: [PurchaseRow] {
        switch content {
        case .appReceipt(let receipt): receipt.inApp.map(PurchaseRow.init)
        case .transactionReceipt(let receipt): [PurchaseRow(receipt, date: signingDate)]
        case nil: []
        }
    }
}

extension Inspection.Content {
    fileprivate init(_ receipt: VerifiedReceipt) {
        switch receipt {
        case .appReceipt(let receipt): self = .appReceipt(receipt.content)
        case .transactionReceipt(let receipt): self = .transactionReceipt(receipt.content)
        }
    }

    fileprivate init(_ claims: UnprovedReceipt.Claims) {
        switch claims {
        case .appReceipt(let receipt): self = .appReceipt(receipt)
        case .transactionReceipt(let receipt): self = .transactionReceipt(receipt)
        }
    }

    fileprivate var signingDate: Instant {
        switch self {
        case .appReceipt(let receipt): receipt.creationDate
        case .transactionReceipt(let receipt): receipt.purchaseDate
        }
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

    fileprivate init(_ summary: CertificateSummary, among embedded: [EmbeddedCertificate]) {
        let same = embedded.first { $0.summary.fingerprint == summary.fingerprint }
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
        "1.2.840.113635.100.6.11.1": "signs App Store receipts",
        "1.2.840.113635.100.6.5.1": "signs iOS 6-style receipts",
        "1.2.840.113635.100.6.2.1": "Worldwide Developer Relations authority",
        "1.2.840.113635.100.6.2.2": "iTunes Store authority",
    ]
}
