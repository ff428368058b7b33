import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography
import RevocationTestSupport

/// An authority that answers for its leaf, itself or by a responder of its own.
struct AnsweringAuthority {
    var authority = TestAuthority()
    var responderKey = TestKeys.p384
    var responder: CertificateDraft

    static let signsResponses = CertificateDraft.Extension(
        identifier: .extendedKeyUsage,
        value: DERWriter.bytes { writer in writer.sequence { $0.objectIdentifier(.ocspSigning) } }
    )

    init(issuerKey: PrivateKey = TestKeys.otherRSA2048) {
        authority.intermediateKey = issuerKey
        authority.intermediate.publicKey = issuerKey.publicKey.subjectPublicKeyInfo.der
        responder = CertificateDraft("Test Responder", by: "Test CA", key: responderKey)
        responder.serialNumber = 77
        responder.extensions = [Self.signsResponses, CertificateDraft.signsDocuments]
    }

    func question() throws -> OCSPQuestion {
        let (_, intermediate, leaf) = try authority.issued()
        return OCSPQuestion(about: leaf, issuedBy: intermediate)
    }

    /// A response by the issuer itself.
    func draft() throws -> ResponseDraft {
        let question = try question()
        return ResponseDraft(about: question, by: question.issuer, authority.intermediateKey)
    }

    /// A response by the responder, whose certificate comes along.
    func delegatedDraft(signedBy key: PrivateKey? = nil) throws -> ResponseDraft {
        let certificate = try responder.issue(by: key ?? authority.intermediateKey)
        var draft = ResponseDraft(about: try question(), by: certificate, responderKey)
        draft.certificates = [certificate]
        return draft
    }
}
