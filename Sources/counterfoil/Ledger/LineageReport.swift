import AppStoreModel
import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import CounterfoilJSON
import DocumentInspection
import Journal
import Ledger

/// One lineage for a person: how it stands and why, what was bought, what came in and what was told.
struct LineageReport {
    let lineage: LineageID
    let story: LineageStory
    /// What is known of it, as far as the question goes.
    let known: Ledger.Lineage
    let standing: Standing?
    let question: Question
    let terminal: Terminal

    /// The two times of the question, and the present.
    struct Question {
        let effectiveAt: Instant
        /// Nil for everything that is known.
        let knownAt: Position?
        let now: Instant
    }

    init(
        _ story: LineageStory,
        _ known: Ledger.Lineage,
        _ standing: Standing?,
        _ question: Question,
        _ terminal: Terminal
    ) {
        lineage = known.id
        self.story = story
        self.known = known
        self.standing = standing
        self.question = question
        self.terminal = terminal
    }

    var lines: [StyledText] {
        [heading, answer, why, purchases, registers, chapters].filter { !$0.isEmpty }
            .joined(separator: [""]).map(\.self)
    }

    // MARK: - The answer

    private var heading: [StyledText] {
        let scope = lineage.scope
        let realm = scope.realm == .appStore ? "" : ", realm \(scope.realm.rawValue)"
        return [
            "\("Lineage \(lineage.originalTransactionId)", .bold)"
                + StyledText("  \(scope.bundleId), \(scope.environment.rawValue)\(realm)", .dim)
        ]
    }

    private var answer: [StyledText] {
        var lines: [StyledText] = []
        if let standing {
            let style: Style = standing.isEntitled ? .green : .yellow
            var line: StyledText =
                "\(standing.state.words, style)  \(standing.productId ?? "a product that nobody named")"
            line += StyledText(", since \(standing.since)")
            lines.append(line)
            if let change = standing.nextChangeAt {
                lines.append("Changes by itself on \(change) (\(age(change))).")
            }
            if let renewal = standing.renewal {
                let next = renewal.nextProductId.map { " as \($0)" } ?? ""
                lines.append(renewal.isOn ? "Renews\(next)." : "Does not renew.")
            }
            if standing.isInferred {
                lines.append("Inferred: nobody has told of the next period yet.")
            }
        } else {
            lines.append("\("Nothing", .yellow)  Nothing was bought by then, as far as is known.")
        }
        if question.effectiveAt != question.now || question.knownAt != nil {
            let known = question.knownAt.map { ", by what was known after entry \($0)" } ?? ""
            lines.append(StyledText("At \(question.effectiveAt)\(known).", .dim))
        }
        return lines.map { "  " + $0 }
    }

    private func age(_ instant: Instant) -> String { "\(Age(of: instant, at: question.now))" }

    private var why: [StyledText] {
        guard let standing, !standing.reasons.isEmpty else { return [] }
        var table = Table([.init(""), .init(""), .init(""), .init("")])
        for reason in standing.reasons {
            switch reason {
            case .said(let about, let stamp):
                table.append([
                    "\(about.rawValue)", "said \(stamp.attestedAt)",
                    StyledText(stamp.grade.words, stamp.grade == .signature ? .green : .yellow),
                    StyledText(stamp.digest.short, .dim),
                ])
            case .rule(let rule):
                table.append(["\(rule.rawValue)", "a rule of the app's", "", ""])
            }
        }
        return section("Why", table)
    }

    // MARK: - What was bought

    private var purchases: [StyledText] {
        var table = Table([
            .init("Purchase"), .init("Product", .leading, .cut), .init("From"), .init("Until"),
            .init("Transactions", .leading, .wrap),
        ])
        for purchase in known.purchases {
            var end = purchase.expiresDate.map { "\($0)" } ?? "for ever"
            if let revocation = purchase.revocation { end = "revoked \(revocation.date)" }
            let ids = purchase.registers.transactions.keys.sorted().joined(separator: " ")
            table.append([
                StyledText(purchase.id.encoded), StyledText(purchase.productId ?? "-"),
                StyledText("\(purchase.purchaseDate)"),
                StyledText(end, purchase.revocation == nil ? [] : .red), StyledText(ids, .dim),
            ])
        }
        return section("Purchases", table)
    }

    /// The registers of the purchase that decides, and of the renewal.
    private var registers: [StyledText] {
        var table = Table([
            .init("Register"), .init("Value", .leading, .wrap), .init("Said"), .init("By"),
            .init("Document"),
        ])
        for register in known.registers(of: standing?.purchase) {
            table.append([
                StyledText(register.name), StyledText(register.value),
                StyledText("\(register.stamp.attestedAt)"), StyledText(register.stamp.grade.words),
                StyledText(register.stamp.digest.short, .dim),
            ])
        }
        return section("What is known of it", table)
    }

    // MARK: - What happened

    private var chapters: [StyledText] {
        var lines: [StyledText] = []
        for chapter in story.chapters {
            let isKnown = question.knownAt.map { chapter.position <= $0 } ?? true
            let title = StyledText("#\(chapter.position)", isKnown ? .bold : .dim)
            let recorded = StyledText("\(chapter.recordedAt)", .dim)
            lines.append("  \(title)  \(recorded)  \(what(of: chapter))")
            for event in chapter.events { lines.append("      " + line(of: event)) }
        }
        return lines.isEmpty ? [] : [StyledText("What came in, and what was told", .bold)] + lines
    }

    /// The document that came in, and those inside it that told of this lineage.
    private func what(of chapter: LineageStory.Chapter) -> String {
        guard let document = chapter.document?.evidence else { return "the clock" }
        let inside = chapter.evidence.map(\.evidence).filter { $0.digest != document.digest }
        let parts = inside.map { "\($0.kind.words) \($0.digest.short)" }
        let name = "\(document.kind.words) \(document.digest.short)"
        return parts.isEmpty ? name : "\(name) with \(parts.joined(separator: " and "))"
    }

    private func line(of event: Journal.Event) -> StyledText {
        let when = StyledText("on \(event.occurredAt)", .dim)
        return "\(event.type, .cyan)  \(when)  \(StyledText(event.id.description, .dim))"
    }

    private func section(_ title: String, _ table: Table) -> [StyledText] {
        let lines = table.lines(width: terminal.lineLimit.map { $0 - 2 })
        return lines.isEmpty ? [] : [StyledText(title, .bold)] + lines.map { "  " + $0 }
    }
}

// MARK: - Registers

extension Ledger.Lineage {
    /// A register for people and programs.
    struct ShownRegister {
        let name: String
        let value: String
        let stamp: Stamp
    }

    /// The registers of a purchase, and those of the renewal, as far as they hold something.
    func registers(of purchase: PurchaseID?) -> [ShownRegister] {
        var shown: [ShownRegister] = []
        func show<Value: RegisterValue>(
            _ name: String,
            _ register: Register<Value>,
            _ words: (Value) -> String
        ) {
            guard let value = register.value, let stamp = register.stamp else { return }
            shown.append(ShownRegister(name: name, value: words(value), stamp: stamp))
        }
        if let registers = purchases.first(where: { $0.id == purchase })?.registers {
            show("productId", registers.productId) { $0 }
            show("type", registers.type) { $0.rawValue }
            show("expiresDate", registers.expiresDate) { $0.map { "\($0)" } ?? "none" }
            show("revocation", registers.revocation) { $0.map { "\($0.date)" } ?? "none" }
            show("isUpgraded", registers.isUpgraded) { $0 ? "yes" : "no" }
            show("ownership", registers.ownership) { $0.rawValue }
            show("appAccountToken", registers.appAccountToken) { "reference \($0.rawValue)" }
            show("appTransactionId", registers.appTransactionId) { $0 }
            show("group", registers.group) { $0 }
            show("quantity", registers.quantity) { "\($0)" }
            show("offer", registers.offer) { $0.identifier ?? $0.words }
            show("price", registers.price) { "\($0.milliunits.rawValue) \($0.currency ?? "")" }
            show("storefront", registers.storefront) { $0 }
        }
        show("renewal", choice) { choice in
            (choice.isOn ? "on" : "off") + (choice.nextProductId.map { ", next \($0)" } ?? "")
        }
        show("failure", failure) { $0.words }
        show("priceConsent", priceConsent) { $0.status.map { "\($0.rawValue)" } ?? "none" }
        return shown
    }
}

extension OfferUsed {
    fileprivate var words: String { type.map { "type \($0.rawValue)" } ?? "an offer" }
}

extension RenewalFailure {
    fileprivate var words: String {
        var parts: [String] = []
        if isInBillingRetry { parts.append("charged again and again") }
        if let grace = gracePeriodExpiresDate { parts.append("grace until \(grace)") }
        if let intent = expirationIntent { parts.append("ended with intent \(intent.rawValue)") }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }
}

// MARK: - Words

extension Standing.State {
    var words: String {
        switch self {
        case .active: "Active"
        case .grace: "In the grace period"
        case .billingRetry: "In billing retry"
        case .awaitingRenewal: "Awaiting renewal"
        case .expired: "Expired"
        case .revoked: "Revoked"
        case .credited: "Credited"
        }
    }
}

extension Grade {
    fileprivate var words: String {
        switch self {
        case .operatorFile: "an operator"
        case .sharedSecret: "a secret"
        case .appleChannel: "Apple's answer"
        case .signature: "a signature"
        }
    }
}

extension Evidence.Kind {
    fileprivate var words: String {
        switch self {
        case .appReceipt: "app receipt"
        case .transactionReceipt: "iOS 6 receipt"
        case .transaction: "transaction"
        case .renewalInfo: "renewal info"
        case .appTransaction: "app transaction"
        case .notification: "notification V2"
        case .notificationV1: "notification V1"
        }
    }
}

extension SHA256Digest {
    /// Enough of it to find it again.
    fileprivate var short: String { String(description.prefix(8)) }
}
