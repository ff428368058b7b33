public import CounterfoilBasics

/// What an app receipt says beyond the fields of `AppReceipt`: attributes that
/// Apple does not document, and what the undisclosed ones are made from.
public struct AppReceiptDetails: Hashable, Sendable {
    /// The system that the app runs on.
    public enum Platform: Hashable, Sendable {
        /// iPhone, iPad and their kin: attribute 25 is 3, and there is an attribute 20.
        case iOS
        /// The Mac: attribute 25 is 2, attribute 14 is 1, and there is no attribute 20.
        case macOS
    }

    /// The system that the app runs on.
    public var platform: Platform
    /// The device that the receipt is bound to: the 16 bytes of identifierForVendor, or the 6 of a
    /// Mac's network address.
    ///
    /// Receipts that the App Store makes for servers are bound to sixteen zeros.
    public var deviceIdentifier: [UInt8]
    /// 9: four ASCII characters read as a number.
    public var fulfilmentVersion: Int64
    /// 10: the age rating.
    public var ageRating: String
    /// 11: identifies the developer; when nil, 0 in the sandbox and seeded in production.
    public var developerId: Int64?
    /// 13: the client's version as major × 10,000 + minor × 100 + patch.
    public var clientVersion: Int64
    /// 14: identifies the model of the device.
    public var deviceModel: Int64
    /// 22: a second date of the Volume Purchase Program; left out when nil.
    public var secondVPPDate: Instant?
    /// 23: the organization of the Volume Purchase Program; left out when nil.
    public var organizationName: String?
    /// The offset from UTC of dates, as older versions of Xcode write them; nil for `Z`.
    public var zoneMinutes: Int?
    /// Attributes of the receipt to leave out, as older receipts and those made for servers do.
    public var omittedTypes: Set<Int64>
    /// Decides what is not given: opaque bytes, production's identifiers.
    public var seed: UInt64

    /// Makes the details of a receipt of today.
    ///
    /// - Parameters:
    ///   - platform: The system that the app runs on.
    ///   - seed: Decides what is not given.
    public init(platform: Platform = .iOS, seed: UInt64 = 0) {
        self.platform = platform
        self.seed = seed
        deviceIdentifier = [UInt8](repeating: 0, count: platform == .iOS ? 16 : 6)
        fulfilmentVersion = 0x5033_3035  // P305
        ageRating = "4+"
        clientVersion = platform == .iOS ? 180_602 : 30_000
        deviceModel = platform == .iOS ? 229 : 1
        omittedTypes = []
    }

    /// The details of the receipts that the App Store makes for servers, as in notifications V1.
    public static func madeForServer(seed: UInt64 = 0) -> AppReceiptDetails {
        var details = AppReceiptDetails(seed: seed)
        details.ageRating = "none"
        details.omittedTypes = [15]
        return details
    }

    /// A stream of random numbers for one purpose, so that leaving one thing out changes no other.
    func random(for purpose: String) -> SeededRandom {
        SeededRandom(seed: seed ^ Self.mixed(purpose))
    }

    func bytes(_ count: Int, for purpose: String) -> [UInt8] {
        var random = random(for: purpose)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    func number(_ range: ClosedRange<Int64>, for purpose: String) -> Int64 {
        var random = random(for: purpose)
        return Int64.random(in: range, using: &random)
    }

    /// FNV-1a: a number that depends on every byte of a text, the same in every process.
    private static func mixed(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
