#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Names of files as texts that lose no byte.
///
/// To the system a name is any bytes but NUL; a `String` holds UTF-8 alone. So each byte of a name
/// that is no part of UTF-8 is kept as one scalar of a private range of Unicode (as PEP 383 does
/// with surrogates, which a Swift text cannot hold), and becomes the byte again when the file is
/// opened. A genuine scalar of that range is kept byte by byte too, so no two names share a text.
package enum FileName {
    /// Stands for the bytes 0x80...0xFF.
    private static let strayBytes: ClosedRange<UInt32> = 0x10_FE80...0x10_FEFF

    /// The text that keeps a name's bytes.
    package static func text(of bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        if let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains(where: { strayBytes.contains($0.value) })
        {
            return text
        }
        var text = String.UnicodeScalarView()
        var parser = UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var position = 0
        while true {
            let count: Int
            switch parser.parseScalar(from: &rest) {
            case .emptyInput: return String(text)
            case .error(let length): count = length
            case .valid(let encoded):
                count = encoded.count
                let scalar = UTF8.decode(encoded)
                guard strayBytes.contains(scalar.value) else {
                    text.append(scalar)
                    position += count
                    continue
                }
            }
            for byte in bytes[position..<position + count] {
                text.append(Unicode.Scalar(strayBytes.lowerBound - 0x80 + UInt32(byte)) ?? "?")
            }
            position += count
        }
    }

    /// The text that keeps the bytes of a name of the system's.
    static func text(ofCString name: UnsafePointer<CChar>) -> String {
        text(of: bytes(ofCString: name))
    }

    /// The bytes before the NUL.
    static func bytes(ofCString name: UnsafePointer<CChar>) -> [UInt8] {
        UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) }
    }

    /// The bytes of the name that a text keeps.
    package static func bytes(of text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if let byte = strayByte(scalar) {
                bytes.append(byte)
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return bytes
    }

    /// The text as a person reads it, such as `caf\xe9.b64`.
    package static func shown(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { strayByte($0) != nil }) else { return text }
        return text.unicodeScalars.reduce(into: "") { shown, scalar in
            if let byte = strayByte(scalar) {
                shown += escape(byte)
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
    }

    /// The byte that a scalar stands for; nil for a scalar that stands for itself.
    static func strayByte(_ scalar: Unicode.Scalar) -> UInt8? {
        strayBytes.contains(scalar.value)
            ? UInt8(scalar.value - strayBytes.lowerBound + 0x80) : nil
    }

    /// A byte in hexadecimal digits, as in C.
    static func escape(_ byte: UInt8) -> String { "\\x" + String(byte, radix: 16) }

    /// Shows a name to the system.
    static func withCString<Value>(
        of text: String,
        _ body: (UnsafePointer<CChar>) -> Value
    ) -> Value {
        let characters = bytes(of: text).map { CChar(bitPattern: $0) } + [0]
        return characters.withUnsafeBufferPointer { buffer in
            // Never empty: the end is in it.
            buffer.baseAddress.map(body) ?? "".withCString(body)
        }
    }
}

extension CommandLine {
    /// The words of the command line behind the program's name, as texts that lose no byte.
    package static var words: [String] {
        (1..<max(1, Int(argc))).compactMap { index in
            unsafeArgv[index].map { FileName.text(ofCString: $0) }
        }
    }
}
