import AppStoreModel
package import AppStoreSimulator
package import AppStoreVerification
package import CounterfoilBasics
package import Journal
package import Ledger
package import PurchaseService

/// A whole record in the small: what comes in is proved, learned and told, by a clock of its own.
package struct Record: Sendable {
    package let clock: VirtualClock
    package let journal: OpenJournal
    package let intake: DocumentIntake

    package static let bundleId = "com.example.app"
    package static let secret = "0123456789abcdef0123456789abcdef"
    package static let scope = Scope(
        bundleId: bundleId,
        environment: .production,
        realm: .rehearsal
    )
    package static let authority = Result {
        try SigningAuthority(profile: AuthorityProfile(now: instant("2026-01-01T00:00:00Z")))
    }
    /// References are the same in every record, so that what two records come to can be compared.
    private static let referenceKey = [UInt8](repeating: 7, count: 32)
    /// Apps with the authority's roots; reading them takes a while.
    private static let apps = Result { try apps(trusting: authority.get().anchorsPEM) }

    package init(clock: VirtualClock, journal: OpenJournal, intake: DocumentIntake) {
        self.clock = clock
        self.journal = journal
        self.intake = intake
    }

    private static func apps(
        _ bundleIds: [String] = [bundleId],
        trusting anchors: String
    ) throws -> ConfiguredApps {
        var configuration = Configuration()
        configuration.apps = bundleIds.map { bundleId in
            var app = AppConfiguration(bundleId, .rehearsal(anchors: ["anchors.pem"]))
            app.environments = [.production, .sandbox]
            return app
        }
        return try ConfiguredApps(configuration, now: instant("2026-01-01T00:00:00Z")) { _ in
            Array(anchors.utf8)
        }
    }

    package static func instant(_ text: String) -> Instant { AppStoreDate.parse(text)! }

    package static func lineage(_ original: some CustomStringConvertible) -> LineageID {
        LineageID(scope: scope, originalTransactionId: original.description)
    }

    /// Rules without leeway, under which every product gives something of its own name.
    package static func rules(leeway: Duration = .zero) -> Rules {
        var rules = Rules(environment: .production)
        rules.renewalLeeway = leeway
        for product in Lives.app.products.keys {
            rules.products[product] =
                product == "coins"
                ? ProductRule(credits: 100) : ProductRule(entitlements: [product])
        }
        return rules
    }

    /// Begins an empty record, or goes on with the one that is in the engine; the roots are those of
    /// an authority of this process where no others are given.
    package static func begin(
        at start: Instant,
        rules: Rules = rules(),
        in engine: any StorageEngine = MemoryEngine(),
        limits: JournalWriter.Limits = JournalWriter.Limits(),
        anchors: String? = nil,
        bundleIds: [String] = [bundleId],
        secrets: [SharedSecret] = [SharedSecret(id: "own", secret)]
    ) async throws -> Record {
        let clock = VirtualClock(at: start)
        let journal = try await OpenJournal(
            engine,
            for: .rehearsal,
            clock: clock,
            limits: limits,
            referenceKey: referenceKey
        )
        let intake = DocumentIntake(
            apps: try anchors == nil && bundleIds == [bundleId]
                ? apps.get()
                : apps(bundleIds, trusting: anchors ?? authority.get().anchorsPEM),
            journal: journal,
            secrets: Dictionary(uniqueKeysWithValues: bundleIds.map { ($0, secrets) }),
            clock: clock
        )
        let record = Record(clock: clock, journal: journal, intake: intake)
        _ = try await journal.writer.revise(rules, of: scope)
        return record
    }

    /// Where notifications are posted.
    package var inbox: NotificationInbox {
        NotificationInbox(intake, journal, clock: clock)
    }

    /// Lets time pass, and tells what it does.
    package func advance(to instant: Instant) async throws {
        clock.advance(to: instant)
        while try await journal.writer.tellTime() != nil {}
    }

    /// Proves a document as far as it can be learned from.
    package func learnings(_ bytes: [UInt8]) throws -> [Learning] {
        try intake.learnings(from: bytes)
    }

    package func learn(_ learnings: [Learning]) async throws {
        for learning in learnings { _ = try await journal.writer.learn(learning) }
    }

    /// Lets a step of a history happen: what arrives is learned when it arrives.
    package func live(_ step: Lives.Step) async throws {
        for arrival in step.arrivals {
            try await advance(to: arrival.at)
            try await learn(learnings(arrival.bytes))
        }
        try await advance(to: step.end)
    }

    // MARK: - What it comes to

    /// All lineages and what is told of each, but for what depends on when documents came.
    package func state() async throws -> [LineageID: LineageState] {
        var state: [LineageID: LineageState] = [:]
        for lineage in try await lineages() {
            guard let row = try await journal.reader.lineage(lineage) else { continue }
            state[lineage] = LineageState(
                lineage: row.told.lineage,
                answer: row.told.answer,
                nextChangeAt: row.told.nextChangeAt
            )
        }
        return state
    }

    package struct LineageState: Hashable {
        package let lineage: Ledger.Lineage
        package let answer: Answer?
        package let nextChangeAt: Instant?
    }

    package func lineages() async throws -> [LineageID] {
        try await journal.reader.lineages(of: Self.scope)
    }

    package func events() async throws -> [Journal.Event] {
        try await journal.reader.events(after: .beginning, limit: .max).events
    }

    /// What somebody who followed the feed holds in the end.
    package func sumOfEvents() async throws -> FeedSum {
        var sum = FeedSum()
        for event in try await events() { sum.add(event) }
        return sum
    }
}

/// What somebody who follows a feed holds: the last answer about each lineage, and what happened.
package struct FeedSum: Hashable {
    package private(set) var answers: [LineageID: Answer] = [:]
    package private(set) var occurrences: Set<String> = []
    /// The events whose answer before was another than the one they should go on from.
    package private(set) var broken: [EventID] = []

    package mutating func add(_ event: Journal.Event) {
        switch event.content {
        case .change(let change):
            guard let lineage = event.lineage else { return }
            if answers[lineage] != change.before { broken.append(event.id) }
            answers[lineage] = change.after
        case .occurrence(let occurrence):
            occurrences.insert("\(occurrence.kind.rawValue) \(occurrence.key)")
        }
    }
}
