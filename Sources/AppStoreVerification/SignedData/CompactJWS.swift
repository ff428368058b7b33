import CounterfoilBasics

/// Signed data in its compact form: three segments of base64url with dots between them
/// (RFC 7515 §7.1).
///
///     BASE64URL(header) . BASE64URL(payload) . BASE64URL(signature)
///
/// It is split and bounded, nothing of it decoded yet, and proves nothing.
public struct CompactJWS: Hashable, Sendable {
    private let bytes: [UInt8]
    private let firstDot: Int
    private let secondDot: Int

    /// Splits the text of signed data.
    ///
    /// - Throws: `jws.not_compact` when there are not three segments with something in them, and
    ///   `limit.…` for what is too long.
    public init(
        _ text: some StringProtocol,
        limits: VerificationLimits = .default
    ) throws(VerificationError) {
        try self.init(Array(text.utf8), limits: limits)
    }

    /// Splits the bytes of signed data.
    ///
    /// - Throws: as for text.
    public init(
        _ bytes: [UInt8],
        limits: VerificationLimits = .default
    ) throws(VerificationError) {
        guard bytes.count <= limits.inputBytes else {
            throw VerificationError(
                VerificationError.inputTooLong,
                "the input has \(bytes.count) bytes; at most \(limits.inputBytes) are read"
            )
        }
        guard let firstDot = bytes.firstIndex(of: Self.dot),
            let secondDot = bytes[(firstDot + 1)...].firstIndex(of: Self.dot),
            firstDot > 0, secondDot > firstDot + 1, secondDot < bytes.count - 1,
            !bytes[(secondDot + 1)...].contains(Self.dot)
        else {
            throw VerificationError(
                VerificationError.notCompact,
                "found \(Self.segments(of: bytes)) with dots between them, expected three that are "
                    + "not empty: header, payload and signature"
            )
        }
        guard firstDot <= limits.headerBytes else {
            throw VerificationError(
                VerificationError.headerTooLong,
                "the header has \(firstDot) letters; at most \(limits.headerBytes) are read"
            )
        }
        self.bytes = bytes
        self.firstDot = firstDot
        self.secondDot = secondDot
    }

    /// The letters of the header, by which a chain that held is remembered.
    var header: ArraySlice<UInt8> { bytes[..<firstDot] }

    /// What is signed: the letters of header and payload and the dot between them.
    var signed: ArraySlice<UInt8> { bytes[..<secondDot] }

    /// The bytes of the header.
    func decodedHeader() throws(VerificationError) -> [UInt8] {
        try decoded(0..<firstDot, "header")
    }

    /// The bytes of the payload.
    func decodedPayload() throws(VerificationError) -> [UInt8] {
        try decoded((firstDot + 1)..<secondDot, "payload")
    }

    /// The bytes of the signature.
    func decodedSignature() throws(VerificationError) -> [UInt8] {
        try decoded((secondDot + 1)..<bytes.count, "signature")
    }

    private func decoded(
        _ range: Range<Int>,
        _ name: StaticString
    ) throws(VerificationError) -> [UInt8] {
        do {
            return try Base64.decode(bytes.span.extracting(range), .urlSafe)
        } catch {
            throw VerificationError(
                VerificationError.notBase64URL,
                "the \(name) is not base64url without padding: \(error.words(from: range))"
            )
        }
    }

    private static let dot = UInt8(ascii: ".")

    private static func segments(of bytes: [UInt8]) -> String {
        let dots = bytes.count { $0 == dot }
        return dots == 0 ? "one segment" : "\(dots + 1) segments"
    }
}

extension Base64.Failure {
    /// What is wrong with a segment that begins at an offset of the document.
    fileprivate func words(from range: Range<Int>) -> String {
        switch self {
        case .unexpectedByte(let byte, let offset):
            "found the byte \(Hexadecimal.encode([byte])) at offset \(range.lowerBound + offset)"
        case .incompleteGroup(let offset):
            "a group is not complete at offset \(range.lowerBound + offset)"
        case .strayBits(let offset):
            "bits are left over at offset \(range.lowerBound + offset)"
        }
    }
}
