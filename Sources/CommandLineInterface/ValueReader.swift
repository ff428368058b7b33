/// How the text of an option or argument becomes a value.
package struct ValueReader<Value: Sendable>: Sendable {
    /// What a right value is, to complete "expected …": `a whole number from 1 to 65535`.
    package let expectation: String

    /// What stands for the value in help texts: `FILE`, or the words themselves: `text|json`.
    package let placeholder: String

    /// What a shell may offer in its place.
    package let completion: CompletionSource

    /// The value that a text stands for; nil when it is none.
    package let read: @Sendable (String) -> Value?

    /// Makes a reader; `read` must be pure.
    package init(
        _ expectation: String,
        placeholder: String,
        completion: CompletionSource = .nothing,
        read: @escaping @Sendable (String) -> Value?
    ) {
        self.expectation = expectation
        self.placeholder = placeholder
        self.completion = completion
        self.read = read
    }

    /// The same reader with another placeholder.
    package func named(_ placeholder: String) -> ValueReader {
        ValueReader(expectation, placeholder: placeholder, completion: completion, read: read)
    }
}

/// What a shell may offer in place of a value.
package enum CompletionSource: Sendable, Hashable {
    /// Only the user knows.
    case nothing
    /// The names of files.
    case files
    /// The names of folders.
    case directories
    /// One of a few words.
    case words([String])
}

extension ValueReader where Value == String {
    /// Any text that is not empty.
    package static var text: ValueReader { text("a text that is not empty") }

    /// A text that is not empty, with words for what it should be.
    package static func text(_ expectation: String) -> ValueReader {
        ValueReader(expectation, placeholder: "TEXT") { $0.isEmpty ? nil : $0 }
    }

    /// The name of a file, or `-` for standard input; whether it exists is seen when it is read.
    package static var file: ValueReader {
        ValueReader(
            "the name of a file, or - for standard input",
            placeholder: "FILE",
            completion: .files,
            read: { $0.isEmpty ? nil : $0 }
        )
    }

    /// The name of a folder.
    package static var directory: ValueReader {
        ValueReader(
            "the name of a folder",
            placeholder: "FOLDER",
            completion: .directories,
            read: { $0.isEmpty ? nil : $0 }
        )
    }

    /// One of a few words.
    package static func word(of words: [String]) -> ValueReader {
        ValueReader(words: words) { words.contains($0) ? $0 : nil }
    }
}

extension ValueReader where Value == Int {
    /// A whole number in a range, in decimal digits.
    package static func integer(in range: ClosedRange<Int>) -> ValueReader {
        ValueReader(
            "a whole number from \(range.lowerBound) to \(range.upperBound)",
            placeholder: "NUMBER",
            read: { text in
                // Int(_:) also takes a leading plus sign, which no one writes on purpose.
                guard !text.hasPrefix("+"), let number = Int(text) else { return nil }
                return range.contains(number) ? number : nil
            }
        )
    }
}

extension ValueReader
where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of the cases of an enumeration, by its raw value.
    package static func choice(of type: Value.Type) -> ValueReader {
        ValueReader(words: type.allCases.map(\.rawValue)) { type.init(rawValue: $0) }
    }
}

extension ValueReader {
    private init(words: [String], read: @escaping @Sendable (String) -> Value?) {
        self.init(
            "one of \(words.joined(separator: ", "))",
            placeholder: words.joined(separator: "|"),
            completion: .words(words),
            read: read
        )
    }
}
