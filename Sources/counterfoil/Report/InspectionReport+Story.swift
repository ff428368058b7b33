import AppStoreModel
import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import CounterfoilJSON
import DocumentInspection

// MARK: - What happened

extension InspectionReport {
    /// A story as a section: its sentences, then its facts; nothing where it tells nothing.
    func lines(of story: Story, titled title: String) -> [StyledText] {
        let told = body(of: story)
        return told.isEmpty ? [] : [heading(title)] + told
    }

    /// The sentences and the facts without `common` ones, which the document around it has stated.
    private func body(of story: Story, without common: [Story.Fact] = []) -> [StyledText] {
        let text = StyledText(story.sentences.joined(separator: " "))
        var table = Table([.init(""), .init("", .leading, .wrap)])
        for fact in story.facts where !common.contains(fact) {
            table.append(["\(fact.name, .dim)", "\(fact.text, style(of: fact.tone))"])
        }
        let sentences = text.isEmpty ? [] : text.wrapped(to: min(terminal.columns, 100) - 2)
        let facts = table.lines(width: terminal.lineLimit.map { $0 - 2 })
        let parts = [sentences, facts].filter { !$0.isEmpty }
        return parts.joined(separator: [""]).map { $0.isEmpty ? $0 : "  \($0)" }
    }

    /// Good news that nobody proved is none.
    private func style(of tone: Story.Tone) -> Style {
        switch tone {
        case .plain: []
        case .good: good
        case .bad: .red
        }
    }

    /// The documents inside, each in a section of its own, and those inside of them.
    var parts: [[StyledText]] {
        if case .signedData(let content) = inspection.content, !content.inside.isEmpty {
            return content.inside.map { inside in
                let title = "\(inside.content.kind.title), in \(path(of: inside.path))"
                return [heading(title)] + body(of: inside.content.story(at: now))
            }
        }
        // What nobody signed says nothing that need not be said again.
        let isSigned = inspection.judgement.type != nil
        let common = isSigned ? inspection.story?.facts ?? [] : []
        return inspection.parts.flatMap { part in
            InspectionReport(part.inspection, on: terminal, at: path(of: part.path))
                .sections(without: common)
        }
    }

    /// Where a member of this document stands in the one that was handed in.
    private func path(of member: String) -> String {
        (place.map { "\($0): " } ?? "") + member
    }

    /// The sections of a document inside another one, which begin with its verdict unless that
    /// goes without saying.
    private func sections(without common: [Story.Fact]) -> [[StyledText]] {
        let isReceipt = inspection.story == nil && inspection.content != nil
        let isUsual = inspection.judgement.verdict == .verified && !isReceipt
        let story = inspection.story.map { body(of: $0, without: common) } ?? []
        let outcome: [StyledText] = isUsual ? [] : verdict.map { "  \($0)" }
        let lines = [outcome, story].filter { !$0.isEmpty }.joined(separator: [""])
        let titled = place.map { "\(title), in \($0)" } ?? title
        return [[heading(titled)] + lines, isReceipt ? receiptFacts : [], purchases] + parts
    }
}

// MARK: - Every member

extension InspectionReport {
    /// Everything that was signed, in the document itself and in those inside.
    func members(of content: SignedContent) -> [StyledText] {
        var sections = [section("Members", table(of: content))]
        for inside in content.inside {
            sections.append(section("Members of \(inside.path)", table(of: inside.content)))
        }
        for part in inspection.parts {
            guard case .signedData(let content) = part.inspection.content else { continue }
            sections.append(section("Members of \(part.path)", table(of: content)))
        }
        return Array(sections.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    private func table(of content: SignedContent) -> Table {
        let members = MemberReading.all(of: content.payload, known: content.knownMembers)
        let areAllKnown = members.allSatisfy(\.isKnown)
        var table = Table([
            .init("name"), .init(areAllKnown ? "" : "known"), .init("value", .leading, .cut),
        ])
        for member in members {
            let known: StyledText =
                areAllKnown
                ? "" : member.isKnown ? "\("known", .dim)" : "\("unknown", [.bold, .yellow])"
            table.append(["\(member.path)", known, value(of: member)])
        }
        return table
    }

    private func value(of member: MemberReading) -> StyledText {
        if let date = member.date {
            return "\(member.value.description)  \("\(date.shortWords) UTC", .dim)"
        }
        guard case .string(let text) = member.value else { return "\(member.value.description)" }
        let isDocument = member.path.contains(".signed")
        return isDocument ? "\("a document of \(text.utf8.count) letters", .dim)" : "\(text)"
    }
}

extension StyledText {
    /// How many blanks it begins with.
    var indentation: Int {
        rendered(styled: false).prefix { $0 == " " }.count
    }
}
