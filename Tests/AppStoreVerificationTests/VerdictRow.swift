import AppStoreModel
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import Testing

@testable import AppStoreVerification

/// A row of the table of verdicts.
struct VerdictRow: Sendable, CustomTestStringConvertible {
    let file: String
    let realm: String
    let given: String
    let isVerified: Bool
    let reason: String

    var testDescription: String { "\(file) in \(realm)" }

    static let all: [VerdictRow] = {
        let rows = (try? Corpus.table("VERDICTS.tsv")) ?? []
        return rows.map { row in
            VerdictRow(
                file: row["file"] ?? "",
                realm: row["realm"] ?? "",
                given: row["given"] ?? "",
                isVerified: row["verdict"] == "verified",
                reason: row["reason"] ?? ""
            )
        }
    }()

    /// The environment that the reason names.
    var environment: StoreEnvironment? {
        if reason.contains("Production") { return .production }
        return reason.contains("Sandbox") ? .sandbox : nil
    }

    /// What a refusal's code may begin with to say the reason.
    var expectedCodes: [String] {
        if reason.contains("truncated") { return ["asn1."] }
        if reason.contains("masked") { return ["encoding.", "signature."] }
        if reason.contains("6.11.1") { return ["chain.leaf_marker_missing"] }
        if reason.contains("too small a key") { return ["chain.key_"] }
        if reason.contains("no x5c") { return ["jws.no_certificates"] }
        if reason.contains("none of the known kinds") { return ["payload.kind_unknown"] }
        if reason.contains("had ended") { return ["chain.expired"] }
        if reason.contains("lacks marker 6.2.1") { return ["chain.intermediate_marker_missing"] }
        return ["chain.untrusted_root"]
    }

    /// Records an issue unless the row awaits a refusal with a code such as the error's.
    func check(_ error: any Error) throws {
        let error = try #require(error as? VerificationError)
        #expect(!isVerified, "\(error)")
        #expect(
            expectedCodes.contains { error.code.rawValue.hasPrefix($0) },
            "\(error) does not say: \(reason)"
        )
        #expect(!error.isUndecided)
    }

    /// The trust that the row gives to a receipt.
    func trust(for document: Document) throws -> Trust {
        guard given != "Apple roots" else { return .appStore }
        let message = try CMSSignedData(document.bytes, certificateLimit: 3)
        return try trust(among: message.certificates.map { Array(message.bytes[$0]) })
    }

    /// The trust that the row gives to signed data.
    func trust(for jws: CompactJWS) throws -> Trust {
        guard given != "Apple roots" else { return .appStore }
        let header = try JWSHeader(jws.decodedHeader(), limits: .default)
        return try trust(among: header.certificates)
    }

    private func trust(among certificates: [[UInt8]]) throws -> Trust {
        switch given {
        case "its own root as anchor": try .rehearsal(anchors: certificates.last ?? [])
        case "its own certificate pinned": try .xcode(pinnedCertificate: certificates.first ?? [])
        default: .appStore
        }
    }
}
