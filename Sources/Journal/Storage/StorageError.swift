package import CounterfoilBasics

/// Why rows could not be read or kept; nothing is changed then.
package struct StorageError: CodedError, Hashable {
    /// One of ``allCodes``.
    package let code: ErrorCode
    /// What was found, and where.
    package let reason: String

    package init(_ code: ErrorCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// Whether the same may succeed later.
    package var isWorthRepeating: Bool { code == Self.busy || code == Self.full }
}

extension StorageError {
    /// The storage could not be opened.
    package static let cannotOpen: ErrorCode = "storage.cannot_open"
    /// What is stored is damaged, or no storage of ours.
    package static let damaged: ErrorCode = "storage.damaged"
    /// A newer version of this program wrote the storage.
    package static let tooNew: ErrorCode = "storage.too_new"
    /// Another process holds the storage.
    package static let busy: ErrorCode = "storage.busy"
    /// There is no room left.
    package static let full: ErrorCode = "storage.full"
    /// A row is larger than the storage takes.
    package static let tooLarge: ErrorCode = "storage.too_large"
    /// The storage may be read and not written.
    package static let readOnly: ErrorCode = "storage.read_only"
    /// The system could not read or write it.
    package static let inputOutput: ErrorCode = "storage.input_output"
    /// The journal there is for documents of another realm.
    package static let otherPurpose: ErrorCode = "storage.other_purpose"
    /// There is a file where a copy should be put.
    package static let targetExists: ErrorCode = "storage.target_exists"
    /// The storage was closed.
    package static let closed: ErrorCode = "storage.closed"

    /// Every code of this layer.
    package static let allCodes: [ErrorCode] = [
        cannotOpen, damaged, tooNew, busy, full, tooLarge, readOnly, inputOutput, otherPurpose,
        targetExists, closed,
    ]
}
