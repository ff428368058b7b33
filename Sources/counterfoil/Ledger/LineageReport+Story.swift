import CommandLineInterface
import CounterfoilBasics
import DocumentInspection
import Journal
import Ledger

// What came in and what was told of it, in the order in which it was recorded.
extension LineageReport {
    /// How many entries a screen shows.
    private static let mostOnScreen = 12

    var chapters: [StyledText] {
        let known = question.knownAt
        let then = story.chapters.filter { chapter in known.map { chapter.position <= $0 } ?? true }
        let later = story.chapters.dropFirst(then.count)
        let parts = [
            part("What came in, and what was told (UTC)", then[...]),
            part("What was not known then (UTC)", later),
        ]
        return Array(parts.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    private func part(
        _ title: String,
        _ chapters: ArraySlice<LineageStory.Chapter>
    ) -> [StyledText] {
        guard !chapters.isEmpty else { return [] }
        let most = terminal.isInteractive ? Self.mostOnScreen : chapters.count
        return fitted(StyledText(title, .bold), indent: 2) + notShown(chapters.count - most)
            + chapters.suffix(most).flatMap(lines)
    }

    private func lines(of chapter: LineageStory.Chapter) -> [StyledText] {
        let place: StyledText = "  \("#\(chapter.position)", .bold)"
        let line = place + "  \(chapter.recordedAt.shortWords, .dim)  \(Self.input(of: chapter))"
        return fitted(line, indent: 8)
            + chapter.events.flatMap { fitted(Self.line(of: $0), indent: 11) }
    }

    /// The document that came in, and those inside it that told of this lineage.
    private static func input(of chapter: LineageStory.Chapter) -> String {
        guard let document = chapter.document?.evidence else {
            let isOfRules = chapter.events.contains {
                if case .rules = $0.cause { true } else { false }
            }
            return isOfRules ? "the app's rules" : "the clock"
        }
        let inside = chapter.evidence.map(\.evidence).filter { $0.digest != document.digest }
        // In the order of their kinds: that of digests says nothing.
        let parts = Evidence.Kind.allCases.flatMap { kind in
            inside.filter { $0.kind == kind }.map { "\(kind.words) \($0.digest.short)" }
        }
        let name = "\(document.kind.words) \(document.digest.short)"
        return parts.isEmpty ? name : "\(name) with \(parts.joined(separator: " and "))"
    }

    private static func line(of event: Journal.Event) -> StyledText {
        var direction = ""
        if case .change(let change) = event.content, let word = change.direction {
            direction = ", \(word.rawValue)"
        }
        let told: StyledText = "      told \(event.type, .cyan)\(direction)"
        return told + ", as of \(event.occurredAt.shortWords) \("(\(event.id))", .dim)"
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
