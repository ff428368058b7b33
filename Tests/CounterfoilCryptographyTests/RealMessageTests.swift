import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import Foundation
import Testing

@Suite(
    "Signed messages of the corpus",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct RealMessageTests {
    /// The key of the certificate that the one signer names; every certificate must be readable.
    private func signerKey(_ message: CMSSignedData) throws -> PublicKey? {
        let bytes = message.bytes
        let certificates = try message.attachedCertificates().map {
            try Certificate(Array(bytes[$0]))
        }
        let identifier = try message.onlySigner().identifier
        let named = certificates.first { certificate in
            switch identifier {
            case .issuerAndSerialNumber(let issuer, let serial):
                certificate.issuer.der == Array(bytes[issuer])
                    && certificate.serialNumber == Array(bytes[serial])
            case .subjectKeyIdentifier(let range):
                certificate.subjectKeyIdentifier == Array(bytes[range])
            }
        }
        return try named.map {
            try PublicKey($0.subjectPublicKeyInfo, limits: KeyLimits(rsaBits: 1024...8192))
        }
    }

    /// Whether the one signer's signature is that of the certificate it names.
    private func isGenuine(_ bytes: [UInt8]) throws -> Bool {
        let message = try CMSSignedData(bytes, certificateLimit: 8)
        guard let key = try signerKey(message) else { return false }
        return try message.isSignature(of: message.onlySigner(), by: key)
    }

    @Test("Every receipt's signature verifies, whoever signed it")
    func signatures() throws {
        let names = CorpusReceipt.names(
            "prod",
            "sandbox",
            "noenv",
            "xcode",
            "testca",
            "foreign-cms"
        )
        #expect(names.count > 40)
        for name in names {
            #expect(try isGenuine(CorpusReceipt(name).bytes), "\(name)")
        }
    }

    @Test("Every receipt's message is what an independent reading found")
    func outlines() throws {
        for name in CorpusReceipt.names("prod", "sandbox", "noenv", "xcode", "testca") {
            let receipt = try CorpusReceipt(name)
            let expected = receipt.message
            let message = try CMSSignedData(receipt.bytes, certificateLimit: 8)
            let signer = try message.onlySigner()
            #expect(message.contentType.description == expected["eContentType"] as? String)
            #expect(message.hasRevocationLists == (expected["crls"] as? Bool))
            let certificates = expected["certificates"] as? [[String: Any]] ?? []
            let fingerprints = try message.certificates.map {
                try Certificate(Array(receipt.bytes[$0])).fingerprint.description
            }
            #expect(fingerprints == certificates.compactMap { $0["sha256"] as? String })
            let infos = try #require(expected["signerInfos"] as? [[String: Any]])
            #expect(infos.count == 1)
            let info = infos[0]
            #expect(signer.digest.identifier.description == info["digestAlgorithm"] as? String)
            #expect(signer.signature.count == info["signatureBytes"] as? Int)
            #expect(signer.hasUnsignedAttributes == (info["unsignedAttrs"] as? Bool))
            let hasAttributes = !(info["signedAttrs"] is NSNull)
            #expect((signer.signedAttributes != nil) == hasAttributes, "\(name)")
            guard case .issuerAndSerialNumber(_, let serial) = signer.identifier else {
                Issue.record("\(name) names its signer otherwise")
                continue
            }
            let digits = Hexadecimal.encode(receipt.bytes[serial]).drop { $0 == "0" }
            #expect("0x\(digits)" == info["serial"] as? String)
        }
    }

    @Test("Receipts that were cut short are refused")
    func broken() throws {
        for name in CorpusReceipt.names("broken") {
            let bytes = try CorpusReceipt(name).bytes
            let failure = #expect(throws: CMSError.self) {
                try CMSSignedData(bytes, certificateLimit: 8)
            }
            #expect(failure?.code == ASN1Error.truncated)
        }
    }

    @Test("A receipt cut off at any byte is refused")
    func truncation() throws {
        for name in [CorpusReceipt.appleSigned[0]] + CorpusReceipt.names("xcode", "testca") {
            let bytes = try CorpusReceipt(name).bytes
            for count in bytes.indices {
                #expect(throws: CMSError.self) {
                    try CMSSignedData(Array(bytes.prefix(count)), certificateLimit: 8)
                }
            }
        }
    }

    @Test("No flipped bit of a receipt traps or changes what is verified")
    func bitFlips() throws {
        for name in CorpusReceipt.names("xcode").prefix(1) + CorpusReceipt.names("testca").prefix(1)
        {
            let bytes = try CorpusReceipt(name).bytes
            let original = try CMSSignedData(bytes, certificateLimit: 8)
            let content = try Array(original.attachedContent())
            let key = try #require(try signerKey(original))
            let accepted = try (0..<bytes.count * 8).filter { bit in
                var changed = bytes
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                guard case .success(true) = verdict(changed, key) else { return false }
                let message = try CMSSignedData(changed, certificateLimit: 8)
                return try Array(message.attachedContent()) != content
            }
            #expect(accepted == [])
        }
    }

    @Test(
        "What we take for genuine, the openssl program does too",
        .enabled(if: OutsideProgram.openssl.isPresent)
    )
    func differential() throws {
        var random = SeededRandom(seed: 7)
        let folder = try Folder()
        let names =
            CorpusReceipt.names("xcode").prefix(1) + CorpusReceipt.names("testca").prefix(1)
            + CorpusReceipt.appleSigned.prefix(1)
        var (both, onlyProgram) = (0, 0)
        for name in names {
            let original = try CorpusReceipt(name).bytes
            for round in 0..<60 {
                var bytes = original
                if round > 0 {
                    let position = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[position] = UInt8.random(in: 0...255, using: &random)
                }
                let ours = (try? isGenuine(bytes)) ?? false
                let program = try OutsideProgram.openssl.run([
                    "cms", "-verify", "-noverify", "-inform", "DER", "-binary",
                    "-in", folder.write("message", bytes), "-out", folder.path("content"),
                ])
                #expect(!ours || program.status == 0, "\(name) in round \(round)")
                #expect(ours || round > 0, "\(name)")
                guard program.status == 0 else { continue }
                if ours { both += 1 } else { onlyProgram += 1 }
                guard ours else { continue }
                let content = try Data(contentsOf: URL(fileURLWithPath: folder.path("content")))
                let message = try CMSSignedData(bytes, certificateLimit: 8)
                #expect(try [UInt8](content) == Array(message.attachedContent()))
            }
        }
        // The program does not mind changes in parts that we read strictly.
        #expect(both >= 3 * names.count && onlyProgram <= both, "\(both), \(onlyProgram)")
    }
}
