import AppStoreModel
import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import CounterfoilJSON
import DocumentInspection
import PurchaseService

/// What `POST /verifyReceipt` would answer to a document.
///
/// The production address is asked first and, as Apple tells clients to do, the sandbox one where
/// it answers 21007.
struct VerifyReceiptAnswer {
    let address: VerifyReceiptRequest.Address
    let outcome: VerifyReceiptOutcome

    /// Asks for an answer to what was judged.
    ///
    /// - Parameters:
    ///   - input: the document as it was handed in.
    ///   - judgement: what came of judging it.
    ///   - bundleIds: the apps that are served; any where there are none.
    ///   - files: who may answer for documents.
    /// - Throws: what reading the files again for the server's configuration throws.
    init(
        to input: [UInt8],
        _ judgement: Judgement,
        apps bundleIds: [String],
        _ files: TrustFiles
    ) throws {
        var configuration = Configuration()
        if let authority = Self.authority(for: judgement, files) {
            // The app is asked for only when the document is proved, and then it is known; the
            // anchors count in any case.
            let ids = bundleIds.isEmpty ? [judgement.proof?.bundleId ?? "unproved"] : bundleIds
            configuration.apps = ids.map { id in
                var app = AppConfiguration(id, authority)
                if app.authority.realm == .rehearsal {
                    app.transactionReceiptIssuers = files.issuers
                }
                return app
            }
        } else {
            configuration.apps = bundleIds.map { AppConfiguration($0) }
        }
        let apps = try ConfiguredApps(
            configuration,
            now: judgement.now,
            reading: files.bytes
        )
        self.init(
            VerifyReceipt(apps),
            body: Self.body(judgement.document, else: input),
            judgement.now
        )
    }

    private init(_ verifyReceipt: VerifyReceipt, body: [UInt8], _ now: Instant) {
        let first = verifyReceipt.answer(
            VerifyReceiptRequest(.production, body: body, receivedAt: now)
        )
        guard first.status == .sandboxReceipt else {
            (address, outcome) = (.production, first)
            return
        }
        address = .sandbox
        outcome = verifyReceipt.answer(
            VerifyReceiptRequest(.sandbox, body: body, receivedAt: now)
        )
    }

    /// Who answered for a document, or may have to, where that is not Apple.
    private static func authority(
        for judgement: Judgement,
        _ files: TrustFiles
    ) -> AppConfiguration.Authority? {
        guard let realm = judgement.proof?.realm else {
            // Whoever might have answered is asked again, so that undecided stays undecided.
            if !files.anchors.isEmpty { return .rehearsal(anchors: files.anchors) }
            return files.pinned.isEmpty ? nil : .xcode(pinnedCertificates: files.pinned)
        }
        switch realm {
        case .appStore: return nil
        case .rehearsal: return .rehearsal(anchors: files.anchors)
        case .xcode: return .xcode(pinnedCertificates: files.pinned)
        }
    }

    /// The request that an app's backend would send: a receipt in base 64, signed data as it is.
    private static func body(_ document: Document?, else input: [UInt8]) -> [UInt8] {
        let bytes = document?.bytes ?? input
        var writer = JSONWriter()
        writer.object { writer in
            if document?.kind == .signedData {
                writer.member("receipt-data", utf8: bytes.span)
            } else {
                writer.member("receipt-data", Base64.encode(bytes.span))
            }
        }
        return writer.finish()
    }

    /// Writes Apple's JSON alone to standard output; whatever else is to be said goes to standard
    /// error.
    func write(to streams: Streams) throws {
        try streams.output.write(json: outcome.response.json + [0x0A])
        if address == .sandbox {
            try streams.error.line("\("note:", .yellow) this is the answer of the sandbox address")
        }
        if let refusal = outcome.refusal {
            try streams.error.line("\("note:", .yellow) \(refusal.code): \(refusal.reason)")
        }
    }

    /// 0 for an answer with a receipt, also one whose subscription is over.
    var exitCode: ExitCode {
        switch outcome.status {
        case .ok, .subscriptionExpired: .success
        case .internalError, .unavailable: .undecided
        default: .refused
        }
    }
}
