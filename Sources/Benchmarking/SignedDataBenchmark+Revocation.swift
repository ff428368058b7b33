import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilCryptography

extension SignedDataBenchmark {
    /// What looking up adds to a transaction under a known chain, in microseconds of processor time.
    package struct Revocation: Sendable {
        /// How many certificates of the chain are looked up.
        package let certificates: Int
        /// Verification that does not ask.
        package let knownChain: Double
        /// Verification of the same documents with all that is asked about known to be good.
        package let lookedUp: Double
    }

    /// Measures transactions whose certificates state a responder, with and without the look-up.
    ///
    /// - Throws: what issuing and verifying throw, which is a defect of this program.
    package func revocation(_ effort: Turns.Effort = .usual) throws -> Revocation {
        let answered = try samples.answered()
        let texts = try (0..<Self.documentCount).map { try answered.text(.transaction, $0) }
        let snapshot = try Self.allGood(answered.authority, until: now.advanced(by: .seconds(3600)))
        let known = knownWork(texts)
        let lookedUp = knownWork(
            texts,
            named: "lookedUp",
            revocation: RevocationRegister(snapshot)
        )
        let turns = try Turns([known, lookedUp], effort)
        return Revocation(
            certificates: snapshot.certificates.count,
            knownChain: turns[known.name],
            lookedUp: turns[lookedUp.name]
        )
    }

    /// That nothing is revoked of the certificates of signed data which somebody answers for.
    private static func allGood(
        _ authority: SigningAuthority,
        until: Instant
    ) throws -> RevocationSnapshot {
        let chain = try authority.chain(of: .signedDataSigner).map { try Certificate($0.der) }
        let answered = chain.filter { !$0.ocspResponders.isEmpty }
        return RevocationSnapshot(
            Dictionary(
                answered.map { ($0.fingerprint, .good(until: until)) },
                uniquingKeysWith: { first, _ in first }
            )
        )
    }
}
