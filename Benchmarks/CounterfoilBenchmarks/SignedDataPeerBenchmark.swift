import AppStoreSimulator
import AppStoreVerification
import Benchmarking
import CounterfoilBasics

/// Verification of signed data beside what others do with it: one call of OpenSSL's
/// `EVP_DigestVerify`, and Apple's own library in Python.
struct SignedDataPeerBenchmark {
    private let now = CivilTime(year: 2026, month: 6, day: 1).instant
    private let benchmark: SignedDataBenchmark

    init() throws { benchmark = try SignedDataBenchmark(now: now) }

    /// Measures beside the checks of the signatures alone.
    ///
    /// - Throws: what verifying throws, which is a defect.
    func run() async throws {
        print("Signed data, one processor: microseconds each, and ratios within this run")
        print(
            "document         bytes  checks      raw    known  known/raw"
                + "   raw with chain     cold  cold/raw"
        )
        for kind in SampleSignedData.Kind.allCases {
            let row = try benchmark.measure(kind)
            print(
                [
                    kind.rawValue.padding(to: 13), "\(row.bytes)".padded(9),
                    "\(row.documents)".padded(8), row.raw.rounded(to: 1).padded(9),
                    row.knownChain.rounded(to: 1).padded(9),
                    (row.knownChain / row.raw).rounded(to: 2).padded(11),
                    row.rawWithChain.rounded(to: 1).padded(17),
                    row.coldChain.rounded(to: 1).padded(9),
                    (row.coldChain / row.rawWithChain).rounded(to: 2).padded(10),
                ].joined()
            )
        }
        let scaling = try await benchmark.twoThreadsToOne()
        print("two threads verify \(scaling.rounded(to: 2)) times as many transactions as one")
        try compareWithOneCall()
        try compareWithRevocation()
    }

    /// Measures beside Apple's `app-store-server-library`, which verifies the whole chain at each
    /// call, by handing both the same transaction and taking turns.
    ///
    /// - Parameter python: an interpreter that has the library.
    /// - Throws: what verifying throws, which is a defect.
    func run(python: String) throws {
        let text = try benchmark.text(.transaction)
        let peer = PythonPeer(python, .transaction, document: text, root: benchmark.root)
        print("A transaction, one processor, known chain, beside app-store-server-library")
        print("(Python), which verifies the chain anew at each call, microseconds each:")
        try peer.compare(with: benchmark.knownWork([text]))
    }

    /// Verifies documents over and over for some seconds, for a profiler to look at.
    func profile(_ kind: SampleSignedData.Kind, isCold: Bool) throws {
        let documents = try (0..<32).map { try CompactJWS(benchmark.text(kind, $0)) }
        let verifier = SignedDataVerifier(trust: benchmark.trust)
        let watch = Stopwatch()
        while watch.elapsed < .seconds(8) {
            for document in documents {
                let verifier = isCold ? SignedDataVerifier(trust: benchmark.trust) : verifier
                _ = try verifier.verify(document, now: now)
            }
        }
    }

    /// A known chain with and without looking up whether its certificates were revoked.
    private func compareWithRevocation() throws {
        let row = try benchmark.revocation()
        print(
            "the same with \(row.certificates) certificates looked up, none of them revoked: "
                + "\(row.lookedUp.rounded(to: 1)), without: \(row.knownChain.rounded(to: 1)), ratio "
                + (row.lookedUp / row.knownChain).rounded(to: 2)
        )
    }

    /// A known chain beside one call of `EVP_DigestVerify`, which makes its context ready each time.
    private func compareWithOneCall() throws {
        let text = try benchmark.text(.transaction)
        let peer = try OpenSSLSignature(of: text, by: benchmark.signer)
        let known = benchmark.knownWork([text])
        let turns = try Turns([known, Turns.Work("call") { peer.verify() }])
        print(
            "a transaction under a known chain: \(turns[known.name].rounded(to: 1)), one call of "
                + "EVP_DigestVerify over it: \(turns["call"].rounded(to: 1)), ratio "
                + (turns[known.name] / turns["call"]).rounded(to: 2)
        )
    }
}

extension String {
    /// The text with spaces behind it up to a width.
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - utf8.count))
    }
}
