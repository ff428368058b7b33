extension JSONNumber {
    /// The greatest integer of 64 bits that is not above the number; nil when none is.
    ///
    /// It is found from the digits, so no fraction is too small to count: `1999999999999.9999999` is
    /// 1999999999999, and `-0.5` is -1.
    public var roundedDown: Int64? {
        if let short = shortInteger { return short }
        guard !isInteger else { return int64 }
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        guard let magnitude = wholePart else { return nil }
        // A fraction is dropped, which rounds a negative number up.
        guard isNegative else { return Int64(exactly: magnitude) }
        return Int64(exactly: -Int128(magnitude) - 1)
    }

    /// The number when it is written as at most 18 digits and nothing else.
    private var shortInteger: Int64? {
        guard text.utf8.count <= 18 else { return nil }
        var sum: Int64 = 0
        for byte in text.utf8 {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            sum = sum &* 10 &+ Int64(digit)
        }
        return sum
    }

    /// The digits before the point, after the exponent has moved it; nil when they exceed 64 bits.
    private var wholePart: UInt64? {
        let mark = text.utf8.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? text.utf8.endIndex
        let mantissa = text.utf8[..<mark].drop { $0 == UInt8(ascii: "-") }
        let exponentText = mark < text.utf8.endIndex ? text[mark...].dropFirst() : "0"
        let isExponentNegative = exponentText.hasPrefix("-")
        // An exponent beyond an Int's leaves either nothing before the point or far too much.
        let exponent = Int(exponentText) ?? (isExponentNegative ? -1_000_000_000 : 1_000_000_000)
        let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
        let (kept, overflow) = mantissa.distance(from: mantissa.startIndex, to: point)
            .addingReportingOverflow(exponent)
        guard !overflow else { return isExponentNegative ? 0 : nil }
        guard kept > 0 else { return 0 }
        return Self.magnitude(of: mantissa.filter { $0 != UInt8(ascii: ".") }, first: kept)
    }

    /// The first so many of some digits as a number, filled up with zeros; nil beyond 64 bits.
    private static func magnitude(of digits: [UInt8], first count: Int) -> UInt64? {
        var sum: UInt64 = 0
        for position in 0..<count {
            // Zeros at the end of nothing stay nothing, however many there are.
            guard sum != 0 || position < digits.count else { return 0 }
            let digit = position < digits.count ? UInt64(digits[position] - UInt8(ascii: "0")) : 0
            let (product, overflow) = sum.multipliedReportingOverflow(by: 10)
            let (total, carried) = product.addingReportingOverflow(digit)
            guard !overflow, !carried else { return nil }
            sum = total
        }
        return sum
    }
}
