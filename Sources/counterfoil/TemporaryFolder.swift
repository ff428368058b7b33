import CommandLineInterface

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A folder for as long as a command runs, readable by its owner alone.
struct TemporaryFolder: ~Copyable {
    /// Where it is.
    let path: String

    private var files: [String] = []

    /// Makes a new folder where the system keeps such things.
    ///
    /// - Throws: `TemporaryFolderError`.
    init(named prefix: String) throws(TemporaryFolderError) {
        let parent = Terminal.variable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(parent)/\(prefix)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw TemporaryFolderError(path: "\(parent)/\(prefix)-…")
        }
        path = template.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
    }

    /// The folder goes, with every file that was written here.
    deinit {
        for file in files { unlink(file) }
        rmdir(path)
    }

    /// Writes a new file, and says where it is.
    ///
    /// - Throws: `TemporaryFolderError`.
    mutating func write(_ name: String, _ text: String) throws(TemporaryFolderError) -> String {
        let file = "\(path)/\(name)"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TemporaryFolderError(path: file) }
        defer { close(descriptor) }
        files.append(file)
        do {
            let output = Output(
                descriptor: descriptor,
                terminal: Terminal(isInteractive: false, showsStyles: false)
            )
            try output.write(bytes: Array(text.utf8))
        } catch {
            throw TemporaryFolderError(path: file)
        }
        return file
    }
}

/// A temporary folder or a file in it that could not be made.
struct TemporaryFolderError: Error, Hashable, CustomStringConvertible {
    let path: String

    var description: String { "\(path) cannot be written" }
}
