public import CounterfoilBasics
import CounterfoilCryptography

/// Why something could not be issued.
///
/// Nothing here judges a document: these are refusals to make one, or trouble with the folder that
/// keeps an authority.
public struct SimulatorError: CodedError, Hashable, Sendable {
    /// One of ``allCodes``, such as `issue.not_representable`.
    public let code: ErrorCode

    /// What was found, what was expected and where.
    public let reason: String

    init(_ code: ErrorCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension SimulatorError {
    /// A key could not be made, read or used.
    public static let keyUnusable: ErrorCode = "issue.key_unusable"
    /// A value has no place in the format: a year beyond 9999, a line item id that is no number.
    public static let notRepresentable: ErrorCode = "issue.not_representable"
    /// The document has not what a flaw would spoil.
    public static let flawNotApplicable: ErrorCode = "issue.flaw_not_applicable"
    /// Bytes are no certificate that a profile can be taken from.
    public static let certificateUnreadable: ErrorCode = "issue.certificate_unreadable"
    /// A specification is no JSON object.
    public static let specificationUnreadable: ErrorCode = "issue.specification_unreadable"
    /// A specification has a key that nobody knows.
    public static let unknownKey: ErrorCode = "issue.unknown_key"
    /// A specification has a value that its key cannot have.
    public static let invalidValue: ErrorCode = "issue.invalid_value"
    /// The folder of an authority could not be read or written.
    public static let folderInaccessible: ErrorCode = "issue.folder_inaccessible"
    /// A file in the folder of an authority is not what belongs there.
    public static let folderDamaged: ErrorCode = "issue.folder_damaged"

    /// Every code of this error.
    public static let allCodes: [ErrorCode] = [
        keyUnusable, notRepresentable, flawNotApplicable, certificateUnreadable,
        specificationUnreadable, unknownKey, invalidValue, folderInaccessible, folderDamaged,
    ]
}

extension SimulatorError {
    init(_ error: KeyError) { self.init(Self.keyUnusable, "\(error)") }

    /// The refusal of a flaw that would leave a document as it is, such as another app where the
    /// receipt is of that app already.
    static func withoutEffect(_ flaw: String) -> SimulatorError {
        SimulatorError(
            flawNotApplicable,
            "the flaw \(flaw) would change nothing: the receipt is so already"
        )
    }
}
