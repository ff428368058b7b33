extension ArraySlice<UInt8> {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// A line's bytes without the byte order mark and the blanks that they begin with.
    var withoutLeadingBlanks: ArraySlice<UInt8> {
        (starts(with: Self.byteOrderMark) ? dropFirst(3) : self).drop { $0.isBlank }
    }
}

extension UInt8 {
    /// Whether it is white space of ASCII.
    var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
