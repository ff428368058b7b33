import AppStoreModel
package import AppStoreVerification
import CounterfoilBasics
import CounterfoilCryptography
import DocumentInspection
package import Foundation

/// What authorities of our own signed, whose keys nobody has any more: the certificates to believe,
/// and the digest of everything that was signed with them.
package struct IssuedDocuments: Sendable {
    /// A verifier of receipts that believes those authorities alone.
    package let verifier: ReceiptVerifier
    /// The same for signed data.
    let signedDataVerifier: SignedDataVerifier
    /// The same for documents of every kind.
    let judge: Judge
    /// A certificate of each authority that one may ask about, and who answers in its place.
    let twins: [ResponderTwin]
    /// The digests of what they signed.
    package let contents: Set<String>

    /// The instant at which all of them issue and judge.
    static let now = CivilTime(year: 2026, month: 6, day: 1, hour: 12).instant

    /// The names of the files of an authority's folder.
    enum File: String, CaseIterable {
        /// The roots and the issuers of iOS 6-style receipts.
        case anchors = "anchors.pem"
        /// The certificate of StoreKit testing.
        case storeKit = "storekit.pem"
        /// The certificates of ``AskedCertificate``.
        case asked = "asked.pem"
        /// The digests of the signed contents, one a line.
        case contents = "contents.txt"
    }

    /// Reads folders of authorities.
    package init(folders: [URL]) throws {
        var trust = Trust.nobody
        var contents: Set<String> = []
        var twins: [ResponderTwin] = []
        for folder in folders {
            func bytes(_ file: File) throws -> [UInt8] {
                [UInt8](try Data(contentsOf: folder.appendingPathComponent(file.rawValue)))
            }
            trust = try trust.adding(.rehearsal(anchors: bytes(.anchors)))
            trust = try trust.adding(.xcode(pinnedCertificate: bytes(.storeKit)))
            let asked = try AskedCertificate(pem: bytes(.asked))
            // Authorities that are kept may be those of the present seeds.
            if !twins.contains(where: { $0.asked == asked }) {
                twins.append(try ResponderTwin(of: asked))
            }
            let lines = String(decoding: try bytes(.contents), as: UTF8.self)
            contents.formUnion(lines.split(separator: "\n").map(String.init))
        }
        self.init(trust: trust, twins: twins, contents: contents)
    }

    private init(trust: Trust, twins: [ResponderTwin], contents: Set<String>) {
        verifier = ReceiptVerifier(trust: trust)
        signedDataVerifier = SignedDataVerifier(trust: trust)
        judge = Judge(trust: trust)
        self.twins = twins
        self.contents = contents
    }

    /// The same authorities, as if all that they signed were forged.
    package var havingIssuedNothing: IssuedDocuments {
        IssuedDocuments(trust: verifier.trust, twins: twins, contents: [])
    }

    /// Whether the authorities answer for a document.
    package func proves(_ bytes: [UInt8]) -> Bool {
        attempt { try verifier.verify(Document(detecting: bytes), now: Self.now) } != nil
    }

    /// Whether the authorities answer for signed data.
    package func provesSignedData(_ bytes: [UInt8]) -> Bool {
        attempt { try signedDataVerifier.verify(CompactJWS(bytes), now: Self.now) } != nil
    }

    /// Whether an authority's responder answers so.
    package func provesResponse(_ bytes: [UInt8]) -> Bool {
        twins.contains { twin in
            attempt {
                try OCSPResponse(bytes).answer(to: twin.asked.question, now: Self.now)
            } != nil
        }
    }

    /// Whether it is an answer once the issuer of an authority, or its responder, signed it.
    package func provesSaying(_ bytes: [UInt8]) -> Bool {
        twins.contains { twin in
            guard let outline = twin.saying(bytes) else { return false }
            return [ResponderTwin.Signer.issuer, .responder].contains { signer in
                attempt {
                    try OCSPResponse(twin.response(outline, by: signer))
                        .answer(to: twin.question, now: Self.now)
                } != nil
            }
        }
    }

    /// The digest of what was signed of a receipt.
    package static func digest(of receipt: VerifiedReceipt) -> String {
        switch receipt {
        case .appReceipt(let receipt): digest(of: receipt.content)
        case .transactionReceipt(let receipt): digest(of: receipt.content)
        }
    }

    static func digest(of receipt: AppReceipt) -> String {
        digest(
            of: receipt.attributes.map { attribute in
                "\(attribute.type) \(attribute.version) \(Hexadecimal.encode(attribute.value))"
            }
        )
    }

    static func digest(of receipt: TransactionReceipt) -> String {
        digest(of: receipt.purchaseInfo.map { "\($0.key) = \($0.value)" })
    }

    /// The digest of what was signed of signed data: everything but the signature.
    static func digest(ofSignedData letters: [UInt8]) -> String {
        let end = letters.lastIndex(of: UInt8(ascii: ".")) ?? letters.endIndex
        return digest(of: [String(decoding: letters[..<end], as: UTF8.self)])
    }

    /// The digest of what was signed of an OCSP response.
    static func digest(ofResponse signed: [UInt8]) -> String {
        Hexadecimal.encode(SHA256Digest(of: signed.span).bytes)
    }

    private static func digest(of lines: [String]) -> String {
        let text = Array(lines.joined(separator: "\n").utf8)
        return Hexadecimal.encode(SHA256Digest(of: text.span).bytes)
    }
}
