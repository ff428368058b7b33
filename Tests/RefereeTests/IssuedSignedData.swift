import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilTestSupport

/// Signed data of an authority of our own, sound and spoiled, with our verdicts.
///
/// Not Xcode's: nobody else pins its certificate, and Apple's library checks nothing of it at all.
enum IssuedSignedData {
    private static let now = CivilTime(year: 2026, month: 6, day: 1, hour: 12).instant

    private static let authority = Result {
        try SigningAuthority(profile: AuthorityProfile(now: now, seed: 22))
    }

    private static let appAppleId: Int64 = 1_234_567_890

    /// Sound documents whose content and dates are drawn at random.
    static func random(_ count: Int) throws -> [Judged] {
        try (0..<count).map { number in
            var draw = RandomPayload(seed: UInt64(number))
            // Every kind in turn, so that few documents are of every kind as well.
            let kinds = SignedDataSpecification.Kind.allCases
            let kind = kinds[number % kinds.count]
            let isProduction = draw.chance(1, of: 2)
            // The signer is valid from 2013 to 2038.
            let signedAt = now.advanced(by: .seconds(draw.number(-12 * 31_557_600...0)))
            let specification = draw.specification(
                kind,
                isProduction: isProduction,
                appAppleId: appAppleId,
                signedAt: signedAt
            )
            return try judged(
                "jws",
                id: "\(number): \(kind.rawValue) \(specification)",
                kind,
                specification,
                isProduction ? .production : .sandbox,
                signedAt: signedAt,
                number: UInt64(number)
            )
        }
    }

    /// Every flaw on two of the kinds that can have it, which take turns; at full size on every kind
    /// and environment.
    static func spoiled() throws -> [Judged] {
        let kinds = SignedDataSpecification.Kind.allCases
        let environments = Soak.isOn ? [StoreEnvironment.sandbox, .production] : [.sandbox]
        var documents: [Judged] = []
        for (number, flaw) in SignedDataFlaw.allCases.enumerated()
        where flaw.name != "appStoreOfXcode" {
            var kindsLeft = Soak.size(2, soak: kinds.count)
            for turn in kinds.indices where kindsLeft > 0 {
                let kind = kinds[(number + turn) % kinds.count]
                let found = try environments.compactMap { try spoiled(flaw, kind, $0) }
                documents += found
                if !found.isEmpty { kindsLeft -= 1 }
            }
        }
        return documents
    }

    /// A spoiled document; nil where the kind has not what the flaw needs.
    private static func spoiled(
        _ flaw: SignedDataFlaw,
        _ kind: SignedDataSpecification.Kind,
        _ environment: StoreEnvironment
    ) throws -> Judged? {
        let identified = kind != .transaction && kind != .renewalInfo
        let appleId =
            identified && environment == .production ? #", "appAppleId": \#(appAppleId)"# : ""
        do {
            return try judged(
                "jws:\(flaw.name)",
                id: "\(kind.rawValue), \(environment.rawValue), \(flaw.name)",
                kind,
                #"{"environment": "\#(environment.rawValue)"\#(appleId)}"#,
                environment,
                signedAt: now,
                flaw: flaw
            ).spoiled(for: flaw.reasonClass)
        } catch let error as SimulatorError where error.code == SimulatorError.flawNotApplicable {
            return nil
        }
    }

    private static func judged(
        _ subject: String,
        id: String,
        _ kind: SignedDataSpecification.Kind,
        _ specification: String,
        _ environment: StoreEnvironment,
        signedAt: Instant,
        number: UInt64 = 0,
        flaw: SignedDataFlaw? = nil
    ) throws -> Judged {
        let authority = try authority.get()
        let text = try SignedDataSpecification(
            kind,
            json: Array(specification.utf8),
            now: signedAt,
            seed: number,
            flaw: flaw
        ).issue(by: authority)
        let expected = RefereeRequest.Expected(
            kind: kind.decoded.rawValue,
            bundleId: "com.example.app",
            environment: environment.rawValue,
            appAppleId: appAppleId
        )
        return try Judged(
            subject,
            id: id,
            text,
            expected,
            anchors: [authority[.signedDataRoot].certificate.pem],
            signedAt: signedAt,
            now: now.advanced(by: .seconds(60))
        )
    }
}

extension SignedDataSpecification.Kind {
    /// What the document is once it is verified.
    var decoded: SignedDataKind {
        switch self {
        case .transaction: .transaction
        case .renewalInfo: .renewalInfo
        case .appTransaction: .appTransaction
        case .notification: .notification
        case .realtimeRequest: .realtimeRequest
        }
    }
}
