import CounterfoilTestSupport
import Foundation
import Testing

/// Programs of others reach the same verdict, or differ for a reason that is written down.
@Suite("Referees")
struct RefereeTests {
    @Test("Sound receipts of every shape")
    func unspoiled() throws {
        let documents = try IssuedReceipts.unspoiled() + IssuedReceipts.unspoiledTransactions()
        for document in documents {
            #expect(document.isVerified, "\(document.request.id): \(document.code ?? "")")
        }
        try compare(documents)
    }

    @Test("What a local App Store hands out in a customer's life")
    func localAppStore() throws {
        let documents = try StoreDocuments.all()
        for document in documents {
            #expect(document.isVerified, "\(document.request.id): \(document.code ?? "")")
        }
        try compare(documents)
    }

    @Test("App receipts spoiled in every way")
    func spoiled() throws { try compare(IssuedReceipts.spoiled()) }

    @Test("iOS 6-style receipts spoiled in every way")
    func spoiledTransactions() throws { try compare(IssuedReceipts.spoiledTransactions()) }

    @Test("Signed data of every kind, as random as Apple's could be")
    func signedData() throws {
        let documents = try IssuedSignedData.random(Soak.size(40, soak: 500))
        for document in documents {
            #expect(document.isVerified, "\(document.request.id): \(document.code ?? "")")
        }
        try compare(documents)
    }

    @Test(
        "Signed data spoiled in every way",
        .enabled(if: RefereeProcess.equipped != nil, "OpenSSL reads none; make referees")
    )
    func spoiledSignedData() throws {
        let documents = try IssuedSignedData.spoiled()
        for (kind, spoiled) in Dictionary(grouping: documents, by: \.request.expected?.kind) {
            let ways = Set(spoiled.map(\.subject))
            #expect(ways.count >= 30, "\(kind ?? "") is spoiled in \(ways.count) ways alone")
        }
        try compare(documents)
    }

    @Test(
        "Real receipts",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
    )
    func real() throws { try compare(RealReceipts.all()) }

    @Test("The list of differences is found")
    func list() {
        #expect(ExpectedDifferences.all.count > 50)
        #expect(Set(ExpectedDifferences.all.map(\.referee)) == Set(Referee.allCases))
    }

    @Test("In CI every referee is there")
    func presence() {
        guard ProcessInfo.processInfo.environment["CI"] != nil else { return }
        #expect(RefereeProcess.present == Referee.allCases, "make referees did not succeed")
    }

    /// Fails for a difference that is not in the list, and for one in it that is gone.
    private func compare(_ documents: [Judged]) throws {
        #expect(!documents.isEmpty)
        let observed = try Difference.all(among: documents)
        for (difference, words) in observed where !ExpectedDifferences.all.contains(difference) {
            Issue.record("\(words); docs/REFEREES.md does not say why")
        }
        let subjects = Set(documents.map(\.subject))
        let found = Set(observed.map(\.difference))
        for expected in ExpectedDifferences.all
        where subjects.contains(expected.subject)
            && RefereeProcess.present.contains(expected.referee) && !found.contains(expected)
        {
            Issue.record("docs/REFEREES.md says that \(expected), and that is so no more")
        }
    }
}
