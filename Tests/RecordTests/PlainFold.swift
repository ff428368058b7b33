import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics

/// What was said of one app's purchases, kept as plainly as the ledger's table of registers reads:
/// everything ever said is kept, and each answer looks through all of it again.
///
/// It takes what the local App Store delivers and shares no code with the ledger, so that the two
/// can judge each other. It is slow.
struct PlainFold {
    /// How long access is kept where the next period should have been told of.
    let leeway: Duration
    /// The products that are used up, which not every document says.
    let consumables: Set<String>
    private(set) var lineages: [String: PlainLineage] = [:]

    init(leeway: Duration, consumables: Set<String>) {
        self.leeway = leeway
        self.consumables = consumables
    }

    /// Hears a document that arrived; `bytes` are what arrived of it.
    mutating func hear(_ document: DeliveredDocument, _ bytes: [UInt8]) throws {
        switch document {
        case .transaction(let transaction): hear(transaction)
        case .notificationV2(let notification):
            if let transaction = notification.nested.transaction { hear(transaction) }
            if let renewalInfo = notification.nested.renewalInfo { hear(renewalInfo) }
        case .appReceipt(let receipt): hear(receipt.receipt)
        case .transactionReceipt(let receipt): hear(receipt)
        case .notificationV1(let notification):
            hear(notification.customer.receipt.receipt)
            // Nobody signs the rest, which is as old as the receipt in it.
            let saidAt = notification.customer.receipt.receipt.creationDate.wholeSecond
            guard case .v1(let body, _) = try NotificationEnvelope(parsing: bytes.span) else {
                return
            }
            hear(body, saidAt: saidAt)
        }
    }

    // MARK: - The columns of the table

    /// JWS transaction.
    private mutating func hear(_ said: JWSTransactionDecodedPayload) {
        guard let signedDate = said.signedDate, let id = said.transactionId else { return }
        var row = PlainRow(id, saidAt: signedDate, .signature)
        row.original = said.originalTransactionId
        row.lineItem = said.webOrderLineItemId
        row.productId = said.productId
        row.type = said.type
        row.purchaseDate = said.purchaseDate
        row.expiresDate = said.expiresDate
        row.revocation = .some(said.revocationDate)
        row.quantity = said.quantity
        hear(row)
    }

    /// App receipt.
    private mutating func hear(_ receipt: AppReceipt) {
        for said in receipt.inApp {
            let saidAt = receipt.creationDate.wholeSecond
            var row = PlainRow(said.transactionId, saidAt: saidAt, .signature)
            row.original = said.originalTransactionId
            row.lineItem = said.webOrderLineItemId
            row.productId = said.productId
            row.type = said.productType.flatMap(InAppPurchaseType.init)
            row.purchaseDate = said.purchaseDate
            row.expiresDate = said.expiresDate
            if let date = said.cancellationDate { row.revocation = .some(date) }
            row.quantity = said.quantity
            hear(row)
        }
    }

    /// iOS 6 receipt.
    private mutating func hear(_ said: TransactionReceipt) {
        var row = PlainRow(said.transactionId, saidAt: said.purchaseDate, .signature)
        row.original = said.originalTransactionId
        row.lineItem = said.webOrderLineItemId
        row.productId = said.productId
        row.purchaseDate = said.purchaseDate
        row.expiresDate = said.expiresDate
        row.quantity = said.purchaseInfo.first { $0.key == "quantity" }.flatMap { Int64($0.value) }
        hear(row)
    }

    /// V1: its elements, its pending renewals, and its flat keys.
    private mutating func hear(_ body: ResponseBodyV1, saidAt: Instant) {
        for said in body.unifiedReceipt?.latestReceiptInfo ?? [] {
            var row = PlainRow(said.transactionId ?? "", saidAt: saidAt, .sharedSecret)
            row.original = said.originalTransactionId
            row.lineItem = said.webOrderLineItemId
            row.productId = said.productId
            row.purchaseDate = said.purchaseDate
            row.expiresDate = said.expiresDate
            if let date = said.cancellationDate { row.revocation = .some(date) }
            row.quantity = said.quantity
            hear(row)
        }
        let pending = body.unifiedReceipt?.pendingRenewalInfo ?? []
        for said in pending {
            hear(
                of: said.originalTransactionId,
                PlainChoice(status: said.autoRenewStatus, next: said.autoRenewProductId),
                PlainFailure(
                    intent: said.expirationIntent,
                    isRetrying: said.isInBillingRetryPeriod,
                    graceEnd: said.gracePeriodExpiresDate
                ),
                saidAt,
                .sharedSecret
            )
        }
        guard let original = body.originalTransactionId, body.autoRenewStatus != nil,
            !pending.contains(where: { $0.originalTransactionId == original })
        else { return }
        hear(
            of: original,
            PlainChoice(status: body.autoRenewStatus, next: body.autoRenewProductId),
            body.expirationIntent.map { PlainFailure(intent: $0) },
            saidAt,
            .sharedSecret
        )
    }

    /// Renewal info (JWS).
    private mutating func hear(_ said: JWSRenewalInfoDecodedPayload) {
        guard let signedDate = said.signedDate else { return }
        hear(
            of: said.originalTransactionId,
            PlainChoice(
                status: said.autoRenewStatus,
                next: said.autoRenewProductId,
                renewalDate: said.renewalDate
            ),
            PlainFailure(
                intent: said.expirationIntent,
                isRetrying: said.isInBillingRetryPeriod,
                graceEnd: said.gracePeriodExpiresDate,
                renewalDate: said.renewalDate
            ),
            signedDate,
            .signature
        )
    }

    private mutating func hear(_ row: PlainRow) {
        lineages[row.original ?? row.transactionId, default: PlainLineage()].hear(row)
    }

    private mutating func hear(
        of original: String?,
        _ choice: PlainChoice,
        _ failure: PlainFailure?,
        _ saidAt: Instant,
        _ grade: PlainGrade
    ) {
        guard let original else { return }
        let rank = failure?.rank ?? 0
        lineages[original, default: PlainLineage()].choice.hear(choice, saidAt, grade, rank)
        if let failure {
            lineages[original, default: PlainLineage()].failure.hear(failure, saidAt, grade, rank)
        }
    }
}

// MARK: - Registers

/// Who vouches for what was said; the better one is greater.
enum PlainGrade: Int {
    case sharedSecret
    case signature
}

/// Everything that was said of one thing.
struct PlainRegister<Value> {
    private(set) var said: [(value: Value, at: Instant, grade: PlainGrade, rank: Int)] = []

    mutating func hear(_ value: Value, _ at: Instant, _ grade: PlainGrade, _ rank: Int = 0) {
        said.append((value, at, grade, rank))
    }

    /// What was said last, of that which was said by an instant: the date decides, then who vouches
    /// for it, then which is further in life.
    func last(saidBy instant: Instant? = nil) -> (value: Value, at: Instant)? {
        said.filter { instant == nil || $0.at <= instant! }
            .max { ($0.at, $0.grade.rawValue, $0.rank) < ($1.at, $1.grade.rawValue, $1.rank) }
            .map { ($0.value, $0.at) }
    }
}

/// What one document says of one transaction; nil is silence.
struct PlainRow {
    let transactionId: String
    let saidAt: Instant
    let grade: PlainGrade
    var original: String?
    var lineItem: String?
    var productId: String?
    var type: InAppPurchaseType?
    var purchaseDate: Instant?
    var expiresDate: Instant?
    /// Nil is silence, and a nil within says that there is none.
    var revocation: Instant??
    var quantity: Int64?

    init(_ transactionId: String, saidAt: Instant, _ grade: PlainGrade) {
        self.transactionId = transactionId
        self.saidAt = saidAt
        self.grade = grade
    }

    /// Whether it tells of a period of a subscription that renews by itself.
    var isPeriod: Bool { type.map { $0 == .autoRenewableSubscription } ?? (expiresDate != nil) }
}

/// Whether a subscription renews, and as what.
struct PlainChoice {
    let status: AutoRenewStatus?
    let next: String?
    var renewalDate: Instant?
}

/// What became of the last charge.
struct PlainFailure {
    let intent: ExpirationIntent?
    var isRetrying: Bool?
    var graceEnd: Instant?
    var renewalDate: Instant?

    /// Paid, then in retry or grace, then expired.
    var rank: Int { isRetrying == true ? 1 : intent == nil ? 0 : 2 }
}

/// One period, or one thing bought once.
struct PlainPurchase {
    var lineItem: String?
    var begins: [Instant] = []
    var product = PlainRegister<String>()
    var type = PlainRegister<InAppPurchaseType>()
    var expires = PlainRegister<Instant>()
    var revoked = PlainRegister<Instant?>()
    var quantity = PlainRegister<Int64>()

    /// The earliest date of purchase that any of its transactions has.
    var begin: Instant? { begins.min() }
    var productId: String? { product.last()?.value }
    var expiresDate: Instant? { expires.last()?.value }
    var revocationDate: Instant? { revoked.last()?.value }

    mutating func hear(_ row: PlainRow) {
        lineItem = lineItem ?? row.lineItem
        if let date = row.purchaseDate { begins.append(date) }
        if let value = row.productId { product.hear(value, row.saidAt, row.grade) }
        if let value = row.type { type.hear(value, row.saidAt, row.grade) }
        if let value = row.expiresDate { expires.hear(value, row.saidAt, row.grade) }
        if let value = row.revocation { revoked.hear(value, row.saidAt, row.grade) }
        if let value = row.quantity { quantity.hear(value, row.saidAt, row.grade) }
    }
}

/// Everything under one original transaction.
struct PlainLineage {
    var purchases: [PlainPurchase] = []
    var choice = PlainRegister<PlainChoice>()
    var failure = PlainRegister<PlainFailure>()
    private(set) var isSubscription = false

    mutating func hear(_ row: PlainRow) {
        if row.isPeriod { isSubscription = true }
        let known = purchases.firstIndex { !row.isPeriod || $0.lineItem == row.lineItem }
        if let known {
            purchases[known].hear(row)
        } else {
            var purchase = PlainPurchase()
            purchase.hear(row)
            purchases.append(purchase)
        }
    }
}

extension InAppPurchaseType {
    fileprivate init?(_ type: ProductType) {
        switch type {
        case .autoRenewableSubscription: self = .autoRenewableSubscription
        case .nonConsumable: self = .nonConsumable
        case .consumable: self = .consumable
        case .nonRenewingSubscription: self = .nonRenewingSubscription
        default: return nil
        }
    }
}
