package import AppStoreVerification
import CounterfoilBasics
package import Ledger

/// What came in with one document: the document, those inside it, what they say, and what else
/// happened.
package struct Learning: Sendable {
    /// The app, the environment and the realm.
    package let scope: Scope
    /// The document that came in.
    package let document: LearnedDocument
    /// The documents inside it.
    package let nested: [LearnedDocument]
    /// What the documents say.
    package let statements: [Statement]
    /// What it tells of that changes no purchase; nil where there is nothing.
    package let occurrence: Occurrence?
    /// What it is called in the inbox; nil for what is no notification.
    package let inbox: InboxNote?
    /// The personal values that statements name by references.
    package let persons: [PersonalReference: String]

    /// Makes a learning.
    ///
    /// - Parameters:
    ///   - scope: The app, the environment and the realm.
    ///   - document: The document that came in.
    ///   - nested: The documents inside it.
    ///   - statements: What all of them say.
    ///   - occurrence: What it tells of that changes no purchase.
    ///   - inbox: What it is called in the inbox.
    ///   - persons: The personal values that statements name by references.
    package init(
        scope: Scope,
        document: LearnedDocument,
        nested: [LearnedDocument] = [],
        statements: [Statement],
        occurrence: Occurrence? = nil,
        inbox: InboxNote? = nil,
        persons: [PersonalReference: String] = [:]
    ) {
        self.scope = scope
        self.document = document
        self.nested = nested
        self.statements = statements
        self.occurrence = occurrence
        self.inbox = inbox
        self.persons = persons
    }

    /// All documents, the one that came in first.
    package var documents: [LearnedDocument] { [document] + nested }
}

/// A document with its bytes.
package struct LearnedDocument: Sendable {
    /// What stays of it for ever.
    package let evidence: Evidence
    /// Its bytes, of which the evidence has the digest.
    package let bytes: [UInt8]

    package init(_ evidence: Evidence, _ bytes: [UInt8]) {
        self.evidence = evidence
        self.bytes = bytes
    }
}

/// Proof that something is kept where a crash cannot take it away; only the journal's writer makes
/// one, and no notification is answered with success without it.
package struct Committed: Hashable, Sendable {
    /// The entry that holds it.
    package let position: Position
    /// Whether it was there before.
    package let wasKnown: Bool

    init(position: Position, wasKnown: Bool) {
        self.position = position
        self.wasKnown = wasKnown
    }
}
