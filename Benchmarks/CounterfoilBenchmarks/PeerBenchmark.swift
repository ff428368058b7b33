import AppStoreSimulator
import AppStoreVerification
import Benchmarking
import CounterfoilBasics
import Glibc

/// Verification beside what others do with the same receipts: OpenSSL's `CMS_verify`, and a library
/// in Python.
struct PeerBenchmark {
    private let now = CivilTime(year: 2026, month: 6, day: 1).instant
    private let benchmark: ReceiptBenchmark

    init() throws { benchmark = try ReceiptBenchmark(now: now) }

    /// Measures beside `CMS_verify`, which most programs use.
    func run() throws {
        print("App receipts, one processor: microseconds each, and ratios within this run")
        print(
            "purchases   bytes   raw RSA   hash   known chain  cold chain  CMS_verify"
                + "   known/(raw)  known-hash/raw  CMS/cold"
        )
        var perPurchase: [Int: Double] = [:]
        for purchases in ReceiptBenchmark.purchaseCounts {
            let row = try benchmark.measure(purchases: purchases)
            let cms = try cmsMicroseconds(purchases: purchases)
            perPurchase[purchases] = row.knownChain / Double(purchases)
            print(
                [
                    "\(purchases)".padded(9), "\(row.bytes)".padded(8),
                    row.raw.rounded(to: 1).padded(10), row.hash.rounded(to: 1).padded(7),
                    row.knownChain.rounded(to: 1).padded(14),
                    row.coldChain.rounded(to: 1).padded(12), cms.rounded(to: 1).padded(12),
                    (row.knownChain / row.raw).rounded(to: 2).padded(14),
                    ((row.knownChain - row.hash) / row.raw).rounded(to: 2).padded(16),
                    (cms / row.coldChain).rounded(to: 2).padded(10),
                ].joined()
            )
        }
        if let few = perPurchase[200], let many = perPurchase[5000] {
            print(
                "cost per purchase at 5,000 as a multiple of that at 200: "
                    + (many / few).rounded(to: 2)
            )
        }
    }

    /// Measures beside `apple-purchase-receipt-verifier`, by handing both the same receipt in base
    /// 64 and taking turns; the other process is warm before it counts.
    ///
    /// - Parameter python: an interpreter that has the library.
    /// - Throws: what verifying throws, which is a defect.
    func run(python: String) throws {
        let bytes = try benchmark.receipt(purchases: 10)
        let text = Base64.encode(bytes.span)
        let verifier = ReceiptVerifier(trust: benchmark.trust)
        let now = now
        let work = Turns.Work("ours") {
            let document = try Document(detecting: Array(text.utf8))
            _ = try verifier.verify(document, now: now)
        }
        let peer = PythonPeer(python, .receipt, document: text, root: benchmark.root)
        print("A receipt of 10 purchases in base 64, one processor, beside")
        print("apple-purchase-receipt-verifier (Python), microseconds each:")
        try peer.compare(with: work)
    }

    /// Verifies one receipt over and over for some seconds, for a profiler to look at.
    func profile(purchases: Int, isCold: Bool) throws {
        let document = try Document(detecting: benchmark.receipt(purchases: purchases))
        let verifier = ReceiptVerifier(trust: benchmark.trust)
        let watch = Stopwatch()
        while watch.elapsed < .seconds(8) {
            let verifier = isCold ? ReceiptVerifier(trust: benchmark.trust) : verifier
            _ = try verifier.verify(document, now: now)
        }
    }

    private func cmsMicroseconds(purchases: Int) throws -> Double {
        let peer = OpenSSLPeer(
            receipt: try benchmark.receipt(purchases: purchases),
            root: benchmark.root,
            atSecond: Int(now.millisecondsSince1970 / 1000)
        )
        let turns = try Turns(
            [Turns.Work("cms") { peer.verifyCMS() }],
            rounds: 15,
            roundMilliseconds: 40
        )
        return turns["cms"]
    }
}

extension Double {
    /// The number with so many digits behind the point.
    func rounded(to digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int((self * scale).rounded())
        guard digits > 0 else { return "\(scaled)" }
        return "\(scaled / Int(scale)).\(CivilTime.padded(scaled % Int(scale), digits))"
    }
}

extension String {
    /// The text with spaces before it up to a width.
    func padded(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - utf8.count)) + self
    }
}
