import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilJSON

/// The header of signed data (RFC 7515 §4): the algorithm, and the certificates of the signer.
struct JWSHeader {
    /// The certificates in DER: the signer, its issuer, and a root that nobody looks at; of a
    /// document of Xcode the signer alone.
    let certificates: [[UInt8]]

    private static let algorithm = "ES256"

    /// Reads a header, and refuses what the App Store never signs with before any key is used.
    init(_ text: [UInt8], limits: VerificationLimits) throws(VerificationError) {
        let header: JSONObject
        do {
            let jsonLimits = JSONLimits(bytes: limits.headerBytes, depth: 8, values: 64)
            header = try JSONMembers(JSONValue(parsing: text, limits: jsonLimits)).object
        } catch {
            throw VerificationError(
                VerificationError.headerMalformed,
                "the header is no JSON object: \(error.reason)"
            )
        }
        try Self.requireAlgorithm(header["alg"])
        guard header["crit"] == nil else {
            throw VerificationError(
                VerificationError.criticalHeader,
                "the header says that extensions in it must be understood (crit), of which the App "
                    + "Store has none"
            )
        }
        certificates = try Self.certificates(header["x5c"], limits: limits)
    }

    private static func requireAlgorithm(_ found: JSONValue?) throws(VerificationError) {
        guard found?.string == algorithm else {
            let words =
                found?.string.map { "found the algorithm \($0.prefix(32).debugDescription)" }
                ?? (found == nil ? "found no algorithm" : "found an algorithm that is no string")
            throw VerificationError(
                VerificationError.algorithm,
                "\(words), expected \(algorithm.debugDescription)"
            )
        }
    }

    private static func certificates(
        _ found: JSONValue?,
        limits: VerificationLimits
    ) throws(VerificationError) -> [[UInt8]] {
        guard let texts = found?.array else {
            throw VerificationError(
                VerificationError.noCertificates,
                "the header has \(found == nil ? "no" : "no list of") certificates (x5c), so it was "
                    + "not signed by the App Store"
            )
        }
        guard texts.count == 3 || texts.count == 1 else {
            throw VerificationError(
                VerificationError.certificateCount,
                "the header has \(texts.count) certificates, expected three: signer, intermediate "
                    + "and root"
            )
        }
        var certificates: [[UInt8]] = []
        for (index, text) in texts.enumerated() {
            guard let letters = text.string else {
                throw malformed(index, "it is no string")
            }
            let span = letters.utf8Span.span
            guard span.count <= limits.certificateBytes * 4 / 3 + 4 else {
                throw malformed(index, "it has more than \(limits.certificateBytes) bytes")
            }
            do {
                certificates.append(try Base64.decode(span))
            } catch {
                throw malformed(index, "it is not base 64")
            }
        }
        return certificates
    }

    private static func malformed(_ index: Int, _ what: String) -> VerificationError {
        VerificationError(
            VerificationError.certificateMalformed,
            "certificate \(index + 1) of the header cannot be read: \(what)"
        )
    }
}
