import AppStoreModel
package import AppStoreVerification
package import CounterfoilBasics

/// Asks the door about documents, and about the app and the device that they must be of.
package struct Judge: Sendable {
    /// The door of receipts, and who may answer for documents there.
    package let receipts: ReceiptVerifier
    /// The apps that a document may be of; any app where there are none.
    package let bundleIds: [String]
    /// The Apple ID of the app, where documents that name it must name this one.
    package let appAppleId: Int64?
    /// The device that a receipt must have been made for, where that matters.
    package let device: DeviceIdentifier?

    private let signedData: SignedDataVerifier
    private let notificationsV1: NotificationV1Verifier

    /// The bounds of what is read.
    package var limits: VerificationLimits { receipts.limits }

    /// Makes a judge.
    ///
    /// - Parameters:
    ///   - trust: who may answer for documents.
    ///   - secrets: the app's shared secrets, which vouch for notifications of version 1.
    ///   - bundleIds: the apps that a document may be of.
    ///   - appAppleId: the Apple ID that documents which name one must name.
    ///   - device: the device that a receipt must have been made for.
    package init(
        trust: Trust = .appStore,
        secrets: [SharedSecret] = [],
        bundleIds: [String] = [],
        appAppleId: Int64? = nil,
        device: DeviceIdentifier? = nil
    ) {
        receipts = ReceiptVerifier(trust: trust)
        signedData = SignedDataVerifier(trust: trust)
        notificationsV1 = NotificationV1Verifier(secrets: secrets, receipts: receipts)
        self.bundleIds = bundleIds
        self.appAppleId = appAppleId
        self.device = device
    }

    /// Judges a document as a client, a file or a log hands it in.
    ///
    /// `now` serves for remarks and for documents from the future; certificates are judged at the
    /// instant of signing.
    package func judge(_ input: [UInt8], now: Instant) -> Judgement {
        do {
            return judge(try Document(detecting: input, limits: limits), now: now)
        } catch {
            return Judgement(now: now, objection: error)
        }
    }

    private func judge(_ document: Document, now: Instant) -> Judgement {
        var judgement = Judgement(now: now, document: document)
        do {
            switch document.kind {
            case .appReceipt, .transactionReceipt: try judgeReceipt(document, &judgement)
            case .signedData: try judgeSignedData(document, &judgement)
            case .notificationV1: try judgeNotificationV1(document, &judgement)
            case .serverAnswer: try judgeAnswer(document, &judgement)
            }
        } catch {
            judgement.objection = error
        }
        return judgement
    }

    private func judgeReceipt(
        _ document: Document,
        _ judgement: inout Judgement
    ) throws(VerificationError) {
        let receipt = try receipts.verify(document, now: judgement.now)
        judgement.proved = .receipt(receipt)
        try requireApp(NamedApp(receipt), &judgement)
        if let device {
            judgement.deviceMatched = false
            try receipt.requireDevice(device)
            judgement.deviceMatched = true
        }
    }

    private func judgeSignedData(
        _ document: Document,
        _ judgement: inout Judgement
    ) throws(VerificationError) {
        let jws = try CompactJWS(document.bytes, limits: limits)
        let verified = try signedData.verify(jws, now: judgement.now)
        judgement.proved = .signedData(verified)
        judgement.parts = Self.parts(of: verified, now: judgement.now)
        try requireApp(NamedApp(verified), &judgement)
        try requireNoDevice(of: document)
    }

    /// Notes whether the document is of the app asked for, as far as it says.
    private func requireApp(
        _ named: NamedApp,
        _ judgement: inout Judgement
    ) throws(VerificationError) {
        do {
            let isCompared = try named.require(oneOf: bundleIds, appAppleId: appAppleId)
            judgement.appMatched = isCompared ? true : nil
        } catch {
            judgement.appMatched = false
            throw error
        }
    }

    private func requireNoDevice(of document: Document) throws(VerificationError) {
        if device != nil { throw .noDeviceHash(in: document) }
    }
}

// MARK: - Documents inside others

extension Judge {
    /// What is signed inside a notification, which the door has proved with it.
    private static func parts(
        of document: VerifiedSignedData,
        now: Instant
    ) -> [Judgement.Part] {
        guard case .notification(let notification) = document else { return [] }
        let content = notification.notification.content
        let found: [(String, String?, Judgement.Proved?)] = [
            (
                "data.signedTransactionInfo", content.data?.signedTransactionInfo,
                notification.transaction.map { .signedData(.transaction($0)) }
            ),
            (
                "data.signedRenewalInfo", content.data?.signedRenewalInfo,
                notification.renewalInfo.map { .renewalInfo($0) }
            ),
            (
                "appData.signedAppTransactionInfo", content.appData?.signedAppTransactionInfo,
                notification.appTransaction.map { .signedData(.appTransaction($0)) }
            ),
        ]
        return found.compactMap { path, text, proved in
            guard let text, let proved else { return nil }
            var judgement = Judgement(now: now, document: Document(signedData: text))
            judgement.proved = proved
            return Judgement.Part(path: path, judgement: judgement)
        }
    }

    /// A secret vouches or not; the receipts inside are what they are by themselves.
    private func judgeNotificationV1(
        _ document: Document,
        _ judgement: inout Judgement
    ) throws(VerificationError) {
        let (body, password) = try document.notificationV1()
        let vouched: VouchedNotification
        do {
            vouched = try notificationsV1.verify(body, password: password, now: judgement.now)
        } catch {
            let receipts = notificationsV1.embeddedReceipts(in: body, now: judgement.now)
            judgement.parts = receipts.map { part($0, now: judgement.now) }
            throw error
        }
        judgement.proved = .vouched(vouched)
        judgement.parts = vouched.receipts.map { part($0, now: judgement.now) }
        try requireApp(NamedApp(vouched.notification), &judgement)
        try requireNoDevice(of: document)
    }

    private func part(_ receipt: EmbeddedReceipt, now: Instant) -> Judgement.Part {
        var judgement = Judgement(now: now, document: receipt.document)
        do {
            let receipt = try receipt.result.get()
            judgement.proved = .receipt(receipt)
            try requireApp(NamedApp(receipt), &judgement)
        } catch {
            judgement.objection = error
        }
        return Judgement.Part(path: receipt.place.rawValue, judgement: judgement)
    }

    /// Nobody signed an answer, so it is as good as the worst of the documents in it.
    private func judgeAnswer(
        _ document: Document,
        _ judgement: inout Judgement
    ) throws(VerificationError) {
        let answer = try document.serverAnswer(limits: limits)
        var judgements = answer.entries.map {
            judge(Document(signedData: $0.text), now: judgement.now)
        }
        for (index, entry) in answer.entries.enumerated() {
            guard let transaction = entry.transaction else { continue }
            bind(&judgements[index], to: judgements[transaction])
        }
        judgement.parts = zip(answer.entries, judgements).map { entry, judgement in
            Judgement.Part(path: entry.path, judgement: judgement)
        }
        judgement.appMatched = judgement.commonAnswer(\.appMatched)
        guard let worst = judgement.worstPart, let objection = worst.judgement.objection else {
            return
        }
        throw VerificationError(objection, in: worst.path)
    }

    /// Renewal info beside a transaction is of its app, and must be of its purchase.
    private func bind(_ judgement: inout Judgement, to transaction: Judgement) {
        guard case .signedData(.renewalInfo(let renewalInfo))? = judgement.proved,
            case .signedData(.transaction(let transaction))? = transaction.proved,
            judgement.objection == nil
        else { return }
        do {
            let bound = try renewalInfo.bound(to: transaction)
            judgement.proved = .renewalInfo(bound)
            try requireApp(NamedApp(bound), &judgement)
        } catch {
            judgement.objection = error
        }
    }
}
