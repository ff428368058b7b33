package import AppStoreModel
import CounterfoilASN1
package import CounterfoilBasics
import CounterfoilCryptography

/// What a document says of itself, proved by nobody.
///
/// It serves to show a person what a refused document claims, and nothing else: nothing in it can
/// become a ``Verified``. Reading never fails; what cannot be read is left out and remarked on.
package struct UnprovedReceipt: Sendable {
    /// The claims, in the shape of a receipt; a text that no attribute states is empty.
    package enum Claims: Sendable {
        /// The claims of a PKCS#7 container.
        case appReceipt(AppReceipt)
        /// The claims of a property list.
        case transactionReceipt(TransactionReceipt)
    }

    /// What could be read; nil when there is nothing of a receipt in the document.
    package private(set) var claims: Claims?
    /// The instant that the document states for its signing; nil when it states none.
    package private(set) var signingDate: Instant?
    /// Why not more could be read.
    package private(set) var remarks: [VerificationNote] = []

    /// Reads whatever can be read.
    package init(reading document: Document, limits: VerificationLimits = .default) {
        do {
            switch document.kind {
            case .appReceipt: try readAppReceipt(document, limits)
            case .transactionReceipt: try readTransactionReceipt(document, limits)
            case .signedData, .notificationV1, .serverAnswer: break
            }
        } catch {
            remarks.append(VerificationNote(error.code, error.reason))
        }
    }

    private mutating func readAppReceipt(
        _ document: Document,
        _ limits: VerificationLimits
    ) throws(VerificationError) {
        let content: ArraySlice<UInt8>
        do {
            let message = try CMSSignedData(
                document.bytes,
                certificateLimit: limits.certificates
            )
            content = try message.attachedContent()
        } catch {
            throw VerificationError(error)
        }
        let decoder = AppReceiptDecoder(payload: try ReceiptPayload(content), limits: limits)
        var (receipt, remarks) = decoder.claims()
        if !receipt.attributes.isEmpty {
            VerificationNote.remarking(in: &remarks) { (_) throws(VerificationError) in
                receipt.creationDate = try decoder.creationDate()
                signingDate = receipt.creationDate
            }
            claims = .appReceipt(receipt)
        }
        self.remarks = remarks
    }

    private mutating func readTransactionReceipt(
        _ document: Document,
        _ limits: VerificationLimits
    ) throws(VerificationError) {
        let envelope = try TransactionReceiptEnvelope(document.bytes, limits: limits)
        let decoder = try TransactionReceiptDecoder(envelope, limits: limits)
        do {
            let receipt = try decoder.receipt()
            signingDate = receipt.purchaseDate
            claims = .transactionReceipt(receipt)
        } catch {
            remarks.append(VerificationNote(error.code, error.reason))
            claims = .transactionReceipt(decoder.claims())
        }
    }
}

extension AppReceiptDecoder {
    /// The receipt as far as it can be read, and a remark for everything that cannot be.
    fileprivate func claims() -> (receipt: AppReceipt, remarks: [VerificationNote]) {
        var receipt = AppReceipt(
            receiptType: ReceiptType(rawValue: ""),
            bundleId: "",
            creationDate: Instant(millisecondsSince1970: 0)
        )
        receipt.attributes = payload.attributes
        var seen = SeenAttributes()
        var remarks: [VerificationNote] = []
        VerificationNote.remarking(in: &remarks) { (remarks) throws(VerificationError) in
            try payload.forEachAttribute(limit: attributeLimit) { attribute, value in
                receipt.attributes.append(attribute, value)
                VerificationNote.remarking(in: &remarks) { (remarks) throws(VerificationError) in
                    if attribute.type == 17 {
                        let bytes = payload.bytes(of: attribute, value)
                        receipt.inApp.append(try claims(ofPurchase: bytes, &remarks))
                    } else if seen.insert(attribute.type, notes: &remarks) {
                        try Self.read(attribute.type, value, into: &receipt, notes: &remarks)
                    }
                }
                return true
            }
        }
        return (receipt, remarks)
    }

    private func claims(
        ofPurchase bytes: ArraySlice<UInt8>,
        _ remarks: inout [VerificationNote]
    ) throws(VerificationError) -> InAppPurchase {
        var purchase = InAppPurchase(productId: "", transactionId: "")
        purchase.attributes = ReceiptAttributes(lyingIn: bytes)
        var seen = SeenAttributes()
        var recent = RecentTexts()
        try ReceiptPayload.forEachAttribute(ofPurchase: bytes, limit: limits.attributes) {
            attribute,
            value in
            purchase.attributes.append(attribute, value)
            if seen.insert(attribute.type, notes: &remarks) {
                VerificationNote.remarking(in: &remarks) { (remarks) throws(VerificationError) in
                    try Self.read(attribute.type, value, into: &purchase, &recent, notes: &remarks)
                }
            }
            return true
        }
        return purchase
    }
}

extension VerificationNote {
    /// Turns a refusal into a remark, where reading goes on regardless.
    fileprivate static func remarking(
        in remarks: inout [VerificationNote],
        _ body: (inout [VerificationNote]) throws(VerificationError) -> Void
    ) {
        do {
            try body(&remarks)
        } catch {
            remarks.append(VerificationNote(error.code, error.reason))
        }
    }
}

extension TransactionReceiptDecoder {
    /// The receipt as far as its texts go, where a value that none may lack is not there.
    fileprivate func claims() -> TransactionReceipt {
        func text(_ key: String) -> String { entries.first { $0.key == key }?.value ?? "" }
        return TransactionReceipt(
            bundleId: text("bid"),
            productId: text("product-id"),
            transactionId: text("transaction-id"),
            purchaseDate: Instant(millisecondsSince1970: 0),
            purchaseInfo: entries
        )
    }
}

/// A certificate that a document brings along; whether it is what it says, only a chain can tell.
package struct EmbeddedCertificate: Hashable, Sendable {
    /// What a person wants to know of it.
    package let summary: CertificateSummary
    /// The issuer's common name, else its whole name.
    package let issuer: String
    /// Apple's marker extensions, dotted: what Apple says that it was issued for.
    package let markers: [String]

    /// The arc of Apple's marker extensions.
    private static let arc = "1.2.840.113635.100.6."

    init(_ certificate: Certificate) {
        summary = certificate.summary
        issuer = certificate.issuer.commonName ?? certificate.issuer.description
        markers = certificate.extensions.map(\.identifier.description)
            .filter { $0.hasPrefix(Self.arc) }
    }
}

extension Document {
    /// The certificates in it that can be read: the signer first, then issuer by issuer, then any
    /// that belong to neither.
    package func embeddedCertificates(
        limits: VerificationLimits = .default
    ) -> [EmbeddedCertificate] {
        do {
            let certificates: [Certificate] =
                switch kind {
                case .appReceipt: try certificatesOfMessage(limits)
                case .transactionReceipt: [try certificateOfBlob(limits)]
                case .signedData: try certificatesOfHeader(limits)
                case .notificationV1, .serverAnswer: []
                }
            return certificates.map(EmbeddedCertificate.init)
        } catch {
            // A document that cannot be taken apart has none to show; its verdict says why.
            return []
        }
    }

    private func certificateOfBlob(_ limits: VerificationLimits) throws -> Certificate {
        let envelope = try TransactionReceiptEnvelope(bytes, limits: limits)
        let blob = try SignatureBlob(envelope.signature)
        return try Certificate(Array(blob.certificate), limits: limits.certificateLimits)
    }

    private func certificatesOfHeader(_ limits: VerificationLimits) throws -> [Certificate] {
        let header = try JWSHeader(
            CompactJWS(bytes, limits: limits).decodedHeader(),
            limits: limits
        )
        return try header.certificates.map {
            try Certificate($0, limits: limits.certificateLimits)
        }
    }

    private func certificatesOfMessage(_ limits: VerificationLimits) throws -> [Certificate] {
        let message = try CMSSignedData(bytes, certificateLimit: limits.certificates)
        var rest = try message.certificates.map {
            try Certificate(Array(message.bytes[$0]), limits: limits.certificateLimits)
        }
        let signer = try message.onlySigner().identifier
        var ordered: [Certificate] = []
        var next = rest.firstIndex { $0.isNamed(by: signer, in: message.bytes) }
        while let index = next {
            let certificate = rest.remove(at: index)
            ordered.append(certificate)
            next = rest.firstIndex { $0.subject == certificate.issuer }
        }
        return ordered + rest
    }
}
