public import AppStoreModel
import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography

/// Issues app receipts in the format of the App Store, signed by a local authority.
///
///     let authority = try SigningAuthority(profile: AuthorityProfile(now: now))
///     let issuer = AppReceiptIssuer(authority: authority)
///     var receipt = AppReceipt(
///         receiptType: .productionSandbox,
///         bundleId: "com.example.app",
///         creationDate: now
///     )
///     receipt.inApp = [InAppPurchase(productId: "com.example.coins", transactionId: "20000001")]
///     let bytes = try issuer.issue(receipt)
///
/// What it issues is repeatable: the same values under the same authority give the same bytes.
public struct AppReceiptIssuer: Sendable {
    /// Whose keys and certificates sign.
    public var authority: SigningAuthority

    /// Makes an issuer.
    public init(authority: SigningAuthority) { self.authority = authority }

    /// Issues a receipt.
    ///
    /// - Parameters:
    ///   - receipt: What it says; fields that are nil are filled as the store of its receipt type
    ///     would (see ``completed(_:details:)``).
    ///   - details: What it says beyond the fields.
    ///   - form: How it is wrapped and signed; the usual form of its receipt type when nil.
    /// - Returns: The receipt's bytes, of which apps send the base 64 text.
    /// - Throws: `issue.not_representable`, `issue.key_unusable`.
    public func issue(
        _ receipt: AppReceipt,
        details: AppReceiptDetails = AppReceiptDetails(),
        form: AppReceiptForm? = nil
    ) throws(SimulatorError) -> [UInt8] {
        try sign(
            ReceiptPayload(receipt, details: details),
            form: form ?? Self.usualForm(of: receipt.receiptType)
        )
    }

    /// What a reader finds in the receipt that ``issue(_:details:form:)`` makes of the same values:
    /// every field that is filled, and the attributes in their order.
    ///
    /// - Throws: `issue.not_representable`.
    public func completed(
        _ receipt: AppReceipt,
        details: AppReceiptDetails = AppReceiptDetails()
    ) throws(SimulatorError) -> AppReceipt {
        var full = ReceiptCompletion(details: details, receipt: receipt).completed()
        let payload = try ReceiptPayload(completed: full, details: details)
        full.attributes = ReceiptAttributes(payload.attributes)
        for index in full.inApp.indices {
            let purchase = ReceiptPayload(receipt: payload.purchases[index], order: payload.order)
            full.inApp[index].attributes = ReceiptAttributes(purchase.attributes)
        }
        return full
    }

    /// Signs a payload whose attributes may be anything.
    ///
    /// - Throws: `issue.key_unusable`.
    public func sign(
        _ payload: ReceiptPayload,
        form: AppReceiptForm = .appStore
    ) throws(SimulatorError) -> [UInt8] {
        try sign(content: content(of: payload, form), form: form)
    }

    /// Signs any content as if it were a receipt's payload.
    ///
    /// - Throws: `issue.key_unusable`.
    public func sign(
        content: [UInt8],
        form: AppReceiptForm = .appStore
    ) throws(SimulatorError) -> [UInt8] {
        var draft = draft(content, form)
        try draft.sign()
        return draft.bytes + form.padding
    }

    /// The form in which the store of a receipt type signs.
    static func usualForm(of type: ReceiptType) -> AppReceiptForm {
        type == .xcode ? .xcode : .appStore
    }

    /// The octets that are signed.
    func content(of payload: ReceiptPayload, _ form: AppReceiptForm) -> [UInt8] {
        var payload = payload
        payload.order = form.order ?? payload.order
        let encoding = payload.encoding
        return form.isDoubleWrapped
            ? DERWriter.bytes { $0.octetString(encoding) } : encoding
    }

    /// The document with everything but its signature.
    func draft(_ content: [UInt8], _ form: AppReceiptForm) -> SignedDataDraft {
        let identity = authority[form.signer]
        let digest = form.digest.algorithm.identifier
        var signer = SignedDataDraft.Signer(
            issuer: identity.certificate.issuer.der,
            serialNumber: identity.certificate.profile.serialNumber,
            digestAlgorithm: digest,
            signatureAlgorithm: form.namedAlgorithm == .rsaEncryption
                ? OID.rsaEncryption : identity.key.algorithm(form.digest).identifier,
            key: identity.key,
            digest: form.digest
        )
        if form.hasSignedAttributes {
            signer.signedAttributes = SignedDataDraft.Signer.attributes(
                of: content,
                OID.data,
                digest: form.digest,
                // Any instant will do: receipts state when they were made in attribute 12.
                at: identity.certificate.profile.notBefore
            )
        }
        return SignedDataDraft(
            digestAlgorithms: [digest],
            content: .octets(content),
            certificates: certificates(form).map(\.der),
            signers: [signer],
            encoding: form.encoding
        )
    }

    private func certificates(_ form: AppReceiptForm) -> [IssuedCertificate] {
        let chain = authority.chain(of: form.signer)
        return switch form.certificates {
        case .chain: chain
        case .reversed: chain.reversed()
        case .withoutRoot: chain.count > 1 ? chain.dropLast() : chain
        }
    }
}
