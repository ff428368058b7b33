import AppStoreModel
import AppStoreVerification
import CounterfoilBasics

/// One thing that was looked at, in the order in which the door looks, and what came of it.
package struct Check: Hashable, Sendable {
    /// What is looked at.
    package enum Subject: String, Sendable, CaseIterable {
        /// Whether there is a document in the input.
        case encoding
        /// Whether it can be taken apart into content, signature and certificates.
        case container
        /// Whether the signer's certificate is there, with a key within bounds.
        case signer
        /// Whether the signature belongs to the exact bytes.
        case signature
        /// Whether it says when it was signed.
        case signingDate
        /// Whether the certificates hold at that instant and end at an anchor.
        case chain
        /// Whether it is dated ahead of the present.
        case clock
        /// Whether the content can be understood.
        case content
        /// Whether its environment is one that this realm signs for.
        case environment
        /// Whether it is of the app asked for.
        case app
        /// Whether it is of the device asked for.
        case device
    }

    /// What came of it.
    package enum Outcome: String, Sendable, CaseIterable {
        /// It held.
        case passed
        /// It did not hold.
        case failed
        /// An earlier check failed, so this one was not made.
        case notReached
        /// Nobody asked for it.
        case notAsked
    }

    /// What was looked at.
    package let subject: Subject
    /// What came of it.
    package let outcome: Outcome
    /// What was found, in a phrase; empty where nothing was looked at.
    package let detail: String
}

extension Check {
    /// All checks of a judgement, in their order.
    static func all(
        of judgement: Judgement,
        asked judge: Judge,
        signer: CertificateSummary?,
        signingDate: Instant?
    ) -> [Check] {
        let failed = judgement.objection.map {
            subject(of: $0, hasDocument: judgement.document != nil, signingDate: signingDate)
        }
        var isPastFailure = false
        return Subject.allCases.map { subject in
            if subject == failed, let objection = judgement.objection {
                isPastFailure = true
                return Check(subject: subject, outcome: .failed, detail: objection.reason)
            }
            if isAsked(subject, judge) == false {
                return Check(subject: subject, outcome: .notAsked, detail: "")
            }
            if isPastFailure { return Check(subject: subject, outcome: .notReached, detail: "") }
            if subject == .signingDate, signingDate == nil {
                let detail = "the document states no date of signing"
                return Check(subject: subject, outcome: .failed, detail: detail)
            }
            let detail = detail(of: subject, judgement, signer, signingDate)
            return Check(subject: subject, outcome: .passed, detail: detail)
        }
    }

    private static func isAsked(_ subject: Subject, _ judge: Judge) -> Bool {
        switch subject {
        case .app: !judge.bundleIds.isEmpty
        case .device: judge.device != nil
        default: true
        }
    }

    /// The check that an objection comes from.
    ///
    /// The door's codes are grouped by what was wrong, not by when it was found; what is found in
    /// two places is told apart by how far the document can be read.
    static func subject(
        of objection: VerificationError,
        hasDocument: Bool,
        signingDate: Instant?
    ) -> Subject {
        let code = objection.code.rawValue
        switch code {
        case "limit.input_bytes", "limit.document_bytes": return .encoding
        case "limit.purchases", "limit.attributes":
            return signingDate == nil ? .signingDate : .content
        case "receipt.device_hash_mismatch", "receipt.device_hash_missing": return .device
        case "chain.signer_missing": return .signer
        default: break
        }
        if code.hasPrefix("chain.certificate_") || code.hasPrefix("chain.key_") { return .signer }
        switch code.prefix(while: { $0 != "." }) {
        case "encoding": return hasDocument ? .container : .encoding
        case "signature": return .signature
        case "chain": return .chain
        case "time": return .clock
        case "receipt": return signingDate == nil ? .signingDate : .content
        case "environment": return .environment
        case "app": return .app
        default: return .container
        }
    }
}

// MARK: - What was found

extension Check {
    private static func detail(
        of subject: Subject,
        _ judgement: Judgement,
        _ signer: CertificateSummary?,
        _ signingDate: Instant?
    ) -> String {
        guard let document = judgement.document else { return "" }
        let proof = judgement.receipt?.proof
        return switch subject {
        case .encoding: encoding(of: document)
        case .container: container(of: document)
        case .signer: signer.map { "\($0.key), \($0.name)" } ?? ""
        case .signature:
            "of the exact bytes" + (proof.map { ", by their \($0.digest) digest" } ?? "")
        case .signingDate: signingDate.map { "signed \($0)" } ?? ""
        case .chain: proof.map(chain) ?? ""
        case .clock: "the signing date is not ahead of the present"
        case .content: judgement.receipt.map(content) ?? ""
        case .environment:
            proof.map { "\($0.scope.environment.rawValue), in the realm \($0.scope.realm)" } ?? ""
        case .app: proof.map { "of \($0.scope.bundleId), as asked" } ?? ""
        case .device: "made for the device asked for"
        }
    }

    private static func encoding(of document: Document) -> String {
        let size = "\(document.bytes.count) bytes"
        switch document.repairs.count {
        case 0: return size
        case 1: return "\(size), after one repair"
        case let count: return "\(size), after \(count) repairs"
        }
    }

    private static func container(of document: Document) -> String {
        switch document.kind {
        case .appReceipt: "PKCS#7 signed data with one signer"
        case .transactionReceipt: "a property list with purchase-info and its signature"
        }
    }

    private static func chain(_ proof: SignatureProof) -> String {
        let anchor = proof.certificates.last?.name ?? ""
        switch (proof.certificates.count, proof.scope.realm) {
        case (1, .xcode): return "the signer is pinned, so it needs no chain"
        case (1, _): return "the signer was issued by a known key, at the signing date"
        case (let count, _):
            return "\(count) certificates, valid at the signing date, up to \(anchor)"
        }
    }

    private static func content(_ receipt: VerifiedReceipt) -> String {
        switch receipt {
        case .appReceipt(let receipt):
            let attributes = receipt.attributes.count - receipt.inApp.count
            let purchases = receipt.inApp.count
            return "\(attributes) attributes, \(purchases) purchase\(purchases == 1 ? "" : "s")"
        case .transactionReceipt(let receipt): return "\(receipt.purchaseInfo.count) keys"
        }
    }
}
