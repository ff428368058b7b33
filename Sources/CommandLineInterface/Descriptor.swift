#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An open file descriptor, with the system's two calls made whole.
struct Descriptor: Sendable {
    let number: Int32

    /// Writes all bytes; returns 0 or the system's error number.
    func writeAll(_ bytes: [UInt8]) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
                let count = write(number, rest.baseAddress, rest.count)
                if count >= 0 {
                    offset += count
                } else if errno == EAGAIN {
                    // Another program that shares the terminal can have made it non-blocking.
                    var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                    poll(&waiting, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }

    /// What one read gives: at most `count` bytes, none at the end.
    func readSome(atMost count: Int) -> Result<[UInt8], SystemError> {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var got = read(number, buffer.baseAddress, buffer.count)
            while got < 0, errno == EINTR { got = read(number, buffer.baseAddress, buffer.count) }
            failure = got < 0 ? errno : 0
            initialized = max(got, 0)
        }
        return failure == 0 ? .success(bytes) : .failure(SystemError(number: failure))
    }

    /// Whether a read would give something at once: bytes, the end or a failure.
    ///
    /// Waits for so many milliseconds at most, and less when a signal arrives.
    func isReadable(within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) > 0
    }
}

/// Which regular file stands behind a descriptor, whatever its names are.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Finds out; nil for what is no regular file.
    init?(of descriptor: Descriptor) {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        self.init(status)
    }

    /// Finds out for a file by its name, or for standard input when the name is `-`; nil for what
    /// is no regular file, or is not there.
    package init?(ofFile name: String) {
        guard name != Input.standardInput else {
            self.init(of: Descriptor(number: STDIN_FILENO))
            return
        }
        var status = stat()
        guard stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}

/// One of the system's error numbers, with words for those that a user of files and streams meets.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The value of `errno`.
    package let number: Int32

    package var description: String {
        switch number {
        case ENOENT: "there is no such file"
        case EACCES, EPERM: "permission denied"
        case EISDIR: "it is a folder"
        case ENOTDIR: "a part of its path is not a folder"
        case ELOOP: "its links lead in a circle"
        case ENAMETOOLONG: "its name is too long"
        case EMFILE, ENFILE: "too many files are open"
        case ENOSPC, EDQUOT: "the disk is full"
        case EFBIG: "the file would become too large"
        case EIO: "the device failed"
        case EBADF: "it is closed"
        default: "the system's error \(number)"
        }
    }
}
