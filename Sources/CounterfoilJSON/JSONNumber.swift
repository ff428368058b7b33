/// A JSON number (RFC 8259 §6) as it was written, so that nothing is lost beyond 2^53 or 10^308.
///
/// Two numbers are equal when their texts are: `1`, `1.0` and `1e0` are three. To compare what
/// they amount to, compare ``int64`` or ``double``.
public struct JSONNumber: Hashable, Sendable {
    /// The number as written.
    public let text: String

    /// Takes a text that the reader has found to be a number.
    init(foundWellFormed text: String) { self.text = text }

    /// Makes a number from its text; nil when the text is no JSON number.
    public init?(text: String) {
        guard JSONNumberSyntax.isNumber(text.utf8Span.span) else { return nil }
        self.text = text
    }

    /// Makes a number from an integer of any width.
    public init(_ integer: some BinaryInteger) { text = String(integer) }

    /// Makes a number with the shortest text that reads back as this double; nil for infinities
    /// and NaN, which JSON does not have.
    public init?(_ double: Double) {
        guard double.isFinite else { return nil }
        text = double.description
    }

    /// The number as an integer, when it is one and fits: `1`, `1.0` and `1e0` are, `1.5` and
    /// `9223372036854775808` are not.
    public var int64: Int64? {
        guard case .integer(let magnitude) = size else { return nil }
        return isNegative
            ? Int64(exactly: -Int128(magnitude)) : Int64(exactly: magnitude)
    }

    /// The number as an unsigned integer, when it is one and fits.
    public var uint64: UInt64? {
        guard case .integer(let magnitude) = size, !isNegative || magnitude == 0 else {
            return nil
        }
        return magnitude
    }

    /// The double nearest to the number; nil when it is too large for one, as `1e400` is.
    public var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// Whether the number has no fraction, however large it is: `1e400` has none.
    public var isInteger: Bool { size != .fraction }

    private var isNegative: Bool { text.utf8.first == UInt8(ascii: "-") }
}

extension JSONNumber {
    /// What a number amounts to, apart from its sign.
    private enum Size: Equatable {
        case integer(UInt64)
        case integerBeyond64Bits
        case fraction
    }

    private var size: Size {
        var sum = DigitSum()
        var exponent = 0
        var isExponentNegative = false
        var isInExponent = false
        var isInFraction = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "."): isInFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): isInExponent = true
            case UInt8(ascii: "-"): isExponentNegative = isInExponent
            case UInt8(ascii: "+"): break
            default:
                let digit = byte - UInt8(ascii: "0")
                if isInExponent {
                    // Far beyond any text's number of digits, so more of it changes nothing.
                    exponent = min(exponent * 10 + Int(digit), 1_000_000_000_000)
                } else {
                    sum.take(digit, isFraction: isInFraction)
                }
            }
        }
        return sum.size(exponent: isExponentNegative ? -exponent : exponent)
    }

    /// The digits of a number taken in from the left, their trailing zeros held back, because they
    /// may belong to a fraction that an exponent shifts away: `1200e-2` is 12.
    private struct DigitSum {
        private var magnitude: UInt64? = 0
        private var heldZeros = 0
        private var fractionDigits = 0

        mutating func take(_ digit: UInt8, isFraction: Bool) {
            if isFraction { fractionDigits += 1 }
            if digit == 0 {
                if magnitude != 0 { heldZeros += 1 }
            } else {
                magnitude = Self.scaled(magnitude, by: heldZeros + 1).flatMap {
                    let (sum, overflow) = $0.addingReportingOverflow(UInt64(digit))
                    return overflow ? nil : sum
                }
                heldZeros = 0
            }
        }

        func size(exponent: Int) -> Size {
            if magnitude == 0 { return .integer(0) }
            let scale = exponent - fractionDigits + heldZeros
            guard scale >= 0 else { return .fraction }
            guard let whole = Self.scaled(magnitude, by: scale) else { return .integerBeyond64Bits }
            return .integer(whole)
        }

        private static func scaled(_ magnitude: UInt64?, by powerOfTen: Int) -> UInt64? {
            guard var magnitude, powerOfTen < 20 else { return nil }
            for _ in 0..<powerOfTen {
                let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
                guard !overflow else { return nil }
                magnitude = product
            }
            return magnitude
        }
    }
}

extension JSONNumber: CustomStringConvertible {
    /// The number as written.
    public var description: String { text }
}

extension JSONNumber: ExpressibleByIntegerLiteral {
    /// Makes a number from a literal.
    public init(integerLiteral value: Int64) { self.init(value) }
}

/// The grammar of RFC 8259 §6: `[ minus ] int [ frac ] [ exp ]`.
enum JSONNumberSyntax {
    /// Whether the text as a whole is a number.
    static func isNumber(_ text: Span<UInt8>) -> Bool {
        var offset = 0
        if offset < text.count, text[offset] == UInt8(ascii: "-") { offset += 1 }
        let integer = digits(in: text, at: offset)
        // A zero stands alone before the point: 01 is no number.
        guard integer > 0, integer == 1 || text[offset] != UInt8(ascii: "0") else { return false }
        offset += integer
        if offset < text.count, text[offset] == UInt8(ascii: ".") {
            let fraction = digits(in: text, at: offset + 1)
            guard fraction > 0 else { return false }
            offset += 1 + fraction
        }
        if offset < text.count, text[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < text.count,
                text[offset] == UInt8(ascii: "+") || text[offset] == UInt8(ascii: "-")
            {
                offset += 1
            }
            let exponent = digits(in: text, at: offset)
            guard exponent > 0 else { return false }
            offset += exponent
        }
        return offset == text.count
    }

    private static func digits(in text: Span<UInt8>, at start: Int) -> Int {
        var offset = start
        while offset < text.count, text[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
        return offset - start
    }
}
