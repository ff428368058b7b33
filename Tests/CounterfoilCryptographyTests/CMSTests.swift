import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography
import Foundation
import Testing

@Suite("Signed messages")
struct CMSTests {
    private let key = TestKeys.rsa2048.publicKey
    private let content = Array("the content".utf8)

    private func code(_ draft: MessageDraft, _ key: PublicKey? = nil) throws -> ErrorCode? {
        switch verdict(try draft.bytes(), key ?? self.key) {
        case .success(let isGenuine):
            #expect(isGenuine)
            return nil
        case .failure(let error):
            return error.code
        }
    }

    @Test(
        "A message in DER, and in BER with chunks, is the same message",
        arguments: [false, true]
    )
    func encodings(isIndefinite: Bool) throws {
        var draft = MessageDraft()
        draft.isIndefinite = isIndefinite
        draft.certificates = [[0x30, 0], [0x30, 2, 5, 0]]
        let bytes = try draft.bytes()
        let message = try CMSSignedData(bytes, certificateLimit: 2)
        #expect(message.contentType == .cmsData)
        #expect(try Array(message.attachedContent()) == content)
        #expect(try message.attachedCertificates().map { Array(bytes[$0]) } == draft.certificates)
        #expect(Array(bytes[message.certificateBag]) == draft.certificates.flatMap(\.self))
        #expect(!message.hasRevocationLists)
        let signer = try message.onlySigner()
        #expect(signer.digest == .sha256)
        #expect(signer.scheme == .rsaPKCS1)
        #expect(signer.signedAttributes == nil)
        #expect(!signer.hasUnsignedAttributes)
        #expect(try message.isSignature(of: signer, by: key))
        #expect(try !message.isSignature(of: signer, by: TestKeys.otherRSA2048.publicKey))
        guard case .issuerAndSerialNumber(let issuer, let serial) = signer.identifier else {
            Issue.record("the signer is named otherwise")
            return
        }
        #expect(Array(bytes[issuer]) == [0x30, 0])
        #expect(Array(bytes[serial]) == [77])
        #expect(Array(bytes[signer.identifierEncoding]) == [0x30, 5, 0x30, 0, 2, 1, 77])
    }

    @Test("A signer may be named by its key, and lists and unsigned attributes are noticed")
    func otherParts() throws {
        var draft = MessageDraft()
        draft.signers[0].keyIdentifier = [1, 2, 3]
        draft.signers[0].unsignedAttributes = []
        draft.revocationLists = [0xA1, 0]
        let bytes = try draft.bytes()
        let message = try CMSSignedData(bytes, certificateLimit: 0)
        let signer = try message.onlySigner()
        guard case .subjectKeyIdentifier(let range) = signer.identifier else {
            Issue.record("the signer is named otherwise")
            return
        }
        #expect(Array(bytes[range]) == [1, 2, 3])
        #expect(message.hasRevocationLists)
        #expect(signer.hasUnsignedAttributes)
    }

    @Test("Zeros and white space may follow a message, and nothing else")
    func padding() throws {
        let bytes = try MessageDraft().bytes()
        let padded = bytes + [0, 0, 0x20, 0x0D, 0x0A, 0x09]
        #expect(try verdict(padded, key).get())
        let failure = #expect(throws: CMSError.self) { try verdict(padded + [1], key).get() }
        #expect(failure?.code == ASN1Error.trailingBytes)
    }

    @Test("Signed attributes are verified in the form in which they were signed")
    func attributes() throws {
        let instant = CivilTime(year: 2024, month: 2, day: 29).instant
        var draft = MessageDraft()
        draft.signers[0].attributes = [
            MessageDraft.contentType(), MessageDraft.messageDigest(of: content),
            MessageDraft.signingTime(instant),
            MessageDraft.attribute("1.2.3") { $0.null() },
        ]
        for isIndefinite in [false, true] {
            draft.isIndefinite = isIndefinite
            let message = try CMSSignedData(draft.bytes(), certificateLimit: 0)
            let signer = try message.onlySigner()
            #expect(signer.signedAttributes?.signingTime == instant)
            #expect(signer.signedAttributes?.contentType == .cmsData)
            #expect(try message.isSignature(of: signer, by: key))
        }
        draft.content = Array("another content".utf8)
        #expect(try code(draft) == CMSError.contentDigestMismatch)
    }

    @Test("The attributes' own signature cannot be passed off as one over content")
    func attributesAsContent() throws {
        var draft = MessageDraft()
        let attributes = [MessageDraft.contentType(), MessageDraft.messageDigest(of: content)]
        draft.signers[0].attributes = attributes
        let honest = try CMSSignedData(draft.bytes(), certificateLimit: 0)
        let signature = Array(honest.bytes[try honest.onlySigner().signature])
        draft.content = DERWriter.bytes { writer in
            writer.set { $0.raw(attributes.flatMap(\.self)) }
        }
        draft.signers[0].attributes = nil
        draft.signers[0].signature = signature
        // The bytes were signed, so this cannot be told from a signature over such content…
        #expect(try code(draft) == nil)
        // … unless the content claims to be of a type that must not go without attributes.
        draft.contentType = "1.2.3"
        #expect(try code(draft) == CMSError.signedAttributesInvalid)
    }

    @Test("Attributes that lack, repeat or garble what must be there are refused")
    func invalidAttributes() throws {
        let (type, digest) = (MessageDraft.contentType(), MessageDraft.messageDigest(of: content))
        let twoValues = MessageDraft.attribute("1.2.840.113549.1.9.4") {
            $0.octetString([1])
            $0.octetString([2])
        }
        var padded = type
        padded.insert(0x81, at: 1)
        let indefinite = [0x30, 0x80] + digest.dropFirst(2) + [0, 0]
        let cases: [[[UInt8]]] = [
            [], [type], [digest], [type, type, digest], [type, digest, digest], [type, twoValues],
            [MessageDraft.contentType("1.2.3"), digest], [padded, digest], [type, indefinite],
            [type, digest, MessageDraft.attribute("1.2.840.113549.1.9.5") { $0.null() }],
        ]
        for attributes in cases {
            var draft = MessageDraft()
            draft.signers[0].attributes = attributes
            #expect(try code(draft) == CMSError.signedAttributesInvalid)
        }
    }

    @Test("SHA-1 and SHA-256 are read in every way of naming them")
    func algorithms() throws {
        for (digest, combined) in [
            (DigestAlgorithm.sha1, "1.2.840.113549.1.1.5"),
            (.sha256, "1.2.840.113549.1.1.11"),
        ] {
            for name in ["1.2.840.113549.1.1.1", combined] {
                for parameters in [[5, 0], []] as [[UInt8]] {
                    var draft = MessageDraft()
                    draft.digestAlgorithms = [digest.identifier]
                    draft.signers[0].digest = digest
                    draft.signers[0].digestIdentifier = digest.identifier
                    draft.signers[0].digestParameters = parameters
                    draft.signers[0].signatureIdentifier = try #require(ASN1ObjectIdentifier(name))
                    draft.signers[0].signatureParameters = parameters
                    #expect(try code(draft) == nil)
                }
            }
        }
        var draft = MessageDraft()
        draft.signers[0].key = TestKeys.p256
        draft.signers[0].signatureIdentifier = "1.2.840.10045.4.3.2"
        draft.signers[0].signatureParameters = []
        #expect(try code(draft, TestKeys.p256.publicKey) == nil)
        // The key decides nothing: another kind of key is refused, not tried.
        #expect(try code(draft) == KeyError.algorithmMismatch)
    }

    @Test("A message that declares SHA-256 and was signed over SHA-1 does not verify")
    func wrongDigest() throws {
        var draft = MessageDraft()
        draft.signers[0].digest = .sha1
        let message = try CMSSignedData(draft.bytes(), certificateLimit: 0)
        let signer = try message.onlySigner()
        #expect(try !message.isSignature(of: signer, by: key))
        #expect(key.recoverDigestAlgorithm(of: Array(message.bytes[signer.signature])) == .sha1)
    }

    @Test("What contradicts itself or is not supported is refused by its own code")
    func refusals() throws {
        func expect(
            _ code: ErrorCode,
            _ line: Int = #line,
            _ spoil: (inout MessageDraft) -> Void
        ) throws {
            var draft = MessageDraft()
            spoil(&draft)
            #expect(try self.code(draft) == code, "line \(line)")
        }
        try expect(CMSError.notSignedData) { $0.outerType = "1.2.840.113549.1.7.3" }
        try expect(CMSError.detachedContent) { $0.content = nil }
        try expect(CMSError.noSigner) { $0.signers = [] }
        try expect(CMSError.severalSigners) { $0.signers += $0.signers }
        try expect(CMSError.severalSigners) {
            $0.signers = Array(repeating: $0.signers[0], count: CMSSignedData.mostSigners + 1)
        }
        try expect(CMSError.tooManyCertificates) {
            $0.certificates = Array(repeating: [0x30, 0], count: 4)
        }
        try expect(CMSError.unsupportedCertificate) { $0.otherCertificate = [0xA0, 0] }
        try expect(CMSError.unsupportedDigest) {
            $0.signers[0].digestIdentifier = "1.2.840.113549.2.5"
        }
        try expect(CMSError.unsupportedDigest) {
            $0.signers[0].digestIdentifier = DigestAlgorithm.sha512.identifier
        }
        try expect(CMSError.unsupportedSignature) {
            $0.signers[0].signatureIdentifier = "1.2.840.113549.1.1.10"
        }
        try expect(CMSError.unsupportedSignature) { $0.signers[0].isInPieces = true }
        try expect(CMSError.algorithmMismatch) {
            $0.signers[0].signatureIdentifier = "1.2.840.113549.1.1.5"
        }
        try expect(CMSError.algorithmMismatch) { $0.signers[0].signatureParameters = [0x30, 0] }
        try expect(CMSError.algorithmMismatch) { $0.signers[0].digestParameters = [5, 1, 0] }
        try expect(CMSError.algorithmMismatch) {
            $0.digestAlgorithms = [DigestAlgorithm.sha1.identifier]
        }
        try expect(CMSError.algorithmMismatch) { $0.digestAlgorithms = [] }

        let bare = try CMSSignedData(MessageDraft().bytes(), certificateLimit: 0)
        let failure = #expect(throws: CMSError.self) { try bare.attachedCertificates() }
        #expect(failure?.code == CMSError.noCertificates)
    }

    @Test("Limits let pass what stands at them")
    func limits() throws {
        var draft = MessageDraft()
        draft.certificates = Array(repeating: [0x30, 0], count: 3)
        #expect(try code(draft) == nil)
        draft.signers = Array(repeating: draft.signers[0], count: CMSSignedData.mostSigners)
        let message = try CMSSignedData(draft.bytes(), certificateLimit: 3)
        #expect(message.signers.count == CMSSignedData.mostSigners)
    }

    @Test("A message cut off at any byte is refused, and no flipped bit changes what is verified")
    func survives() throws {
        var draft = MessageDraft()
        draft.certificates = [TestKeys.rsa2048.publicKey.subjectPublicKeyInfo.der]
        draft.signers[0].attributes = [
            MessageDraft.contentType(), MessageDraft.messageDigest(of: content),
        ]
        draft.revocationLists = [0xA1, 0]
        draft.signers[0].unsignedAttributes = [0x30, 0]
        for isIndefinite in [false, true] {
            draft.isIndefinite = isIndefinite
            let bytes = try draft.bytes()
            let original = try CMSSignedData(bytes, certificateLimit: 3)
            let signer = try original.onlySigner()
            for count in bytes.indices {
                #expect(throws: CMSError.self) {
                    try verdict(Array(bytes.prefix(count)), key).get()
                }
            }
            let attributes = try #require(signer.signedAttributes)
            let accepted = try (0..<bytes.count * 8).filter { bit in
                var changed = bytes
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                guard case .success(true) = verdict(changed, key) else { return false }
                // What still verifies is not what was signed: versions, names, certificates and
                // what is unsigned.
                let message = try CMSSignedData(changed, certificateLimit: 3)
                return try Array(message.attachedContent()) != content
                    || attributes.encoding.dropFirst().contains(bit / 8)
                    || signer.signature.contains(bit / 8)
            }
            #expect(accepted == [])
        }
    }

    @Test("Every code was provoked above")
    func codes() {
        #expect(Set(CMSError.allCodes).count == 12)
    }
}
