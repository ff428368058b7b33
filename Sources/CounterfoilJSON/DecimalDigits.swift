/// An integer in decimal, two digits a step, without a String.
struct DecimalDigits {
    /// The length of `-9223372036854775808`.
    static let longest = 20

    private let magnitude: UInt64
    private let isNegative: Bool

    init(_ integer: Int64) {
        magnitude = integer.magnitude
        isNegative = integer < 0
    }

    /// Appends the digits to a buffer that has room for the ``longest``.
    func append(to output: inout OutputSpan<UInt8>) {
        precondition(output.freeCapacity >= Self.longest, "no room for an integer")
        let length = length
        unsafe output.withUnsafeMutableBufferPointer { buffer, count in
            var rest = magnitude
            var end = count + length
            while rest >= 10 {
                let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
                unsafe buffer[end - 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: pair % 10)
                unsafe buffer[end - 2] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: pair / 10)
                rest = quotient
                end -= 2
            }
            let isFirstLeft = end - count > (isNegative ? 1 : 0)
            if isFirstLeft {
                unsafe buffer[end - 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)
            }
            if isNegative { unsafe buffer[count] = UInt8(ascii: "-") }
            count += length
        }
    }

    private var length: Int {
        var length = isNegative ? 2 : 1
        var rest = magnitude
        while rest >= 10_000 {
            rest /= 10_000
            length += 4
        }
        return length + (rest >= 1000 ? 3 : rest >= 100 ? 2 : rest >= 10 ? 1 : 0)
    }
}
