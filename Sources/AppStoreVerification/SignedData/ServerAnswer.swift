import AppStoreModel
import CounterfoilBasics
package import CounterfoilJSON

/// A JSON object that nobody signed, and the signed documents in it: an answer of the App Store
/// Server API.
///
/// Apple signs what is in its answers, not the answers. So the documents are all that counts, and
/// the members around them only say where they were found.
package struct ServerAnswer: Sendable {
    /// A signed document in an answer.
    package struct Entry: Sendable {
        /// Where it stands: `data[0].lastTransactions[1].signedTransactionInfo`.
        package let path: String
        /// The document as it was found; perhaps none at all.
        package let text: String
        /// The index of the transaction that stands beside this renewal info; nil for all else.
        package fileprivate(set) var transaction: Int?
    }

    /// The whole, save members named `password`, which may be an app's shared secret.
    package let object: JSONObject
    /// The documents, in the order in which they stand there.
    package let entries: [Entry]

    /// Finds the documents in an answer.
    ///
    /// - Throws: `limit.answer_documents` when there are too many.
    package init(
        _ object: JSONObject,
        limits: VerificationLimits = .default
    ) throws(VerificationError) {
        var search = DocumentSearch(limit: limits.answerDocuments)
        search.look(into: object, at: .document)
        guard search.entries.count <= limits.answerDocuments else {
            throw VerificationError(
                VerificationError.tooManyDocuments,
                "the answer has more than \(limits.answerDocuments) signed documents in it"
            )
        }
        self.object = object.withoutPasswords
        entries = search.entries
    }

    /// Whether there is any text in an object that is a signed document, or should be one.
    static func isOne(_ object: JSONObject) -> Bool {
        var search = DocumentSearch(limit: 0, takesTextsAlone: true)
        search.look(into: object, at: .document)
        return !search.entries.isEmpty
    }

    /// Why an object without documents is refused.
    static func refusal(of object: JSONObject) -> VerificationError {
        if let code = object["errorCode"]?.number {
            return VerificationError(
                VerificationError.unknownDocument,
                "this is the App Store Server API's error \(JSONValue.number(code).foundInWords), "
                    + "in which nothing is signed"
            )
        }
        return VerificationError(
            VerificationError.unknownDocument,
            "the input is JSON without a document; expected a string, or an object with "
                + "\"receipt-data\", \"signedPayload\" or \"notification_type\", or with signed "
                + "documents in it"
        )
    }
}

/// The search for signed documents through an object, whose nesting its reader has bounded.
///
/// Everything counts that stands under a key that says that it is signed, so that what was spoiled or
/// put in its place is seen, and wherever else it stands a text that somebody could read as signed
/// data.
private struct DocumentSearch {
    /// One more than these is enough to know that there are too many.
    let limit: Int
    /// Whether a number or a truth value in the place of a document is passed over.
    let takesTextsAlone: Bool
    private(set) var entries: [ServerAnswer.Entry] = []

    init(limit: Int, takesTextsAlone: Bool = false) {
        self.limit = limit
        self.takesTextsAlone = takesTextsAlone
    }

    mutating func look(
        into object: JSONObject,
        at path: JSONKeyPath,
        isNamed: Bool = false
    ) {
        var transaction: Int?
        var renewalInfo: Int?
        for (key, value) in object {
            let before = entries.count
            let isNamed = isNamed || Self.saysSigned(key, value)
            look(into: value, at: .member(path, key), isNamed: isNamed)
            guard entries.count == before + 1, value.string != nil else { continue }
            if key == "signedTransactionInfo" { transaction = before }
            if key == "signedRenewalInfo" { renewalInfo = before }
        }
        if let renewalInfo { entries[renewalInfo].transaction = transaction }
    }

    /// Whether a key says that its value is signed; the date of a signature is none.
    private static func saysSigned(_ key: String, _ value: JSONValue) -> Bool {
        key.utf8.starts(with: "signed".utf8) && !(key == "signedDate" && value.number != nil)
    }

    private mutating func look(into value: JSONValue, at path: JSONKeyPath, isNamed: Bool) {
        guard entries.count <= limit else { return }
        switch value {
        case .string(let text):
            guard isNamed || CompactJWS.canBeTaken(forOne: Array(text.utf8)) else { return }
            entries.append(ServerAnswer.Entry(path: path.description, text: text))
        case .number, .bool:
            guard isNamed, !takesTextsAlone else { return }
            entries.append(ServerAnswer.Entry(path: path.description, text: value.description))
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                look(into: element, at: .element(path, index), isNamed: isNamed)
            }
        case .object(let object): look(into: object, at: path, isNamed: isNamed)
        case .null: return
        }
    }
}

extension Document {
    /// The documents in a ``Kind/serverAnswer``.
    ///
    /// - Throws: `limit.answer_documents`; `payload.malformed` for any other document.
    package func serverAnswer(
        limits: VerificationLimits = .default
    ) throws(VerificationError) -> ServerAnswer {
        let object: JSONObject
        do {
            object = try JSONMembers(JSONValue(parsing: bytes)).object
        } catch {
            throw VerificationError(VerificationError.signedPayloadMalformed, error.reason)
        }
        return try ServerAnswer(object, limits: limits)
    }
}
