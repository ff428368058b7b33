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
        /// The digests of the signed contents, one a line.
        case contents = "contents.txt"
    }

    /// Reads folders of authorities.
    package init(folders: [URL]) throws {
        var trust = Trust.nobody
        var contents: Set<String> = []
        for folder in folders {
            func bytes(_ file: File) throws -> [UInt8] {
                [UInt8](try Data(contentsOf: folder.appendingPathComponent(file.rawValue)))
            }
            trust = try trust.adding(.rehearsal(anchors: bytes(.anchors)))
            trust = try trust.adding(.xcode(pinnedCertificate: bytes(.storeKit)))
            let lines = String(decoding: try bytes(.contents), as: UTF8.self)
            contents.formUnion(lines.split(separator: "\n").map(String.init))
        }
        self.init(trust: trust, contents: contents)
    }

    private init(trust: Trust, contents: Set<String>) {
        verifier = ReceiptVerifier(trust: trust)
        signedDataVerifier = SignedDataVerifier(trust: trust)
        judge = Judge(trust: trust)
        self.contents = contents
    }

    /// The same authorities, as if all that they signed were forged.
    package var havingIssuedNothing: IssuedDocuments {
        IssuedDocuments(trust: verifier.trust, contents: [])
    }

    /// Whether the authorities answer for a document.
    package func proves(_ bytes: [UInt8]) -> Bool {
        attempt { try verifier.verify(Document(detecting: bytes), now: Self.now) } != nil
    }

    /// Whether the authorities answer for signed data.
    package func provesSignedData(_ bytes: [UInt8]) -> Bool {
        attempt { try signedDataVerifier.verify(CompactJWS(bytes), now: Self.now) } != nil
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

    private static func digest(of lines: [String]) -> String {
        let text = Array(lines.joined(separator: "\n").utf8)
        return Hexadecimal.encode(SHA256Digest(of: text.span).bytes)
    }
}
