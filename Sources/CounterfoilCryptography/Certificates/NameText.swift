import CounterfoilASN1
import CounterfoilBasics

/// The text of names' attributes, for people.
enum NameText {
    /// The short names of attribute types: those of RFC 4514 §3, and three that are usual.
    static let names: [ASN1ObjectIdentifier: String] = [
        .commonName: "CN", "2.5.4.5": "serialNumber", "2.5.4.6": "C", "2.5.4.7": "L",
        "2.5.4.8": "ST", "2.5.4.9": "STREET", "2.5.4.10": "O", "2.5.4.11": "OU",
        "2.5.4.97": "organizationIdentifier", "0.9.2342.19200300.100.1.1": "UID",
        "0.9.2342.19200300.100.1.25": "DC", "1.2.840.113549.1.9.1": "emailAddress",
    ]

    /// The text of a value, which may be of any string type (RFC 5280 §4.1.2.4); nil when it is
    /// of another type or invalid.
    static func text(of value: ASN1Element, in bytes: Span<UInt8>) -> String? {
        guard !value.isConstructed else { return nil }
        let content = bytes.extracting(value.content)
        switch value.tag {
        case .teletexString:
            // Latin-1 in practice, whatever T.61 says.
            return String(validating: units(of: content, width: 1), as: UTF32.self)
        case .bmpString:
            guard content.count % 2 == 0 else { return nil }
            let units = units(of: content, width: 2).map(UInt16.init(truncatingIfNeeded:))
            return String(validating: units, as: UTF16.self)
        case .universalString:
            guard content.count % 4 == 0 else { return nil }
            return String(validating: units(of: content, width: 4), as: UTF32.self)
        default:
            do { return try value.text(in: bytes) } catch { return nil }
        }
    }

    private static func units(of content: Span<UInt8>, width: Int) -> [UInt32] {
        stride(from: 0, to: content.count, by: width).map { start in
            (start..<start + width).reduce(0) { $0 << 8 | UInt32(content[$1]) }
        }
    }

    /// Text with what has a meaning in a name's text form escaped (RFC 4514 §2.4).
    static func escaped(_ text: String) -> String {
        var result = ""
        for (offset, character) in text.unicodeScalars.enumerated() {
            switch character {
            case "\"", "+", ",", ";", "<", ">", "\\":
                result += "\\\(character)"
            case "#" where offset == 0, " " where offset == 0:
                result += "\\\(character)"
            default:
                result += printable(character)
            }
        }
        guard result.count > 1, result.hasSuffix(" ") else { return result }
        return result.dropLast() + "\\ "
    }

    /// Text whose invisible characters are written as the hexadecimal digits of their UTF-8 form,
    /// so that a name cannot break a line of a log or turn its direction.
    static func printable(_ text: String) -> String {
        text.unicodeScalars.map(printable).joined()
    }

    private static func printable(_ character: Unicode.Scalar) -> String {
        switch character.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
            String(character).utf8.map { "\\" + Hexadecimal.encode(CollectionOfOne($0)) }.joined()
        default:
            String(character)
        }
    }
}
