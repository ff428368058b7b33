package import CounterfoilASN1
import CounterfoilBasics

/// One extension of a certificate (RFC 5280 §4.2).
package struct CertificateExtension: Hashable, Sendable {
    /// What it is.
    package let identifier: ASN1ObjectIdentifier

    /// Whether whoever does not know it must refuse the certificate.
    package let isCritical: Bool

    /// The octets of its value: the encoding of what the identifier stands for.
    package let value: [UInt8]
}

/// Whether a subject may issue certificates, and how long the path below may be
/// (RFC 5280 §4.2.1.9).
package struct BasicConstraints: Hashable, Sendable {
    /// Whether the subject is a certificate authority.
    package let isAuthority: Bool

    /// How many intermediates may follow below; nil for any number.
    package let pathLength: Int64?
}

/// What a key may be used for (RFC 5280 §4.2.1.3).
package struct KeyUsage: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Signatures over anything but certificates and revocation lists.
    package static let digitalSignature = KeyUsage(bit: 0)
    package static let contentCommitment = KeyUsage(bit: 1)
    package static let keyEncipherment = KeyUsage(bit: 2)
    package static let dataEncipherment = KeyUsage(bit: 3)
    package static let keyAgreement = KeyUsage(bit: 4)
    /// Signatures over certificates.
    package static let keyCertSign = KeyUsage(bit: 5)
    /// Signatures over revocation lists.
    package static let cRLSign = KeyUsage(bit: 6)
    package static let encipherOnly = KeyUsage(bit: 7)
    package static let decipherOnly = KeyUsage(bit: 8)

    static let bitCount = 9

    private init(bit: Int) { rawValue = 1 << UInt16(bit) }

    /// The named bits that are set; bits without a name do not count.
    init(_ bits: ASN1BitString, in bytes: Span<UInt8>) {
        self = []
        for bit in 0..<Self.bitCount where bits.isSet(bit, in: bytes) { insert(KeyUsage(bit: bit)) }
    }
}

/// The extensions of a certificate, and the values of those that path validation needs.
struct CertificateExtensions {
    private(set) var all: [CertificateExtension] = []
    private(set) var basicConstraints: BasicConstraints?
    private(set) var keyUsage: KeyUsage?
    private(set) var subjectKeyIdentifier: [UInt8]?
    private(set) var authorityKeyIdentifier: [UInt8]?

    init(
        _ der: Span<UInt8>,
        _ reader: ASN1Reader?,
        limits: CertificateLimits
    ) throws(CertificateError) {
        guard var reader else { return }
        do {
            while !reader.isAtEnd, all.count <= limits.extensions { try read(&reader, in: der) }
        } catch {
            throw CertificateError(
                CertificateError.malformed,
                "the certificate's extension \(all.count + 1) is not as RFC 5280 has it: \(error)"
            )
        }
        guard all.count <= limits.extensions else {
            throw CertificateError(
                CertificateError.tooLarge,
                "found more than \(limits.extensions) extensions in a certificate"
            )
        }
        var identifiers: Set<ASN1ObjectIdentifier> = []
        for identifier in all.map(\.identifier) where !identifiers.insert(identifier).inserted {
            throw CertificateError(
                CertificateError.duplicateExtension,
                "found the extension \(identifier) twice"
            )
        }
    }

    /// Reads `Extension ::= SEQUENCE { extnID, critical BOOLEAN DEFAULT FALSE, extnValue }`.
    private mutating func read(
        _ reader: inout ASN1Reader,
        in der: Span<UInt8>
    ) throws(ASN1Error) {
        var fields = try reader.nextContents(of: .sequence, in: der)
        let identifier = try fields.nextObjectIdentifier(in: der)
        let isCritical = try fields.nextBooleanIfPresent(in: der) ?? false
        let octets = try fields.nextRequired(.octetString, in: der)
        try fields.requireEnd()
        all.append(
            CertificateExtension(
                identifier: identifier,
                isCritical: isCritical,
                value: der.copy(octets.content)
            )
        )
        var value = try fields.encapsulated(in: octets)
        switch identifier {
        case .basicConstraints:
            var constraints = try value.nextContents(of: .sequence, in: der)
            basicConstraints = try BasicConstraints(
                isAuthority: constraints.nextBooleanIfPresent(in: der) ?? false,
                pathLength: constraints.nextIfPresent(.integer, in: der)?.int64(in: der)
            )
            try constraints.requireEnd()
        case .keyUsage:
            keyUsage = try KeyUsage(value.nextBitString(in: der), in: der)
        case .subjectKeyIdentifier:
            subjectKeyIdentifier = try der.copy(value.nextOctetsInPlace(in: der))
        case .authorityKeyIdentifier:
            var identifiers = try value.nextContents(of: .sequence, in: der)
            if let octets = try identifiers.nextIfPresent(.contextSpecific(0), in: der) {
                authorityKeyIdentifier = der.copy(octets.content)
            }
        default:
            return
        }
        try value.requireEnd()
    }
}
