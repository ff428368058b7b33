import AppStoreVerification
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport

/// Real receipts under the trust that the corpus' table of verdicts names, with our verdicts.
enum RealReceipts {
    /// After the last of them.
    private static let now = CivilTime(year: 2026, month: 11, day: 1).instant

    private static let appleRoots = [
        "AppleIncRootCertificate", "AppleRootCA-G2", "AppleRootCA-G3",
    ]

    /// The issuers of iOS 6-style receipts, which those do not bring along.
    private static let appleIssuers = [
        "Apple-iTunes-Store-Certification-Authority-2016-05-18",
        "Apple-Worldwide-Developer-Relations-Certification-Authority-2016-02-14",
        "Apple-Worldwide-Developer-Relations-Certification-Authority-2023-02-07",
    ]

    static func all() throws -> [Judged] {
        let roots = try pem(appleRoots)
        let issuers = try pem(appleIssuers)
        return try Corpus.table("VERDICTS.tsv").compactMap { row in
            guard let file = row["file"], let realm = row["realm"], let given = row["given"],
                file.hasPrefix("app-receipts/") || file.hasPrefix("transaction-receipts-ios6/")
            else { return nil }
            let input = try Corpus.bytes(file)
            let name = file.split(separator: "/").last.map(String.init) ?? file
            let subject = String(name.prefix { $0 != "-" })
            var trust = Trust.appStore
            var believed = roots
            if let own = try ownCertificate(given, of: input) {
                trust =
                    given.contains("pinned")
                    ? try .xcode(pinnedCertificate: own) : try .rehearsal(anchors: own)
                believed = [try Certificate(own).pem]
            }
            return Judged(
                subject,
                id: "\(name) in \(realm)",
                input,
                trust: trust,
                roots: believed,
                issuers: issuers,
                now: now
            )
        }
    }

    /// The certificate of the document itself that the row says is to be believed.
    private static func ownCertificate(_ given: String, of input: [UInt8]) throws -> [UInt8]? {
        guard given.hasPrefix("its own") else { return nil }
        let message = try CMSSignedData(Document(detecting: input).bytes, certificateLimit: 3)
        let place =
            given.contains("root") ? message.certificates.last : message.certificates.first
        return place.map { Array(message.bytes[$0]) }
    }

    private static func pem(_ names: [String]) throws -> [String] {
        try names.map { name in
            String(decoding: try Corpus.bytes("certs/\(name).pem"), as: UTF8.self)
        }
    }
}
