import AppStoreModel
import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import DocumentInspection

/// An inspection as a person reads it: the verdict, then why, then everything that is said.
struct InspectionReport {
    let inspection: Inspection
    let hints: [String]
    let terminal: Terminal
    /// The member that the document is, where it stands in another one.
    let place: String?

    init(
        _ inspection: Inspection,
        hints: [String] = [],
        on terminal: Terminal,
        at place: String? = nil
    ) {
        self.inspection = inspection
        self.hints = hints
        self.terminal = terminal
        self.place = place
    }

    /// All lines, sections parted by empty ones, none wider than a person's screen.
    var lines: [StyledText] {
        fitted([verdict, warning] + content + [checks, certificates, attributes])
    }

    /// What the document says, what was bought, and the same of the documents inside.
    private var content: [[StyledText]] {
        let own = inspection.story.map { lines(of: $0, titled: title) } ?? receiptFacts
        return [own, purchases] + parts
    }

    private func fitted(_ sections: [[StyledText]]) -> [StyledText] {
        let lines = sections.filter { !$0.isEmpty }.joined(separator: [""])
        guard let limit = terminal.lineLimit else { return Array(lines) }
        return lines.flatMap { line in line.wrapped(to: limit, indent: line.indentation + 2) }
    }

    var now: Instant { inspection.judgement.now }

    /// How wide sentences are: never wider than is good to read.
    var textWidth: Int { min(terminal.columns, 100) - (place == nil ? 0 : 2) }
}

// MARK: - The verdict

extension InspectionReport {
    var verdict: [StyledText] {
        let judgement = inspection.judgement
        var lines: [StyledText]
        switch judgement.verdict {
        case .verified: lines = labelled("VERIFIED", [.bold, .green], provenance)
        case .vouched: lines = labelled("VOUCHED", [.bold, .green], provenance)
        case .refused:
            lines = labelled("REFUSED", [.bold, .red], judgement.objection?.code.rawValue ?? "")
        case .undecided:
            lines = labelled(
                "UNDECIDED",
                [.bold, .yellow],
                judgement.objection?.code.rawValue ?? ""
            )
        }
        if let objection = judgement.objection {
            lines += labelled("", [], sentence(objection.reason))
            if inspection.isProved {
                lines += labelled("", [], "It is genuine, though: \(provenance)")
            }
        }
        for hint in hints { lines += labelled("hint:", .cyan, hint) }
        for note in inspection.notes.prefix(Self.mostNotes) {
            lines += labelled("note:", .yellow, note.text)
        }
        let more = inspection.notes.count - Self.mostNotes
        if more > 0 { lines += labelled("note:", .yellow, "and \(more) more like these") }
        for repair in inspection.repairs { lines += labelled("mended:", .yellow, repair.text) }
        return lines
    }

    private static let mostNotes = 8

    /// Who signed what, and when.
    private var provenance: String {
        guard let proof = inspection.judgement.proof else { return "" }
        let app = proof.bundleId.map { " of \($0)" } ?? ""
        let environment = proof.environment.map { ", \($0.rawValue)" } ?? ""
        let count = inspection.parts.count
        let documents = " with \(count) signed document\(count == 1 ? "" : "s")"
        let isAnswer = inspection.judgement.document?.kind == .serverAnswer
        return "\(title)\(isAnswer ? documents : "")\(app)\(environment). \(signer(of: proof))."
    }

    private func signer(of proof: Proof) -> String {
        let signer: String? =
            switch proof.realm {
            case .appStore: "Apple"
            case .rehearsal: "a local App Store (realm rehearsal)"
            case .xcode: "the pinned certificate of Xcode (realm xcode)"
            case nil: nil
            }
        if let voucher = proof.voucher {
            return "Signed by nobody; the shared secret \(voucher) vouches for it"
        }
        guard let signer else { return "They were signed in several realms" }
        guard let judgedAt = proof.judgedAt else { return "Signed by \(signer)" }
        return "Signed by \(signer), \(when(judgedAt))"
    }

    /// What the document is, as the beginning of a sentence.
    var title: String {
        if case .signedData(let content) = inspection.content { return content.kind.title }
        return switch inspection.judgement.document?.kind {
        case .transactionReceipt: "iOS 6-style receipt"
        case .appReceipt: "App receipt"
        case .signedData: SignedDataKind.unknown.title
        case .notificationV1: "Notification of version 1"
        case .serverAnswer: "Answer"
        case nil: "Document"
        }
    }

    /// Says before any content how little it can be believed.
    private var warning: [StyledText] {
        guard let warning = warningText else { return [] }
        return StyledText(warning, .yellow).wrapped(to: textWidth)
    }

    private var warningText: String? {
        switch (inspection.content, inspection.judgement.grade) {
        case (nil, _): nil
        case (.answer, _):
            "Nobody signed the answer itself; what in it is signed stands below, each by itself."
        case (_, .proved), (_, .vouched): nil
        case (.notificationV1, .claimed):
            "Nothing that the notification says is proved: anyone could have written it. The"
                + " receipts inside stand below, each by itself."
        case (_, .claimed):
            "Nothing below is proved: it is only what the document says of itself, and anyone could"
                + " have written it."
        }
    }
}

// MARK: - Checks and certificates

extension InspectionReport {
    private var checks: [StyledText] {
        var table = Table([.init(""), .init(""), .init("", .leading, .wrap)])
        for check in inspection.checks {
            table.append([
                outcome(check.outcome), "\(check.subject.title)",
                // The reason of a failure stands whole in the verdict already.
                check.outcome == .failed && check.detail == inspection.judgement.objection?.reason
                    ? "\(inspection.judgement.objection?.code.rawValue ?? "")" : "\(check.detail)",
            ])
        }
        return section("\("Checks", .bold)", table)
    }

    private func outcome(_ outcome: Check.Outcome) -> StyledText {
        switch outcome {
        case .passed: "\("passed", .green)"
        case .failed: "\("FAILED", [.bold, .red])"
        case .notReached: "\("not reached", .dim)"
        case .notAsked: "\("not asked", .dim)"
        case .notStated: "\("not stated", .dim)"
        }
    }

    private var certificates: [StyledText] {
        guard inspection.certificates.isEmpty else {
            let judgedAt = inspection.judgement.proof?.judgedAt
            let title = judgedAt.map { ", judged at \($0.shortWords) UTC" } ?? ""
            return [heading("Certificates\(title)")] + inspection.certificates.flatMap(lines)
        }
        // What nobody signed has only those of the documents inside; each one is shown once.
        var seen: Set<SHA256Digest> = []
        let parts = inspection.parts.filter { !$0.inspection.certificates.isEmpty }
        let links = parts.flatMap(\.inspection.certificates)
            .filter { seen.insert($0.summary.fingerprint).inserted }
        let areProved = parts.allSatisfy(\.inspection.isProved)
        let title = heading("Certificates", areProved ? .proved : .claimed)
        return links.isEmpty ? [] : [title] + links.flatMap(lines)
    }

    private func lines(of link: ChainLink) -> [StyledText] {
        let summary = link.summary
        let validity = "\(summary.notBefore.shortWords) UTC to \(summary.notAfter.shortWords) UTC"
        let markers = link.markers.map { marker -> StyledText in
            let meaning = marker.meaning ?? "a marker nobody here knows"
            return "    \("marker \(marker.identifier)", .dim) \(meaning)"
        }
        return [
            "  \(summary.name, .cyan)",
            "    \("serial", .dim) \(summary.serialNumber), \(summary.key)",
            "    \("valid", .dim)  \(validity)",
        ] + markers
    }
}

extension SignedDataKind {
    /// The kind's name for a person.
    var title: String {
        switch self {
        case .transaction: "Transaction"
        case .renewalInfo: "Renewal info"
        case .appTransaction: "App transaction"
        case .notification: "Notification"
        case .realtimeRequest: "Retention request"
        case .unknown: "Signed data"
        }
    }
}

extension Check.Subject {
    /// The check's name for a person.
    fileprivate var title: String {
        switch self {
        case .signingDate: "signing date"
        default: rawValue
        }
    }
}

// MARK: - Layout

extension InspectionReport {
    /// Lines of text behind a label; the lines after the first stand under the text.
    private func labelled(_ label: StaticString, _ style: Style, _ text: String) -> [StyledText] {
        let column = 11
        let name = label.description
        let blanks = String(repeating: " ", count: max(1, column - name.count))
        let line: StyledText = "\(name, style)\(blanks)\(text)"
        return line.wrapped(to: textWidth, indent: column)
    }

    /// A titled table, two columns in from the left.
    func section(_ title: String, _ table: Table) -> [StyledText] {
        section(heading(title), table)
    }

    private func section(_ heading: StyledText, _ table: Table) -> [StyledText] {
        let lines = table.lines(width: terminal.lineLimit.map { $0 - 2 })
        return lines.isEmpty ? [] : [heading] + lines.map { $0.isEmpty ? $0 : "  \($0)" }
    }

    /// The title of a section; of what nobody proved it says so every time, because whoever
    /// scrolls does not see the warning above.
    func heading(_ title: String) -> StyledText {
        if case .answer = inspection.content { return heading(title, .vouched) }
        return heading(title, inspection.judgement.grade)
    }

    private func heading(_ title: String, _ grade: Judgement.Grade) -> StyledText {
        switch grade {
        case .proved: "\(title, .bold)"
        case .vouched: "\(title, .bold)\(", unsigned", .yellow)"
        case .claimed: "\(title, .bold)\(", unproved", .yellow)"
        }
    }

    private func sentence(_ phrase: String) -> String {
        phrase.prefix(1).uppercased() + phrase.dropFirst() + (phrase.hasSuffix(".") ? "" : ".")
    }

    /// `2024-05-01 12:00:00 UTC (2 years ago)`.
    func when(_ instant: Instant) -> String { instant.inWords(at: now) }
}
