import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography
import Testing

@Suite("The last step of a chain")
struct LastStepTests {
    private let middle = CivilTime(year: 2025, month: 6, day: 1).instant

    /// Why a leaf does not follow on the path of its issuer, or nil; and whether the whole path
    /// holds when it is judged at once.
    private func verdicts(
        _ authority: TestAuthority,
        leafKey: PrivateKey? = nil,
        pathAt: Instant? = nil,
        at instant: Instant? = nil
    ) throws -> (last: ErrorCode?, whole: ErrorCode?) {
        let root = try authority.root.issue(by: authority.rootKey)
        let intermediate = try authority.intermediate.issue(by: authority.rootKey)
        let leaf = try authority.leaf.issue(by: leafKey ?? authority.intermediateKey)
        let judge = try TrustAnchors([root])
        var (last, whole): (ErrorCode?, ErrorCode?)
        do throws(ChainError) {
            let above = try judge.path(from: intermediate, through: [], at: pathAt ?? middle)
            try leaf.requireIssued(by: intermediate, path: above, at: instant ?? middle)
        } catch {
            last = error.code
        }
        do throws(ChainError) {
            _ = try judge.path(from: leaf, through: [intermediate], at: instant ?? middle)
        } catch {
            whole = error.code
        }
        return (last, whole)
    }

    @Test("It comes to the verdict and the code that judging the whole path comes to")
    func agreement() throws {
        func expect(
            _ code: ErrorCode?,
            leafKey: PrivateKey? = nil,
            at instant: Instant? = nil,
            _ spoil: (inout TestAuthority) -> Void
        ) throws {
            var authority = TestAuthority()
            spoil(&authority)
            let (last, whole) = try verdicts(authority, leafKey: leafKey, at: instant)
            #expect(whole == code)
            #expect(last == code)
        }
        try expect(nil) { _ in }
        try expect(ChainError.badSignature, leafKey: TestKeys.rsa2048) { _ in }
        try expect(ChainError.untrustedRoot) { $0.leaf.issuer = "Somebody Else" }
        let end = CivilTime(year: 2025, month: 1, day: 1).instant
        try expect(ChainError.expired) { $0.leaf.notAfter = end }
        try expect(nil, at: end) { $0.leaf.notAfter = end }
        try expect(ChainError.notYetValid) {
            $0.leaf.notBefore = self.middle.advanced(by: .seconds(1))
        }
        try expect(nil) { $0.leaf.notBefore = self.middle }
        try expect(ChainError.notAnAuthority) {
            $0.intermediate.extensions[0] = CertificateDraft.basicConstraints(isAuthority: false)
        }
        try expect(ChainError.notAnAuthority) { $0.intermediate.extensions = [] }
        try expect(ChainError.keyUsage) {
            $0.intermediate.extensions[1] = CertificateDraft.signsDocuments
        }
        try expect(ChainError.pathTooLong) {
            $0.root.extensions[0] = CertificateDraft.basicConstraints(
                isAuthority: true,
                pathLength: 0
            )
        }
        try expect(ChainError.unknownCriticalExtension) {
            $0.leaf.extensions.append(
                CertificateDraft.Extension(identifier: "1.2.3.4", isCritical: true, value: [5, 0])
            )
        }
        try expect(ChainError.unsupportedAlgorithm) {
            $0.leaf.claimedAlgorithm = "1.2.840.113549.1.1.4"
        }
    }

    @Test("A path that was judged at another instant must hold at this one too")
    func windows() throws {
        var authority = TestAuthority()
        authority.intermediate.notAfter = CivilTime(year: 2026, month: 1, day: 1).instant
        let later = CivilTime(year: 2027, month: 1, day: 1).instant
        let (last, whole) = try verdicts(authority, at: later)
        #expect(whole == ChainError.expired)
        #expect(last == ChainError.expired)
    }

    @Test("The path must be the issuer's")
    func otherPath() throws {
        let (root, intermediate, leaf) = try TestAuthority().issued()
        let other = try TestAuthority("Other").issued()
        let judge = try TrustAnchors([root, other.root])
        let path = try judge.path(from: other.intermediate, through: [], at: middle)
        for issuer in [intermediate, other.intermediate] {
            let failure = #expect(throws: ChainError.self) {
                try leaf.requireIssued(by: issuer, path: path, at: middle)
            }
            #expect(failure?.code == ChainError.untrustedRoot)
        }
    }
}
