import AppStoreModel
import CounterfoilBasics

/// The number of a transaction; decimal digits in documents.
public struct TransactionNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number itself.
    public let rawValue: Int64

    init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// The digits that documents have.
    public var description: String { String(rawValue) }

    /// The one that was given earlier comes first.
    public static func < (earlier: TransactionNumber, later: TransactionNumber) -> Bool {
        earlier.rawValue < later.rawValue
    }
}

/// Where a store's numbers come from: each kind counts upwards and never repeats.
struct NumberSource: Sendable {
    private var random: SeededRandom
    private var lastTransaction: Int64
    private var lastLineItem: Int64
    private var lastDownload: Int64 = 704_000_000_000_000_000

    /// Starts with the leading digits of an environment: sixteen digits that begin with 2000000 in
    /// the sandbox, fifteen in production.
    init(seed: UInt64, environment: StoreEnvironment) {
        random = SeededRandom(seed: seed)
        let isProduction = environment == .production
        lastTransaction = isProduction ? 350_000_000_000_000 : 2_000_000_100_000_000
        lastLineItem = isProduction ? 370_000_000_000_000 : 2_000_000_000_000_000
    }

    mutating func transaction() -> TransactionNumber {
        lastTransaction += Int64.random(in: 1...40, using: &random)
        return TransactionNumber(lastTransaction)
    }

    mutating func lineItem() -> TransactionNumber {
        lastLineItem += Int64.random(in: 1...9, using: &random)
        return TransactionNumber(lastLineItem)
    }

    mutating func download() -> String {
        lastDownload += Int64.random(in: 1...100_000, using: &random)
        return String(lastDownload)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    mutating func uuid() -> String { UUIDText.lowercase(bytes(16)) }
}
