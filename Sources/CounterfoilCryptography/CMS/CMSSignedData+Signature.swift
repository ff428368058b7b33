import CounterfoilASN1

extension CMSSignedData {
    /// Whether the signer's signature over the content is the key's.
    ///
    /// With signed attributes, their messageDigest must be the content's digest and their
    /// contentType the content's (RFC 5652 §5.6); without, the content's octets were signed.
    ///
    /// - Throws: ``CMSError`` when the content is detached, when it is not what the attributes
    ///   speak of, or when the key cannot have made such a signature.
    package func isSignature(
        of signer: CMSSigner,
        by key: PublicKey
    ) throws(CMSError) -> Bool {
        let content = try attachedContent()
        let contentDigest = MessageDigest(of: content.span, signer.digest)
        let signedDigest: MessageDigest
        if let attributes = signer.signedAttributes {
            signedDigest = try digest(of: attributes, contentDigest)
        } else {
            // RFC 5652 §5.3: only content of no particular type may go without.
            guard contentType == .cmsData else {
                throw CMSError(
                    CMSError.signedAttributesInvalid,
                    "found no signed attributes beside content of type \(contentType)"
                )
            }
            signedDigest = contentDigest
        }
        let signature = bytes.span.extracting(signer.signature)
        do {
            return try key.verifies(signature, of: signedDigest, signer.scheme)
        } catch {
            throw CMSError(error.code, error.reason)
        }
    }

    /// The digest of the attributes in the form in which they were signed: with the tag of a SET
    /// in place of the implicit one.
    private func digest(
        of attributes: CMSSigner.SignedAttributes,
        _ contentDigest: MessageDigest
    ) throws(CMSError) -> MessageDigest {
        guard contentDigest.equals(bytes.span.extracting(attributes.messageDigest)) else {
            throw CMSError(
                CMSError.contentDigestMismatch,
                "the content's \(contentDigest.algorithm) digest is not the one that was signed"
            )
        }
        guard attributes.contentType == contentType else {
            throw CMSError(
                CMSError.signedAttributesInvalid,
                "the signed attributes speak of content of type \(attributes.contentType), found "
                    + "\(contentType)"
            )
        }
        var signed = Array(bytes[attributes.encoding])
        signed[0] = 0x31
        return MessageDigest(of: signed.span, contentDigest.algorithm)
    }
}
