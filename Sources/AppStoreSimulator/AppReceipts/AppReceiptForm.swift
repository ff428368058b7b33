/// How an app receipt is wrapped and signed, apart from what it says: every form that a verifier
/// must read.
public struct AppReceiptForm: Hashable, Sendable {
    /// How the container is encoded; certificates, signature and payload are DER in any case.
    public enum Encoding: Hashable, Sendable {
        /// DER, as the App Store's servers write it.
        case der
        /// BER with lengths left open and the content in a constructed OCTET STRING, as Xcode
        /// writes it; cut into chunks of so many bytes, or in one piece when nil.
        case indefinite(chunkSize: Int? = nil)
        /// BER with lengths padded to so many bytes (1 to 126).
        case padded(bytes: Int)
    }

    /// The algorithm that the signer's information names for the same RSA signature.
    public enum NamedAlgorithm: Hashable, Sendable {
        /// rsaEncryption, as the App Store's servers write.
        case rsaEncryption
        /// sha256WithRSAEncryption and its like, as newer versions of Xcode write.
        case digestWithRSAEncryption
    }

    /// Which certificates stand in the receipt, and in which order.
    public enum Certificates: Hashable, Sendable {
        /// From the signer to the root.
        case chain
        /// From the root to the signer.
        case reversed
        /// Without the root, which a verifier has of its own.
        case withoutRoot
    }

    /// Whose key signs: ``AuthorityRole/receiptSigner`` or ``AuthorityRole/storeKit``.
    public var signer: AuthorityRole
    /// The hash function under the signature.
    public var digest: SigningDigest
    /// What the signer's information calls the algorithm.
    public var namedAlgorithm: NamedAlgorithm
    /// How the container is encoded.
    public var encoding: Encoding
    /// Which certificates stand in it.
    public var certificates: Certificates
    /// Whether signed attributes (RFC 5652 §5.3) stand between content and signature; no receipt of
    /// Apple's has any.
    public var hasSignedAttributes: Bool
    /// Whether the content is an OCTET STRING around the payload, as some receipts have it.
    public var isDoubleWrapped: Bool
    /// The order of attributes; that of the payload when nil.
    public var order: AttributeOrder?
    /// Zeros or white space behind the document, as some transports add.
    public var padding: [UInt8]

    /// Makes a form; the defaults are those of the App Store's servers.
    ///
    /// - Parameters:
    ///   - signer: Whose key signs.
    ///   - digest: The hash function under the signature.
    ///   - encoding: How the container is encoded.
    public init(
        signer: AuthorityRole = .receiptSigner,
        digest: SigningDigest = .sha256,
        encoding: Encoding = .der
    ) {
        self.signer = signer
        self.digest = digest
        self.encoding = encoding
        namedAlgorithm = .rsaEncryption
        certificates = .chain
        hasSignedAttributes = false
        isDoubleWrapped = false
        padding = []
    }

    /// As the App Store's servers sign.
    public static let appStore = AppReceiptForm()

    /// As the App Store's servers signed until 2023.
    public static let sha1 = AppReceiptForm(digest: .sha1)

    /// As StoreKit testing in Xcode signs.
    public static let xcode: AppReceiptForm = {
        var form = AppReceiptForm(signer: .storeKit, encoding: .indefinite())
        form.namedAlgorithm = .digestWithRSAEncryption
        return form
    }()
}
