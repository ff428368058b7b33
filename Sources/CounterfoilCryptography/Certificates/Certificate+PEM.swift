import CounterfoilBasics

extension Certificate {
    /// Every certificate of a file: one in DER, or any number in PEM among other text and blocks.
    ///
    /// - Throws: `chain.certificate_missing` when there is none, and what reading one throws.
    package static func all(
        in bytes: [UInt8],
        limits: CertificateLimits = .default
    ) throws(CertificateError) -> [Certificate] {
        // DER begins with a SEQUENCE whose length has more than one byte, which no text does.
        if bytes.count >= 2, bytes[0] == 0x30, bytes[1] >= 0x80 {
            return [try Certificate(bytes, limits: limits)]
        }
        var certificates: [Certificate] = []
        var blocks = PEMBlocks(bytes)
        while let block = try blocks.next() {
            guard PEMBlocks.certificateLabels.contains(block.label) else { continue }
            guard certificates.count < limits.certificates else {
                throw CertificateError(
                    CertificateError.tooLarge,
                    "found more than \(limits.certificates) certificates in one file"
                )
            }
            let der: [UInt8]
            do {
                der = try Base64.decode(block.letters.span)
            } catch {
                throw CertificateError(
                    CertificateError.badPEM,
                    "the block at byte \(block.offset) is not base 64"
                )
            }
            certificates.append(try Certificate(der, limits: limits))
        }
        guard !certificates.isEmpty else {
            throw CertificateError(
                CertificateError.none,
                "found no certificate, neither DER nor a block of PEM labelled CERTIFICATE"
            )
        }
        return certificates
    }

    /// The certificate as a block of PEM.
    package var pem: String {
        let letters = Base64.encode(der.span)
        var lines = ["-----BEGIN CERTIFICATE-----"]
        var rest = letters[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        lines.append("-----END CERTIFICATE-----\n")
        return lines.joined(separator: "\n")
    }
}

/// The blocks of a text in PEM, from the first to the last (RFC 7468 §2).
private struct PEMBlocks {
    /// The label of certificates, and two that older programs write.
    static let certificateLabels: Set<String> = [
        "CERTIFICATE", "X509 CERTIFICATE", "X.509 CERTIFICATE",
    ]

    /// A block: its label, its base 64 without white space, and where it begins.
    struct Block {
        var label: String
        var letters: [UInt8]
        var offset: Int
    }

    private var lines: ArraySlice<ArraySlice<UInt8>>

    init(_ text: [UInt8]) {
        lines = text.split(omittingEmptySubsequences: true) { $0 == 0x0A || $0 == 0x0D }[...]
    }

    /// The next block; nil when no more begins.
    mutating func next() throws(CertificateError) -> Block? {
        while let line = lines.popFirst() {
            guard let label = Self.label(of: line, after: "-----BEGIN ") else { continue }
            var block = Block(label: label, letters: [], offset: line.startIndex)
            while let line = lines.popFirst() {
                if Self.label(of: line, after: "-----END ") == label { return block }
                block.letters += line.filter { $0 != 0x20 && $0 != 0x09 }
            }
            throw CertificateError(
                CertificateError.badPEM,
                "the block at byte \(block.offset) has no end"
            )
        }
        return nil
    }

    private static func label(of line: ArraySlice<UInt8>, after prefix: String) -> String? {
        var line = line
        while let last = line.last, last == 0x20 || last == 0x09 { line.removeLast() }
        guard line.starts(with: prefix.utf8), line.count >= prefix.utf8.count + 5,
            line.suffix(5).elementsEqual("-----".utf8)
        else { return nil }
        return String(decoding: line.dropFirst(prefix.utf8.count).dropLast(5), as: UTF8.self)
    }
}
