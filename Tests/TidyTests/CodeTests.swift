import Testing

@Suite("The sources")
struct CodeTests {
    @Test("What the sources do not say", arguments: CodeRule.all)
    func rules(rule: CodeRule) {
        let violations = Tree.sources.flatMap { rule.violations(in: $0) }
        #expect(violations.isEmpty, "\(violations.joined(separator: "\n"))")
    }

    @Test("Every rule is broken by what it is against")
    func rulesHold() {
        for rule in CodeRule.all {
            let target = rule.only?.first ?? "Telemetry"
            let file = SwiftFile(path: "Sources/\(target)/X.swift", text: "\n\n\n\(rule.token)\n")
            #expect(rule.violations(in: file).count == 1, "\(rule.testDescription)")
        }
    }

    @Test("A rule looks at code, not at comments, texts or parts of names")
    func blanking() {
        let text = #"""
            // try! print( in a comment
            let a = "print(" + #"try! \(no)"# /* fatalError( /* nested */ print( */
            let b = "\(x.map { try! $0("print(") } ?? ")")"
            let c = """
                fatalError( "quoted" \(print(1))
                """
            pretty.print(x); sprint(x); _print(y)
            """#
        let file = SwiftFile(path: "Sources/HTTP/X.swift", text: text)
        #expect(file.lines(having: "try!") == [3])
        #expect(file.lines(having: "print(") == [5])
        #expect(file.lines(having: "fatalError(") == [])
        #expect(file.code.map(\.count) == file.lines.map(\.count))
    }

    @Test("A reason stands beside what it explains, and serves a whole group")
    func reasons() {
        let text = """
            // It is set once.
            nonisolated(unsafe) var a = 1
            nonisolated(unsafe) var b = 1
            let c = 1
            let d = 1
            let e = 1
            let f = 1
            nonisolated(unsafe) var g = 1
            nonisolated(unsafe) var h = 1  // It is never read.
            """
        let file = SwiftFile(path: "Sources/HTTP/X.swift", text: text)
        let token = "nonisolated(unsafe)"
        let bare = file.lines(having: token).filter { !file.givesReason(at: $0, for: token) }
        #expect(bare == [8])
    }

    @Test("No type or file is named for being in charge or of use")
    func names() {
        let vague = #/(?:Manager|Helper|Util(?:s|ity|ities)?)(?![a-z])/#
        let declaration = #/\b(?:class|struct|enum|actor|protocol|typealias)\s+(\w+)/#
        for path in Tree.files where path.contains(vague) {
            Issue.record("\(path): a name says what a thing does")
        }
        let words = ["Manager", "Helper", "Util"]
        for path in Tree.files where path.hasSuffix(".swift") {
            let text = Tree.text(of: path)
            guard words.contains(where: { text.contains($0) }) else { continue }
            for match in text.matches(of: declaration) where match.1.contains(vague) {
                Issue.record("\(path): \(match.1): a name says what a thing does")
            }
        }
    }
}
