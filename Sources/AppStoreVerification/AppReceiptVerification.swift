import AppStoreModel
import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography

/// Proves app receipts, step by step; each step refuses before the next one begins.
struct AppReceiptVerification: Sendable {
    let trust: Trust
    let limits: VerificationLimits
    let memory: ChainMemory
    var revocation: RevocationRegister?

    func verify(
        _ document: Document,
        now: Instant
    ) throws(VerificationError) -> Verified<AppReceipt> {
        // 1. Take the message apart.
        let message: CMSSignedData
        let signer: CMSSigner
        let content: ArraySlice<UInt8>
        do {
            message = try CMSSignedData(document.bytes, certificateLimit: limits.certificates)
            signer = try message.onlySigner()
            content = try message.attachedContent()
        } catch {
            throw VerificationError(error)
        }

        // 2. The signer's key, from a chain that held before or from certificates within bounds.
        let identity = ChainMemory.Identity(message, signer)
        let remembered = memory.chain(of: identity)
        let candidate =
            remembered == nil
            ? try CandidateChain(of: message, signer, trust: trust, limits: limits) : nil

        // 3. The signature over the exact bytes.
        guard let key = remembered?.key ?? candidate?.key else {
            preconditionFailure("there is a remembered chain or a candidate")
        }
        try requireSignature(in: message, of: signer, by: key)

        // 4. A peek at the one date, and the chain at that date.
        let payload = try Self.payload(content, signer: candidate?.signer)
        var decoder = AppReceiptDecoder(payload: payload, limits: limits)
        let createdAt = try creationDate(decoder, signer: candidate?.signer)
        let chain = try chain(
            remembered,
            candidate,
            at: createdAt,
            message: message,
            signer: signer
        )
        try limits.requireNotInFuture(createdAt, now: now, what: "the receipt's creation date")
        if let revocation {
            try chain.requireNotRevoked(in: revocation, signedAt: createdAt, now: now)
        }

        // 5. Only now the decoding.
        let receipt = try decoder.receipt()
        try chain.realm.require(receipt.receiptType.rawValue, of: "the receipt")
        let proof = SignatureProof(
            scope: Scope(
                bundleId: receipt.bundleId,
                environment: receipt.receiptType.environment,
                realm: chain.realm
            ),
            certificates: chain.certificates,
            judgedAt: createdAt,
            digest: signer.digest.name,
            notes: document.repairs + decoder.notes + notes(of: receipt, chain, now: now)
        )
        return Verified(content: receipt, proof: proof)
    }

    private func requireSignature(
        in message: CMSSignedData,
        of signer: CMSSigner,
        by key: PublicKey
    ) throws(VerificationError) {
        let isGenuine: Bool
        do {
            isGenuine = try message.isSignature(of: signer, by: key)
        } catch {
            throw VerificationError(error)
        }
        guard !isGenuine else { return }
        let signature = message.bytes.span.extracting(signer.signature)
        if let actual = key.recoverDigestAlgorithm(of: signature), actual != signer.digest {
            throw VerificationError(
                VerificationError.digestMismatch,
                "the signature was made over a \(actual) digest; the receipt declares "
                    + "\(signer.digest)"
            )
        }
        throw VerificationError(
            VerificationError.signatureInvalid,
            "the \(key.kind) signature does not belong to these bytes and the signer's key"
        )
    }

    private func chain(
        _ remembered: SigningChain?,
        _ candidate: CandidateChain?,
        at instant: Instant,
        message: CMSSignedData,
        signer: CMSSigner
    ) throws(VerificationError) -> SigningChain {
        if let remembered, remembered.holds(at: instant) { return remembered }
        let candidate =
            if let candidate { candidate } else {
                try CandidateChain(of: message, signer, trust: trust, limits: limits)
            }
        let chain = try candidate.judged(at: instant, by: trust)
        memory.remember(chain, of: ChainMemory.Identity(message, signer))
        return chain
    }

    /// A message that is no receipt at all is more often one of another purpose, which the
    /// signer's certificate says better than the payload.
    private static func payload(
        _ content: ArraySlice<UInt8>,
        signer: Certificate?
    ) throws(VerificationError) -> ReceiptPayload {
        do {
            return try ReceiptPayload(content)
        } catch {
            try signer?.requireLeaf(marker: Marker.receiptSigning)
            throw error
        }
    }

    private func creationDate(
        _ decoder: AppReceiptDecoder,
        signer: Certificate?
    ) throws(VerificationError) -> Instant {
        do {
            return try decoder.creationDate()
        } catch {
            if signer.map(trust.pinned.contains) == false {
                try signer?.requireLeaf(marker: Marker.receiptSigning)
            }
            throw error
        }
    }

    private func notes(
        of receipt: AppReceipt,
        _ chain: SigningChain,
        now: Instant
    ) -> [VerificationNote] {
        var notes: [VerificationNote] = []
        if let ended = chain.noteOfEnd(at: now) { notes.append(ended) }
        if let expiry = receipt.expirationDate, expiry <= now {
            notes.append(
                VerificationNote(
                    VerificationNote.vppExpired,
                    "the receipt of the Volume Purchase Program expired on \(expiry)"
                )
            )
        }
        if !receipt.receiptType.isKnown {
            notes.append(
                VerificationNote(
                    VerificationNote.typeUnknown,
                    "the receipt type is unknown and does not count as production"
                )
            )
        }
        if receipt.inApp.isEmpty {
            notes.append(
                VerificationNote(
                    VerificationNote.noPurchases,
                    "the receipt lists no purchase; if there should be one, the app has to "
                        + "refresh its receipt"
                )
            )
        }
        return notes
    }
}
