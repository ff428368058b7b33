import Foundation

/// The differences that docs/REFEREES.md explains, by the rows of its second table.
enum ExpectedDifferences {
    static let all: Set<Difference> = {
        let document = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("docs/REFEREES.md")
        guard let text = try? String(contentsOf: document, encoding: .utf8) else { return [] }
        var differences: Set<Difference> = []
        for line in text.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, let verdict = verdicts[cells[1]],
                let referee = Referee(rawValue: cells[0].trimmingCharacters(in: ["`"]))
            else { continue }
            for subject in cells[2].matches(of: #/`([^`]+)`/#) {
                differences.insert(
                    Difference(
                        referee: referee,
                        subject: String(subject.1),
                        refereeVerifies: verdict
                    )
                )
            }
        }
        return differences
    }()

    private static let verdicts = ["verifies": true, "refuses": false]
}
