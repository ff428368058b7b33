import AppStoreModel
import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import DocumentInspection
import Journal
import Ledger

/// One lineage for a person: how it stands and why, what was bought, what came in and what was told.
struct LineageReport {
    let story: LineageStory
    let known: Known
    let question: Question
    let terminal: Terminal

    /// The two times of the question, and the present.
    struct Question {
        let effectiveAt: Instant
        /// Nil for everything that is known.
        let knownAt: Position?
        let now: Instant
    }

    /// What is known as far as the question goes, and what follows from it.
    struct Known {
        let lineage: Ledger.Lineage
        let standing: Standing?
        let rules: Rules
    }

    init(
        _ story: LineageStory,
        _ known: Known,
        _ question: Question,
        _ terminal: Terminal
    ) {
        self.story = story
        self.known = known
        self.question = question
        self.terminal = terminal
    }

    var lineage: Ledger.Lineage { known.lineage }
    var standing: Standing? { known.standing }

    /// Everything, a blank line between the parts.
    var lines: [StyledText] {
        Array(
            [heading + conclusion, why, purchases, registers, chapters]
                .filter { !$0.isEmpty }.joined(separator: [""])
        )
    }

    private var heading: [StyledText] {
        let scope = lineage.id.scope
        let realm = scope.realm == .appStore ? "" : ", realm \(scope.realm.rawValue)"
        let app = "\(scope.bundleId), \(scope.environment.rawValue)\(realm)"
        let line: StyledText =
            "\("Lineage \(lineage.id.originalTransactionId)", .bold)  \(app, .dim)"
        return fitted(line, indent: 2)
    }

    /// A line, in as many as a screen needs.
    func fitted(_ line: StyledText, indent: Int) -> [StyledText] {
        line.wrapped(to: terminal.lineLimit ?? .max, indent: indent)
    }

    /// `2024-05-01 12:00:00 UTC (2 years ago)`.
    private func when(_ instant: Instant) -> String { instant.inWords(at: question.now) }

    /// A titled table, two columns in from the left.
    func section(_ title: String, _ table: Table) -> [StyledText] {
        let lines = table.lines(width: terminal.lineLimit.map { $0 - 2 })
        return lines.isEmpty
            ? [] : fitted(StyledText(title, .bold), indent: 2) + indented(lines, 2)
    }

    /// Lines that stand some columns in from the left.
    func indented(_ lines: [StyledText], _ columns: Int) -> [StyledText] {
        let blanks = StyledText(String(repeating: " ", count: columns))
        return lines.map { $0.isEmpty ? $0 : blanks + $0 }
    }
}

// MARK: - How it stands

extension LineageReport {
    private var conclusion: [StyledText] {
        guard let standing else { return unknown }
        let style: Style = standing.isEntitled ? [.bold, .green] : [.bold, .yellow]
        let product = standing.productId ?? "a product that no document names"
        let times = standing.quantity == 1 ? "" : "\(Figure.count(Int(standing.quantity))) of "
        let state: StyledText = "\(words(for: standing), style)  \(times)\(product, .cyan)"
        var table = Table([.init(""), .init("", .leading, .wrap)])
        for (name, text) in facts(of: standing) {
            table.append(["\(name.description, .dim)", text])
        }
        let facts = table.lines(width: terminal.lineLimit.map { $0 - 2 })
        return fitted("  " + state, indent: 4) + indented(facts, 2)
    }

    /// Where nothing was bought by the instant, as far as is known.
    private var unknown: [StyledText] {
        let first = lineage.purchases.first.map { "It begins on \(when($0.purchaseDate))." }
        let state: StyledText =
            first == nil
            ? "\("Not known", [.bold, .yellow])  No document had told of it by then."
            : "\("Not begun", [.bold, .yellow])  \(first ?? "")"
        let about = asked.map { fitted("  \($0, .dim)", indent: 4) } ?? []
        return fitted("  " + state, indent: 4) + about
    }

    private func facts(of standing: Standing) -> [(name: StaticString, text: StyledText)] {
        var facts: [(StaticString, StyledText)] = [("since", "\(when(standing.since))")]
        if let end = standing.accessEnd {
            facts.append(("until", "\(when(end))"))
        } else if standing.state == .active {
            facts.append(("until", "no end"))
        } else if let next = standing.nextChangeAt {
            facts.append(("changes", "\(when(next)), when another period begins"))
        }
        if let end = standing.expiresDate, let access = standing.accessEnd, access < end {
            facts.append(("period", "to \(when(end)), but something comes before its end"))
        }
        if let renewal = standing.renewal {
            let next = standing.plannedProductId.map { ", as \($0)" } ?? ""
            facts.append(("renewal", renewal.isOn ? "on\(next)" : "off"))
        }
        if standing.isEntitled { facts.append(("gives", gives(standing))) }
        if let grade = standing.grade, grade < .signature {
            facts.append(("proof", "\("no better than \(grade.words)", .yellow)"))
        }
        if standing.isInferred {
            let text = "inferred: renewal is on, and nobody has told of the next period yet"
            facts.append(("note", "\(text, .yellow)"))
        }
        if let asked { facts.append(("asked", "\(asked)")) }
        return facts
    }

    /// The times of the question, where it is not how things stand now.
    private var asked: String? {
        guard question.effectiveAt != question.now || question.knownAt != nil else { return nil }
        let known = question.knownAt.map { ", by what was known after entry \($0)" } ?? ""
        return "about \(question.effectiveAt.shortWords) UTC\(known)"
    }

    /// What the product is worth, or why it is worth nothing.
    private func gives(_ standing: Standing) -> StyledText {
        let (names, credits) = worth
        if credits > 0 { return "\(Figure.count(Int(credits))) credits" }
        if !names.isEmpty { return "\(names.map(\.name).joined(separator: ", "), .green)" }
        let isSandbox = lineage.id.scope.environment != .production
        if isSandbox, known.rules.sandboxAccess == .nobody {
            return "nothing: sandboxAccess is \"nobody\""
        }
        let isNamed = standing.productId.map { known.rules.products[$0] != nil } ?? false
        return isNamed
            ? "nothing: its product has neither entitlements nor credits"
            : "nothing: no product of this name is configured"
    }

    /// What the lineage gives at the instant under the rules of the time.
    var worth: (entitlements: [Entitlement], credits: Int64) {
        let instant = question.effectiveAt
        return (
            entitlements(of: [lineage], at: instant, under: known.rules),
            credits(of: [lineage], at: instant, under: known.rules)
        )
    }

    /// The state in words that fit what was bought.
    private func words(for standing: Standing) -> String {
        let purchase = lineage.purchases.first { $0.id == standing.purchase }
        switch standing.state {
        case .active: return purchase?.isPeriod == false ? "Owned" : "Active"
        case .grace: return "In the grace period"
        case .billingRetry: return "In billing retry"
        case .awaitingRenewal: return "Awaiting renewal"
        case .expired: return "Expired"
        case .revoked: return purchase?.revocation?.words ?? "Revoked"
        case .credited: return "Bought"
        }
    }

    private var why: [StyledText] {
        guard let standing, !standing.reasons.isEmpty else { return [] }
        var table = Table([
            .init("what", .leading, .wrap), .init("said"), .init("by"), .init("document"),
        ])
        for reason in standing.reasons {
            switch reason {
            case .said(let about, let stamp):
                table.append([
                    "\(about.words)", "\(stamp.attestedAt.shortWords)",
                    "\(stamp.grade.words, stamp.grade == .signature ? .green : .yellow)",
                    "\(stamp.digest.short, .dim)",
                ])
            case .rule(let rule): table.append(["\(rule.words)", "", "", ""])
            }
        }
        return section("Why (UTC)", table)
    }
}

// MARK: - Words

extension Ledger.Revocation {
    /// How it was taken back.
    var words: String {
        switch type {
        case .familyRevoke?: "Withdrawn from the family"
        case .assignmentRevoke?: "Taken back by the organization"
        case .refundProrated?: "Refunded in part"
        case nil where reason == nil: "Revoked"
        default: "Refunded"
        }
    }
}

extension Reason.About {
    fileprivate var words: String {
        switch self {
        case .expiresDate: "when the period ends"
        case .revocation: "whether it was taken back"
        case .renewalChoice: "whether it renews"
        case .renewalFailure: "whether a charge failed"
        case .quantity: "how many were bought"
        }
    }
}

extension Reason.RuleName {
    fileprivate var words: String {
        switch self {
        case .renewalLeeway: "the app's renewalLeeway"
        case .duration: "the product's duration"
        }
    }
}

extension Grade {
    /// Who says so.
    var words: String {
        switch self {
        case .operatorFile: "an operator"
        case .sharedSecret: "a secret"
        case .appleChannel: "Apple's answer"
        case .signature: "a signature"
        }
    }
}

extension SHA256Digest {
    /// Enough of it to find it again.
    var short: String { String(description.prefix(8)) }
}
