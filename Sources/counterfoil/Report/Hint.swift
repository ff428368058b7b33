import AppStoreModel
import AppStoreVerification
import CounterfoilBasics
import DocumentInspection

/// What would help whoever reads a refusal.
enum Hint {
    /// The hints for an inspection of some input, most likely first.
    static func hints(for inspection: Inspection) -> [String] {
        guard let objection = inspection.judgement.objection else { return [] }
        switch objection.code.rawValue {
        case "chain.untrusted_root", "chain.wrong_length", "chain.no_anchor":
            return [saysXcode(inspection) ? pinning : anchor(inspection)]
        case "chain.unknown_issuer":
            return [
                "for a receipt of your own local App Store, give its root and intermediate: "
                    + "--anchor FILE"
            ]
        case "chain.leaf_marker_missing" where saysXcode(inspection): return [pinning]
        case "app.bundle_mismatch":
            return ["the document itself is genuine; a client that sends it replays another app's"]
        case "receipt.device_hash_mismatch": return [device]
        case "time.in_future": return ["set the clock of this machine, or give --at INSTANT"]
        case "encoding.unknown_document", "encoding.not_base64":
            return [
                "expected is a receipt in base 64 or raw, signed data (a JWS), a notification, or an"
                    + " answer of the App Store Server API"
            ]
        case "jws.no_certificates":
            return [
                "this is perhaps a token that a server signs to call Apple's, or one of Apple's"
                    + " examples; the App Store puts its certificates into the header"
            ]
        case "notification.password_unknown", "notification.password_missing":
            return [secret]
        case "environment.not_xcode":
            return ["leave --pinned-certificate out: this document is not of Xcode"]
        default: return []
        }
    }

    private static let pinning =
        "the document says Xcode; if it is yours, open its StoreKit configuration in Xcode, choose"
        + " Editor > Save Public Certificate, and give that file: --pinned-certificate FILE"

    private static let secret =
        "nobody signs version 1; what vouches for it is the app's shared secret of App Store"
        + " Connect, in a file: --shared-secret-file FILE"

    private static let device =
        "a hash goes stale when the device is restored, until the app refreshes its receipt; a"
        + " receipt made on Apple's servers has the device 00000000-0000-0000-0000-000000000000"

    private static func anchor(_ inspection: Inspection) -> String {
        let root =
            inspection.certificates.last?.issuer ?? inspection.certificates.last?.summary.name
        let named =
            root.map { "its certificates end at '\($0)', which is no root of Apple's; " } ?? ""
        return named + "for a document of your own local App Store, give its root: --anchor FILE"
    }

    private static func saysXcode(_ inspection: Inspection) -> Bool {
        switch inspection.content {
        case .appReceipt(let receipt): receipt.receiptType == .xcode
        case .signedData(let content):
            content.environment == .xcode
        case .transactionReceipt, .notificationV1, .answer, nil: false
        }
    }
}
