/// The value of an OBJECT IDENTIFIER, kept in the form of its content bytes (X.690 §8.19).
///
/// Where only a comparison is needed, ``ASN1Element/isObjectIdentifier(_:in:)`` makes it without
/// a copy.
package struct ASN1ObjectIdentifier: Hashable, Sendable {
    /// The longest that is read, in content bytes; known ones stay below 30.
    package static let maximumLength = 128

    /// The content bytes of the encoding.
    package let contentBytes: [UInt8]

    /// Makes an identifier from the content bytes of an encoding; nil when they are empty, too
    /// long, padded or cut off.
    package init?(contentBytes: Span<UInt8>) {
        guard Self.isValid(contentBytes) else { return nil }
        self.contentBytes = contentBytes.copy(0..<contentBytes.count)
    }

    /// Makes an identifier from dotted decimal text such as `1.2.840.113549.1.7.2`; nil when it
    /// is none.
    package init?(_ dotted: some StringProtocol) {
        let texts = dotted.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        var arcs: [[UInt8]] = []
        for text in texts {
            guard let arc = Self.base128(decimal: text) else { return nil }
            arcs.append(arc)
        }
        guard arcs.count >= 2, arcs[0].count == 1, arcs[0][0] <= 2 else { return nil }
        let root = arcs[0][0]
        guard root == 2 || (arcs[1].count == 1 && arcs[1][0] < 40) else { return nil }
        arcs[1] = Self.sum(arcs[1], 40 * root)
        var bytes: [UInt8] = []
        for arc in arcs.dropFirst() {
            bytes += arc.dropLast().map { $0 | 0x80 }
            bytes.append(arc[arc.count - 1])
        }
        guard bytes.count <= Self.maximumLength else { return nil }
        contentBytes = bytes
    }

    static func isValid(_ content: Span<UInt8>) -> Bool {
        guard (1...maximumLength).contains(content.count) else { return false }
        var beginsArc = true
        for index in content.indices {
            if beginsArc, content[index] == 0x80 { return false }
            beginsArc = content[index] & 0x80 == 0
        }
        return beginsArc
    }
}

extension ASN1ObjectIdentifier: ExpressibleByStringLiteral {
    /// Makes an identifier from a literal in dotted decimal form.
    package init(stringLiteral value: StaticString) {
        guard let identifier = Self(value.description) else {
            preconditionFailure("\(value) is no object identifier")
        }
        self = identifier
    }
}

extension ASN1ObjectIdentifier: CustomStringConvertible {
    /// The dotted decimal form.
    package var description: String {
        let arcs = contentBytes.split(whereSeparator: { _ in false }).flatMap(Self.arcs)
        guard let first = arcs.first else { return "" }
        // The first two arcs share a number: 40 × root + arc, where only root 2 has arcs over 39.
        let root: UInt8 = first.count == 1 ? min(first[0] / 40, 2) : 2
        let second = Self.difference(first, 40 * root)
        return ([[root], second] + arcs.dropFirst()).map(Self.decimal).joined(separator: ".")
    }

    /// The numbers, each as base 128 digits, that content bytes hold.
    private static func arcs(_ content: ArraySlice<UInt8>) -> [[UInt8]] {
        var arcs: [[UInt8]] = []
        var arc: [UInt8] = []
        for byte in content {
            arc.append(byte & 0x7F)
            guard byte & 0x80 == 0 else { continue }
            arcs.append(arc)
            arc = []
        }
        return arcs
    }
}

// Arcs have no upper bound (those under 2.25 are 128-bit UUIDs), so they are kept as digits, the
// most significant first.
extension ASN1ObjectIdentifier {
    private static func base128(decimal text: some Collection<UInt8>) -> [UInt8]? {
        guard let first = text.first, text.count == 1 || first != 0x30 else { return nil }
        var digits: [UInt8] = [0]
        for character in text {
            guard (0x30...0x39).contains(character), digits.count <= maximumLength else {
                return nil
            }
            digits = scaled(digits, base: 128, by: 10, adding: Int(character - 0x30))
        }
        return digits
    }

    private static func decimal(_ arc: [UInt8]) -> String {
        var digits: [UInt8] = [0]
        for digit in arc { digits = scaled(digits, base: 10, by: 128, adding: Int(digit)) }
        return String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
    }

    private static func sum(_ arc: [UInt8], _ number: UInt8) -> [UInt8] {
        scaled(arc, base: 128, by: 1, adding: Int(number))
    }

    private static func difference(_ arc: [UInt8], _ number: UInt8) -> [UInt8] {
        var digits = arc
        var borrow = Int(number)
        for index in digits.indices.reversed() where borrow > 0 {
            let value = Int(digits[index]) - borrow
            digits[index] = UInt8(truncatingIfNeeded: value & 0x7F)
            borrow = value < 0 ? 1 : 0
        }
        return digits
    }

    /// The digits of `digits` × `factor` + `addend`.
    private static func scaled(
        _ digits: [UInt8],
        base: Int,
        by factor: Int,
        adding addend: Int
    ) -> [UInt8] {
        var result: [UInt8] = []
        var carry = addend
        for digit in digits.reversed() {
            carry += Int(digit) * factor
            result.append(UInt8(truncatingIfNeeded: carry % base))
            carry /= base
        }
        while carry > 0 {
            result.append(UInt8(truncatingIfNeeded: carry % base))
            carry /= base
        }
        return result.reversed()
    }
}
