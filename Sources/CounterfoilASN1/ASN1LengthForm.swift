/// How the length of an element is written (X.690 §8.1.3).
///
/// The two forms outside DER are for issuing documents as others do: receipts of Xcode's StoreKit
/// testing are of indefinite length throughout.
package enum ASN1LengthForm: Hashable, Sendable {
    /// In as few bytes as possible, as DER requires.
    case minimal
    /// In the long form with leading zeros up to this many bytes (1 to 126).
    case padded(bytes: Int)
    /// Open, with end-of-contents bytes behind the content; for constructed elements only.
    case indefinite
}

extension DERWriter {
    /// Writes an OCTET STRING in the constructed form of BER, cut into chunks.
    ///
    /// - Parameters:
    ///   - octets: All octets; none make a string without chunks.
    ///   - chunkSize: How many octets each chunk has, save the last; all in one when nil.
    ///   - length: The form of the outer length.
    ///   - tag: The tag of the whole string; chunks are always OCTET STRINGs.
    package mutating func chunkedOctetString(
        _ octets: [UInt8],
        chunkSize: Int? = nil,
        length: ASN1LengthForm = .indefinite,
        tag: ASN1Tag = .octetString
    ) {
        let size = max(1, chunkSize ?? octets.count)
        constructed(tag, length: length) { writer in
            for start in stride(from: 0, to: octets.count, by: size) {
                writer.octetString(octets[start..<min(start + size, octets.count)])
            }
        }
    }
}
