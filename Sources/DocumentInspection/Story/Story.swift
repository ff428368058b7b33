import AppStoreModel
package import CounterfoilBasics

/// What a document tells, for a person: what happened in a few sentences, then the facts by name.
package struct Story: Hashable, Sendable {
    /// What a fact means for whoever has to answer for the purchase.
    package enum Tone: Sendable {
        /// Neither good nor bad.
        case plain
        /// Access is there.
        case good
        /// Money went back, or did not come.
        case bad
    }

    /// Something that a document says, under a name of a word or two.
    package struct Fact: Hashable, Sendable {
        /// What it is about.
        package let name: String
        /// What is said.
        package let text: String
        /// What it means.
        package let tone: Tone

        init(_ name: String, _ text: String, _ tone: Tone = .plain) {
            self.name = name
            self.text = text
            self.tone = tone
        }
    }

    /// What happened, each a whole sentence.
    package private(set) var sentences: [String] = []
    /// The facts, the important ones first.
    package private(set) var facts: [Fact] = []

    /// The instant that counts as the present.
    let now: Instant

    init(at now: Instant) { self.now = now }

    mutating func say(_ sentence: String?) {
        if let sentence { sentences.append(sentence) }
    }

    /// States a fact where there is a text.
    mutating func state(_ name: String, _ text: String?, _ tone: Tone = .plain) {
        guard let text, !text.isEmpty else { return }
        facts.append(Fact(name, text, tone))
    }

    /// States an instant with its distance from the present.
    mutating func state(_ name: String, _ instant: Instant?, _ tone: Tone = .plain) {
        state(name, instant.map(when), tone)
    }

    /// `2024-05-01 12:00:00 UTC (2 years ago)`.
    func when(_ instant: Instant) -> String { instant.inWords(at: now) }

    /// `on 2024-05-01 (2 years ago)`.
    func day(_ instant: Instant) -> String {
        "on \(instant.shortWords.prefix(10)) (\(Age(of: instant, at: now)))"
    }
}

extension Instant {
    /// `2024-05-01 12:00:00`, in UTC.
    package var shortWords: String {
        String(AppStoreDate.gmt(self).dropLast(" Etc/GMT".count))
    }

    /// `2024-05-01 12:00:00 UTC (2 years ago)`.
    package func inWords(at now: Instant) -> String {
        "\(shortWords) UTC (\(Age(of: self, at: now)))"
    }
}

extension Inspection {
    /// What the document tells of the purchase, the subscription, the app or whatever it is about;
    /// nil for a receipt, which is a list of purchases, and where nothing can be read.
    package var story: Story? {
        let now = judgement.now
        return switch content {
        case .signedData(let content): content.story(at: now)
        case .notificationV1(let body): Story(of: body, at: now)
        case .answer(let object): Story(of: object, with: parts.count, at: now)
        case .appReceipt, .transactionReceipt, nil: nil
        }
    }
}

extension SignedContent {
    /// What it tells; of a claim that cannot be read, nothing.
    package func story(at now: Instant) -> Story {
        if let transaction { return Story(of: transaction, at: now) }
        if let renewalInfo { return Story(of: renewalInfo, at: now) }
        if let notification { return Story(of: notification, at: now) }
        if let appTransaction { return Story(of: appTransaction, at: now) }
        if let realtimeRequest { return Story(of: realtimeRequest, at: now) }
        return Story(at: now)
    }
}
