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
    static let now = Option.value(
        "at",
        .instant,
        "the present; chains are judged when signed"
    )

    static let all: [any Declared] = [bundleIds, anchors, pinnedCertificates, now]

    /// The most bytes of a file of certificates that are read.
    private static let certificateFileLimit = 1 << 20

    /// The judge that the options ask for: Apple's roots and whatever was added to them.
    static func judge(
        _ invocation: Invocation,
        device: DeviceIdentifier? = nil
    ) throws -> Judge {
        var trust = Trust.appStore
        for file in invocation[anchors] {
            trust = try adding("--anchor", file) { try trust.adding(rehearsal: $0) }
        }
        for file in invocation[pinnedCertificates] {
            trust = try adding("--pinned-certificate", file) {
                try trust.adding(.xcode(pinnedCertificate: $0))
            }
        }
        return Judge(
            verifier: ReceiptVerifier(trust: trust),
            bundleIds: invocation[bundleIds],
            device: device
        )
    }

    /// The instant that counts as the present.
    static func now(_ invocation: Invocation) -> Instant { invocation[now] ?? SystemClock().now }

    private static func adding(
        _ option: String,
        _ file: String,
        _ add: ([UInt8]) throws -> Trust
    ) throws -> Trust {
        let bytes = try Input.read(file, limit: certificateFileLimit)
        do {
            return try add(bytes)
        } catch let error as VerificationError {
            throw UsageError("\(option) \(file): \(error.reason)")
        }
    }
}

extension Trust {
    /// Adds the roots of a local App Store; a file without any holds issuers of iOS 6-style
    /// receipts, which must lead to a root of another file.
    fileprivate func adding(rehearsal certificates: [UInt8]) throws(VerificationError) -> Trust {
        do {
            return try adding(.rehearsal(anchors: certificates))
        } catch  where error.code == "chain.no_anchor" {
            return try addingTransactionReceiptIssuers(certificates)
        }
    }
}

extension ValueReader where Value == Instant {
    /// An instant: RFC 3339, or a date alone for its midnight in UTC.
    static var instant: ValueReader {
        ValueReader(
            "an instant such as 2024-05-01T12:00:00Z, or a date such as 2024-05-01",
            placeholder: "INSTANT",
            read: { AppStoreDate.parse($0) ?? AppStoreDate.parse("\($0)T00:00:00Z") }
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
