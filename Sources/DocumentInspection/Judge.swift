import AppStoreModel
package import AppStoreVerification
package import CounterfoilBasics

/// Asks the door about documents, and about the app and the device that they must be of.
package struct Judge: Sendable {
    /// The door, and who may answer for documents there.
    package let verifier: ReceiptVerifier
    /// The apps that a document may be of; any app where there are none.
    package let bundleIds: [String]
    /// The device that a receipt must have been made for, where that matters.
    package let device: DeviceIdentifier?

    /// Makes a judge.
    package init(
        verifier: ReceiptVerifier = ReceiptVerifier(),
        bundleIds: [String] = [],
        device: DeviceIdentifier? = nil
    ) {
        self.verifier = verifier
        self.bundleIds = bundleIds
        self.device = device
    }

    /// Judges a document as a client, a file or a log hands it in.
    ///
    /// `now` serves for remarks and for documents from the future; certificates are judged at the
    /// instant of signing.
    package func judge(_ input: [UInt8], now: Instant) -> Judgement {
        var judgement = Judgement(now: now)
        do {
            let document = try Document(detecting: input, limits: verifier.limits)
            judgement.document = document
            let receipt = try verifier.verify(document, now: now)
            judgement.receipt = receipt
            if !bundleIds.isEmpty {
                judgement.appMatched = bundleIds.contains(receipt.proof.scope.bundleId)
                try receipt.requireApp(oneOf: bundleIds)
            }
            if let device {
                judgement.deviceMatched = false
                try receipt.requireDevice(device)
                judgement.deviceMatched = true
            }
        } catch {
            judgement.objection = error
        }
        return judgement
    }
}

/// What came of judging a document.
///
/// A receipt can be genuine and still be refused, because it is of another app or device than
/// asked for: then there is a ``receipt`` and an ``objection``.
package struct Judgement: Sendable {
    /// The answer in one word.
    package enum Verdict: String, Sendable, CaseIterable {
        /// Genuine, and of the app and device that were asked for.
        case verified
        /// Not genuine, not for you, or no document at all.
        case refused
        /// Neither valid nor forged; the same bytes may be verified later.
        case undecided
    }

    /// The instant that counted as the present.
    package let now: Instant
    /// The document, where there is one in the input.
    package fileprivate(set) var document: Document?
    /// The receipt, where its signature and certificates were proved.
    package fileprivate(set) var receipt: VerifiedReceipt?
    /// Why it was not verified.
    package fileprivate(set) var objection: VerificationError?
    /// Whether a proved receipt is of one of the apps asked for; nil where none was, and where
    /// nothing is proved.
    package fileprivate(set) var appMatched: Bool?
    /// Whether a proved receipt is of the device asked for; nil as above.
    package fileprivate(set) var deviceMatched: Bool?

    fileprivate init(now: Instant) { self.now = now }

    /// The answer in one word.
    package var verdict: Verdict {
        guard let objection else { return .verified }
        return objection.isUndecided ? .undecided : .refused
    }

    /// How many purchases were proved.
    package var purchaseCount: Int {
        switch receipt {
        case .appReceipt(let receipt): receipt.inApp.count
        case .transactionReceipt: 1
        case nil: 0
        }
    }
}
