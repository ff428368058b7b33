import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import Foundation
import RevocationTestSupport
import Testing

@Suite("OCSP beside OpenSSL", .enabled(if: OutsideProgram.openssl.isPresent))
struct OCSPAgreementTests {
    private let folder: Folder
    private let authority = AnsweringAuthority()

    /// OpenSSL's responder reads the wall clock and cannot be told another time.
    private let now = SystemClock().now

    init() throws { folder = try Folder() }

    @Test("OpenSSL reads our requests")
    func request() throws {
        let request = try authority.question().request(nonce: [0xAB, 0xCD, 0xEF])
        let file = try folder.write("request.der", request)
        let outcome = try OutsideProgram.openssl.run(["ocsp", "-reqin", file, "-req_text"])
        let question = try authority.question()
        let keyHash = Hexadecimal.encode(question.issuer.subjectPublicKeyInfo.keyIdentifier)
        #expect(outcome.text.contains("Hash Algorithm: sha1"))
        #expect(outcome.text.contains("Issuer Key Hash: \(keyHash.uppercased())"))
        #expect(outcome.text.contains("Serial Number: 01"))
        #expect(outcome.text.contains("0405ABCDEF") || outcome.text.contains("0403ABCDEF"))
    }

    @Test(
        "We read what OpenSSL's responder answers, by the issuer or by a responder of its own",
        arguments: [false, true]
    )
    func answers(isDelegated: Bool) throws {
        let question = try authority.question()
        let nonce: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let revokedAt = CivilTime(year: 2024, month: 2, day: 3, hour: 4, minute: 5, second: 6)
        let rows: [(String, OCSPAnswer.Status)] = [
            ("V\t300101000000Z\t\t01\tunknown\t/CN=Test Leaf\n", .good),
            (
                "R\t300101000000Z\t240203040506Z,keyCompromise\t01\tunknown\t/CN=Test Leaf\n",
                .revoked(at: revokedAt.instant, reason: .keyCompromise)
            ),
            (
                "R\t300101000000Z\t240203040506Z\t01\tunknown\t/CN=Test Leaf\n",
                .revoked(at: revokedAt.instant, reason: nil)
            ),
            ("V\t300101000000Z\t\t02\tunknown\t/CN=Another Leaf\n", .unknown),
        ]
        for (row, status) in rows {
            let bytes = try respond(
                to: question.request(nonce: nonce),
                index: row,
                isDelegated: isDelegated
            )
            let answer = try OCSPResponse(bytes).answer(to: question, nonce: nonce, now: now)
            #expect(answer.status == status)
            #expect {
                try OCSPResponse(bytes).answer(to: question, nonce: [1], now: now)
            } throws: {
                ($0 as? OCSPError)?.code == OCSPError.nonceMismatch
            }
        }
    }

    @Test("OpenSSL accepts the responses that we take, so the drafts are not ours alone")
    func drafts() throws {
        let question = try authority.question()
        for draft in try [authority.draft(), authority.delegatedDraft()] {
            let outcome = try OutsideProgram.openssl.run([
                "ocsp", "-respin", folder.write("response.der", try draft.der()),
                "-issuer", pem(question.issuer, "issuer"),
                "-cert", pem(question.certificate, "leaf"),
                "-CAfile", pem(try authority.authority.issued().root, "root"),
                "-verify_other", pem(question.issuer, "issuer"), "-attime",
                "\(ResponseDraft.now.millisecondsSince1970 / 1000)", "-no_nonce",
                "-validity_period", "2000000000",
            ])
            #expect(outcome.errors.contains("Response verify OK"))
            #expect(outcome.text.contains("good"))
        }
    }

    private func respond(
        to request: [UInt8],
        index: String,
        isDelegated: Bool
    ) throws -> [UInt8] {
        let question = try authority.question()
        let issuer = try pem(question.issuer, "issuer")
        let key = isDelegated ? authority.responderKey : authority.authority.intermediateKey
        let signer =
            isDelegated
            ? try pem(
                try authority.responder.issue(by: authority.authority.intermediateKey),
                "signer"
            )
            : issuer
        let keyFile = try folder.write("signer.key", Array(try key.pem().secret.utf8))
        let outcome = try OutsideProgram.openssl.run([
            "ocsp", "-index", folder.write("index.txt", index.utf8), "-CA", issuer,
            "-rsigner", signer, "-rkey", keyFile, "-ndays", "1", "-rmd", "sha256",
            "-reqin", folder.write("request.der", request),
            "-respout", folder.path("answer.der"),
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("answer.der"))))
    }

    private func pem(_ certificate: Certificate, _ name: String) throws -> String {
        let lines = Data(certificate.der).base64EncodedString(options: .lineLength64Characters)
        return try folder.write(
            "\(name).pem",
            "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n".utf8
        )
    }
}
