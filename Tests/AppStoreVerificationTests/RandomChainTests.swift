import AppStoreSimulator
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import Testing

@testable import AppStoreVerification

/// The last step of a chain is judged by us and the rest by OpenSSL; together they must never
/// accept what OpenSSL refuses when it judges the whole.
@Suite("Chains with random words in them")
struct RandomChainTests {
    private static let now = CivilTime(year: 2026, month: 6, day: 1).instant

    @Test("What is accepted, OpenSSL accepts")
    func agreement() throws {
        let base = try SigningAuthority(profile: AuthorityProfile(now: Self.now, seed: 33))
        var random = SeededRandom(seed: 34)
        var accepted = 0
        for _ in 0..<Soak.size(300, soak: 5000) {
            let authority = try Self.changed(base, using: &random)
            let chain = try authority.chain(of: .receiptSigner).map { try Certificate($0.der) }
            let anchor = try Certificate(authority[.root].certificate.der)
            let whole = Result {
                try TrustAnchors([anchor]).path(
                    from: chain[0],
                    through: [chain[1]],
                    at: Self.now
                )
            }
            let ours = Self.judge(chain, anchor)
            switch (ours, whole) {
            case (nil, .success): accepted += 1
            case (nil, .failure(let error)):
                Issue.record("accepted what OpenSSL refuses: \(error)")
            case (let refusal?, .success):
                // Stricter in these alone; OpenSSL lets roots go without basicConstraints.
                #expect(
                    ["chain.leaf", "chain.intermediate", "chain.not_an_authority"].contains {
                        refusal.rawValue.hasPrefix($0)
                    },
                    "\(refusal)"
                )
            case (.some, .failure): break
            }
        }
        #expect(accepted > 10)
    }

    private static func judge(_ chain: [Certificate], _ anchor: Certificate) -> ErrorCode? {
        do {
            let trust = try Trust.rehearsal(anchors: anchor.der)
            let key = try PublicKey(chain[0].subjectPublicKeyInfo)
            _ = try SigningChain(
                chain[0],
                key: key,
                through: Array(chain.dropFirst()),
                at: now,
                by: trust,
                limits: .default,
                leafMarker: Marker.receiptSigning,
                intermediateMarker: Marker.developerRelations
            )
            return nil
        } catch let error as VerificationError {
            return error.code
        } catch {
            return "chain.other"
        }
    }

    private static func changed(
        _ base: SigningAuthority,
        using random: inout SeededRandom
    ) throws -> SigningAuthority {
        var authority = base
        for role in [AuthorityRole.root, .intermediate, .receiptSigner]
        where Bool.random(using: &random) {
            let isAuthority =
                Int.random(in: 0..<4, using: &random) != 0
                ? role != .receiptSigner : role == .receiptSigner
            let length: Int64? = [nil, 0, 1, 2].randomElement(using: &random) ?? nil
            let uses: Set<CertificateProfile.KeyUse> =
                [
                    [.keyCertSign, .cRLSign], [.digitalSignature],
                    [.digitalSignature, .keyCertSign], [.keyEncipherment],
                ].randomElement(using: &random) ?? []
            let choice = Int.random(in: 0..<6, using: &random)
            authority = try authority.changing(role) { profile in
                switch choice {
                case 0: profile.setExtension(.basicConstraints(isAuthority: isAuthority))
                case 1:
                    profile.setExtension(
                        .basicConstraints(isAuthority: isAuthority, pathLength: length)
                    )
                case 2: profile.setExtension(.keyUsage(uses))
                case 3: profile.removeExtension("2.5.29.19")
                case 4: profile.removeExtension("2.5.29.15")
                default: profile.removeExtension("2.5.29.35")
                }
            }
        }
        return authority
    }
}
