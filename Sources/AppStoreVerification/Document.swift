import CounterfoilBasics

/// The bytes of something the App Store signed or sent, and what kind it is; proves nothing.
public struct Document: Hashable, Sendable {
    /// What a document is, judged by its first bytes or, of JSON, by its members.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A PKCS#7 container, as app receipts are.
        case appReceipt
        /// An OpenStep property list, as iOS 6-style transaction receipts are.
        case transactionReceipt
        /// A JWS in compact form: see ``CompactJWS``.
        case signedData
        /// The JSON of a notification of version 1, which nobody signed and which has the app's
        /// shared secret in it.
        case notificationV1
        /// A JSON object that nobody signed with signed documents anywhere in it, as answers of
        /// the App Store Server API are.
        case serverAnswer
    }

    /// The kind.
    public let kind: Kind
    /// The bytes, freed of every transport encoding.
    public let bytes: [UInt8]
    /// What had to be mended to get at the bytes.
    public let repairs: [VerificationNote]

    /// Finds the document in whatever a client, a file or a log hands in.
    ///
    /// Of a receipt are read: the raw bytes; base 64 in either alphabet, with white space, missing
    /// padding, spaces that form encoding made of plus signs, or percent signs; the same as a JSON
    /// string, as `receipt-data` of a JSON object, in PEM armour, or encoded twice. Of signed data:
    /// its three segments, as they are, as a JSON string, or as `signedPayload` of a JSON object,
    /// which is how notifications of version 2 are posted. Other JSON objects are read where they
    /// are a notification of version 1 or have signed documents in them.
    ///
    /// - Throws: `encoding.…` or `limit.…` when there is no document in it.
    public init(
        detecting input: [UInt8],
        limits: VerificationLimits = .default
    ) throws(VerificationError) {
        guard input.count <= limits.inputBytes else {
            throw VerificationError(
                VerificationError.inputTooLong,
                "the input has \(input.count) bytes; at most \(limits.inputBytes) are read"
            )
        }
        var reading = TransportReading()
        let (bytes, statedKind) = try reading.unwrap(input)
        guard bytes.count <= limits.documentBytes else {
            throw VerificationError(
                VerificationError.documentTooLong,
                "the document has \(bytes.count) bytes; at most \(limits.documentBytes) are read"
            )
        }
        guard let kind = statedKind ?? Self.kind(of: bytes) else {
            throw VerificationError(
                VerificationError.unknownDocument,
                "the decoded \(bytes.count) bytes begin with \(Self.beginning(of: bytes)); a "
                    + "receipt begins with 30 (PKCS#7) or { (property list)"
            )
        }
        self.init(kind: kind, bytes: bytes, repairs: reading.notes)
    }

    init(kind: Kind, bytes: [UInt8], repairs: [VerificationNote] = []) {
        self.kind = kind
        self.bytes = bytes
        self.repairs = repairs
    }

    /// The kind of decoded bytes: a constructed SEQUENCE, or an opening brace after white space.
    static func kind(of bytes: [UInt8]) -> Kind? {
        if bytes.first == 0x30 { return .appReceipt }
        let first = bytes.first { !ASCII.isWhiteSpace($0) }
        return first == ASCII.openingBrace ? .transactionReceipt : nil
    }

    private static func beginning(of bytes: [UInt8]) -> String {
        bytes.isEmpty
            ? "nothing"
            : bytes.prefix(4).map { Hexadecimal.encode([$0]) }
                .joined(separator: " ")
    }
}

extension Document.Kind {
    /// The kind with its article.
    package var words: String {
        switch self {
        case .appReceipt: "an app receipt"
        case .transactionReceipt: "an iOS 6-style receipt"
        case .signedData: "signed data (a JWS: three segments with dots between them)"
        case .notificationV1: "a notification of version 1"
        case .serverAnswer: "JSON with signed documents in it"
        }
    }
}

/// The few characters that telling documents apart needs.
enum ASCII {
    static let openingBrace = UInt8(ascii: "{")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let colon = UInt8(ascii: ":")
    static let percent = UInt8(ascii: "%")
    static let equals = UInt8(ascii: "=")
    static let plus = UInt8(ascii: "+")
    static let slash = UInt8(ascii: "/")
    static let dash = UInt8(ascii: "-")
    static let underscore = UInt8(ascii: "_")
    static let space = UInt8(ascii: " ")

    static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == space || (0x09...0x0D).contains(byte)
    }
}
