#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension Span where Element == UInt8 {
    /// The bytes in an array of their own.
    package var copied: [UInt8] { withUnsafeBufferPointer { Array($0) } }

    /// Whether the other bytes are the same ones, compared as fast as the machine can.
    ///
    /// How long it takes tells where the first difference is, so it is not for secrets.
    package func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count > 0 else { return true }
        return withUnsafeBufferPointer { left in
            other.withUnsafeBufferPointer { right in
                guard let left = left.baseAddress, let right = right.baseAddress else {
                    return false
                }
                return memcmp(left, right, count) == 0
            }
        }
    }
}
