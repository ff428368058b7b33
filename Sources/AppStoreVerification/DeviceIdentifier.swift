import CounterfoilBasics

/// The device identifier that goes into a receipt's hash: a vendor UUID or a network address.
///
/// Apple, "Validating receipts on the device": `identifierForVendor` on iOS, iPadOS, tvOS, watchOS
/// and for iOS apps on a Mac; the address of the primary network interface on macOS and Catalyst.
public struct DeviceIdentifier: Hashable, Sendable {
    /// The 16 bytes of a UUID or the 6 bytes of a network address.
    public let bytes: [UInt8]

    /// Reads an identifier in any of its spellings; nil when the text is none.
    ///
    /// A UUID has 32 hexadecimal digits, with or without dashes and braces; a network address has
    /// 12, with or without colons, dashes or dots (`0:17:f2:…` may leave out a leading zero), or
    /// stands as base 64 of its 6 bytes.
    public init?(_ text: some StringProtocol) {
        var spelling = String(text)
        if spelling.hasPrefix("{"), spelling.hasSuffix("}") {
            spelling = String(spelling.dropFirst().dropLast())
        }
        guard spelling.utf8.count <= 64 else { return nil }
        guard let bytes = Self.separated(spelling) ?? Self.plain(spelling) ?? Self.base64(spelling)
        else { return nil }
        self.bytes = bytes
    }

    private static func plain(_ text: String) -> [UInt8]? {
        let digits = text.filter { $0 != "-" && $0 != "." }
        guard let bytes = Hexadecimal.decode(digits), bytes.count == 16 || bytes.count == 6 else {
            return nil
        }
        return bytes
    }

    /// Six groups of one or two digits, as `ifconfig` prints them.
    private static func separated(_ text: String) -> [UInt8]? {
        let groups = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "-" }
        guard groups.count == 6, groups.allSatisfy({ (1...2).contains($0.utf8.count) }) else {
            return nil
        }
        return Hexadecimal.decode(groups.map { $0.utf8.count == 1 ? "0\($0)" : "\($0)" }.joined())
    }

    private static func base64(_ text: String) -> [UInt8]? {
        let letters = Array(text.utf8)
        guard letters.count == 8 else { return nil }
        do {
            let bytes = try Base64.decode(letters.span)
            return bytes.count == 6 ? bytes : nil
        } catch {
            return nil
        }
    }
}
