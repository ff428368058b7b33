/// The NeXTSTEP character encoding, which octal escapes of property lists are in (The Unicode
/// Consortium, mapping file NEXTSTEP.TXT): ASCII below 0x80.
enum NextstepEncoding {
    /// The character of a code; U+FFFD for the two codes without one.
    static func scalar(for code: UInt8) -> UnicodeScalar {
        guard code >= 0x80 else { return UnicodeScalar(code) }
        return upperHalf[upperHalf.index(upperHalf.startIndex, offsetBy: Int(code) - 0x80)]
    }

    private static let upperHalf: [UnicodeScalar] = Array(
        """
        \u{A0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ®–†‡·¦¶•‚„”»…‰¬¿¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ\
        —±¼½¾àáâãäåçèéêëìÆíªîïðñŁØŒºòóôõöæùúûıüýłøœßþÿ\u{FFFD}\u{FFFD}
        """.unicodeScalars
    )
}
