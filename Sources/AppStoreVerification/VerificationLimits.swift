import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilPropertyList

/// Every bound of verification, in one place.
///
/// What is past a limit is refused with `limit.…` before anything is allocated for it.
public struct VerificationLimits: Hashable, Sendable {
    /// The bytes of a document as it is handed in, base 64 or not.
    public var inputBytes = 8 << 20
    /// The bytes of a document once decoded.
    public var documentBytes = 6 << 20
    /// The bytes of one certificate.
    public var certificateBytes = 8 << 10
    /// The certificates of one document.
    public var certificates = 3
    /// The purchases of one app receipt.
    public var purchases = 50_000
    /// The attributes of an app receipt, and of each of its purchases, without the purchases
    /// themselves.
    public var attributes = 1_000
    /// The letters of the header of signed data, which has three certificates in it.
    public var headerBytes = 48 << 10
    /// How deep the payload of signed data may be nested.
    public var payloadDepth = 32
    /// The values in the payload of signed data, each member and element counted.
    public var payloadValues = 100_000
    /// The signed documents in one answer of a server.
    public var answerDocuments = 500
    /// The keys of each property list of an iOS 6-style receipt.
    public var propertyListKeys = 200
    /// The chains that are remembered.
    public var rememberedChains = 32
    /// The smallest RSA key of an app receipt's chain, in bits.
    public var smallestRSAKeyBits = 2_048
    /// The smallest RSA key inside an iOS 6-style receipt, in bits.
    public var smallestLegacyRSAKeyBits = 1_024
    /// The largest RSA key, in bits; a larger one would make checking costly.
    public var largestRSAKeyBits = 4_096
    /// How far ahead of the clock a document may be dated, in seconds.
    public var clockToleranceSeconds = 300

    /// The limits of a server that faces the internet.
    public static let `default` = VerificationLimits()

    /// Makes the default limits, to be changed where needed.
    public init() {}
}

extension VerificationLimits {
    var certificateLimits: CertificateLimits {
        var certificateLimits = CertificateLimits.default
        certificateLimits.bytes = certificateBytes
        return certificateLimits
    }

    /// The keys of app receipts' chains.
    var keyLimits: KeyLimits { keyLimits(rsaBits: smallestRSAKeyBits...largestRSAKeyBits) }

    /// The keys inside iOS 6-style receipts.
    var legacyKeyLimits: KeyLimits {
        keyLimits(rsaBits: smallestLegacyRSAKeyBits...largestRSAKeyBits)
    }

    var propertyListLimits: PropertyListLimits {
        var propertyListLimits = PropertyListLimits.default
        propertyListLimits.keys = propertyListKeys
        return propertyListLimits
    }

    private func keyLimits(rsaBits: ClosedRange<Int>) -> KeyLimits { KeyLimits(rsaBits: rsaBits) }

    /// Leaves a document undecided that is dated further ahead of the clock than tolerated.
    func requireNotInFuture(
        _ instant: Instant,
        now: Instant,
        what: StaticString
    ) throws(VerificationError) {
        guard instant > now.advanced(by: .seconds(clockToleranceSeconds)) else { return }
        throw VerificationError(
            VerificationError.inFuture,
            "\(what) is \(instant), which is more than \(clockToleranceSeconds) s ahead of the "
                + "clock (\(now))"
        )
    }
}
