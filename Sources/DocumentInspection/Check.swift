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
        /// Whether a shared secret vouches for what nobody signed.
        case voucher
        /// Whether its environment is one that this realm signs for.
        case environment
        /// Whether it is of the app asked for.
        case app
        /// Whether it is of the device asked for.
        case device
        /// Whether the documents inside hold, each by itself and all together.
        case documents
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
        /// The document does not say, so there was nothing to compare.
        case notStated
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
            subject(of: $0, in: judgement.document, signingDate: signingDate)
        }
        var isPastFailure = false
        return subjects(of: judgement, judge).map { subject in
            if subject == failed, let objection = judgement.objection {
                isPastFailure = true
                return Check(subject: subject, outcome: .failed, detail: objection.reason)
            }
            if isAsked(subject, judge) == false {
                return Check(subject: subject, outcome: .notAsked, detail: "")
            }
            if isPastFailure { return Check(subject: subject, outcome: .notReached, detail: "") }
            if subject == .app, judgement.appMatched == nil {
                return Check(subject: subject, outcome: .notStated, detail: "")
            }
            if subject == .signingDate, signingDate == nil {
                let detail = "the document states no date of signing"
                return Check(subject: subject, outcome: .failed, detail: detail)
            }
            let detail = detail(of: subject, judgement, signer, signingDate)
            return Check(subject: subject, outcome: .passed, detail: detail)
        }
    }

    /// What is looked at of a document of the kind, in the order in which the door looks.
    private static func subjects(of judgement: Judgement, _ judge: Judge) -> [Subject] {
        let device: [Subject] = judge.device == nil ? [] : [.device]
        let signed: [Subject] = [
            .encoding, .container, .signer, .signature, .signingDate, .chain, .clock, .content,
            .environment,
        ]
        switch judgement.document?.kind {
        case .appReceipt, .transactionReceipt, nil: return signed + [.app, .device]
        case .signedData:
            let hasParts = !judgement.parts.isEmpty || judgement.objection?.member != nil
            return signed + (hasParts ? [.documents, .app] : [.app]) + device
        case .notificationV1: return [.encoding, .container, .content, .voucher, .app] + device
        case .serverAnswer: return [.encoding, .container, .documents]
        }
    }

    private static func isAsked(_ subject: Subject, _ judge: Judge) -> Bool {
        switch subject {
        case .app: !judge.bundleIds.isEmpty || judge.appAppleId != nil
        case .device: judge.device != nil
        default: true
        }
    }

    /// The check that an objection comes from.
    ///
    /// The door's codes are grouped by what was wrong, not by when it was found; what is found in
    /// two places is told apart by how far the document can be read.
    private static func subject(
        of objection: VerificationError,
        in document: Document?,
        signingDate: Instant?
    ) -> Subject {
        guard objection.member == nil else { return .documents }
        let code = objection.code.rawValue
        switch code {
        case "limit.input_bytes", "limit.document_bytes": return .encoding
        case "limit.answer_documents": return .documents
        case "limit.purchases", "limit.attributes":
            return signingDate == nil ? .signingDate : .content
        case "receipt.device_hash_mismatch", "receipt.device_hash_missing": return .device
        case "chain.signer_missing", "jws.no_certificates", "jws.certificate_count",
            "jws.certificate_malformed":
            return .signer
        case "notification.password_missing", "notification.password_unknown": return .voucher
        // Beside another document of an answer, or around a receipt of a notification.
        case "notification.nested_disagrees": return .app
        default: break
        }
        if code.hasPrefix("chain.certificate_") || code.hasPrefix("chain.key_") { return .signer }
        switch code.prefix(while: { $0 != "." }) {
        case "encoding": return document == nil ? .encoding : .container
        case "signature": return .signature
        case "chain", "revocation": return .chain
        case "time": return .clock
        case "payload" where document?.kind == .notificationV1,
            "environment" where document?.kind == .notificationV1:
            return .content
        case "receipt", "payload": return signingDate == nil ? .signingDate : .content
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
        let proof = judgement.proof
        return switch subject {
        case .encoding: encoding(of: document)
        case .container: container(of: document)
        case .signer: signer.map { "\($0.key), \($0.name)" } ?? ""
        case .signature:
            "of the exact bytes" + (proof?.digest.map { ", by their \($0) digest" } ?? "")
        case .signingDate: signingDate.map { "signed \($0)" } ?? ""
        case .chain: proof.map(chain) ?? ""
        case .clock: "the signing date is not ahead of the present"
        case .content: judgement.proved.map(content) ?? "it can be read"
        case .voucher: proof?.voucher.map { "the password is the shared secret \($0)" } ?? ""
        case .environment: proof.map(environment) ?? ""
        case .app: "of \(proof?.bundleId ?? "the Apple ID"), as asked"
        case .device: "made for the device asked for"
        case .documents: documents(in: judgement)
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
        case .signedData: "a JWS in compact form, ES256"
        case .notificationV1: "a JSON object with a notification_type"
        case .serverAnswer: "a JSON object with signed documents in it"
        }
    }

    private static func environment(_ proof: Proof) -> String {
        let environment = proof.environment?.rawValue ?? "none stated"
        return environment + (proof.realm.map { ", in the realm \($0)" } ?? "")
    }

    private static func documents(in judgement: Judgement) -> String {
        switch judgement.parts.count {
        case 1: "one inside, which holds as well"
        case let count: "\(count) inside, each of which holds as well"
        }
    }

    private static func chain(_ proof: Proof) -> String {
        let anchor = proof.certificates.last?.name ?? ""
        switch (proof.certificates.count, proof.realm) {
        case (1, .xcode): return "the signer is pinned, so it needs no chain"
        case (1, _): return "the signer was issued by a known key, at the signing date"
        case (let count, _):
            return "\(count) certificates, valid at the signing date, up to \(anchor)"
        }
    }

    private static func content(_ proved: Judgement.Proved) -> String {
        switch proved {
        case .receipt(.appReceipt(let receipt)):
            let attributes = receipt.attributes.count - receipt.inApp.count
            let purchases = receipt.inApp.count
            return "\(attributes) attributes, \(purchases) purchase\(purchases == 1 ? "" : "s")"
        case .receipt(.transactionReceipt(let receipt)):
            return "\(receipt.purchaseInfo.count) keys"
        case .signedData(let document):
            let content = SignedContent(document)
            return "\(content.kind.words) with \(content.payload.count) members"
        case .renewalInfo(let renewalInfo):
            return "\(SignedDataKind.renewalInfo.words) with \(renewalInfo.object.count) members"
        case .vouched(let notification):
            return "\(notification.notification.object.count) members"
        }
    }
}
