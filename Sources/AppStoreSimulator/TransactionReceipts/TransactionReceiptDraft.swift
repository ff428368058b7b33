import CounterfoilBasics

/// An iOS 6-style receipt before it is bytes: every part can be exchanged, before and after
/// signing.
struct TransactionReceiptDraft: Sendable {
    /// What is signed: the inner property list.
    var purchaseInfo: [UInt8]
    /// The first byte of the blob, which is signed, too.
    var version: UInt8
    var key: SigningKey
    var digest = SigningDigest.sha1
    /// What the signature is over, when not over version and purchase-info.
    var signedInstead: [UInt8]?
    var signature: [UInt8] = []
    /// The length that the blob states for the certificate; the true one when nil.
    var certificateLength: Int?
    var certificate: [UInt8]
    /// What follows the certificate in the blob: nothing, as a rule.
    var blobTrailing: [UInt8] = []
    /// The base 64 of the blob and of purchase-info are filled in when the document is written.
    var outer: [OuterEntry]

    /// A line of the outer property list.
    enum OuterEntry: Hashable, Sendable {
        case signature
        case purchaseInfo
        case text(key: String, value: String)
    }

    mutating func sign() throws(SimulatorError) {
        signature = try key.sign(signedInstead ?? [version] + purchaseInfo, digest)
    }

    /// version ‖ signature ‖ certificate length ‖ certificate.
    var blob: [UInt8] {
        let length = UInt32(truncatingIfNeeded: certificateLength ?? certificate.count)
        let lengthBytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
        return [version] + signature + lengthBytes + certificate + blobTrailing
    }

    var bytes: [UInt8] {
        PropertyListText.dictionary(
            outer.map { entry in
                switch entry {
                case .signature: ("signature", Base64.encode(blob.span))
                case .purchaseInfo: ("purchase-info", Base64.encode(purchaseInfo.span))
                case .text(let key, let value): (key, value)
                }
            }
        )
    }
}
