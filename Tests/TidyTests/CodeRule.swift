import Testing

/// Something that the sources do not say, with the reason.
struct CodeRule: Sendable, CustomTestStringConvertible {
    let token: String
    let reason: String

    /// The targets that the rule is for, or all.
    var only: Set<String>?

    /// The targets that may say it all the same.
    var except: Set<String> = []

    /// Whether a comment that says why makes it acceptable.
    var allowedWithReason = false

    var testDescription: String { "\(token)\(allowedWithReason ? " without a reason" : "")" }

    /// Where a file breaks the rule.
    func violations(in file: SwiftFile) -> [String] {
        guard only?.contains(file.target) ?? true, !except.contains(file.target) else { return [] }
        return file.lines(having: token)
            .filter { !allowedWithReason || !file.givesReason(at: $0, for: token) }
            .map { "\(file.path):\($0): \(testDescription): \(reason)" }
    }
}

extension CodeRule {
    private static let verifying: Set = [
        "CounterfoilBasics", "CounterfoilASN1", "CounterfoilJSON", "CounterfoilPropertyList",
        "CounterfoilCryptography", "AppStoreModel", "AppStoreVerification",
    ]

    private static let clock = "time is a parameter; only CounterfoilBasics reads a clock"
    private static let input = "what comes from outside must never reach a trap"

    static let all: [CodeRule] = [
        CodeRule(token: "Date()", reason: clock, except: ["CounterfoilBasics"]),
        CodeRule(token: "ContinuousClock", reason: clock, except: ["CounterfoilBasics"]),
        CodeRule(token: "SuspendingClock", reason: clock, except: ["CounterfoilBasics"]),
        // A socket's deadlines are about real time, so the engine reads the monotonic clock.
        CodeRule(
            token: "clock_gettime(",
            reason: clock,
            except: ["CounterfoilBasics", "HTTPServer"]
        ),
        CodeRule(token: "gettimeofday(", reason: clock, except: ["CounterfoilBasics"]),
        CodeRule(
            token: "print(",
            reason: "only the tool talks to its user",
            except: ["counterfoil"]
        ),
        CodeRule(token: "debugPrint(", reason: "only the tool talks to its user"),
        CodeRule(token: "dump(", reason: "only the tool talks to its user"),
        CodeRule(token: "try!", reason: input),
        CodeRule(token: "as!", reason: input),
        CodeRule(token: "fatalError(", reason: input),
        CodeRule(
            token: "try?",
            reason: "an error is told, or the comment says why not",
            allowedWithReason: true
        ),
        CodeRule(
            token: "@unchecked Sendable",
            reason: "what the compiler cannot check, a comment explains",
            allowedWithReason: true
        ),
        CodeRule(
            token: "nonisolated(unsafe)",
            reason: "what the compiler cannot check, a comment explains",
            allowedWithReason: true
        ),
        CodeRule(token: "Task.detached", reason: "every task has a parent that can end it"),
        CodeRule(
            token: "#if os(",
            reason: "no platform verifies less than another",
            only: verifying
        ),
        CodeRule(
            token: "import Foundation",
            reason: "its time zones and its ICU data are absent from, or huge in, the binary"
        ),
    ]
}
