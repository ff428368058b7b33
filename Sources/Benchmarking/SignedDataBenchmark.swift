import AppStoreSimulator
package import AppStoreVerification
package import CounterfoilBasics

/// What verifying signed data costs on one processor, beside what nobody can go below: the checks
/// of its signatures alone, by the same OpenSSL.
package struct SignedDataBenchmark: Sendable {
    /// What a kind of document costs, in microseconds of processor time.
    package struct Row: Sendable {
        /// What it is.
        package let kind: SampleSignedData.Kind
        /// How large it is.
        package let bytes: Int
        /// How many signed documents it is, with those inside it.
        package let documents: Int
        /// The signature of each document: SHA-256 and ECDSA on P-256.
        package let raw: Double
        /// From its bytes to verified values, the certificates having been seen before.
        package let knownChain: Double
        /// The signatures of the documents and those of the two certificates, on P-384.
        package let rawWithChain: Double
        /// As for a known chain, with certificates that were never seen.
        package let coldChain: Double
    }

    /// Documents that take turns, so that nothing is measured of one alone.
    static let documentCount = 32

    let samples: SampleSignedData
    let now: Instant
    /// Who is believed: the authority of the documents.
    package let trust: Trust

    /// Makes an authority for the documents, which takes a second.
    ///
    /// - Throws: `SimulatorError`.
    package init(now: Instant) throws {
        samples = try SampleSignedData(now: now)
        trust = try .rehearsal(anchors: Array(samples.authority.anchorsPEM.utf8))
        self.now = now
    }

    /// The root of the authority, in DER.
    package var root: [UInt8] { samples.authority[.signedDataRoot].certificate.der }

    /// The certificate of the signer, in DER.
    package var signer: [UInt8] { samples.authority[.signedDataSigner].certificate.der }

    /// A document as it is measured.
    ///
    /// - Throws: `SimulatorError`.
    package func text(_ kind: SampleSignedData.Kind, _ index: Int = 0) throws -> String {
        try samples.text(kind, index)
    }

    /// Measures one kind of document.
    ///
    /// - Throws: what issuing and verifying throw, which is a defect of this program.
    package func measure(
        _ kind: SampleSignedData.Kind,
        _ effort: Turns.Effort = .usual
    ) throws -> Row {
        let texts = try (0..<Self.documentCount).map { try text(kind, $0) }
        let checks = try texts.map(checks)
        let chain = try SignatureChecks(ofChainOf: samples.authority)
        let known = knownWork(texts)
        let cold = Rotation(texts.map { Array($0.utf8) })
        let raw = Rotation(checks)
        let rawWithChain = Rotation(checks.map { $0 + chain })
        let turns = try Turns(
            [
                Turns.Work("raw") { try raw.next().verify() },
                known,
                Turns.Work("rawWithChain") { try rawWithChain.next().verify() },
                Turns.Work("cold") {
                    let verifier = SignedDataVerifier(trust: trust)
                    _ = try verifier.verify(CompactJWS(cold.next()), now: now)
                },
            ],
            effort
        )
        return Row(
            kind: kind,
            bytes: texts[0].utf8.count,
            documents: checks[0].count,
            raw: turns["raw"],
            knownChain: turns[known.name],
            rawWithChain: turns["rawWithChain"],
            coldChain: turns["cold"]
        )
    }

    /// Verification of documents in turn, under one verifier.
    package func knownWork(
        _ texts: [String],
        named name: String = "known",
        revocation: RevocationRegister? = nil
    ) -> Turns.Work {
        let verifier = SignedDataVerifier(trust: trust, revocation: revocation)
        let documents = Rotation(texts.map { Array($0.utf8) })
        return Turns.Work(name) {
            _ = try verifier.verify(CompactJWS(documents.next()), now: now)
        }
    }

    /// How many times as many transactions two threads verify as one, with one verifier.
    ///
    /// - Throws: what issuing and verifying throw, which is a defect of this program.
    package func twoThreadsToOne(_ effort: Turns.Effort = .usual) async throws -> Double {
        let documents = try (0..<Self.documentCount).map {
            Array(try text(.transaction, $0).utf8)
        }
        let verifier = SignedDataVerifier(trust: trust)
        let seconds = effort.roundMilliseconds / 100
        var ratios: [Double] = []
        for _ in 0..<effort.rounds {
            var rates: [Double] = []
            for threads in 1...2 {
                rates.append(
                    try await Self.rate(threads, seconds: seconds) {
                        for document in documents {
                            _ = try verifier.verify(CompactJWS(document), now: now)
                        }
                    }
                )
            }
            ratios.append(rates[1] / rates[0])
        }
        return ratios.sorted()[ratios.count / 2]
    }

    /// How often a second some threads do something together.
    private static func rate(
        _ threads: Int,
        seconds: Double,
        _ work: @escaping @Sendable () throws -> Void
    ) async throws -> Double {
        try await withThrowingTaskGroup(of: Double.self) { group in
            for _ in 0..<threads {
                group.addTask {
                    let watch = Stopwatch()
                    var count = 0.0
                    while watch.elapsed < .seconds(seconds) {
                        try work()
                        count += 1
                    }
                    return count / (watch.elapsed / .seconds(1))
                }
            }
            return try await group.reduce(0, +)
        }
    }

    /// The signatures of a document and of those in it.
    private func checks(of text: String) throws -> SignatureChecks {
        let nested = try SampleSignedData.nested(in: text)
        return try nested.reduce(try SignatureChecks(of: text, by: samples.authority)) {
            try $0 + SignatureChecks(of: $1, by: samples.authority)
        }
    }
}

/// Things that are taken in turn, for ever.
private final class Rotation<Element> {
    private let elements: [Element]
    private var index = 0

    init(_ elements: [Element]) { self.elements = elements }

    func next() -> Element {
        index = index + 1 < elements.count ? index + 1 : 0
        return elements[index]
    }
}
