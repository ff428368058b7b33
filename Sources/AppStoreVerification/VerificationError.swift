public import CounterfoilBasics

/// Why a document was not verified.
///
/// Either it was *refused* (it is not genuine, not for you, or not a document at all), or it is
/// *undecided*: neither valid nor forged, and worth trying again.
public struct VerificationError: CodedError, Hashable {
    /// What callers, logs and metrics tell errors apart by; listed in docs/ERRORS.md.
    public let code: ErrorCode
    /// What was found, what was expected and where.
    public let reason: String
    /// The member that holds the document at fault, where that is one inside the document; nil for
    /// the document itself.
    package let member: String?

    init(_ code: ErrorCode, _ reason: String) {
        self.code = code
        self.reason = reason
        member = nil
    }

    /// Passes on what a lower floor found.
    init(_ error: some CodedError) {
        self.init(error.code, error.reason)
    }

    /// Passes on what is wrong with a document inside another one.
    package init(_ error: VerificationError, in member: String) {
        code = error.code
        reason = "in \(member): \(error.reason)"
        self.member = member
    }

    /// Whether the document is undecided rather than refused, so that the same bytes may verify
    /// later.
    public var isUndecided: Bool { code == Self.inFuture || code == Self.revocationUndecided }
}

extension VerificationError {
    /// Text with a character that base 64 does not have, or cut in the middle of a byte.
    static let notBase64: ErrorCode = "encoding.not_base64"
    /// Nothing but white space.
    static let emptyInput: ErrorCode = "encoding.empty"
    /// Bytes that begin neither as PKCS#7 nor as a property list, JSON without a document, or what
    /// begins as JSON and is none.
    package static let unknownDocument: ErrorCode = "encoding.unknown_document"
    /// A property list without `signature` and `purchase-info`, or none at its outermost.
    static let keyMissing: ErrorCode = "plist.key_missing"
    /// A signature blob of an iOS 6-style receipt of another version or length than 2 and 3 have.
    static let signatureBlob: ErrorCode = "encoding.signature_blob"

    /// Signed data that is not three segments with dots between them.
    static let notCompact: ErrorCode = "jws.not_compact"
    /// A segment of signed data that is not base64url without padding.
    static let notBase64URL: ErrorCode = "jws.not_base64url"
    /// A header of signed data that is no JSON object.
    static let headerMalformed: ErrorCode = "jws.header_malformed"
    /// An algorithm other than ES256, or none.
    static let algorithm: ErrorCode = "jws.algorithm"
    /// A header with extensions that must be understood.
    static let criticalHeader: ErrorCode = "jws.critical_header"
    /// A header without certificates: a token for Apple's servers, or of somebody else.
    static let noCertificates: ErrorCode = "jws.no_certificates"
    /// A header with another number of certificates than three.
    static let certificateCount: ErrorCode = "jws.certificate_count"
    /// A certificate in the header that is not base 64.
    static let certificateMalformed: ErrorCode = "jws.certificate_malformed"

    /// More letters in the header of signed data than ``VerificationLimits/headerBytes``.
    static let headerTooLong: ErrorCode = "limit.header_bytes"
    /// More bytes of input than ``VerificationLimits/inputBytes``.
    static let inputTooLong: ErrorCode = "limit.input_bytes"
    /// More bytes of a document than ``VerificationLimits/documentBytes``.
    static let documentTooLong: ErrorCode = "limit.document_bytes"
    /// More purchases than ``VerificationLimits/purchases``.
    static let tooManyPurchases: ErrorCode = "limit.purchases"
    /// More attributes of a receipt or of a purchase than ``VerificationLimits/attributes``.
    static let tooManyAttributes: ErrorCode = "limit.attributes"

    /// More signed documents in an answer than ``VerificationLimits/answerDocuments``.
    static let tooManyDocuments: ErrorCode = "limit.answer_documents"

    /// A signature that the signer did not make over these bytes.
    static let signatureInvalid: ErrorCode = "signature.invalid"
    /// A signature that was made over another digest than the document declares.
    static let digestMismatch: ErrorCode = "signature.digest_mismatch"

    /// A signature of signed data that is not the 64 bytes of r and s.
    static let signatureLength: ErrorCode = "signature.wrong_length"

    /// A signer of signed data whose key is not on P-256.
    static let notP256: ErrorCode = "chain.key_not_p256"
    /// A message without the certificate that its signer names.
    static let signerMissing: ErrorCode = "chain.signer_missing"
    /// An iOS 6-style receipt whose signer was issued by an authority that is not known.
    static let unknownIssuer: ErrorCode = "chain.unknown_issuer"
    /// A signer without Apple's marker extension for what it signed.
    static let leafMarkerMissing: ErrorCode = "chain.leaf_marker_missing"
    /// An issuer without Apple's marker extension for issuing such signers.
    static let intermediateMarkerMissing: ErrorCode = "chain.intermediate_marker_missing"
    /// A valid chain of another length than signer, intermediate and root.
    static let wrongLength: ErrorCode = "chain.wrong_length"
    /// A signer that is a certificate authority.
    static let leafIsAuthority: ErrorCode = "chain.leaf_is_authority"
    /// A signer whose certificate is not for digital signatures.
    static let leafKeyUsage: ErrorCode = "chain.leaf_key_usage"
    /// An iOS 6-style receipt of a time when its known issuer had ended.
    static let issuerEnded: ErrorCode = "chain.issuer_ended"
    /// Anchors were given, and none of them is a root.
    static let noAnchor: ErrorCode = "chain.no_anchor"
    /// Not exactly one certificate was given to be pinned.
    static let severalPinned: ErrorCode = "chain.several_pinned"
    /// One certificate was given for two realms.
    static let realmConflict: ErrorCode = "chain.realm_conflict"

    /// A document that was signed with a certificate after it was revoked, or at any time with one
    /// whose key somebody else may have.
    static let revoked: ErrorCode = "revocation.revoked"
    /// Undecided: it is not known whether a certificate of the document is revoked.
    static let revocationUndecided: ErrorCode = "revocation.undecided"
    /// The responder does not know the certificate.
    static let unknownToResponder: ErrorCode = "revocation.unknown_certificate"

    /// A receipt or a purchase without an attribute that every one has.
    static let attributeMissing: ErrorCode = "receipt.attribute_missing"
    /// An app receipt without attribute 0, which says the environment.
    static let typeMissing: ErrorCode = "receipt.type_missing"
    /// An attribute that decides about money or access and cannot be read.
    static let attributeMalformed: ErrorCode = "receipt.attribute_malformed"
    /// An app receipt that states its type, its app or its creation date twice.
    static let attributeAmbiguous: ErrorCode = "receipt.attribute_ambiguous"
    /// A signed content that is no SET of receipt attributes.
    static let payloadMalformed: ErrorCode = "receipt.payload_malformed"
    /// The receipt was made for another device.
    static let deviceHashMismatch: ErrorCode = "receipt.device_hash_mismatch"
    /// The receipt lacks an attribute that the device hash needs.
    static let deviceHashMissing: ErrorCode = "receipt.device_hash_missing"

    /// Signed content that is no JSON object, or in which a field has the wrong type.
    static let signedPayloadMalformed: ErrorCode = "payload.malformed"
    /// A payload without the date at which its certificates would be judged.
    static let signingDateMissing: ErrorCode = "payload.signing_date_missing"
    /// A genuine payload that is none of the kinds that the App Store signs.
    package static let kindUnknown: ErrorCode = "payload.kind_unknown"
    /// A document of another kind than the one asked for.
    package static let wrongKind: ErrorCode = "payload.wrong_kind"
    /// A payload that says neither which environment nor which app it is of, and must.
    static let fieldMissing: ErrorCode = "payload.field_missing"
    /// A notification of version 1 without the password that would vouch for it.
    static let passwordMissing: ErrorCode = "notification.password_missing"
    /// A notification of version 1 whose password is none of the app's shared secrets.
    static let passwordUnknown: ErrorCode = "notification.password_unknown"
    /// A nested document of another app, environment or purchase than what it stands in, or under
    /// another root.
    static let nestedDisagrees: ErrorCode = "notification.nested_disagrees"

    /// A genuine document of another app than the one asked for, told by the app's Apple ID.
    package static let appleIdMismatch: ErrorCode = "app.apple_id_mismatch"
    /// A genuine document of another environment than the one asked for.
    static let environmentMismatch: ErrorCode = "environment.mismatch"
    /// A genuine receipt of another app than the one asked for.
    static let bundleMismatch: ErrorCode = "app.bundle_mismatch"
    /// A receipt that says Xcode under an anchor, which never signs for Xcode.
    static let xcodeElsewhere: ErrorCode = "environment.xcode_elsewhere"
    /// A receipt of the pinned certificate that does not say Xcode.
    static let notXcode: ErrorCode = "environment.not_xcode"
    /// An iOS 6-style receipt or a notification of version 1 that says neither Sandbox nor
    /// Production.
    static let environmentUnknown: ErrorCode = "environment.unknown"
    /// Undecided: a document dated further ahead of the clock than
    /// ``VerificationLimits/clockToleranceSeconds``.
    static let inFuture: ErrorCode = "time.in_future"
}

extension VerificationNote {
    /// A note: white space between the letters was removed.
    static let whiteSpaceRemoved: ErrorCode = "encoding.white_space_removed"
    /// A note: the padding at the end was missing or wrong.
    static let paddingMended: ErrorCode = "encoding.padding_mended"
    /// A note: letters of the URL-safe alphabet were read.
    static let urlSafeLetters: ErrorCode = "encoding.url_safe_letters"
    /// A note: spaces were read as the plus signs they had been before form encoding.
    static let spacesForPlus: ErrorCode = "encoding.spaces_for_plus"
    /// A note: percent signs of form encoding were decoded.
    static let percentDecoded: ErrorCode = "encoding.percent_decoded"
    /// A note: the document stood in a JSON string.
    static let jsonString: ErrorCode = "encoding.json_string"
    /// A note: the document stood in a body for verifyReceipt.
    static let jsonObject: ErrorCode = "encoding.json_object"
    /// A note: the document stood between lines of PEM.
    static let pemArmour: ErrorCode = "encoding.pem_armour"
    /// A note: the document was encoded in base 64 twice.
    static let base64Twice: ErrorCode = "encoding.base64_twice"

    /// A note: the signer's certificate has ended since it signed, which changes nothing.
    static let endedSince: ErrorCode = "chain.ended_since"
    /// A note: a receipt of the Volume Purchase Program whose expiration date is past.
    static let vppExpired: ErrorCode = "receipt.vpp_expired"
    /// A note: a receipt type that is not known, which does not count as production.
    static let typeUnknown: ErrorCode = "receipt.type_unknown"
    /// A note: the receipt lists no purchase; the app may have to refresh it.
    static let noPurchases: ErrorCode = "receipt.no_purchases"
    /// A note: an attribute that is only shown cannot be read and is kept raw.
    static let attributeUnreadable: ErrorCode = "receipt.attribute_unreadable"
    /// A note: an attribute that stands once is repeated; the first one counts.
    static let attributeRepeated: ErrorCode = "receipt.attribute_repeated"
    /// A note: a notification with several contents, or with none that is known; it is kept whole.
    static let odd: ErrorCode = "notification.odd"
    /// A note: a notification of another version than 2.0.
    static let unknownVersion: ErrorCode = "notification.unknown_version"
    /// A note: the transaction ids are of the sandbox, though the unsigned environment key does not
    /// say so.
    static let environmentFromIdentifier: ErrorCode = "environment.from_identifier"
}
