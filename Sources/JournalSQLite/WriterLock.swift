import CounterfoilBasics
import Glibc
import Journal

/// That this process is the one that writes a database.
///
/// SQLite would let two processes write in turns. But a journal has one writer, which commits
/// together what waits, and two would only keep each other out. The lock is on a file beside the
/// database, never on the database itself: closing a file lets go of all locks that a process has
/// on it, SQLite's too. The system lets go of it when the process ends, however it ends; the file
/// stays.
final class WriterLock {
    private let descriptor: Int32

    /// Takes the lock, waiting for another process as long as the patience lasts.
    ///
    /// - Throws: `storage.busy` where another process holds it, `storage.read_only` where no file can
    ///   be written beside the database, `storage.cannot_open` for a database in no file.
    init(_ connection: Connection, _ path: String, patience: Duration) throws(StorageError) {
        guard let file = connection.file else {
            throw StorageError(
                StorageError.cannotOpen,
                "the database \(path) would be kept in no file"
            )
        }
        let name = file + "-writer"
        descriptor = unsafe open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.refusal(name, errno) }
        let step = Duration.milliseconds(20)
        var rest = patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            guard number == EWOULDBLOCK || number == EINTR else { throw Self.refusal(name, number) }
            guard rest > .zero else { throw Self.busy(path, holder: holder) }
            usleep(UInt32(step.milliseconds) * 1_000)
            rest -= step
        }
        write(getpid())
    }

    deinit { _ = Glibc.close(descriptor) }

    // MARK: - Who holds it

    /// Its number is for people alone: in another container it may be another process.
    private func write(_ number: Int32) {
        let text = Array("\(number)\n".utf8)
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = unsafe text.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    private var holder: String {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
        }
        let digits = bytes.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
        return digits.isEmpty ? "" : " (number \(String(decoding: digits, as: UTF8.self)))"
    }

    // MARK: - Errors

    private static func busy(_ path: String, holder: String) -> StorageError {
        StorageError(
            StorageError.busy,
            "another process\(holder) writes the database \(path); one may at a time"
        )
    }

    private static func refusal(_ name: String, _ number: Int32) -> StorageError {
        StorageError(system: number, "the file \(name) cannot be locked")
    }
}
