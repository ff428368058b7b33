import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON

// What was signed, genuinely, is no document of the App Store, or is not for whoever gets it.
extension SignedDataFlaw {
    /// The payload cannot be read.
    static let ofPayloads: [SignedDataFlaw] = [
        payload("payloadNoObject", "its payload is an array") { draft, _ in
            draft.payload = [0x5B] + draft.payload + [0x5D]
        },
        payload("payloadText", "its payload is no JSON") { draft, _ in
            draft.payload = Array("not JSON".utf8)
        },
        payload("payloadTruncated", "its payload is cut off") { draft, _ in
            draft.payload.removeLast()
        },
        payload("payloadTrailing", "a second value follows its payload") { draft, _ in
            draft.payload += Array("{}".utf8)
        },
        payload("payloadNotUTF8", "its payload is not UTF-8") { draft, _ in
            draft.payload.insert(contentsOf: [0x22, 0xFF, 0x22, 0x3A, 0x31, 0x2C], at: 1)
        },
        payload("payloadKeysTwice", "its payload names two dates of signing") { draft, _ in
            let twin = #""signedDate":1,"receiptCreationDate":1,"#
            let keys = #""signedDate":2,"receiptCreationDate":2,"#
            draft.payload.insert(contentsOf: Array((twin + keys).utf8), at: 1)
        },
        unsigned("payloadTooDeep", .limits, "its payload nests arrays 60 deep") {
            (draft, _) throws(SimulatorError) in
            try draft.changePayload { $0["deep"] = nested(60) }
        },
        document("signedDateMissing", "it does not say when it was signed", needs: .signingDate) {
            document in
            document.payload[SignedDocument.signingDateKey(of: document.payload)] = nil
        },
        document("signedDateText", "its date of signing is a text", needs: .signingDate) {
            document in
            let key = SignedDocument.signingDateKey(of: document.payload)
            document.payload[key] = .string(document.payload[key]?.number?.text ?? "")
        },
        document("bundleIdMissing", "it names no app", needs: .bundleId) { document in
            document.subject["bundleId"] = nil
        },
        document("bundleIdNumber", "its app is a number", needs: .bundleId) { document in
            document.subject["bundleId"] = 7
        },
        document("environmentMissing", "it names no environment", needs: .environment) {
            document in
            // An app transaction without receiptType would be of no kind at all.
            let isAppTransaction = document.kind == .appTransaction
            document.subject[document.environmentKey] = isAppTransaction ? "" : nil
        },
        document("expiresDateText", "its expiry date is a text", needs: .expiresDate) { document in
            document.payload["expiresDate"] = "never"
        },
        document("kindUnknown", "it is none of what the App Store signs", needs: .signingDate) {
            document in
            let date = document.signedAt?.millisecondsSince1970 ?? 0
            document.payload = ["signedDate": JSONValue(date), "level": 3]
            document.nested = []
        },
    ]

    /// The document is not for whoever gets it.
    static let ofClaims: [SignedDataFlaw] = [
        document("otherApp", .app, "it is of another app", needs: .bundleId) { document in
            document.subject["bundleId"] = "com.example.other"
            document.changeNested { $0["bundleId"] = "com.example.other" }
        },
        document(
            "otherEnvironment",
            .environment,
            "it is of another environment",
            needs: [.environment, .appStoreSigner]
        ) { document in
            let other: JSONValue = document.environment == .production ? "Sandbox" : "Production"
            document.subject[document.environmentKey] = other
            document.changeNested { payload in
                let key = payload["receiptType"] == nil ? "environment" : "receiptType"
                payload[key] = other
            }
        },
        document(
            "xcodeOfAppStore",
            .environment,
            "it says Xcode, for which the App Store never signs",
            needs: [.environment, .appStoreSigner]
        ) { document in
            document.subject[document.environmentKey] = "Xcode"
        },
        document(
            "appStoreOfXcode",
            .environment,
            "it says Production, and the pinned certificate signs for Xcode alone",
            needs: [.environment, .storeKitSigner]
        ) { document in
            document.subject[document.environmentKey] = "Production"
        },
        document("ofTheFuture", .time, "it is dated a year ahead", needs: .signingDate) {
            document in
            if let date = document.signedAt {
                document.sign(at: date.advanced(by: .seconds(365 * 86_400)))
            }
        },
    ]

    /// What is signed into a notification is not what belongs there.
    static let ofNested: [SignedDataFlaw] = [
        inside("nestedOfOtherApp", .transaction, "the transaction in it is of another app") {
            $0["bundleId"] = "com.example.other"
        },
        inside("nestedOfOtherEnvironment", .transaction, "its transaction is of another store") {
            $0["environment"] = $0["environment"] == "Production" ? "Sandbox" : "Production"
        },
        inside("nestedOfOtherPurchase", .renewalInfo, "its renewal info is of another purchase") {
            $0["originalTransactionId"] = "1"
        },
        inside("nestedRenewalOfOtherEnvironment", .renewalInfo, "its renewal is of another store") {
            $0["environment"] = $0["environment"] == "Production" ? "Sandbox" : "Production"
        },
        SignedDataFlaw(
            "nestedOfOtherKind",
            .payload,
            "renewal info stands in the place of the transaction in it",
            needs: [.transactionInside, .renewalInfoInside],
            .document { document, _ in document[.transaction] = document[.renewalInfo] }
        ),
        SignedDataFlaw(
            "nestedOfForeignChain",
            .certificates,
            "the transaction in it is signed under somebody else's root",
            needs: [.transactionInside, .appStoreSigner],
            .nestedAuthority(.transaction) { (authority, _) throws(SimulatorError) in
                try authority.replacingKey(of: .signedDataRoot, with: ImpostorKeys.p384())
                    .replacingKey(of: .signedDataIntermediate, with: ImpostorKeys.otherP384())
                    .replacingKey(of: .signedDataSigner, with: ImpostorKeys.p256())
            }
        ),
        SignedDataFlaw(
            "nestedNoDocument",
            .structure,
            "the transaction in it is a word",
            needs: .transactionInside,
            .document { document, _ in
                document[.transaction] = nil
                document.payload.place("transaction", at: .transaction)
            }
        ),
    ]

    private static func payload(
        _ name: String,
        _ reason: String,
        _ change: @escaping SpoilStep<CompactDraft>
    ) -> SignedDataFlaw {
        unsigned(name, .payload, reason, change)
    }

    private static func document(
        _ name: String,
        _ reason: String,
        needs: Needs,
        _ change: @escaping @Sendable (inout SignedDocument) -> Void
    ) -> SignedDataFlaw {
        document(name, .payload, reason, needs: needs, change)
    }

    private static func document(
        _ name: String,
        _ reasonClass: ReasonClass,
        _ reason: String,
        needs: Needs,
        _ change: @escaping @Sendable (inout SignedDocument) -> Void
    ) -> SignedDataFlaw {
        SignedDataFlaw(
            name,
            reasonClass,
            reason,
            needs: needs,
            .document { document, _ in change(&document) }
        )
    }

    /// A flaw of what a nested document says, though it is genuinely signed.
    private static func inside(
        _ name: String,
        _ place: SignedDocument.Place,
        _ reason: String,
        _ change: @escaping @Sendable (inout JSONObject) -> Void
    ) -> SignedDataFlaw {
        document(
            name,
            reason,
            needs: [
                .appStoreSigner, place == .transaction ? .transactionInside : .renewalInfoInside,
            ]
        ) { document in
            guard var payload = document[place] else { return }
            change(&payload)
            document[place] = payload
        }
    }
}

extension SignedDocument {
    /// Changes every document in it.
    fileprivate mutating func changeNested(_ change: (inout JSONObject) -> Void) {
        for index in nested.indices where nested[index].place != .renewalInfo {
            change(&nested[index].payload)
        }
    }
}
