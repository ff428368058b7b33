import AppStoreModel
import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography

/// Proves iOS 6-style transaction receipts, step by step; each step refuses before the next one
/// begins.
struct TransactionReceiptVerification: Sendable {
    let trust: Trust
    let limits: VerificationLimits
    var revocation: RevocationRegister?

    func verify(
        _ document: Document,
        now: Instant
    ) throws(VerificationError) -> Verified<TransactionReceipt> {
        // 1. Take the two lists apart.
        let envelope = try TransactionReceiptEnvelope(document.bytes, limits: limits)
        let blob = try SignatureBlob(envelope.signature)

        // 2. The signer's key, within bounds; RSA-1024 is for these receipts alone.
        let signer: Certificate
        let key: PublicKey
        do {
            signer = try Certificate(Array(blob.certificate), limits: limits.certificateLimits)
            key = try PublicKey(signer.subjectPublicKeyInfo, limits: limits.legacyKeyLimits)
        } catch let error as CertificateError {
            throw VerificationError(error)
        } catch let error as KeyError {
            throw VerificationError(error)
        } catch {
            preconditionFailure("certificates and keys throw their own errors: \(error)")
        }

        // 3. The signature over the version byte and the exact bytes of purchase-info. The blob
        // declares no digest; both versions mean SHA-1.
        try requireSignature(blob, over: [blob.version] + envelope.purchaseInfo, by: key)

        // 4. A peek at the one date, and the chain. A receipt may be older than its signer, when it
        // was issued again later.
        var decoder = try TransactionReceiptDecoder(envelope, limits: limits)
        let purchaseDate = try decoder.purchaseDate()
        let judgedAt = max(purchaseDate, signer.validity.notBefore)
        let chain = try chain(of: signer, key, version: blob.version, at: judgedAt)
        try limits.requireNotInFuture(judgedAt, now: now, what: "the receipt's purchase date")
        if let revocation {
            try chain.requireNotRevoked(in: revocation, signedAt: judgedAt, now: now)
        }

        // 5. Only now the decoding.
        let receipt = try decoder.receipt()
        let environment = try decoder.environment(of: receipt)
        var notes = document.repairs + decoder.notes
        if let ended = chain.noteOfEnd(at: now) { notes.append(ended) }
        let proof = SignatureProof(
            scope: Scope(bundleId: receipt.bundleId, environment: environment, realm: chain.realm),
            certificates: chain.certificates,
            judgedAt: judgedAt,
            digest: DigestAlgorithm.sha1.name,
            notes: notes
        )
        return Verified(content: receipt, proof: proof)
    }

    private func requireSignature(
        _ blob: SignatureBlob,
        over signed: [UInt8],
        by key: PublicKey
    ) throws(VerificationError) {
        let isGenuine: Bool
        do {
            isGenuine = try key.verifies(
                blob.signature.span,
                over: signed.span,
                .rsaPKCS1(.sha1)
            )
        } catch {
            throw VerificationError(error)
        }
        guard !isGenuine else { return }
        if let actual = key.recoverDigestAlgorithm(of: blob.signature.span), actual != .sha1 {
            throw VerificationError(
                VerificationError.digestMismatch,
                "the signature was made over a \(actual) digest; these receipts mean SHA-1"
            )
        }
        throw VerificationError(
            VerificationError.signatureInvalid,
            "the \(key.kind) signature does not belong to purchase-info and the signer's key"
        )
    }

    private func chain(
        of signer: Certificate,
        _ key: PublicKey,
        version: UInt8,
        at instant: Instant
    ) throws(VerificationError) -> SigningChain {
        let leafMarker = version == 2 ? Marker.transactionReceiptSigning : Marker.receiptSigning
        let named = trust.receiptIssuers.filter {
            $0.keyIdentifier == signer.authorityKeyIdentifier
        }
        guard let issuer = named.first else {
            throw VerificationError(
                VerificationError.unknownIssuer,
                "the signer \(signer) was issued by \(signer.issuer.label), whose key "
                    + "\(Hexadecimal.encode(signer.authorityKeyIdentifier ?? [])) is not known"
            )
        }
        guard issuer.certificate == nil else {
            return try chain(
                of: signer,
                key,
                through: named.compactMap(\.certificate),
                leafMarker: leafMarker,
                version: version,
                at: instant
            )
        }
        do {
            try signer.verifySignature(by: issuer.key)
        } catch {
            throw VerificationError(error)
        }
        try signer.requireLeaf(marker: leafMarker)
        try requireNotEnded(signer.validity, of: signer.description, at: instant)
        guard instant <= issuer.notAfter else {
            throw VerificationError(
                VerificationError.issuerEnded,
                "the issuer \(issuer.name) ended on \(issuer.notAfter), judged at \(instant)"
            )
        }
        return SigningChain(
            key: key,
            realm: .appStore,
            window: signer.validity,
            certificates: [signer.summary]
        )
    }

    /// The chain through issuers that are certificates, under all the rules of app receipts.
    private func chain(
        of signer: Certificate,
        _ key: PublicKey,
        through issuers: [Certificate],
        leafMarker: ASN1ObjectIdentifier,
        version: UInt8,
        at instant: Instant
    ) throws(VerificationError) -> SigningChain {
        try SigningChain(
            signer,
            key: key,
            through: issuers,
            at: instant,
            by: trust,
            limits: limits.legacyKeyLimits,
            leafMarker: leafMarker,
            intermediateMarker: version == 2 ? Marker.iTunesStore : Marker.developerRelations
        )
    }

    private func requireNotEnded(
        _ validity: CertificateValidity,
        of name: String,
        at instant: Instant
    ) throws(VerificationError) {
        guard validity.hasEnded(at: instant) else { return }
        throw VerificationError(
            ChainError.expired,
            "the signer's certificate \(name) ended on \(validity.notAfter), judged at \(instant)"
        )
    }
}
