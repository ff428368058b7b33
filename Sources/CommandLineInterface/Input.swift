#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Reading of whole files, and of standard input, within a limit.
package enum Input {
    /// The name that stands for standard input.
    package static let standardInput = "-"

    /// How much is asked for at once.
    private static let chunk = 64 * 1024

    /// The bytes of a file, or of standard input when the name is `-`.
    ///
    /// - Parameters:
    ///   - name: the file's path, as ``FileName`` keeps it.
    ///   - limit: the most bytes that are accepted; never many more are held.
    /// - Returns: all bytes.
    /// - Throws: `InputError` when it cannot be read, or holds more than `limit` bytes.
    package static func read(_ name: String, limit: Int) throws(InputError) -> [UInt8] {
        guard name != standardInput else {
            return try read(descriptor: STDIN_FILENO, name: "standard input", limit: limit)
        }
        let descriptor = FileName.withCString(of: name) { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else {
            throw InputError(name: name, .unreadable(SystemError(number: errno)))
        }
        defer { close(descriptor) }
        return try read(descriptor: descriptor, name: name, limit: limit)
    }

    /// The bytes that an open descriptor still gives.
    package static func read(
        descriptor: Int32,
        name: String,
        limit: Int
    ) throws(InputError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            switch Descriptor(number: descriptor).readSome(atMost: chunk) {
            case .failure(let cause): throw InputError(name: name, .unreadable(cause))
            case .success([]): return bytes
            case .success(let part):
                guard part.count <= limit - bytes.count else {
                    throw InputError(name: name, .tooLarge(limit: limit))
                }
                bytes += part
            }
        }
    }
}

/// A file that could not be read.
package struct InputError: Error, Hashable, CustomStringConvertible {
    /// Why not.
    package enum Reason: Error, Hashable, CustomStringConvertible {
        /// The system refused.
        case unreadable(SystemError)
        /// It holds more bytes than are accepted.
        case tooLarge(limit: Int)
        /// It is a pipe, a socket or a device, which nobody named.
        case notAFile

        /// The cause, for a sentence that has named the file.
        package var description: String {
            switch self {
            case .unreadable(let cause): cause.description
            case .tooLarge(let limit): "it holds more than the \(limit) bytes that are accepted"
            case .notAFile: "it is no file"
            }
        }
    }

    /// The name that was asked for.
    package let name: String

    /// Why it could not be read.
    package let reason: Reason

    init(name: String, _ reason: Reason) {
        self.name = name
        self.reason = reason
    }

    package var description: String {
        let name = FileName.shown(name)
        return switch reason {
        case .unreadable(let cause): "\(name) cannot be read: \(cause)"
        case .tooLarge(let limit): "\(name) holds more than the \(limit) bytes that are accepted"
        case .notAFile: "\(name) is not read: it is no file"
        }
    }
}
