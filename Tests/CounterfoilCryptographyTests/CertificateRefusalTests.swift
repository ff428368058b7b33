import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Refused certificates")
struct CertificateRefusalTests {
    private func code(
        _ bytes: [UInt8],
        _ limits: CertificateLimits = .default
    ) -> ErrorCode? {
        do { _ = try Certificate(bytes, limits: limits) } catch { return error.code }
        return nil
    }

    private func fileCode(
        _ text: String,
        _ limits: CertificateLimits = .default
    ) -> ErrorCode? {
        do {
            _ = try Certificate.all(in: Array(text.utf8), limits: limits)
        } catch {
            return error.code
        }
        return nil
    }

    private let good = try! TestAuthority().leaf.der(signedBy: TestKeys.rsa2048)

    @Test("A certificate cut off at any byte, or extended, is refused")
    func truncation() {
        #expect(code(good) == nil)
        for count in good.indices {
            #expect(code(Array(good.prefix(count))) == CertificateError.malformed)
        }
        #expect(code(good + [0]) == CertificateError.trailingBytes)
        #expect(code(good + good) == CertificateError.trailingBytes)
    }

    @Test("Size and number of extensions are limited")
    func limits() throws {
        var limits = CertificateLimits.default
        limits.bytes = good.count
        #expect(code(good, limits) == nil)
        limits.bytes -= 1
        #expect(code(good, limits) == CertificateError.tooLarge)

        var draft = TestAuthority().leaf
        draft.extensions = (0..<33).map { index in
            CertificateDraft.Extension(
                identifier: ASN1ObjectIdentifier("1.2.\(index)")!,
                value: [5, 0]
            )
        }
        #expect(
            try code(draft.der(signedBy: TestKeys.rsa2048)) == CertificateError.tooLarge
        )
        draft.extensions.removeLast()
        #expect(try code(draft.der(signedBy: TestKeys.rsa2048)) == nil)
    }

    @Test("An extension twice is refused")
    func duplicates() throws {
        var draft = TestAuthority().leaf
        draft.extensions.append(draft.extensions[0])
        #expect(
            try code(draft.der(signedBy: TestKeys.rsa2048))
                == CertificateError.duplicateExtension
        )
    }

    @Test("An extension whose value has more behind it is refused")
    func extensionTrailing() throws {
        var draft = TestAuthority().leaf
        draft.extensions[0].value += [5, 0]
        #expect(try code(draft.der(signedBy: TestKeys.rsa2048)) == CertificateError.malformed)
    }

    @Test("Two signature algorithms are refused")
    func algorithms() throws {
        var draft = TestAuthority().leaf
        draft.outerAlgorithm = SignatureAlgorithm.rsaPKCS1(.sha1).identifier
        #expect(
            try code(draft.der(signedBy: TestKeys.rsa2048)) == CertificateError.algorithmMismatch
        )
    }

    @Test("Encodings that DER does not allow are refused")
    func nonDER() {
        // The outer length in one more byte than needed, and left open.
        let content = good.dropFirst(4)
        let longer = [0x30, 0x83, 0x00, good[2], good[3]] + content
        let open = [0x30, 0x80] + content + [0x00, 0x00]
        #expect(code(longer) == CertificateError.malformed)
        #expect(code(open) == CertificateError.malformed)
    }

    @Test("Versions are 1, 2 and 3, and only 3 has extensions")
    func versions() throws {
        var draft = TestAuthority().leaf
        for (version, expected) in [
            (2, nil), (3, CertificateError.malformed), (0, CertificateError.malformed),
            (1, CertificateError.malformed), (nil, CertificateError.malformed),
        ] as [(Int64?, ErrorCode?)] {
            draft.version = version
            #expect(try code(draft.der(signedBy: TestKeys.rsa2048)) == expected)
        }
        draft.extensions = []
        draft.version = nil
        #expect(try code(draft.der(signedBy: TestKeys.rsa2048)) == nil)
    }

    @Test("Files without a whole certificate are refused, each with its reason")
    func files() throws {
        let pem = try Certificate(good).pem
        #expect(fileCode(pem) == nil)
        #expect(fileCode("") == CertificateError.none)
        #expect(fileCode("0 text") == CertificateError.none)
        let key = try TestKeys.p256.pem().secret
        #expect(fileCode(key) == CertificateError.none)
        #expect(fileCode(key + pem) == nil)
        #expect(
            fileCode(pem.replacing("-----END CERTIFICATE-----", with: ""))
                == CertificateError.badPEM
        )
        #expect(fileCode(pem.replacing("MII", with: "M!I")) == CertificateError.badPEM)
        #expect(
            fileCode(
                pem.replacing(
                    "-----BEGIN CERTIFICATE-----\nM",
                    with: "-----BEGIN CERTIFICATE-----\nAAAAM"
                )
            )
                == CertificateError.malformed
        )
        var limits = CertificateLimits.default
        limits.certificates = 2
        #expect(fileCode(pem + pem, limits) == nil)
        #expect(fileCode(pem + pem + pem, limits) == CertificateError.tooLarge)
    }

    @Test(
        "No flipped bit traps, and none leaves the certificate's signature in order",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
    )
    func bitFlips() throws {
        let folder = "certs/"
        let names = ["AppleRootCA-G3", "PurchaseReceiptCertificate-2014-06-14"]
        for name in names {
            let original = try Corpus.bytes("\(folder)\(name).der")
            let issuer = try Certificate(
                name == names[0]
                    ? original
                    : Corpus.bytes(
                        "\(folder)Apple-iTunes-Store-Certification-Authority-2016-05-18.der"
                    )
            )
            let key = try PublicKey(issuer.subjectPublicKeyInfo)
            try Certificate(original).verifySignature(by: key)
            let isSlow = issuer.subjectPublicKeyInfo.kind == .ellipticCurve(.p384)
            for bit in 0..<original.count * 8 {
                var bytes = original
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                guard let changed = try? Certificate(bytes) else { continue }
                _ = changed.subject.rfc4514 + changed.issuer.label + changed.description
                // P-384 takes a millisecond, so only every ninth bit is verified.
                guard !isSlow || bit % 9 == 0 else { continue }
                #expect(throws: ChainError.self) { try changed.verifySignature(by: key) }
            }
        }
    }

    @Test("Every code was provoked above")
    func codes() {
        #expect(Set(CertificateError.allCodes).count == 7)
        #expect(
            CertificateError.allCodes.allSatisfy { $0.rawValue.hasPrefix("chain.certificate_") }
        )
    }
}
