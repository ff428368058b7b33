import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

/// A program that shares no code with this project and reads the same documents.
enum Referee: String, CaseIterable, Codable {
    /// `openssl cms`; `openssl dgst` and `openssl verify` for iOS 6-style receipts.
    case openssl
    /// The Python package `apple-purchase-receipt-verifier`, which `make referees` installs.
    case peer
    /// Apple's own Python package `app-store-server-library`, which `make referees` installs too.
    case apple

    /// Whether it reads documents of a kind.
    func reads(_ kind: RefereeRequest.Kind) -> Bool {
        switch self {
        case .openssl: kind != .signed
        case .peer: kind != .transaction
        case .apple: kind == .signed
        }
    }
}

/// A document, and who may answer for it.
struct RefereeRequest: Encodable {
    enum Kind: String, Encodable {
        case app
        case transaction
        case signed
    }

    /// What signed data must be.
    struct Expected: Encodable {
        let kind: String
        let bundleId: String
        let environment: String
        let appAppleId: Int64
    }

    let id: String
    let kind: Kind
    let document: Data
    let roots: [String]
    let issuers: [String]
    /// Seconds since 1970; nil where the receipt states no date.
    let at: Int64?
    let expected: Expected?

    init(
        _ id: String,
        _ kind: Kind,
        _ document: [UInt8],
        roots: [String],
        issuers: [String] = [],
        at instant: Instant?,
        expected: Expected? = nil
    ) {
        self.id = id
        self.kind = kind
        self.document = Data(document)
        self.roots = roots
        self.issuers = issuers
        self.expected = expected
        at = instant.map { $0.millisecondsSince1970 / 1000 }
    }
}

/// What a referee says of a document.
struct RefereeVerdict: Decodable {
    let verified: Bool
    /// The reason for a refusal, in the referee's own words.
    let says: String
    /// SHA-256 of what was signed, where the referee hands it out.
    let content: String?
    /// The app, where the referee reads it.
    let bundleId: String?
}

/// `Tests/Referees/referees.py`, asked about many receipts at once because Python starts slowly.
enum RefereeProcess {
    private struct Answer: Decodable {
        let id: String
        let verdicts: [String: RefereeVerdict]
    }

    private static let script = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Referees/referees.py")

    /// The Python that has the packages; nil where `make referees` has not been run.
    static let equipped = ProcessInfo.processInfo.environment["COUNTERFOIL_REFEREES"]
        .flatMap { $0.isEmpty ? nil : $0 }

    private static let python = equipped.map(OutsideProgram.init) ?? .python

    /// The referees that this machine has.
    static let present: [Referee] = equipped == nil ? [.openssl] : Referee.allCases

    /// The verdicts of every referee that reads a document's kind, by the documents' ids.
    static func verdicts(
        on requests: [RefereeRequest]
    ) throws -> [String: [Referee: RefereeVerdict]] {
        let encoder = JSONEncoder()
        let lines = try requests.map { try encoder.encode($0) + Data("\n".utf8) }
        let folder = try Folder()
        let python = try #require(python, "there is no python3")
        let outcome = try python.run(
            ["-I", script.path],
            input: folder.write("requests", lines.joined())
        )
        try #require(outcome.succeeded, "referees.py failed: \(outcome.errors)")

        let decoder = JSONDecoder()
        let answers = try outcome.output.split(separator: UInt8(ascii: "\n"))
            .map { try decoder.decode(Answer.self, from: Data($0)) }
        try #require(answers.map(\.id) == requests.map(\.id), "an answer is missing")
        var verdicts: [String: [Referee: RefereeVerdict]] = [:]
        for (request, answer) in zip(requests, answers) {
            let readers = present.filter { $0.reads(request.kind) }
            try #require(
                Set(answer.verdicts.keys) == Set(readers.map(\.rawValue)),
                "not all who are here and read \(request.id) have answered"
            )
            verdicts[request.id] = Dictionary(
                uniqueKeysWithValues: readers.compactMap { referee in
                    answer.verdicts[referee.rawValue].map { (referee, $0) }
                }
            )
        }
        return verdicts
    }
}
