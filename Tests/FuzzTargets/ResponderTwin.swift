import AppStoreSimulator
import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography
import RevocationTestSupport

/// A certificate that its issuer answers for, or a responder that the issuer allowed to.
struct AskedCertificate: Hashable, Sendable {
    let question: OCSPQuestion
    let responder: Certificate

    init(_ question: OCSPQuestion, responder: Certificate) {
        self.question = question
        self.responder = responder
    }

    /// Reads what ``pem`` wrote.
    init(pem: [UInt8]) throws {
        let certificates = try Certificate.all(in: pem)
        try Contradiction.unless(certificates.count == 3, "three certificates are expected")
        question = OCSPQuestion(about: certificates[0], issuedBy: certificates[1])
        responder = certificates[2]
    }

    /// The certificate, its issuer and the responder.
    var pem: String { [question.certificate, question.issuer, responder].map(\.pem).joined() }
}

/// Who answers in the place of an issuer and its responder: of the same names, with keys of this
/// process, so that whatever a response says can be said under a genuine signature.
struct ResponderTwin: Sendable {
    /// The certificate whose issuer and responder this is the twin of.
    let asked: AskedCertificate
    /// What is asked of the twin.
    let question: OCSPQuestion

    private let issuerKey: PrivateKey
    private let responderKey: PrivateKey
    private let strangerKey: PrivateKey
    private let issuerDigests: [Replacement]
    private let responderMarks: [Replacement]

    init(of asked: AskedCertificate) throws {
        self.asked = asked
        let key = try SigningKey.p256()
        issuerKey = try PrivateKey(pem: key.pem().utf8Span.span)
        responderKey = try PrivateKey.generate(on: .p256)
        strangerKey = try PrivateKey.generate(on: .p256)
        let profile = try IssuedCertificate(der: asked.question.issuer.der).profile
        let issuer = try Certificate(profile.selfSigned(with: key).certificate.der)
        question = OCSPQuestion(about: asked.question.certificate, issuedBy: issuer)
        issuerDigests = DigestAlgorithm.allCases.map { digest in
            Replacement(
                of: asked.question.issuer.subjectPublicKeyInfo.keyDigest(digest).bytes,
                with: issuer.subjectPublicKeyInfo.keyDigest(digest).bytes
            )
        }
        let (old, new) = (
            asked.responder.subjectPublicKeyInfo, responderKey.publicKey.subjectPublicKeyInfo
        )
        responderMarks = [
            Replacement(of: old.keyIdentifier, with: new.keyIdentifier),
            Replacement(of: old.der, with: new.der),
        ]
    }

    /// Who signs.
    enum Signer: CaseIterable {
        case issuer, responder, stranger
    }

    /// What a response says, said of the twin; nil where it names no key of the issuer, so that the
    /// twin has nothing to answer.
    func saying(_ bytes: [UInt8]) -> ResponseOutline? {
        var said = bytes
        // Not `contains`, which would stop at the first.
        let count = issuerDigests.filter { $0.apply(to: &said) }.count
        guard count > 0 else { return nil }
        for mark in responderMarks { _ = mark.apply(to: &said) }
        if let outline = attempt({ try ResponseOutline(said) }) { return outline }
        var certificate = asked.responder.der
        for mark in responderMarks + issuerDigests { _ = mark.apply(to: &certificate) }
        return ResponseOutline(signed: said, certificates: [certificate])
    }

    /// A response that says so, its certificates signed anew as well.
    func response(
        _ outline: ResponseOutline,
        by signer: Signer,
        certifiedBy issuer: Signer = .issuer
    ) throws(Contradiction) -> [UInt8] {
        let certificates = try outline.certificates.map { certificate throws(Contradiction) in
            try certified(certificate, by: key(of: issuer))
        }
        let signature = try sign(outline.signed, by: key(of: signer))
        return ResponseDraft.response(
            outline.signed,
            signature,
            .ecdsa(.sha256),
            certificates: certificates
        )
    }

    private func key(of signer: Signer) -> PrivateKey {
        switch signer {
        case .issuer: issuerKey
        case .responder: responderKey
        case .stranger: strangerKey
        }
    }

    /// A certificate signed anew; what is none stays as it is.
    private func certified(_ der: [UInt8], by key: PrivateKey) throws(Contradiction) -> [UInt8] {
        guard let parts = attempt({ try Self.certificateParts(der) }) else { return der }
        let signature = try sign(Array(der[parts.signed]), by: key)
        return DERWriter.bytes { writer in
            writer.sequence { certificate in
                certificate.raw(der[parts.signed])
                certificate.raw(der[parts.algorithm])
                certificate.bitString(signature)
            }
        }
    }

    /// Certificate ::= SEQUENCE { tbsCertificate, signatureAlgorithm, signatureValue }.
    private static func certificateParts(
        _ der: [UInt8]
    ) throws(ASN1Error) -> (signed: Range<Int>, algorithm: Range<Int>) {
        var document = try ASN1Reader(der.span)
        var fields = try document.nextContents(of: .sequence, in: der.span)
        let signed = try fields.nextRequired(.sequence, in: der.span).encoding
        return (signed, try fields.nextRequired(.sequence, in: der.span).encoding)
    }

    private func sign(_ bytes: [UInt8], by key: PrivateKey) throws(Contradiction) -> [UInt8] {
        try Contradiction.unlessSucceeds("a response cannot be signed") {
            try key.sign(bytes.span, .ecdsa(.sha256))
        }
    }
}

/// Bytes that take the place of others of the same number.
private struct Replacement: Sendable {
    private let old: [UInt8]
    private let new: [UInt8]

    init(of old: [UInt8], with new: [UInt8]) {
        precondition(old.count == new.count, "what is around them shall stay as it is")
        self.old = old
        self.new = new
    }

    /// Replaces them wherever they are; whether they were there.
    func apply(to bytes: inout [UInt8]) -> Bool {
        var isFound = false
        for start in bytes.indices.dropLast(old.count - 1)
        where bytes[start] == old[0] && bytes[start...].starts(with: old) {
            bytes.replaceSubrange(start..<start + old.count, with: new)
            isFound = true
        }
        return isFound
    }
}
