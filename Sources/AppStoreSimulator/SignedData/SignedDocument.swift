import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON

/// A payload of any kind, with the documents that shall be signed into it: what an issuer signs,
/// before anything of it is signed.
struct SignedDocument: Hashable, Sendable {
    /// The members of the payload.
    var payload: JSONObject
    /// The documents in it, for notifications.
    var nested: [NestedDocument] = []

    /// A document that stands in another one as text.
    struct NestedDocument: Hashable, Sendable {
        let place: Place
        var payload: JSONObject
    }

    /// Where a notification has signed documents.
    enum Place: Hashable, Sendable, CaseIterable {
        case transaction
        case renewalInfo
        case appTransaction

        /// The member of the payload that holds the member with the text.
        var container: String { self == .appTransaction ? "appData" : "data" }

        /// The member that holds the text.
        var key: String {
            switch self {
            case .transaction: "signedTransactionInfo"
            case .renewalInfo: "signedRenewalInfo"
            case .appTransaction: "signedAppTransactionInfo"
            }
        }
    }

    /// The payload of a nested document.
    subscript(place: Place) -> JSONObject? {
        get { nested.first { $0.place == place }?.payload }
        set {
            let index = nested.firstIndex { $0.place == place }
            switch (index, newValue) {
            case (let index?, let payload?): nested[index].payload = payload
            case (let index?, nil): nested.remove(at: index)
            case (nil, let payload?): nested.append(.init(place: place, payload: payload))
            case (nil, nil): break
            }
        }
    }

    /// The kind of the outer document.
    var kind: SignedDataKind { SignedDataKind(of: payload) }

    /// Where a payload says when it was signed.
    static func signingDateKey(of payload: JSONObject) -> String {
        SignedDataKind(of: payload) == .appTransaction ? "receiptCreationDate" : "signedDate"
    }

    /// When the outer document says that it was signed.
    var signedAt: Instant? {
        payload[Self.signingDateKey(of: payload)]?.number?.int64
            .map { Instant(millisecondsSince1970: $0) }
    }

    /// States another date of signing, in the document and all in it.
    mutating func sign(at instant: Instant) {
        let date = JSONValue(instant.millisecondsSince1970)
        payload[Self.signingDateKey(of: payload)] = date
        for index in nested.indices {
            nested[index].payload[Self.signingDateKey(of: nested[index].payload)] = date
        }
    }

    /// The object that says which app and environment the document is of: the payload itself, or
    /// what a notification is about, by the member's name.
    var subjectKey: String? {
        guard kind == .notification else { return nil }
        return ["data", "summary", "externalPurchaseToken", "appData"]
            .first { payload[$0]?.object != nil }
    }

    /// That object.
    var subject: JSONObject {
        get { subjectKey.flatMap { payload[$0]?.object } ?? (subjectKey == nil ? payload : [:]) }
        set {
            if let subjectKey {
                payload[subjectKey] = .object(newValue)
            } else {
                payload = newValue
            }
        }
    }

    /// The member of the subject that says the environment.
    var environmentKey: String { kind == .appTransaction ? "receiptType" : "environment" }

    /// The environment that the document states.
    var environment: StoreEnvironment? {
        subject[environmentKey]?.string.map(StoreEnvironment.init(rawValue:))
    }
}

extension SignedDataIssuer {
    /// Signs a document and all in it.
    func issue(
        _ document: SignedDocument,
        form: SignedDataForm? = nil
    ) throws(SimulatorError) -> String {
        let form = form ?? SignedDataForm.usual(of: document.environment)
        return try sign(payload: payload(of: document, form), form: form)
    }

    /// The bytes of a document's payload, with what stands in it signed.
    func payload(
        of document: SignedDocument,
        _ form: SignedDataForm
    ) throws(SimulatorError) -> [UInt8] {
        var payload = document.payload
        for nested in document.nested {
            let bytes = JSONValue.object(nested.payload).document()
            payload.place(try sign(payload: bytes, form: form), at: nested.place)
        }
        return JSONValue.object(payload).document()
    }
}

extension JSONObject {
    /// Puts the text of a signed document where a notification has it.
    mutating func place(_ text: String, at place: SignedDocument.Place) {
        var container = self[place.container]?.object ?? [:]
        container[place.key] = .string(text)
        self[place.container] = .object(container)
    }
}
