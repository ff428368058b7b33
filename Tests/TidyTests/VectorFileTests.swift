import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Vector files")
struct VectorFileTests {
    private static let needed: Set<String> = ["expect", "judged-at", "origin"]
    private static let known = needed.union([
        "payload", "trust", "app", "environment", "kind", "purchases", "repairs",
    ])

    @Test("Each says what it expects, when it is judged and where it comes from")
    func headers() {
        #expect(Vector.all.count > 150)
        for vector in Vector.all {
            for problem in Self.problems(of: vector) { Issue.record("\(vector): \(problem)") }
        }
    }

    @Test("A vector without origin is refused, and so is a name that nobody knows")
    func refusals() {
        let good = "expect: verified\njudged-at: 2026-01-01T00:00:00Z\norigin: by hand\n\nx\n"
        func problems(_ text: String) -> [String] {
            Self.problems(of: Vector(name: "a/b", text: text))
        }
        #expect(problems(good).isEmpty)
        #expect(problems(good.replacing("origin: by hand\n", with: "")) == ["origin is missing"])
        #expect(problems(good.replacing("by hand", with: "")) == ["origin is missing"])
        #expect(problems("orgin: x\n" + good) == ["orgin is not known"])
        #expect(problems("expect: verified\n").count == 2)
    }

    private static func problems(of vector: Vector) -> [String] {
        let missing = needed.filter { vector.header[$0]?.isEmpty ?? true }
        let unknown = vector.header.keys.filter { !known.contains($0) }
        return missing.sorted().map { "\($0) is missing" }
            + unknown.sorted().map { "\($0) is not known" }
    }

    @Test("Every group has what is good beside what is spoiled")
    func groups() {
        for (group, vectors) in Dictionary(grouping: Vector.all, by: \.group) {
            #expect(Set(vectors.map(\.isGood)) == [true, false], "\(group)")
        }
    }
}
