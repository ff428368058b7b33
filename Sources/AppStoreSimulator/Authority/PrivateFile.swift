import CounterfoilBasics
import CounterfoilCryptography

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Files and folders that only their owner may read, replaced whole or not at all.
enum PrivateFile {
    /// The largest file that is read: some hundred certificates.
    private static let largest = 1 << 20

    /// The text of a file; nil when there is none.
    ///
    /// - Throws: `issue.folder_inaccessible`, also for a file of more than 1 MiB, and for what is
    ///   no file but a pipe or the like, at which reading would wait.
    static func text(at path: String) throws(SimulatorError) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("read", path)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SimulatorError(
                SimulatorError.folderInaccessible,
                "could not read \(path): it is no regular file"
            )
        }
        var bytes = [UInt8](repeating: 0, count: largest + 1)
        var count = 0
        while count < bytes.count {
            let added = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            guard added >= 0 else { throw failure("read", path) }
            guard added > 0 else { break }
            count += added
        }
        guard count <= largest else {
            throw SimulatorError(
                SimulatorError.folderInaccessible,
                "found more than \(largest) bytes in \(path)"
            )
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Writes a file beside its place and moves it there.
    static func replace(
        _ path: String,
        with text: String,
        mode: mode_t
    ) throws(SimulatorError) {
        let draft = "\(path).\(Hexadecimal.encode(SecureRandom.bytes(8)))"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure("write", path) }
        let isWritten = writeAll(text, to: descriptor) && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(draft, path) == 0 else {
            let error = failure("write", path)
            unlink(draft)
            throw error
        }
    }

    private static func writeAll(_ text: String, to descriptor: Int32) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            bytes.removeFirst(count)
        }
        return true
    }

    /// The names in a folder; none when there is no folder.
    static func entries(of path: String) throws(SimulatorError) -> [String] {
        guard let folder = opendir(path) else {
            if errno == ENOENT { return [] }
            throw failure("read", path)
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { start in
                start.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    static func makeFolder(at path: String) throws(SimulatorError) {
        guard mkdir(path, 0o700) == 0 else { throw failure("make", path) }
    }

    /// Moves a folder to a place that is free or an empty folder; false when it is taken.
    static func moveFolder(_ draft: String, to path: String) throws(SimulatorError) -> Bool {
        if rename(draft, path) == 0 { return true }
        if errno == ENOTEMPTY || errno == EEXIST { return false }
        throw failure("make", path)
    }

    /// Removes a folder and all in it, as far as that can be done.
    static func removeTree(at path: String) {
        for name in (try? entries(of: path)) ?? [] {
            let entry = "\(path)/\(name)"
            if unlink(entry) != 0 { removeTree(at: entry) }
        }
        rmdir(path)
    }

    /// Runs a closure while no other process, or thread, runs one for the same folder.
    static func whileLocked<Result>(
        _ folder: String,
        _ body: () throws(SimulatorError) -> Result
    ) throws(SimulatorError) -> Result {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", folder) }
        // Closing gives the lock back.
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX) == 0 else { throw failure("lock", folder) }
        return try body()
    }

    private static func failure(_ verb: String, _ path: String) -> SimulatorError {
        SimulatorError(
            SimulatorError.folderInaccessible,
            "could not \(verb) \(path): \(String(cString: strerror(errno)))"
        )
    }
}
