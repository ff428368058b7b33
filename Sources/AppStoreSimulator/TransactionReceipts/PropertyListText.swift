import CounterfoilPropertyList

/// Property lists of quoted texts, each on a line, as Apple's old receipts are written.
///
/// A key may stand twice here, which no dictionary allows.
enum PropertyListText {
    /// The text of a dictionary with these entries in their order.
    static func dictionary(_ entries: [(key: String, value: String)]) -> [UInt8] {
        var text = Array("{\n".utf8)
        for entry in entries {
            text += "\t".utf8
            text += PropertyListValue.string(entry.key).encoded()
            text += " = ".utf8
            text += PropertyListValue.string(entry.value).encoded()
            text += ";\n".utf8
        }
        return text + "}".utf8
    }
}
