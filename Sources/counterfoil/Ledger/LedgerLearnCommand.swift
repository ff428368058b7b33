import AppStoreModel
import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import CounterfoilJSON
import Journal
import JournalSQLite
import PurchaseService

/// `counterfoil ledger learn`: takes documents into the record.
enum LedgerLearnCommand {
    static let command = Command(
        "learn",
        "take documents into the record, one JSON line each",
        discussion: [
            "Proves receipts, signed data, notifications V1 and V2 and answers of the Server API,"
                + " and learns from them what they say of purchases. What is not proved, or of no"
                + " app that is configured, is refused, and nothing of it is kept. Learning a"
                + " document again changes nothing, and so does the order."
        ],
        options: LedgerOptions.all + [TrustOptions.secretFiles],
        arguments: [paths],
        examples: [
            Command.Example(
                "counterfoil ledger learn --config counterfoil.json saved/",
                "everything in a folder"
            )
        ],
        action: run
    )

    private static let paths = Argument.list(
        "PATH",
        atLeast: 1,
        .file.named("PATH"),
        "files and folders; - is standard input"
    )

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let configuration = try LedgerOptions.configuration(invocation)
        let apps = try ConfiguredApps(
            configuration,
            now: SystemClock().now,
            reading: ServeCommand.read
        )
        let file = try LedgerOptions.file(invocation, configuration)
        let secrets = try secrets(invocation, configuration)
        let engine = try await LedgerOptions.engine(file, .writing)
        let record: PurchaseRecord
        do {
            record = try await PurchaseRecord(in: engine, configuration, apps, secrets: secrets)
        } catch let error as StorageError {
            throw error.naming(file)
        }
        try await ClockWorker.tellAll(by: record.journal.writer)
        if configuration.apps.isEmpty { try streams.error.lines(withoutApps) }
        var tally = LearnTally()
        for found in documents(invocation[paths], besides: file) {
            let outcome = await Outcome(of: found, in: record)
            try streams.output.write(json: outcome.line)
            tally.add(outcome)
        }
        await engine.close()
        try streams.error.line(tally.summary)
        return tally.worst
    }

    private static let withoutApps: [StyledText] = [
        """
        \("note:", .yellow) no app is configured: those of the App Store are learned, and no \
        product gives anything
        """
    ]

    /// What vouches for notifications of version 1 of the apps that are configured.
    private static func secrets(
        _ invocation: Invocation,
        _ configuration: Configuration
    ) throws -> [String: [SharedSecret]] {
        let secrets = try invocation[TrustOptions.secretFiles].map { try SharedSecret(file: $0) }
        guard secrets.isEmpty || !configuration.apps.isEmpty else {
            throw UsageError("--shared-secret-file needs --config FILE, which says of which apps")
        }
        var known = try configuration.secrets(
            reading: ServeCommand.read,
            variable: Terminal.variable
        )
        for app in configuration.apps { known[app.bundleId, default: []] += secrets }
        return known
    }

    /// The files that paths stand for; below a folder, the database is none of the documents.
    private static func documents(
        _ paths: [String],
        besides database: String
    ) -> some Sequence<Result<String, InputError>> {
        let own = Set(
            ["", "-wal", "-shm", "-writer"].compactMap { FileIdentity(ofFile: database + $0) }
        )
        return paths.lazy.flatMap { FileWalk(from: $0) }.filter { found in
            guard case .success(let name) = found, let identity = FileIdentity(ofFile: name) else {
                return true
            }
            return !own.contains(identity)
        }
    }
}

/// What came of all files.
private struct LearnTally {
    private var fresh = 0
    private var known = 0
    private var refused = 0
    private var failed = 0
    private(set) var worst = ExitCode.success

    mutating func add(_ outcome: Outcome) {
        fresh += outcome.fresh
        known += outcome.known
        switch outcome.exitCode {
        case .success: break
        case .refused: refused += 1
        default: failed += 1
        }
        worst = worst.worse(outcome.exitCode)
    }

    var summary: StyledText {
        var parts = [Figure.count(fresh, "document learned", "documents learned")]
        if known > 0 { parts.append("\(Figure.count(known)) known before") }
        if refused > 0 { parts.append("\(Figure.count(refused)) refused") }
        if failed > 0 { parts.append("\(Figure.count(failed)) not read or not kept") }
        return "\(parts.joined(separator: ", "))."
    }
}

/// What came of one file.
private struct Outcome {
    let line: [UInt8]
    let exitCode: ExitCode
    /// How many documents were learned now, and how many before.
    private(set) var fresh = 0
    private(set) var known = 0

    init(of found: Result<String, InputError>, in record: PurchaseRecord) async {
        var object = JSONObject()
        do {
            let name = try found.get()
            object["source"] = .string(FileName.shown(name))
            let bytes = try Input.read(name, limit: VerificationLimits.default.inputBytes)
            let taken = try await record.intake.takeIn(bytes)
            object["learned"] = .array(taken.map { .object($0.json) })
            known = taken.count(where: \.committed.wasKnown)
            fresh = taken.count - known
            exitCode = .success
        } catch let error as InputError {
            object["error"] = .string(error.description)
            exitCode = .undecided
        } catch let refusal as IntakeRefusal {
            object["refused"] = .string(refusal.code.rawValue)
            object["reason"] = .string(refusal.reason)
            exitCode = refusal.isVerdict ? .refused : .undecided
        } catch {
            object["error"] = .string("\(error)")
            exitCode = .undecided
        }
        line = JSONValue.object(object).document() + [0x0A]
    }
}

extension IntakeRefusal {
    /// Whether the document was examined and the answer is no; it may be another one later where
    /// something could not be found out or kept.
    fileprivate var isVerdict: Bool {
        switch self {
        case .unproved(let error): !error.isUndecided
        case .notServed: true
        case .notStored: false
        }
    }
}

extension TakenIn {
    fileprivate var json: JSONObject {
        [
            "kind": .string(document.kind.rawValue),
            "bundleId": .string(scope.bundleId),
            "environment": .string(scope.environment.rawValue),
            "evidence": .string(document.digest.description),
            "position": .string(committed.position.description),
            "wasKnown": .bool(committed.wasKnown),
        ]
    }
}
