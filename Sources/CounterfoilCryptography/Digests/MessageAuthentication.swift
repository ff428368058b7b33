import CCounterfoilOpenSSL
package import CounterfoilBasics

extension SHA256Digest {
    /// The HMAC of a message with SHA-256 (RFC 2104 §2): a digest that only who has the key can make.
    package init(authenticating message: Span<UInt8>, key: Span<UInt8>) {
        var code = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 0
        let isMade = unsafe code.withUnsafeMutableBufferPointer { code in
            unsafe key.withUnsafeBufferPointer { key in
                unsafe message.withUnsafeBufferPointer { message in
                    // OpenSSL wants places to read from even when there is nothing to read.
                    let nothing = unsafe UnsafePointer(code.baseAddress)
                    let made = unsafe HMAC(
                        EVP_sha256(),
                        key.baseAddress ?? nothing,
                        Int32(clamping: key.count),
                        message.baseAddress ?? nothing,
                        message.count,
                        code.baseAddress,
                        &count
                    )
                    return unsafe made != nil
                }
            }
        }
        guard isMade, count == 32, let value = SHA256Digest(code) else {
            preconditionFailure("OpenSSL authenticates any bytes")
        }
        self = value
    }
}
