import CounterfoilBasics
import Glibc
import Journal

extension StorageError {
    /// The error of a call of the system.
    ///
    /// - Parameters:
    ///   - number: What `errno` is directly after it.
    ///   - reason: What could not be done.
    init(system number: Int32, _ reason: String) {
        self.init(
            Self.code(ofSystem: number) ?? Self.cannotOpen,
            "\(reason): \(Self.words(ofSystem: number))"
        )
    }

    /// What the system's number means for whoever waits; nil for those that say nothing of use.
    static func code(ofSystem number: Int32) -> ErrorCode? {
        switch number {
        case ENOSPC, EDQUOT: full
        case EROFS, EACCES, EPERM: readOnly
        case EIO: inputOutput
        default: nil
        }
    }

    /// The system's words for a number.
    static func words(ofSystem number: Int32) -> String {
        guard let words = unsafe strerror(number) else { return "error \(number)" }
        return unsafe String(cString: words)
    }
}
