import AppStoreSimulator
import CounterfoilTestSupport

/// The code that each flaw must be refused with, as `Tests/Vectors/make/refusals.txt` lists them.
enum ExpectedRefusals {
    private static let table: [String: String] = {
        var table: [String: String] = [:]
        for line in Vector.text(of: "make/refusals.txt").split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words.count == 3, words[0] != "#" { table["\(words[0]) \(words[1])"] = words[2] }
        }
        return table
    }()

    /// The code for a flaw in an iOS 6-style receipt; nil for a flaw that is none to the verifier.
    static func code(of flaw: TransactionReceiptFlaw) -> String? {
        table["transaction-receipt \(flaw)"]
    }

    /// The code for a flaw in signed data of a kind.
    static func code(
        of flaw: SignedDataFlaw,
        in kind: SignedDataSpecification.Kind
    ) -> String? {
        // The date is one of the two members that tell an app transaction.
        if flaw == "signedDateMissing", kind == .appTransaction { return "payload.kind_unknown" }
        return table["signed-data \(flaw)"]
    }

    /// The codes for a flaw in a receipt of a shape; nil for a flaw that is none to the verifier.
    static func codes(of flaw: ReceiptFlaw, in shape: ReceiptShape) -> Set<String>? {
        guard let code = table["receipt \(flaw)"] else { return nil }
        // The digest among signed attributes no longer fits what was exchanged.
        if shape.form.hasSignedAttributes, exchanges.contains(flaw.name) {
            return ["signature.content_digest_mismatch"]
        }
        // Without the root, the issuer that is one too many is the last that can be found.
        if flaw == "pathTooLong", shape.form.certificates == .withoutRoot {
            return ["chain.untrusted_root"]
        }
        // A document that does not say Xcode is judged as the App Store's.
        if shape.form.signer == .storeKit, flaw.name.hasPrefix("payload") {
            return [code, "chain.leaf_marker_missing"]
        }
        return [code]
    }

    private static let exchanges: Set<String> = [
        "contentBitFlipped", "bundleIdExchanged", "typeExchanged", "purchaseAdded",
        "expiryExtended",
    ]
}
