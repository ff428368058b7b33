import AppStoreModel
import AppStoreVerification
package import CounterfoilBasics
import CounterfoilCryptography
package import Journal
import Ledger

/// Takes in what App Store Connect posts: notifications of both versions, of every app that is
/// served, at one address.
///
/// Apple is taken not to retry what is answered with 4xx, and version 1 has no history: what may be
/// genuine is never turned away for good.
package struct NotificationInbox: Sendable {
    private let intake: DocumentIntake
    private let journal: OpenJournal
    private let clock: any WallClock

    /// Makes an inbox.
    ///
    /// - Parameters:
    ///   - intake: Proves notifications, and knows which apps are served.
    ///   - journal: Where they are learned.
    ///   - clock: What time it is.
    package init(
        _ intake: DocumentIntake,
        _ journal: OpenJournal,
        clock: any WallClock = SystemClock()
    ) {
        self.intake = intake
        self.journal = journal
        self.clock = clock
    }

    /// Takes in a body, as it was posted.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - bundleId: The app at whose own address it was posted; nil at the common one.
    /// - Returns: What came of it.
    package func take(_ body: [UInt8], at bundleId: String? = nil) async -> InboxOutcome {
        let envelope: NotificationEnvelope
        do throws(NotificationError) {
            envelope = try NotificationEnvelope(parsing: body.span)
        } catch {
            return .unreadable(InboxRefusal(error))
        }
        let post = Post(envelope: envelope, postedAt: clock.now)
        let learning: Learning
        do throws(IntakeRefusal) {
            learning = try intake.learning(from: envelope)
        } catch {
            return await turnAway(post, because: error)
        }
        guard bundleId.map({ $0.hasSameUTF8(as: learning.scope.bundleId) }) ?? true else {
            let refusal = InboxRefusal(
                code: InboxRefusal.otherAddress,
                reason: "the notification is of the app \(learning.scope.bundleId)"
            )
            return await quarantine(post, of: learning.scope.bundleId, .notServed, refusal)
        }
        do throws(StorageError) {
            return .accepted(try await journal.writer.learn(learning))
        } catch {
            return .unavailable(InboxRefusal(error))
        }
    }

    // MARK: - What is not taken in

    private func turnAway(_ post: Post, because refusal: IntakeRefusal) async -> InboxOutcome {
        let reason = InboxRefusal(refusal)
        switch refusal {
        case .notStored: return .unavailable(reason)
        case .notServed(_, let scope):
            // It was proved, or vouched for, before it was looked up whose it is.
            return await quarantine(post, of: scope?.bundleId ?? "", .notServed, reason)
        case .unproved(let error):
            if error.isUndecided {
                return await quarantine(post, of: "", .undecided, reason)
            }
            if case .v1(let body, _) = post.envelope, error.code.isOfUnknownSecret,
                let bundleId = intake.appOfGenuineReceipt(in: body)
            {
                return await quarantine(post, of: bundleId, .secretUnknown, reason)
            }
            // What a forger says of his app names no shelf. Whether a sample could be kept changes
            // nothing for him.
            _ = await quarantine(post, of: "", .refused, reason)
            return .refused(reason)
        }
    }

    private func quarantine(
        _ post: Post,
        of bundleId: String,
        _ kind: QuarantinedBody.Kind,
        _ refusal: InboxRefusal
    ) async -> InboxOutcome {
        let bytes = post.bytes
        let body = QuarantinedBody(
            id: QuarantinedBody.ID(
                shelf: QuarantinedBody.Shelf(bundleId: bundleId, kind: kind),
                postedAt: post.postedAt,
                digest: SHA256Digest(of: bytes.span)
            ),
            code: refusal.code,
            reason: refusal.reason,
            bytes: bytes,
            password: post.password.map {
                journal.fingerprint(ofSecret: SharedSecret.digest(of: $0.secret))
            }
        )
        do throws(StorageError) {
            try await journal.writer.quarantine(body)
            return .quarantined(refusal)
        } catch {
            return .unavailable(InboxRefusal(error))
        }
    }

    /// A body that was posted.
    private struct Post {
        let envelope: NotificationEnvelope
        let postedAt: Instant

        var password: Redacted<String>? {
            if case .v1(_, let password) = envelope { password } else { nil }
        }

        /// What is kept of it: of version 1 all but the password.
        var bytes: [UInt8] {
            switch envelope {
            case .v1(let body, _): body.json
            case .v2(let signedPayload): Array(signedPayload.utf8)
            }
        }
    }
}

/// What came of a notification that was posted.
package enum InboxOutcome: Sendable {
    /// It is durable, or was before; there is no other way to answer 200.
    case accepted(Committed)
    /// It may be genuine, and is kept to be judged again: 503, so that Apple sends it again too.
    case quarantined(InboxRefusal)
    /// It is forged, or nobody vouches for it: 403.
    case refused(InboxRefusal)
    /// It is no notification at all: 400.
    case unreadable(InboxRefusal)
    /// It could not be kept now: 503.
    case unavailable(InboxRefusal)
}

/// Why a notification was not taken in.
package struct InboxRefusal: CodedError, Hashable {
    package let code: ErrorCode
    package let reason: String

    init(code: ErrorCode, reason: String) {
        self.code = code
        self.reason = reason
    }

    init(_ error: some CodedError) {
        self.init(code: error.code, reason: error.reason)
    }

    /// A notification of one app at the address of another.
    package static let otherAddress: ErrorCode = "notification.other_address"

    /// Every code of this layer.
    package static let allCodes: [ErrorCode] = [otherAddress]
}

// MARK: - Judged again

extension NotificationInbox {
    /// What came of judging the quarantine again.
    package struct Retry: Sendable {
        /// How many notifications were taken in.
        package fileprivate(set) var accepted = 0
        /// How many stay, because nothing changed for them.
        package fileprivate(set) var kept = 0
        /// How many turned out to be forged, and were let go.
        package fileprivate(set) var refused = 0
    }

    /// Judges everything in the quarantine again that may be taken in by now.
    ///
    /// - Throws: ``StorageError``; what was taken in before stays so.
    package func retryQuarantine() async throws(StorageError) -> Retry {
        var retry = Retry()
        var last: QuarantinedBody.ID?
        while true {
            let page = try await journal.reader.quarantine(after: last, limit: 64)
            guard !page.isEmpty else { return retry }
            for body in page {
                last = body.id
                guard body.id.shelf.kind.isWorthRepeating else { continue }
                try await retryOne(body, &retry)
            }
        }
    }

    private func retryOne(
        _ body: QuarantinedBody,
        _ retry: inout Retry
    ) async throws(StorageError) {
        let learning: Learning
        do throws(IntakeRefusal) {
            learning = try intake.learning(from: body)
        } catch {
            guard case .unproved(let error) = error, !error.isUndecided,
                !error.code.isOfUnknownSecret
            else {
                retry.kept += 1
                return
            }
            try await journal.writer.release(body.id)
            retry.refused += 1
            return
        }
        _ = try await journal.writer.learn(learning)
        try await journal.writer.release(body.id)
        retry.accepted += 1
    }
}

extension ErrorCode {
    /// Whether nobody vouches for a notification of version 1, though somebody may in time.
    fileprivate var isOfUnknownSecret: Bool {
        self == "notification.password_unknown" || self == "notification.password_missing"
    }
}
