import AppStoreVerification
import Foundation

/// Proves a receipt and lists its purchases: `ReceiptVerification RECEIPT [ROOT]`.
///
/// Apple alone is believed, unless the root of a local App Store is named.
@main
struct ReceiptVerification {
    static func main() throws {
        let files = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
        guard let file = files.first else { return print("Which receipt?") }
        do {
            let trust = try files.dropFirst().first
                .map { try Trust.rehearsal(anchors: Array(Data(contentsOf: $0))) }
            let document = try Document(detecting: Array(Data(contentsOf: file)))
            let receipt = try ReceiptVerifier(trust: trust ?? .appStore).verify(document)
            show(receipt)
        } catch let error as VerificationError {
            print(error.isUndecided ? "undecided:" : "refused:", error)
            exit(1)
        }
    }

    static func show(_ receipt: VerifiedReceipt) {
        let scope = receipt.proof.scope
        print(scope.bundleId, scope.environment.rawValue, "signed", receipt.proof.judgedAt)
        switch receipt {
        case .appReceipt(let receipt):
            for purchase in receipt.inApp { print("-", purchase.productId, purchase.transactionId) }
        case .transactionReceipt(let receipt):
            print("-", receipt.productId, receipt.transactionId)
        }
    }
}
