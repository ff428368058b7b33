package import CounterfoilBasics
package import CounterfoilCryptography
import Synchronization

/// Where verifiers look up whether certificates were revoked, and where the newest snapshot is
/// hung up.
///
/// A verifier asks nobody. It reads what is known, leaves a document undecided where a certificate
/// may have been revoked unknown to it, and notes that certificate, so that whoever asks responders
/// finds it here.
///
/// Any number of verifiers and threads may use one register. A verification holds its lock for as
/// long as it takes to copy a reference; a replaced snapshot counts from the next verification on.
public final class RevocationRegister: Sendable {
    private let current: Mutex<RevocationSnapshot>
    private let met = Mutex<[MetCertificate]>([])
    private let capacity: Int

    /// By how much a responder's clock may disagree with ours.
    private static let leeway = Duration.seconds(300)

    /// A certificate of a chain that held, and since when its last answer is right.
    private struct MetCertificate {
        let fingerprint: SHA256Digest
        let question: OCSPQuestion
        var thisUpdate: Instant?
    }

    /// Makes a register.
    ///
    /// - Parameters:
    ///   - snapshot: What is known already.
    ///   - capacity: How many certificates may be asked about. Beyond it the one met first is
    ///     dropped, and noted again when it is met again.
    public init(_ snapshot: RevocationSnapshot = RevocationSnapshot(), capacity: Int = 128) {
        precondition(capacity > 0, "a register has room for a certificate")
        current = Mutex(snapshot)
        self.capacity = capacity
    }

    /// The newest snapshot.
    public var snapshot: RevocationSnapshot { current.withLock { $0 } }

    /// Hangs up a snapshot in the place of the one that is there.
    public func replace(with snapshot: RevocationSnapshot) {
        current.withLock { $0 = snapshot }
    }

    /// The certificates that verifiers met and that their issuers answer for.
    ///
    /// Each is of a chain that led to a trusted anchor: a document cannot have anybody else asked.
    package func questions() -> [OCSPQuestion] { met.withLock { $0.map(\.question) } }

    /// Takes what a responder sent, once it is proved.
    ///
    /// - Parameters:
    ///   - response: The bytes.
    ///   - question: What was asked.
    ///   - now: The instant at which they must hold.
    /// - Returns: Until when the answer counts.
    /// - Throws: `revocation.…`; what is known stays as it is.
    package func take(
        _ response: [UInt8],
        answering question: OCSPQuestion,
        now: Instant
    ) throws(VerificationError) -> Instant {
        let answer: OCSPAnswer
        do {
            answer = try OCSPResponse(response).answer(
                to: question,
                now: now,
                leeway: Self.leeway
            )
        } catch {
            throw VerificationError(error)
        }
        let until = answer.nextUpdate.advanced(by: Self.leeway)
        let status = try RevocationSnapshot.Status(answer, about: question, until: until)
        let fingerprint = question.certificate.fingerprint
        try requireNewest(answer, about: question, fingerprint)
        current.withLock { $0 = $0.setting(status, of: fingerprint) }
        return until
    }

    /// Notes a certificate so that somebody may ask about it.
    func note(_ certificate: RevocableCertificate) {
        met.withLock { met in
            guard !met.contains(where: { $0.fingerprint == certificate.fingerprint }) else {
                return
            }
            if met.count == capacity { met.removeFirst() }
            met.append(
                MetCertificate(
                    fingerprint: certificate.fingerprint,
                    question: certificate.question
                )
            )
        }
    }

    /// Refuses an answer that is older than one that was taken before: whoever stands between could
    /// keep a good one and send it after the revocation.
    private func requireNewest(
        _ answer: OCSPAnswer,
        about question: OCSPQuestion,
        _ fingerprint: SHA256Digest
    ) throws(VerificationError) {
        let newer: Instant? = met.withLock { met in
            guard let index = met.firstIndex(where: { $0.fingerprint == fingerprint }) else {
                return nil
            }
            if let known = met[index].thisUpdate, known > answer.thisUpdate { return known }
            met[index].thisUpdate = answer.thisUpdate
            return nil
        }
        guard let newer else { return }
        throw VerificationError(
            OCSPError.notCurrent,
            "the response about \(question.certificate) is of \(answer.thisUpdate), and one of "
                + "\(newer) is known"
        )
    }
}

extension RevocationSnapshot.Status {
    fileprivate init(
        _ answer: OCSPAnswer,
        about question: OCSPQuestion,
        until: Instant
    ) throws(VerificationError) {
        switch answer.status {
        case .good: self = .good(until: until)
        case .revoked(let instant, let reason):
            self = .revoked(Revocation(since: instant, reason: reason?.rawValue))
        case .unknown:
            throw VerificationError(
                VerificationError.unknownToResponder,
                "the responder does not know \(question.certificate)"
            )
        }
    }
}
