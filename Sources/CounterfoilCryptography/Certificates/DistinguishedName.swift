package import CounterfoilASN1
import CounterfoilBasics

/// The name of a subject or an issuer (RFC 5280 §4.1.2.4).
///
/// Two names are equal when their encodings are.
package struct DistinguishedName: Sendable {
    /// The whole encoding.
    package let der: [UInt8]

    /// The name's parts from the outermost (a country, as a rule) to the innermost, in the order of
    /// the encoding; a part has more than one attribute in rare names only.
    package let parts: [[Attribute]]

    /// One attribute of a name: `CN=Apple Root CA`.
    package struct Attribute: Hashable, Sendable {
        /// What it says.
        package let type: ASN1ObjectIdentifier

        /// The text; nil when the value is none, or not in the encoding that it claims.
        package let text: String?

        /// The encoding of the value.
        let value: [UInt8]
    }

    /// Reads a name in DER.
    init(_ der: [UInt8]) throws(ASN1Error) {
        self.der = der
        let bytes = der.span
        var document = try ASN1Reader(bytes, rules: .der)
        var sequence = try document.nextContents(of: .sequence, in: bytes)
        try document.requireEnd()
        var parts: [[Attribute]] = []
        while !sequence.isAtEnd {
            var set = try sequence.nextContents(of: .set, in: bytes)
            var attributes: [Attribute] = []
            repeat {
                var attribute = try set.nextContents(of: .sequence, in: bytes)
                let type = try attribute.nextObjectIdentifier(in: bytes)
                guard let value = try attribute.next(in: bytes) else {
                    throw ASN1Error(
                        ASN1Error.missingElement,
                        at: attribute.position,
                        "found the end, expected the value of a name's attribute"
                    )
                }
                try attribute.requireEnd()
                attributes.append(
                    Attribute(
                        type: type,
                        text: NameText.text(of: value, in: bytes),
                        value: bytes.copy(value.encoding)
                    )
                )
            } while !set.isAtEnd
            parts.append(attributes)
        }
        self.parts = parts
    }
}

extension DistinguishedName {
    /// The innermost common name, if there is one.
    package var commonName: String? {
        parts.joined().last { $0.type == .commonName }?.text
    }

    /// The name in the form of RFC 4514, whose order is the reverse of the encoding's.
    ///
    /// Text stands also behind types without a short name, where RFC 4514 §2.4 has only digits.
    package var rfc4514: String {
        parts.reversed()
            .map { $0.map(\.description).joined(separator: "+") }
            .joined(separator: ",")
    }

    /// A few words that tell people who it is: the common name in quotation marks, or else the
    /// whole name, cut off after 80 characters and without control characters.
    package var label: String {
        let text = commonName.map(NameText.printable) ?? description
        return "“\(text.count > 80 ? text.prefix(79) + "…" : text[...])”"
    }
}

extension DistinguishedName: Hashable {
    package static func == (left: DistinguishedName, right: DistinguishedName) -> Bool {
        left.der == right.der
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

extension DistinguishedName: CustomStringConvertible {
    /// The attributes, common names first and the others in the order of the encoding.
    package var description: String {
        let attributes = parts.joined()
        let names = attributes.filter { $0.type == .commonName }
        let others = attributes.filter { $0.type != .commonName }
        return (names + others).map(\.description).joined(separator: ", ")
    }
}

extension DistinguishedName.Attribute: CustomStringConvertible {
    /// The attribute in the form of RFC 4514 §2.3.
    package var description: String {
        let name = NameText.names[type] ?? type.description
        let value = text.map(NameText.escaped) ?? "#" + Hexadecimal.encode(value)
        return "\(name)=\(value)"
    }
}

extension ASN1ObjectIdentifier {
    /// The commonName attribute of names (RFC 4519 §2.3).
    package static let commonName: Self = "2.5.4.3"
}
