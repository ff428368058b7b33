import CounterfoilBasics
import Testing

@testable import Benchmarking

@Suite("Measuring revocation")
struct RevocationTests {
    @Test("Signer and intermediate are looked up, and nothing is refused for it")
    func lookedUp() throws {
        let now = CivilTime(year: 2026, month: 6, day: 1).instant
        let row = try SignedDataBenchmark(now: now).revocation(.brief)
        #expect(row.certificates == 2)
        #expect(row.knownChain > 0 && row.lookedUp > 0)
    }
}
