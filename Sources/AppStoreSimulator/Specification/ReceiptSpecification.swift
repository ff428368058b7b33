public import AppStoreModel
public import CounterfoilBasics
import CounterfoilJSON

/// An app receipt described in JSON, as the command line takes it.
///
/// Every key may be left out: `{}` is a sandbox receipt of `com.example.app`, made now, with one
/// auto-renewable subscription that is open now. Comments are allowed. Dates are in RFC 3339, or
/// `now`, or a number and a unit (s, m, h, d, w) before or after it: `-3d`.
///
/// | key | meaning | when left out |
/// | --- | --- | --- |
/// | `environment` | `Sandbox`, `Production` or `Xcode` | `Sandbox` |
/// | `receiptType` | instead of it, Apple's word: `ProductionVPP` … | |
/// | `bundleId`, `applicationVersion` | texts | `com.example.app`, `1` |
/// | `creationDate` | when it was signed | `now` |
/// | `originalCreationDate`, `originalPurchaseDate` | dates | as the store would |
/// | `expirationDate`, `preorderDate` | dates | as the store would |
/// | `originalApplicationVersion`, `organizationName`, `ageRating` | texts | as the store would |
/// | `appItemId`, `downloadId`, `versionExternalIdentifier` | numbers | as the store would |
/// | `platform` | `iOS` or `macOS` | `iOS` |
/// | `device` | the device it is bound to: a UUID, or a Mac's network address | zeros |
/// | `zoneMinutes` | the offset from UTC of dates, as Xcode once wrote them | `Z` |
/// | `purchases` | an array of purchases, or a number (see below) | `1` |
/// | `attributes` | raw attributes, in place of all others of their types | |
/// | `omit` | types of attributes to leave out | |
/// | `seed` | decides what is made up and how it is spoiled | `0` |
/// | `signer` | `appStore` or `storeKit` | that of the environment |
/// | `digest` | `SHA-1`, `SHA-256`, `SHA-384` or `SHA-512` | that of the signer's certificate |
/// | `encoding` | `DER` or `BER` | that of the signer |
/// | `chunkSize` | how many bytes a piece of the content has in `BER` | one piece |
/// | `algorithm` | `rsaEncryption`, `digestWithRSAEncryption` | that of the signer |
/// | `certificates` | `chain`, `reversed` or `withoutRoot` | `chain` |
/// | `order` | of attributes: `der`, `ascending`, `listed` or `shuffled` | that of the environment |
/// | `signedAttributes`, `doubleWrapped` | true or false | `false` |
/// | `flaw` | the name of a ``ReceiptFlaw`` | |
///
/// A number of purchases is so many periods of one subscription, the last of which is open now.
/// Each purchase of an array is an object:
///
/// | key | meaning | when left out |
/// | --- | --- | --- |
/// | `type` | see below | `autoRenewable` |
/// | `productId` | a text | the bundle identifier and `.pro.month` |
/// | `quantity` | a number | `1` |
/// | `transactionId`, `originalTransactionId` | ids | made up, as the transaction's |
/// | `purchaseDate` | a date | `-3d` |
/// | `originalPurchaseDate` | a date | the purchase date |
/// | `expiresDate` | a date | 30 days after the purchase of an auto-renewable |
/// | `webOrderLineItemId`, `itemId` | ids | as the store would |
/// | `cancellationDate`, `cancellationReason` | a refund: a date, `0` or `1` | |
/// | `trial`, `introOffer` | true or false | `false` |
/// | `promotionalOfferId` | a text | |
/// | `attributes`, `omit` | as for the receipt | |
///
/// Types are `autoRenewable`, `nonRenewing`, `nonConsumable`, `consumable` and `free`.
/// A raw attribute has a `type`, a `version` (1 when left out), and as its value one of `integer`,
/// `text`, `asciiText` or `octets`, the last in hexadecimal.
public struct ReceiptSpecification: Hashable, Sendable {
    /// What the receipt says.
    public let receipt: AppReceipt
    /// What it says beyond that.
    public let details: AppReceiptDetails
    /// How it is wrapped and signed; the digest is that of the signer's certificate where the
    /// specification gives none.
    public let form: AppReceiptForm
    private let statesDigest: Bool
    /// What is signed: receipt and details, with raw attributes in their place.
    public let payload: ReceiptPayload
    /// What is wrong with it.
    public let flaw: ReceiptFlaw?

    /// Reads a specification.
    ///
    /// - Parameters:
    ///   - json: The text.
    ///   - now: What dates are relative to.
    ///   - seed: Stands in the place of its own seed; nil leaves that.
    ///   - flaw: Stands in the place of its own flaw; nil leaves that.
    /// - Throws: `issue.specification_unreadable`, `issue.unknown_key`, `issue.invalid_value`,
    ///   `issue.not_representable`.
    public init(
        json: [UInt8],
        now: Instant,
        seed: UInt64? = nil,
        flaw: ReceiptFlaw? = nil
    ) throws(SimulatorError) {
        let members = try SpecificationMembers(
            json: json.span,
            keys: Self.keys,
            now: now,
            seed: seed,
            flaw: flaw?.name
        )
        receipt = try AppReceipt(members)
        details = try AppReceiptDetails(members)
        form = try AppReceiptForm(members, receiptType: receipt.receiptType)
        statesDigest = try members.string("digest") != nil
        self.flaw = try members.flaw("flaw")
        var payload = try ReceiptPayload(receipt, details: details)
        try payload.receipt.replaceRawAttributes(members)
        for (index, purchase) in try members.purchases().enumerated() {
            try payload.purchases[index].replaceRawAttributes(purchase)
            let omitted = try purchase.types("omit")
            payload.purchases[index].attributes.removeAll { omitted.contains($0.type) }
        }
        self.payload = payload
    }

    /// The receipt's bytes, of which apps send the base 64 text.
    ///
    /// - Throws: `issue.flaw_not_applicable`, `issue.key_unusable`.
    public func issue(by authority: SigningAuthority) throws(SimulatorError) -> [UInt8] {
        let issuer = AppReceiptIssuer(authority: authority)
        var form = form
        if !statesDigest { form.digest = authority[form.signer].certificate.profile.digest }
        guard let flaw else { return try issuer.sign(payload, form: form) }
        return try issuer.sign(payload, form: form, spoiledBy: flaw, seed: details.seed)
    }

    private static let keys = [
        "environment", "receiptType", "bundleId", "applicationVersion", "creationDate",
        "originalCreationDate", "originalPurchaseDate", "expirationDate", "preorderDate",
        "originalApplicationVersion", "organizationName", "ageRating", "appItemId", "downloadId",
        "versionExternalIdentifier", "platform", "device", "zoneMinutes", "purchases",
        "attributes", "omit", "seed", "signer", "digest", "encoding", "chunkSize", "algorithm",
        "certificates", "order", "signedAttributes", "doubleWrapped", "flaw",
    ]
}

extension AppReceipt {
    fileprivate init(_ members: SpecificationMembers) throws(SimulatorError) {
        self.init(
            receiptType: try members.receiptType(),
            bundleId: try members.string("bundleId") ?? "com.example.app",
            creationDate: try members.date("creationDate") ?? members.now
        )
        applicationVersion = try members.string("applicationVersion")
        originalCreationDate = try members.date("originalCreationDate")
        originalPurchaseDate = try members.date("originalPurchaseDate")
        expirationDate = try members.date("expirationDate")
        preorderDate = try members.date("preorderDate")
        originalApplicationVersion = try members.string("originalApplicationVersion")
        appItemId = try members.integer("appItemId")
        downloadId = try members.integer("downloadId")
        versionExternalIdentifier = try members.integer("versionExternalIdentifier")
        inApp = try SpecifiedPurchases(members, receipt: self).purchases()
    }
}

extension AppReceiptDetails {
    fileprivate init(_ members: SpecificationMembers) throws(SimulatorError) {
        self.init(
            platform: try members.choice("platform", ["iOS": .iOS, "macOS": .macOS]) ?? .iOS,
            seed: try members.natural("seed") ?? 0
        )
        deviceIdentifier = try members.device() ?? deviceIdentifier
        ageRating = try members.string("ageRating") ?? ageRating
        organizationName = try members.string("organizationName")
        zoneMinutes = try members.integer("zoneMinutes").map { Int(clamping: $0) }
        if let zoneMinutes, !(-1439...1439).contains(zoneMinutes) {
            throw members.invalid("zoneMinutes", "less than a day")
        }
        omittedTypes = try members.types("omit")
    }
}

extension AppReceiptForm {
    fileprivate init(
        _ members: SpecificationMembers,
        receiptType: ReceiptType
    ) throws(SimulatorError) {
        let signers: KeyValuePairs = ["appStore": AppReceiptForm.appStore, "storeKit": .xcode]
        self =
            try members.choice("signer", signers) ?? AppReceiptIssuer.usualForm(of: receiptType)
        let digests = SigningDigest.allCases.map(\.rawValue)
        if let digest = try members.string("digest") {
            guard let known = SigningDigest(rawValue: digest) else {
                throw members.invalid("digest", "one of " + digests.joined(separator: ", "))
            }
            self.digest = known
        }
        let chunkSize = try members.natural("chunkSize").map { Int(clamping: $0) }
        if chunkSize == 0 { throw members.invalid("chunkSize", "at least 1") }
        encoding =
            try members.choice("encoding", ["DER": .der, "BER": .indefinite(chunkSize: chunkSize)])
            ?? encoding
        namedAlgorithm =
            try members.choice(
                "algorithm",
                [
                    "rsaEncryption": .rsaEncryption,
                    "digestWithRSAEncryption": .digestWithRSAEncryption,
                ]
            ) ?? namedAlgorithm
        certificates =
            try members.choice(
                "certificates",
                ["chain": .chain, "reversed": .reversed, "withoutRoot": .withoutRoot]
            ) ?? certificates
        let seed = try members.natural("seed") ?? 0
        order = try members.choice(
            "order",
            [
                "der": .der, "ascending": .ascending, "listed": .asListed,
                "shuffled": .shuffled(seed: seed),
            ]
        )
        hasSignedAttributes = try members.bool("signedAttributes") ?? false
        isDoubleWrapped = try members.bool("doubleWrapped") ?? false
    }
}

extension SpecificationMembers {
    fileprivate func receiptType() throws(SimulatorError) -> ReceiptType {
        let types: KeyValuePairs = [
            "Sandbox": ReceiptType.productionSandbox, "Production": .production, "Xcode": .xcode,
        ]
        let ofEnvironment = try choice("environment", types)
        guard let word = try string("receiptType") else {
            return ofEnvironment ?? .productionSandbox
        }
        guard ofEnvironment == nil else {
            throw invalid("receiptType", "left out where the environment is given")
        }
        return ReceiptType(rawValue: word)
    }

    /// The bytes of a UUID or a network address, with or without signs between the digits.
    fileprivate func device() throws(SimulatorError) -> [UInt8]? {
        guard let text = try string("device") else { return nil }
        let digits = text.filter { $0 != "-" && $0 != ":" }
        guard let bytes = Hexadecimal.decode(digits), bytes.count == 16 || bytes.count == 6 else {
            throw invalid("device", "a UUID or a network address in hexadecimal")
        }
        return bytes
    }
}
