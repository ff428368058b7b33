import AppStoreModel
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON

extension FuzzTarget {
    /// An object as each of Apple's that somebody sends or signs: what is taken stays whole, and what
    /// is told of it can be told.
    static func checkObjects(_ object: JSONObject) throws(Contradiction) {
        _ = SignedDataKind(of: object)
        if let transaction = try read(object, as: JWSTransactionDecodedPayload.self) {
            _ = (transaction.expiresDate, transaction.offerPeriod?.length, transaction.price)
            _ = transaction.advancedCommerceInfo?.items?.map(\.refunds)
        }
        if let renewalInfo = try read(object, as: JWSRenewalInfoDecodedPayload.self) {
            _ = (renewalInfo.renewalDate, renewalInfo.eligibleWinBackOfferIds)
            _ = renewalInfo.advancedCommerceInfo?.items?.map(\.priceIncreaseInfo)
        }
        if let app = try read(object, as: AppTransaction.self) { _ = app.originalPurchaseDate }
        if let request = try read(object, as: DecodedRealtimeRequestBody.self) {
            _ = request.signedDate
        }
        if let notification = try read(object, as: ResponseBodyV2DecodedPayload.self) {
            _ = (notification.content, notification.environment, notification.appAppleId)
            _ = NotificationLabel(notification).sentence
        }
        try checkBody(object)
    }

    private static func read<Object: AppStoreObject>(
        _ object: JSONObject,
        as type: Object.Type
    ) throws(Contradiction) -> Object? {
        guard let value = attempt({ try Object(object) }) else { return nil }
        try Contradiction.unless(value.object == object, "\(type) loses something")
        let again = try Contradiction.unlessSucceeds("\(type) written is not read") {
            try Object(parsing: value.json)
        }
        try Contradiction.unless(again == value, "\(type) written is read as another")
        return value
    }

    /// The body of a notification, without its password wherever it is of version 1.
    private static func checkBody(_ object: JSONObject) throws(Contradiction) {
        guard
            case .v1(let body, let password)? = attempt({
                try NotificationEnvelope(.object(object))
            })
        else { return }
        try Contradiction.unless(body.object["password"] == nil, "a password stays in its body")
        var rest = object
        rest["password"] = nil
        try Contradiction.unless(body.object == rest, "a notification loses something")
        _ = NotificationLabel(body).sentence
        try checkDoor(body, password)
        guard let password else { return }
        let again = try Contradiction.unlessSucceeds("a notification written is not read") {
            try ResponseBodyV1.decode(
                JSONMembers(JSONValue(parsing: body.json(password: password))).object
            )
        }
        try Contradiction.unless(
            again.body == body && again.password?.secret == password.secret,
            "a notification written is read as another"
        )
    }

    private static let secret = "x"
    private static let verifier = NotificationV1Verifier(
        secrets: [SharedSecret(id: "own", secret)],
        receipts: ReceiptVerifier(trust: .nobody)
    )

    /// The door of version 1, which nothing but the secret opens.
    private static func checkDoor(
        _ body: ResponseBodyV1,
        _ password: Redacted<String>?
    ) throws(Contradiction) {
        _ = verifier.embeddedReceipts(in: body, now: IssuedDocuments.now)
        let vouched = attempt {
            try verifier.verify(body, password: password, now: IssuedDocuments.now)
        }
        guard let vouched else { return }
        try Contradiction.unless(password?.secret == secret, "another secret vouches")
        try Contradiction.unless(
            vouched.receipts.allSatisfy { attempt($0.result.get) == nil },
            "a receipt is proved that nobody is believed about"
        )
    }
}
