/// Breaking of text into lines at blanks.
package enum TextWrapping {
    /// The lines of a text, none wider than `width` unless a single word is.
    package static func lines(_ text: String, width: Int) -> [String] {
        lines(text.split(separator: " ").map(String.init), width: width)
    }

    /// The same for words that must not be broken themselves.
    package static func lines(_ words: [String], width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in words {
            let wide = DisplayWidth.columns(of: word)
            if used > 0, used + 1 + wide > width {
                lines.append(line)
                (line, used) = (word, wide)
            } else {
                line += used > 0 ? " " + word : word
                used += used > 0 ? 1 + wide : wide
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
