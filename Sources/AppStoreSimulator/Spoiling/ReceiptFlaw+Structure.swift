import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography

extension ReceiptFlaw {
    /// What is wrong with the container.
    static let ofStructure: [ReceiptFlaw] = [
        ReceiptFlaw("empty", .structure, "there is nothing", .bytes { bytes, _ in bytes = [] }),
        ReceiptFlaw(
            "truncated",
            .structure,
            "it ends in the middle of an element",
            .bytes { bytes, context in
                bytes.removeLast(Int.random(in: 1..<bytes.count, using: &context.random))
            }
        ),
        ReceiptFlaw(
            "trailingBytes",
            .structure,
            "something other than padding follows the document",
            .bytes { bytes, context in
                bytes.append(UInt8.random(in: 0x80...0xFF, using: &context.random))
            }
        ),
        ReceiptFlaw(
            "unterminated",
            .structure,
            "a length that was left open is never closed",
            needs: .openLengths,
            .bytes { bytes, _ in bytes.removeLast(2) }
        ),
        ReceiptFlaw(
            "outerTagWrong",
            .structure,
            "the document is a SET where signed data is a SEQUENCE",
            .bytes { bytes, _ in bytes[0] = 0x31 }
        ),
        ReceiptFlaw(
            "notSignedData",
            .structure,
            "the document says that it is enveloped data",
            .signed { draft, _ in draft.type = OID.envelopedData }
        ),
        ReceiptFlaw(
            "contentTypeNotData",
            .structure,
            "the content says that it is a time stamp",
            needs: .noSignedAttributes,
            .unsigned { draft, _ in draft.contentType = OID.timeStampToken }
        ),
        ReceiptFlaw(
            "contentDetached",
            .structure,
            "the content is not in the document",
            .signed { draft, _ in draft.content = .none(octets: draft.content.octets) }
        ),
        ReceiptFlaw(
            "contentNotOctets",
            .structure,
            "the content is a UTF8String where an OCTET STRING belongs",
            .unsigned { draft, _ in
                let octets = draft.content.octets
                draft.content = .encoding(
                    DERWriter.bytes { $0.primitive(.utf8String, octets) },
                    octets: octets
                )
            }
        ),
        ReceiptFlaw(
            "noSigner",
            .structure,
            "nobody signed",
            .signed { draft, _ in draft.signers = [] }
        ),
        ReceiptFlaw(
            "twoSigners",
            .structure,
            "there are two signers",
            .signed { draft, _ in draft.signers += draft.signers }
        ),
        ReceiptFlaw(
            "nestedTooDeep",
            .limits,
            "the content is in pieces of pieces, a thousand levels deep",
            .unsigned { draft, _ in
                let octets = draft.content.octets
                draft.content = .encoding(nested(octets, levels: 1000), octets: octets)
            }
        ),
        ReceiptFlaw(
            "certificatesTooMany",
            .limits,
            "there are twenty certificates more than a chain has",
            .signed { draft, _ in
                draft.certificates += (0..<20).compactMap { _ in draft.certificates.last }
            }
        ),
        ReceiptFlaw(
            "leafTooLarge",
            .limits,
            "the signer's certificate has more than 16 KiB",
            needs: .appStoreSigner,
            .authority { (authority, context) throws(SimulatorError) in
                let ballast = (0..<16_384).map { _ in
                    UInt8.random(in: 0...255, using: &context.random)
                }
                authority = try authority.changing(.receiptSigner) { profile in
                    profile.extensions.append(
                        .encoded(unknownExtension, isCritical: false) { $0.octetString(ballast) }
                    )
                }
            }
        ),
    ]

    /// An extension that nobody knows.
    static let unknownExtension: ASN1ObjectIdentifier = "1.3.6.1.4.1.32473.1"

    /// Octets in a constructed OCTET STRING inside another one, so many levels deep.
    private static func nested(_ octets: [UInt8], levels: Int) -> [UInt8] {
        (0..<levels).reduce(DERWriter.bytes { $0.octetString(octets) }) { inner, _ in
            DERWriter.bytes { $0.constructed(.octetString) { $0.raw(inner) } }
        }
    }
}
