import CounterfoilBasics

/// Textual encoding of certificates (RFC 7468).
enum PEM {
    static let certificate = "CERTIFICATE"

    /// The lines of a block, each of at most 64 letters.
    static func text(of der: [UInt8], label: String) -> String {
        var text = "-----BEGIN \(label)-----\n"
        let letters = Array(Base64.encode(der.span).utf8)
        for start in stride(from: 0, to: letters.count, by: 64) {
            text += String(decoding: letters[start..<min(start + 64, letters.count)], as: UTF8.self)
            text += "\n"
        }
        return text + "-----END \(label)-----\n"
    }

    /// The content of every block with a label, in their order; nil when one is not closed or is
    /// no base 64.
    ///
    /// What stands between blocks is passed over.
    static func blocks(in text: String, label: String) -> [[UInt8]]? {
        var blocks: [[UInt8]] = []
        var letters: [UInt8]?
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if line.elementsEqual("-----BEGIN \(label)-----".utf8) {
                guard letters == nil else { return nil }
                letters = []
            } else if line.elementsEqual("-----END \(label)-----".utf8) {
                guard let ended = letters, let block = decoded(ended) else { return nil }
                blocks.append(block)
                letters = nil
            } else {
                letters?.append(contentsOf: line)
            }
        }
        return letters == nil ? blocks : nil
    }

    private static func decoded(_ letters: [UInt8]) -> [UInt8]? {
        do {
            return try Base64.decode(letters.span)
        } catch {
            return nil
        }
    }
}
