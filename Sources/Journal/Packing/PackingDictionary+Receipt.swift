// An app receipt as far as all are alike (Apple, "Receipt Fields"; RFC 5652 §5.1), with zeros where
// they differ.
extension PackingDictionary {
    static let receipt: [UInt8] =
        beginning(digest: sha1) + beginning(digest: sha256) + attributes
        + element(0x30, integer(17), integer(1), octets(element(0x31, purchase)))
        + end(digest: sha1, unit: "Apple Worldwide Developer Relations", serialNumberBytes: 8)
        + end(digest: sha256, unit: "G5", serialNumberBytes: 16)

    private static func beginning(digest: [UInt8]) -> [UInt8] {
        long(0x30) + element(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02])
            + long(0xA0) + long(0x30) + integer(1) + element(0x31, digest) + long(0x30)
            + element(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01])
            + long(0xA0) + long(0x04) + long(0x31)
    }

    private static let attributes: [UInt8] =
        attribute(14, integer(0)) + attribute(20, text("")) + attribute(3, text("1"))
        + attribute(19, text("1.0")) + attribute(25, integer(3)) + attribute(10, ascii("4+"))
        + attribute(11, integer(0, 0, 0)) + attribute(13, integer(0, 0, 0))
        + attribute(1, integer(0, 0, 0, 0)) + attribute(9, integer(0x50, 0x33, 0x30, 0x32))
        + attribute(16, integer(0, 0, 0, 0)) + attribute(15, integer(6, 0, 0, 0, 0, 0, 0, 0))
        + attribute(0, text("ProductionSandbox")) + attribute(0, text("Production"))
        + element(0x30, integer(4), integer(2), octets(zeros(16))) + attribute(5, zeros(20))
        + attribute(8, date) + attribute(12, date) + attribute(18, ascii("2013-08-01T07:00:00Z"))
        + attribute(2, text("com.example.app"))

    private static let purchase: [UInt8] =
        attribute(1708, ascii("")) + attribute(1709, text("")) + attribute(1712, ascii(""))
        + attribute(1714, text("")) + attribute(1715, text("")) + attribute(1716, text(""))
        + attribute(1717, text("")) + attribute(1718, text("")) + attribute(1701, integer(1))
        + attribute(1707, integer(3)) + attribute(1713, integer(0)) + attribute(1719, integer(0))
        + attribute(1722, integer(0)) + attribute(1710, integer(0, 0, 0, 0, 0))
        + attribute(1711, integer(1, 0, 0, 0, 0, 0, 0)) + attribute(1702, text("com.example"))
        + attribute(1703, text("000000000000000")) + attribute(1705, text("000000000000000"))
        + attribute(1704, date) + attribute(1706, date) + attribute(1708, date)

    /// The signer, up to its signature.
    private static func end(
        digest: [UInt8],
        unit: String,
        serialNumberBytes: Int
    ) -> [UInt8] {
        let issuer =
            name(6, element(0x13, Array("US".utf8))) + name(10, text("Apple Inc."))
            + name(11, text(unit))
            + name(3, text("Apple Worldwide Developer Relations Certification Authority"))
        return long(0x31) + long(0x30) + integer(1)
            + element(0x30, element(0x30, issuer), element(0x02, zeros(serialNumberBytes)))
            + digest + rsa + [0x04, 0x82, 0x01, 0x00]
    }

    // MARK: - DER

    private static let null: [UInt8] = [0x05, 0x00]
    private static let sha1 = element(0x30, element(0x06, [0x2B, 0x0E, 0x03, 0x02, 0x1A]), null)
    private static let sha256 = element(
        0x30,
        element(0x06, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]),
        null
    )
    private static let rsa = element(
        0x30,
        element(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]),
        null
    )
    private static let date = ascii("2024-01-01T00:00:00Z")

    private static func attribute(_ type: Int, _ value: [UInt8]) -> [UInt8] {
        let digits = [UInt8(type >> 8), UInt8(type & 0xFF)].drop { $0 == 0 }
        let number = element(0x02, type == 0 ? [0] : Array(digits))
        return element(0x30, number, integer(1), octets(value))
    }

    /// A part of a name: one of the attributes 2.5.4.x.
    private static func name(_ type: UInt8, _ value: [UInt8]) -> [UInt8] {
        element(0x31, element(0x30, element(0x06, [0x55, 0x04, type]), value))
    }

    private static func integer(_ bytes: UInt8...) -> [UInt8] { element(0x02, bytes) }
    private static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }
    private static func text(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }
    private static func ascii(_ text: String) -> [UInt8] { element(0x16, Array(text.utf8)) }
    private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

    /// The beginning of an element of some thousand bytes.
    private static func long(_ tag: UInt8) -> [UInt8] { [tag, 0x82, 0x10, 0x00] }

    private static func element(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
        let content = contents.flatMap(\.self)
        guard content.count > 0x7F else { return [tag, UInt8(content.count)] + content }
        return [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }
}
