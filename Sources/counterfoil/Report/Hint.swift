import AppStoreModel
import AppStoreVerification
import CounterfoilBasics
import DocumentInspection

/// What would help whoever reads a refusal.
enum Hint {
    /// The hints for an inspection of some input, most likely first.
    static func hints(for inspection: Inspection, of input: [UInt8]) -> [String] {
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
            return ["the receipt itself is genuine; a client that sends it replays another app's"]
        case "receipt.device_hash_mismatch": return [device]
        case "time.in_future": return ["set the clock of this machine, or give --at INSTANT"]
        case "encoding.unknown_document", "encoding.not_base64":
            return isSignedData(input)
                ? ["this looks like signed data of StoreKit 2 (JWS), which is not read yet"]
                : ["expected is an app receipt or an iOS 6-style receipt, in base 64 or raw"]
        case "environment.not_xcode":
            return ["leave --pinned-certificate out: this receipt is not of Xcode"]
        default: return []
        }
    }

    private static let pinning =
        "the receipt says Xcode; if it is yours, open its StoreKit configuration in Xcode, choose"
        + " Editor > Save Public Certificate, and give that file: --pinned-certificate FILE"

    private static let device =
        "a hash goes stale when the device is restored, until the app refreshes its receipt; a"
        + " receipt made on Apple's servers has the device 00000000-0000-0000-0000-000000000000"

    private static func anchor(_ inspection: Inspection) -> String {
        let root =
            inspection.certificates.last?.issuer ?? inspection.certificates.last?.summary.name
        let named =
            root.map { "its certificates end at '\($0)', which is no root of Apple's; " } ?? ""
        return named + "for a receipt of your own local App Store, give its root: --anchor FILE"
    }

    /// Whether it is three parts of base 64 with dots between, the first a JSON object
    /// (RFC 7515 §3.1).
    private static func isSignedData(_ input: [UInt8]) -> Bool {
        let text = input.drop { $0 <= UInt8(ascii: " ") }
        return text.starts(with: Array("eyJ".utf8))
            && text.count { $0 == UInt8(ascii: ".") } == 2
    }

    private static func saysXcode(_ inspection: Inspection) -> Bool {
        guard case .appReceipt(let receipt) = inspection.content else { return false }
        return receipt.receiptType == .xcode
    }
}
