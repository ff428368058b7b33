import CounterfoilASN1

/// Where the parts of a signed message stand.
struct CMSOutline {
    private(set) var contentType: ASN1ObjectIdentifier = .cmsData
    private(set) var content: ASN1Octets?
    private(set) var hasRevocationLists = false

    // Where the elements of the three sets begin; nil when there is no set of certificates.
    private var digestAlgorithms: ASN1Reader
    private var certificateBag: ASN1Reader?
    private var signerInfos: ASN1Reader

    init(_ bytes: Span<UInt8>) throws(CMSError) {
        let type: ASN1Element
        var contentInfo: ASN1Reader
        do {
            var document = try ASN1Reader(bytes)
            contentInfo = try document.nextContents(of: .sequence, in: bytes)
            try document.requireOnlyPadding(in: bytes)
            type = try contentInfo.nextRequired(.objectIdentifier, in: bytes)
        } catch {
            throw CMSError(error)
        }
        guard type.isObjectIdentifier(.cmsSignedData, in: bytes) else {
            throw .notSignedData(type, in: bytes)
        }
        do {
            var explicit = try contentInfo.nextContents(of: .contextSpecific(0), in: bytes)
            try contentInfo.requireEnd()
            var fields = try explicit.nextContents(of: .sequence, in: bytes)
            try explicit.requireEnd()
            try fields.skip(.integer, in: bytes)
            digestAlgorithms = try fields.nextContents(of: .set, in: bytes)
            signerInfos = digestAlgorithms
            try readContent(from: fields.nextContents(of: .sequence, in: bytes), in: bytes)
            if let bag = try fields.nextIfPresent(.contextSpecific(0), in: bytes) {
                certificateBag = try fields.contents(of: bag)
            }
            hasRevocationLists = try fields.nextIfPresent(.contextSpecific(1), in: bytes) != nil
            signerInfos = try fields.nextContents(of: .set, in: bytes)
            try fields.requireEnd()
        } catch {
            throw CMSError(error)
        }
    }

    /// Reads `EncapsulatedContentInfo ::= SEQUENCE { eContentType, eContent [0] OPTIONAL }`.
    private mutating func readContent(
        from fields: ASN1Reader,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) {
        var fields = fields
        let type = try fields.nextRequired(.objectIdentifier, in: bytes)
        // What nearly every message has, without a copy.
        if !type.isObjectIdentifier(.cmsData, in: bytes) {
            contentType = try type.objectIdentifier(in: bytes)
        }
        if let wrapper = try fields.nextIfPresent(.contextSpecific(0), in: bytes) {
            var wrapped = try fields.contents(of: wrapper)
            content = try wrapped.nextOctets(in: bytes)
            try wrapped.requireEnd()
        }
        try fields.requireEnd()
    }
}

extension CMSOutline {
    /// The certificates of `certificates [0] IMPLICIT SET OF CertificateChoices`.
    func certificates(
        in bytes: Span<UInt8>,
        limit: Int
    ) throws(CMSError) -> [Range<Int>] {
        guard let certificateBag else { return [] }
        let elements = try Self.elements(of: certificateBag, in: bytes, most: limit + 1)
        guard elements.count <= limit else {
            throw CMSError(
                CMSError.tooManyCertificates,
                "found more than \(limit) certificates"
            )
        }
        for element in elements where element.tag != .sequence {
            throw CMSError(
                CMSError.unsupportedCertificate,
                "found a certificate of the form \(element.tag) at byte "
                    + "\(element.encoding.lowerBound), expected an X.509 certificate"
            )
        }
        return elements.map(\.encoding)
    }

    /// The signers of `signerInfos SET OF SignerInfo`, each with a digest that the message
    /// announces.
    func signers(in bytes: Span<UInt8>, limit: Int) throws(CMSError) -> [CMSSigner] {
        let elements = try Self.elements(of: signerInfos, in: bytes, most: limit + 1)
        guard elements.count <= limit else {
            throw CMSError(
                CMSError.severalSigners,
                "found more than \(limit) signers, expected exactly one"
            )
        }
        var signers: [CMSSigner] = []
        signers.reserveCapacity(elements.count)
        for element in elements {
            let signer = try CMSSigner(element, in: signerInfos, bytes)
            guard try announces(signer.digest, in: bytes) else {
                throw CMSError(
                    CMSError.algorithmMismatch,
                    "the signer's digest \(signer.digest) is not among those of the message"
                )
            }
            signers.append(signer)
        }
        return signers
    }

    /// Whether `digestAlgorithms`, which RFC 5652 §5.1 has for one-pass verification, names a
    /// digest.
    private func announces(
        _ digest: DigestAlgorithm,
        in bytes: Span<UInt8>
    ) throws(CMSError) -> Bool {
        var algorithms = digestAlgorithms
        do {
            while !algorithms.isAtEnd {
                var fields = try algorithms.nextContents(of: .sequence, in: bytes)
                let identifier = try fields.nextRequired(.objectIdentifier, in: bytes)
                if identifier.isObjectIdentifier(digest.identifier, in: bytes) { return true }
            }
        } catch {
            throw CMSError(error)
        }
        return false
    }

    private static func elements(
        of set: ASN1Reader,
        in bytes: Span<UInt8>,
        most: Int
    ) throws(CMSError) -> [ASN1Element] {
        var set = set
        var elements: [ASN1Element] = []
        do {
            while elements.count < most, let element = try set.next(in: bytes) {
                elements.append(element)
            }
        } catch {
            throw CMSError(error)
        }
        return elements
    }
}
