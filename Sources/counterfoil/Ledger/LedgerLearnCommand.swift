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
        options: LedgerOptions.all,
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
        let engine = try await SQLiteEngine(path: file)
        let record = try await PurchaseRecord(in: engine, configuration, apps)
        try await ClockWorker.tellAll(by: record.journal.writer)
        var worst = ExitCode.success
        for path in invocation[paths] {
            for found in FileWalk(from: path) {
                let outcome = await Outcome(of: found, in: record)
                try streams.output.write(json: outcome.line)
                worst = worst.worse(outcome.exitCode)
            }
        }
        await engine.close()
        return worst
    }
}

/// What came of one file.
private struct Outcome {
    let line: [UInt8]
    let exitCode: ExitCode

    init(of found: Result<String, InputError>, in record: PurchaseRecord) async {
        var object = JSONObject()
        do {
            let name = try found.get()
            object["source"] = .string(FileName.shown(name))
            let bytes = try Input.read(name, limit: VerificationLimits.default.inputBytes)
            let taken = try await record.intake.takeIn(bytes)
            object["learned"] = .array(taken.map { .object($0.json) })
            exitCode = .success
        } catch let error as InputError {
            object["error"] = .string(error.description)
            exitCode = .undecided
        } catch let refusal as IntakeRefusal {
            object["refused"] = .string(refusal.code.rawValue)
            object["reason"] = .string(refusal.reason)
            if case .notStored = refusal { exitCode = .undecided } else { exitCode = .refused }
        } catch {
            object["error"] = .string("\(error)")
            exitCode = .undecided
        }
        line = JSONValue.object(object).document() + [0x0A]
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
