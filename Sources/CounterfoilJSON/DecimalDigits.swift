/// An integer in decimal, two digits a step, without a String.
struct DecimalDigits {
    /// The length of `-9223372036854775808`.
    static let longest = 20

    private var digits = InlineArray<20, UInt8>(repeating: 0)
    private var start = 20

    init(_ integer: Int64) {
        var rest = integer.magnitude
        while rest >= 100 {
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            put(UInt8(pair % 10))
            put(UInt8(pair / 10))
            rest = quotient
        }
        put(UInt8(rest % 10))
        if rest >= 10 { put(UInt8(rest / 10)) }
        if integer < 0 {
            start -= 1
            digits[start] = UInt8(ascii: "-")
        }
    }

    private mutating func put(_ digit: UInt8) {
        start -= 1
        digits[start] = UInt8(ascii: "0") + digit
    }

    func append(to output: inout OutputSpan<UInt8>) {
        for position in start..<Self.longest { output.append(digits[position]) }
    }
}
