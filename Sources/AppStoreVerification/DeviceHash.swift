public import AppStoreModel
import CounterfoilBasics
import CounterfoilCryptography

extension Verified where Content == AppReceipt {
    /// Checks that the receipt was made for a device (Apple, "Validating receipts on the device",
    /// "Compute a hash to verify").
    ///
    /// The hash goes stale when the device is restored or its vendor identifier is reset, until
    /// the app refreshes its receipt. Receipts made on Apple's servers have sixteen zero bytes for
    /// an identifier.
    ///
    /// - Throws: `receipt.device_hash_mismatch`, or `receipt.device_hash_missing` when the receipt
    ///   lacks one of the attributes 2, 4 and 5.
    public func requireDevice(_ device: DeviceIdentifier) throws(VerificationError) {
        guard let opaque = content.value(of: 4), let bundle = content.value(of: 2),
            let expected = content.value(of: 5)
        else {
            throw VerificationError(
                VerificationError.deviceHashMissing,
                "the receipt lacks attribute 2, 4 or 5, so no device hash can be compared"
            )
        }
        let hashed = device.bytes + opaque + bundle
        guard MessageDigest(of: hashed.span, .sha1).equals(expected.span) else {
            throw VerificationError(
                VerificationError.deviceHashMismatch,
                "attribute 5 is not the hash for a device identifier of \(device.bytes.count) bytes"
            )
        }
    }
}

extension AppReceipt {
    /// The bytes of the first attribute of a type.
    fileprivate func value(of type: Int64) -> ArraySlice<UInt8>? {
        attributes.first { $0.type == type }?.value
    }
}
