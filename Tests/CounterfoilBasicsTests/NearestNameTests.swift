import CounterfoilBasics
import Testing

@Suite("Nearest names")
struct NearestNameTests {
    static let commands = ["inspect", "verify", "serve", "issue", "ledger", "bench", "compare"]

    @Test(
        "The nearest name is given when it is near enough",
        arguments: [
            ("insepct", "inspect"), ("veryfi", "verify"), ("sserve", "serve"), ("comp", "compare"),
            ("LEDGER", "ledger"), ("isue", "issue"), ("zzz", nil), ("", nil), ("xerxes", nil),
            (String(repeating: "a", count: 65), nil),
        ]
    )
    func nearest(word: String, expected: String?) {
        #expect(NearestName.nearest(to: word, among: Self.commands) == expected)
    }

    @Test(
        "Where unknown names are good, too, only a slip of the pen is near",
        arguments: [
            ("insepct", "inspect"), ("Inspect", "inspect"), ("isue", "issue"), ("veryfi", "verify"),
            ("compar", "compare"), ("comp", nil), ("inspector", "inspect"), ("inspectors", nil),
        ]
    )
    func slips(word: String, expected: String?) {
        #expect(NearestName.nearest(to: word, among: Self.commands, atMost: 2) == expected)
    }

    @Test("Nothing is named where there is nothing")
    func noCandidates() {
        #expect(NearestName.nearest(to: "x", among: []) == nil)
        #expect(NearestName.nearest(to: "x", among: [""]) == nil)
    }
}
