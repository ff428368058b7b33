import AppStoreModel
import AppStoreSimulator
package import AppStoreVerification
package import CounterfoilBasics
import CounterfoilCryptography

/// What verifying app receipts costs on one processor, beside what nobody can go below: one raw
/// verification of an RSA-2048 signature by the same OpenSSL, with a key that is ready.
package struct ReceiptBenchmark: Sendable {
    /// Purchases of the receipts that are measured.
    package static let purchaseCounts = [1, 10, 200, 5_000]

    /// What a receipt of so many purchases costs, in microseconds of processor time.
    package struct Row: Sendable {
        /// How many purchases it holds.
        package let purchases: Int
        /// How large it is.
        package let bytes: Int
        /// One raw verification of its signature.
        package let raw: Double
        /// SHA-256 over what is signed.
        package let hash: Double
        /// From its bytes to a verified value, its certificates having been seen before.
        package let knownChain: Double
        /// The same with certificates that were never seen.
        package let coldChain: Double
    }

    private let receipts: SampleReceipts
    private let now: Instant
    /// Who is believed: the authority of the receipts.
    package let trust: Trust

    /// Makes an authority for the receipts, which takes a second.
    ///
    /// - Throws: `SimulatorError`.
    package init(now: Instant) throws {
        receipts = try SampleReceipts(now: now)
        trust = try .rehearsal(anchors: Array(receipts.authority.anchorsPEM.utf8))
        self.now = now
    }

    /// The root of the authority, in DER.
    package var root: [UInt8] { receipts.authority[.root].certificate.der }

    /// A receipt as it is measured.
    ///
    /// - Throws: `SimulatorError`.
    package func receipt(purchases: Int) throws -> [UInt8] {
        try receipts.receipt(0, purchases: purchases)
    }

    /// Measures a receipt of so many purchases.
    ///
    /// - Throws: what issuing and verifying throw, which is a defect of this program.
    package func measure(purchases: Int, _ effort: Turns.Effort = .usual) throws -> Row {
        let bytes = try receipt(purchases: purchases)
        let document = try Document(detecting: bytes)
        let primitive = try SignaturePrimitive(of: bytes)
        let verifier = ReceiptVerifier(trust: trust)
        let turns = try Turns(
            [
                Turns.Work("raw") { try primitive.verify() },
                Turns.Work("hash") { primitive.hash() },
                Turns.Work("known") { _ = try verifier.verify(document, now: now) },
                Turns.Work("cold") {
                    _ = try ReceiptVerifier(trust: trust).verify(document, now: now)
                },
            ],
            effort
        )
        return Row(
            purchases: purchases,
            bytes: bytes.count,
            raw: turns["raw"],
            hash: turns["hash"],
            knownChain: turns["known"],
            coldChain: turns["cold"]
        )
    }
}

/// The signature of a receipt alone, taken out of everything around it.
package struct SignaturePrimitive: Sendable {
    private let key: PublicKey
    private let signature: [UInt8]
    private let content: [UInt8]
    private let digest: MessageDigest

    /// Takes a receipt's signature out of it.
    ///
    /// - Throws: for what is no receipt of an RSA signer without signed attributes.
    package init(of receipt: [UInt8]) throws {
        let message = try CMSSignedData(receipt, certificateLimit: 3)
        let signer = try message.onlySigner()
        let certificate = try Certificate(Array(receipt[message.certificates[0]]))
        key = try PublicKey(certificate.subjectPublicKeyInfo)
        signature = Array(receipt[signer.signature])
        let signed = Array(try message.attachedContent())
        content = signed
        digest = MessageDigest(of: signed.span, .sha256)
        try verify()
    }

    /// Verifies the signature over the digest.
    package func verify() throws {
        let isGenuine = try key.verifies(signature.span, of: digest, .rsaPKCS1)
        precondition(isGenuine, "the raw signature of a receipt is refused")
    }

    /// Hashes what is signed.
    package func hash() { _ = MessageDigest(of: content.span, .sha256) }
}
