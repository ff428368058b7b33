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

    init(_ inspection: Inspection, hints: [String], on terminal: Terminal) {
        self.inspection = inspection
        self.hints = hints
        self.terminal = terminal
    }

    /// All lines, sections parted by empty ones.
    var lines: [StyledText] {
        [verdict, claimsWarning, content, purchases, checks, certificates, attributes]
            .filter { !$0.isEmpty }
            .joined(separator: [""])
            .map(\.self)
    }

    var now: Instant { inspection.judgement.now }

    /// How wide sentences are: never wider than is good to read.
    var textWidth: Int { min(terminal.columns, 100) }
}

// MARK: - The verdict

extension InspectionReport {
    private var verdict: [StyledText] {
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
        return "\(documentName)\(app)\(environment). \(signer(of: proof))."
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
        guard let signer else { return "Signed by several" }
        guard let judgedAt = proof.judgedAt else { return "What is in it was signed by \(signer)" }
        return "Signed by \(signer), \(ago(judgedAt))"
    }

    /// What the document is, as the beginning of a sentence.
    private var documentName: String {
        switch inspection.content {
        case .transactionReceipt: "iOS 6-style receipt"
        case .appReceipt, nil: "App receipt"
        case .signedData(let content): content.kind.title
        case .notificationV1: "Notification (version 1)"
        case .answer: "Answer with \(inspection.parts.count) signed documents"
        }
    }

    /// Says before any content that nobody proved it.
    private var claimsWarning: [StyledText] {
        guard !inspection.isProved, inspection.content != nil else { return [] }
        let warning =
            "Nothing below is proved: it is only what the document says of itself, and anyone could"
            + " have written it."
        return TextWrapping.lines(warning, width: textWidth).map { StyledText($0, .yellow) }
    }
}

// MARK: - Checks and certificates

extension InspectionReport {
    private var checks: [StyledText] {
        var table = Table([.init(""), .init(""), .init("", canShrink: true)])
        for check in inspection.checks {
            table.append([
                outcome(check.outcome), "\(check.subject.title)",
                // The reason of a failure stands whole in the verdict already.
                check.outcome == .failed && check.detail == inspection.judgement.objection?.reason
                    ? "\(inspection.judgement.objection?.code.rawValue ?? "")" : "\(check.detail)",
            ])
        }
        return section(Self.checksTitle, table)
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
        guard !inspection.certificates.isEmpty else { return [] }
        let judgedAt = inspection.judgement.proof?.judgedAt
        let title = judgedAt.map { "Certificates, judged at \(date($0))" } ?? "Certificates"
        return [heading(title)]
            + inspection.certificates.flatMap { link -> [StyledText] in
                let summary = link.summary
                let markers = link.markers.map { marker -> StyledText in
                    let meaning = marker.meaning ?? "a marker nobody here knows"
                    return "    \("marker \(marker.identifier)", .dim) \(meaning)"
                }
                return [
                    "  \(summary.name, .cyan)",
                    "    \("serial", .dim) \(summary.serialNumber), \(summary.key)",
                    "    \("valid", .dim)  \(date(summary.notBefore)) to \(date(summary.notAfter))",
                ] + markers
            }
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
        let lines = TextWrapping.lines(text, width: textWidth - column)
        let name = label.description
        let blanks = String(repeating: " ", count: max(1, column - name.count))
        let indent = String(repeating: " ", count: column)
        return lines.enumerated().map { index, line in
            index == 0 && !name.isEmpty ? "\(name, style)\(blanks)\(line)" : "\(indent)\(line)"
        }
    }

    /// A titled table, two columns in from the left.
    func section(_ title: String, _ table: Table) -> [StyledText] {
        let lines = table.lines(width: terminal.lineLimit.map { $0 - 2 })
        return lines.isEmpty ? [] : [heading(title)] + lines.map { "  \($0)" }
    }

    /// The title of a section; of what nobody proved it says so every time, because whoever
    /// scrolls does not see the warning above.
    func heading(_ title: String) -> StyledText {
        inspection.isProved || title == Self.checksTitle
            ? "\(title, .bold)" : "\(title, .bold)\(", unproved", .yellow)"
    }

    private static let checksTitle = "Checks"

    private func sentence(_ phrase: String) -> String {
        phrase.prefix(1).uppercased() + phrase.dropFirst() + (phrase.hasSuffix(".") ? "" : ".")
    }

    /// `2024-05-01 12:00:00 UTC`.
    func date(_ instant: Instant) -> String { "\(shortDate(instant)) UTC" }

    /// `2024-05-01 12:00:00`, in UTC.
    func shortDate(_ instant: Instant) -> String {
        AppStoreDate.gmt(instant).prefix { $0 != "E" }.trimmingSuffix(" ")
    }

    /// `2024-05-01 12:00:00 UTC (2 years ago)`.
    func ago(_ instant: Instant) -> String {
        "\(date(instant)) (\(Age(of: instant, at: now)))"
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        last == character ? String(dropLast()) : String(self)
    }
}
