import AppStoreSimulator
import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography
import RevocationTestSupport

/// OCSP responses about the signer of an authority's signed data, by its issuer and by a responder.
struct ResponseSeeds {
    let asked: AskedCertificate
    private let issuerKey: PrivateKey
    private let responderKey: PrivateKey

    /// A nonce that some of them have.
    static let nonce = Array("what was asked..".utf8)

    init(of authority: SigningAuthority) throws {
        let issuer = authority[.signedDataIntermediate]
        let key = try SigningKey.p256()
        let signer = authority[.signedDataSigner].certificate
        let responder = try Self.responderProfile(like: signer.profile)
            .certificate(for: key.publicKey, issuedBy: issuer)
        asked = AskedCertificate(
            OCSPQuestion(
                about: try Certificate(signer.der),
                issuedBy: try Certificate(issuer.certificate.der)
            ),
            responder: try Certificate(responder.der)
        )
        issuerKey = try PrivateKey(pem: issuer.key.pem().utf8Span.span)
        responderKey = try PrivateKey(pem: key.pem().utf8Span.span)
    }

    private static func responderProfile(
        like signer: CertificateProfile
    ) -> CertificateProfile {
        var profile = signer
        profile.subject = CertificateProfile.Name(
            commonName: "Responder",
            organization: "Counterfoil Test"
        )
        profile.serialNumber = [77]
        profile.digest = .sha256
        let purposes = DERWriter.bytes { writer in
            writer.sequence { $0.objectIdentifier(.ocspSigning) }
        }
        let usage = CertificateProfile.Extension(
            identifier: ASN1ObjectIdentifier.extendedKeyUsage.description,
            isCritical: true,
            value: purposes
        )
        profile.extensions = [.authorityKeyIdentifier, .keyUsage([.digitalSignature])]
        if let usage { profile.extensions.append(usage) }
        return profile
    }

    /// Responses as they should be, whatever they say.
    func genuine() throws -> [[UInt8]] {
        let since = IssuedDocuments.now.advanced(by: .seconds(-86_400))
        let statuses: [OCSPAnswer.Status] = [
            .good, .revoked(at: since, reason: nil), .unknown,
            .revoked(at: since, reason: .keyCompromise), .revoked(at: since, reason: .superseded),
        ]
        var drafts = statuses.flatMap { status in
            [byIssuer, byResponder].map { draft in
                var draft = draft
                draft.singles[0].status = status
                return draft
            }
        }
        var named = byResponder
        named.isNamedByKey = false
        named.nonce = Self.nonce
        named.singles[0].digest = .sha256
        drafts.append(named)
        var double = byIssuer
        double.version = 0
        double.algorithm = .ecdsa(.sha384)
        double.singles.append(double.singles[0])
        double.singles[1].question = OCSPQuestion(
            about: asked.responder,
            issuedBy: asked.question.issuer
        )
        double.certificates = [asked.responder, asked.question.issuer]
        drafts.append(double)
        return try drafts.map { try $0.der() }
    }

    /// Responses that do not count, each for a reason of its own.
    func spoiled() throws -> [[UInt8]] {
        func spoiling(_ change: (inout ResponseDraft) -> Void) -> ResponseDraft {
            var draft = byIssuer
            // What it says is nothing that a genuine one says.
            draft.producedAt = IssuedDocuments.now.advanced(by: .seconds(-1))
            change(&draft)
            return draft
        }
        let past = IssuedDocuments.now.advanced(by: .seconds(-86_400))
        let drafts = [
            spoiling { $0.breaksSignature = true },
            spoiling { $0.key = responderKey },
            spoiling { $0.status = 3 },
            spoiling { $0.version = 1 },
            spoiling { $0.type = "1.2.3.4" },
            spoiling { $0.criticalExtension = "1.2.3.4" },
            spoiling { $0.singles[0].criticalExtension = "1.2.3.4" },
            spoiling { $0.singles[0].nextUpdate = nil },
            spoiling { $0.singles[0].nextUpdate = past },
            spoiling { $0.singles.append($0.singles[0]) },
        ]
        return try drafts.map { try $0.der() }
    }

    private var byIssuer: ResponseDraft {
        ResponseDraft(
            about: asked.question,
            by: asked.question.issuer,
            issuerKey,
            at: IssuedDocuments.now
        )
    }

    private var byResponder: ResponseDraft {
        var draft = ResponseDraft(
            about: asked.question,
            by: asked.responder,
            responderKey,
            at: IssuedDocuments.now
        )
        draft.certificates = [asked.responder]
        return draft
    }
}
