public import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON

/// One way to spoil signed data (JWS) that is otherwise in order.
public struct SignedDataFlaw: DocumentFlaw {
    /// The flaw's name, which stays the same in later versions.
    public let name: String
    /// The kind of reason for which the document must be refused.
    public let reasonClass: ReasonClass
    /// Why it must be refused: what follows "because" in a sentence.
    public let reason: String

    let needs: Needs
    let change: Change

    /// What a document must have to be spoiled in this way.
    struct Needs: OptionSet, Hashable, Sendable {
        let rawValue: Int

        static let appStoreSigner = Needs(rawValue: 1 << 0)
        static let storeKitSigner = Needs(rawValue: 1 << 1)
        /// An identifier of the app.
        static let bundleId = Needs(rawValue: 1 << 2)
        static let environment = Needs(rawValue: 1 << 3)
        static let signingDate = Needs(rawValue: 1 << 4)
        static let expiresDate = Needs(rawValue: 1 << 5)
        static let transactionInside = Needs(rawValue: 1 << 6)
        static let renewalInfoInside = Needs(rawValue: 1 << 7)
    }

    /// What is changed, on the way from the authority to the text.
    enum Change: Sendable {
        /// The keys and certificates that sign; those of nested documents stay.
        case authority(AuthorityStep)
        /// What is signed, and what is signed into it.
        case document(SpoilStep<SignedDocument>)
        /// The keys and certificates that sign one nested document.
        case nestedAuthority(SignedDocument.Place, AuthorityStep)
        /// The parts of the document, before they are signed.
        case unsigned(SpoilStep<CompactDraft>)
        /// The parts of the document, after they were signed.
        case signed(SpoilStep<CompactDraft>)
        /// The letters of the document.
        case text(SpoilStep<String>)
        /// Keys, and the parts of the document before they are signed with them.
        case keys(AuthorityStep, SpoilStep<CompactDraft>)
    }

    typealias AuthorityStep =
        @Sendable (
            _ authority: SigningAuthority, _ signedAt: Instant
        ) throws(SimulatorError) -> SigningAuthority

    init(
        _ name: String,
        _ reasonClass: ReasonClass,
        _ reason: String,
        needs: Needs = [],
        _ change: Change
    ) {
        self.name = name
        self.reasonClass = reasonClass
        self.reason = reason
        self.needs = needs
        self.change = change
    }
}

extension SignedDataFlaw {
    /// Every flaw.
    public static let allCases: [SignedDataFlaw] =
        ofStructure + ofAlgorithms + ofHeaders + ofSignatures + ofExchanges + ofKeys + ofChains
        + ofLeaves + ofPayloads + ofClaims + ofNested

    /// What a document in a form has not and would have to have.
    func lacking(in document: SignedDocument, _ form: SignedDataForm) -> Needs {
        var has: Needs = form == .storeKit ? .storeKitSigner : .appStoreSigner
        let subject = document.subject
        if subject["bundleId"]?.string != nil { has.insert(.bundleId) }
        if subject[document.environmentKey]?.string != nil { has.insert(.environment) }
        if document.signedAt != nil { has.insert(.signingDate) }
        if document.payload["expiresDate"] != nil { has.insert(.expiresDate) }
        if document[.transaction] != nil { has.insert(.transactionInside) }
        if document[.renewalInfo] != nil { has.insert(.renewalInfoInside) }
        return needs.subtracting(has)
    }
}

extension SignedDataFlaw.Needs {
    /// The needs in words, to complete "a document …".
    var words: String {
        let all: KeyValuePairs<SignedDataFlaw.Needs, String> = [
            .appStoreSigner: "that the App Store's signer signs",
            .storeKitSigner: "that StoreKit testing signs",
            .bundleId: "that names its app",
            .environment: "that names its environment",
            .signingDate: "with a date of signing",
            .expiresDate: "with an expiry date",
            .transactionInside: "with a transaction in it",
            .renewalInfoInside: "with renewal info in it",
        ]
        return all.filter { contains($0.key) }.map(\.value).joined(separator: ", ")
    }
}

extension SignedDataIssuer {
    /// Signs a document with a flaw.
    ///
    /// - Throws: `issue.flaw_not_applicable`, and what issuing without a flaw throws.
    func issue(
        _ document: SignedDocument,
        form: SignedDataForm,
        spoiledBy flaw: SignedDataFlaw,
        seed: UInt64
    ) throws(SimulatorError) -> String {
        let lacking = flaw.lacking(in: document, form)
        guard lacking.isEmpty else {
            throw SimulatorError(
                SimulatorError.flawNotApplicable,
                "the flaw \(flaw.name) needs a document \(lacking.words)"
            )
        }
        var context = SpoilContext(
            creationDate: document.signedAt ?? Instant(millisecondsSince1970: 0),
            random: SeededRandom(seed: seed)
        )
        return try issued(document, form, flaw.change, &context)
    }

    /// Issues in the usual steps, and takes the change in at its place among them.
    private func issued(
        _ document: SignedDocument,
        _ form: SignedDataForm,
        _ change: SignedDataFlaw.Change,
        _ context: inout SpoilContext
    ) throws(SimulatorError) -> String {
        var document = document
        if case .document(let step) = change { try step(&document, &context) }
        if case .nestedAuthority(let place, let step) = change, let inner = document[place] {
            var issuer = self
            issuer.authority = try step(authority, context.creationDate)
            let bytes = JSONValue.object(inner).document()
            document.payload.place(try issuer.sign(payload: bytes, form: form), at: place)
            document[place] = nil
        }
        let payload = try payload(of: document, form)
        var issuer = self
        switch change {
        case .authority(let step), .keys(let step, _):
            issuer.authority = try step(authority, context.creationDate)
        default: break
        }
        var draft = issuer.draft(payload, form)
        switch change {
        case .unsigned(let step), .keys(_, let step): try step(&draft, &context)
        default: break
        }
        try draft.sign()
        if case .signed(let step) = change { try step(&draft, &context) }
        var text = draft.text
        if case .text(let step) = change { try step(&text, &context) }
        return text
    }
}

extension SignedDataIssuer {
    /// Issues a payload of any kind with a flaw.
    ///
    /// - Parameters:
    ///   - payload: What it says, apart from the flaw.
    ///   - form: How it is signed; as the environment that it states does when nil.
    ///   - flaw: What is wrong with it.
    ///   - seed: Decides where and how it is spoiled, where that is open.
    /// - Returns: The compact form.
    /// - Throws: `issue.flaw_not_applicable`, and what issuing without a flaw throws.
    public func issue(
        _ payload: some AppStoreObject,
        form: SignedDataForm? = nil,
        spoiledBy flaw: SignedDataFlaw,
        seed: UInt64 = 0
    ) throws(SimulatorError) -> String {
        let document = SignedDocument(payload: payload.object)
        return try issue(
            document,
            form: form ?? SignedDataForm.usual(of: document.environment),
            spoiledBy: flaw,
            seed: seed
        )
    }
}
