import AppStoreModel
import CounterfoilBasics

/// What a seed decides for a purchase that nobody described: its ids, alike in every document that
/// tells of it.
struct MadeUp {
    let seed: UInt64
    let environment: StoreEnvironment

    /// The app that documents are of when none is named.
    static let bundleId = "com.example.app"

    private var details: AppReceiptDetails { AppReceiptDetails(seed: seed) }

    /// A transaction's id: sixteen digits in the sandbox, fifteen in production, and counting from
    /// 0 in Xcode, as in receipts of the same seed.
    func transactionId(_ index: Int64 = 0) -> String {
        let number = details.number(100_000_000...899_999_999, for: "ids") + index
        return switch environment {
        case .xcode: String(index)
        case .production: String(260_000_000_000_000 + number)
        default: String(2_000_000_000_000_000 + number)
        }
    }

    /// Identifies a subscription's period: `0` in Xcode.
    var webOrderLineItemId: String {
        if environment == .xcode { return "0" }
        let number = details.number(10_000_000...99_999_999, for: "line items")
        return String(
            (environment == .production ? 260_000_000_000_000 : 2_000_000_000_000_000) + number
        )
    }

    /// Eight digits; hexadecimal ones in Xcode.
    var subscriptionGroupIdentifier: String {
        environment == .xcode
            ? Hexadecimal.encode(details.bytes(4, for: "group")).uppercased()
            : String(details.number(20_000_000...29_999_999, for: "group"))
    }

    /// Identifies the customer's download of the app.
    var appTransactionId: String {
        String(704_000_000_000_000_000 + details.number(0...999_999_999_999, for: "download"))
    }

    /// Identifies the app, in production.
    var appAppleId: Int64 { details.number(1_000_000_000...1_999_999_999, for: "app") }

    /// A random UUID (RFC 9562 §5.4) for one purpose, in lower case.
    func uuid(for purpose: String) -> String {
        UUIDText.lowercase(details.bytes(16, for: purpose))
    }
}
