import AppStoreModel
import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import DocumentInspection

/// The options that say who may answer for a document, and which app and instant count.
enum TrustOptions {
    static let bundleIds = Option.list(
        "bundle-id",
        .text("a bundle identifier, such as com.example.app").named("ID"),
        "the app it must be of"
    )
    static let anchors = Option.list(
        "anchor",
        .file,
        "a local App Store's root, PEM or DER"
    )
    static let pinnedCertificates = Option.list(
        "pinned-certificate",
        .file,
        "Xcode's own certificate, PEM or DER"
    )
    static let appAppleId = Option.value(
        "app-apple-id",
        .integer(in: 1...Int(Int64.max)),
        "the app's Apple ID, where documents name it"
    )
    static let secretFiles = Option.list(
        "shared-secret-file",
        .file,
        "vouches for V1; Apple's password"
    )
    static let now = Option.value(
        "at",
        .instant,
        "the present; chains are judged when signed"
    )

    static let all: [any Declared] = [
        bundleIds, appAppleId, anchors, pinnedCertificates, secretFiles, now,
    ]

    /// The instant that counts as the present.
    static func now(_ invocation: Invocation) -> Instant { invocation[now] ?? SystemClock().now }
}

extension Judge {
    /// Who judges as the options say.
    ///
    /// - Throws: `InputError` for a file of a secret that cannot be read, `UsageError` for an empty
    ///   one or one of several lines.
    init(
        _ invocation: Invocation,
        _ files: TrustFiles,
        device: DeviceIdentifier? = nil
    ) throws {
        self.init(
            trust: files.trust,
            secrets: try invocation[TrustOptions.secretFiles].map { try SharedSecret(file: $0) },
            bundleIds: invocation[TrustOptions.bundleIds],
            appAppleId: invocation[TrustOptions.appAppleId].map { Int64($0) },
            device: device
        )
    }
}

extension SharedSecret {
    /// The secret that is a file's only line; its name is the file's.
    init(file: String) throws {
        self.init(id: FileName.shown(file), try SecretFile.secret(in: file))
    }
}

/// A file whose only line is a shared secret.
enum SecretFile {
    /// The most bytes that are read; Apple's secrets have 32 letters.
    private static let limit = 4096

    /// The secret.
    ///
    /// - Throws: `InputError` for a file that cannot be read, `UsageError` for one without a line or
    ///   with several.
    static func secret(in file: String) throws -> String {
        let bytes = try Input.read(file, limit: limit)
        let line = bytes[...].withoutLeadingBlanks.reversed().drop { $0.isBlank }.reversed()
        guard !line.isEmpty, let secret = String(validating: Array(line), as: UTF8.self) else {
            throw UsageError(
                "--shared-secret-file \(FileName.shown(file)): there is no secret in it"
            )
        }
        guard !line.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
            throw UsageError(
                "--shared-secret-file \(FileName.shown(file)): there are several lines in it; "
                    + "expected one secret a file"
            )
        }
        return secret
    }
}

/// The certificates that the options name, and the trust that they amount to.
struct TrustFiles {
    /// The files that hold roots of a local App Store.
    private(set) var anchors: [String] = []
    /// The files that hold only issuers of iOS 6-style receipts, which lead to a root of another.
    private(set) var issuers: [String] = []
    /// The files of certificates of Xcode.
    private(set) var pinned: [String] = []
    /// Apple, and whoever the files add.
    private(set) var trust = Trust.appStore

    private var contents: [String: [UInt8]] = [:]

    /// The most bytes of a file of certificates that are read.
    private static let fileLimit = 1 << 20

    /// Reads the files.
    ///
    /// - Throws: `InputError` for a file that cannot be read, `UsageError` for one that does not
    ///   fit its option.
    init(_ invocation: Invocation) throws {
        for file in invocation[TrustOptions.anchors] {
            try add(file, of: "--anchor") { try $0.addAnchors($1, of: file) }
        }
        for file in invocation[TrustOptions.pinnedCertificates] {
            try add(file, of: "--pinned-certificate") {
                $0.trust = try $0.trust.adding(.xcode(pinnedCertificate: $1))
                $0.pinned.append(file)
            }
        }
    }

    /// The bytes of a file that was named.
    func bytes(of file: String) throws -> [UInt8] {
        try contents[file] ?? Input.read(file, limit: Self.fileLimit)
    }

    private mutating func add(
        _ file: String,
        of option: String,
        _ add: (inout TrustFiles, [UInt8]) throws -> Void
    ) throws {
        let bytes = try Input.read(file, limit: Self.fileLimit)
        contents[file] = bytes
        do {
            try add(&self, bytes)
        } catch let error as VerificationError {
            throw UsageError("\(option) \(file): \(error.reason)")
        }
    }

    private mutating func addAnchors(
        _ certificates: [UInt8],
        of file: String
    ) throws(VerificationError) {
        do {
            trust = try trust.adding(.rehearsal(anchors: certificates))
            anchors.append(file)
        } catch  where error.code == "chain.no_anchor" {
            trust = try trust.addingTransactionReceiptIssuers(certificates)
            issuers.append(file)
        }
    }
}

extension ValueReader where Value == Instant {
    /// An instant: RFC 3339, or a date alone for its midnight in UTC.
    static var instant: ValueReader {
        ValueReader(
            "an instant such as 2024-05-01T12:00:00Z, or a date such as 2024-05-01",
            placeholder: "INSTANT",
            read: { text in
                // Milliseconds have at least twelve digits from 1973 on; fewer are a slip.
                guard text.contains("-") || text.utf8.count >= 12 else { return nil }
                return AppStoreDate.parse(text) ?? AppStoreDate.parse("\(text)T00:00:00Z")
            }
        )
    }
}

extension ValueReader where Value == DeviceIdentifier {
    /// A vendor identifier or a network address.
    static var device: ValueReader {
        ValueReader(
            "a UUID (identifierForVendor), or the network address of a Mac",
            placeholder: "ID",
            read: { DeviceIdentifier($0) }
        )
    }
}
