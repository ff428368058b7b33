import AppStoreModel
import CounterfoilBasics

extension VerifiedReceipt {
    /// Checks that the receipt was made for a device.
    ///
    /// An app receipt has a hash for it. An iOS 6-style receipt names the device's vendor
    /// identifier among what was signed, unless it is older than that identifier.
    ///
    /// - Throws: `receipt.device_hash_mismatch`, `receipt.device_hash_missing`.
    package func requireDevice(_ device: DeviceIdentifier) throws(VerificationError) {
        switch self {
        case .appReceipt(let receipt): try receipt.requireDevice(device)
        case .transactionReceipt(let receipt):
            guard let vendor = receipt.uniqueVendorIdentifier.flatMap({ DeviceIdentifier($0) })
            else {
                throw VerificationError(
                    VerificationError.deviceHashMissing,
                    "purchase-info has no \"unique-vendor-identifier\", so no device can be compared"
                )
            }
            guard vendor == device else {
                throw VerificationError(
                    VerificationError.deviceHashMismatch,
                    "\"unique-vendor-identifier\" in purchase-info is another device's"
                )
            }
        }
    }
}

extension VerificationError {
    /// A device was asked for, and the document is of a kind that is not compared with one.
    package static func noDeviceHash(in document: Document) -> VerificationError {
        VerificationError(
            Self.deviceHashMissing,
            "\(document.kind.words) is not compared with a device; receipts are"
        )
    }
}

extension String {
    /// Whether the bytes are the same; Swift finds strings equal that differ in them, such as the
    /// Kelvin sign and a K.
    package func hasSameUTF8(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
