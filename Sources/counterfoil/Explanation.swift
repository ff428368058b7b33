import AppStoreSimulator
import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import HTTP
import Journal

extension Counterfoil {
    /// What to tell a user about an error that ended a command.
    static func explanation(of error: any Error) -> Program.Failure {
        guard let coded = error as? any CodedError else {
            return Program.Failure("\(error)", exitCode: .undecided)
        }
        return Program.Failure(
            coded.description,
            hints: hints(for: coded.code),
            exitCode: .undecided
        )
    }

    private static func hints(for code: ErrorCode) -> [String] {
        switch code {
        case HTTPServingError.addressInUse: ["--listen 127.0.0.1:0 takes any free port"]
        case HTTPServingError.addressUnavailable:
            ["ports below 1024 are reserved; 127.0.0.1 is always this machine"]
        case SimulatorError.unknownKey, SimulatorError.invalidValue:
            ["docs/ISSUING.md lists the keys of a specification"]
        default: storageHints(for: code)
        }
    }

    private static func storageHints(for code: ErrorCode) -> [String] {
        switch code {
        case StorageError.cannotOpen:
            ["'counterfoil ledger learn' makes a database, in a folder that is there", writing]
        case StorageError.readOnly: [writing]
        case StorageError.damaged:
            [
                "name a file that 'counterfoil ledger learn' made; if it is one, go back to a copy"
                    + " of it"
            ]
        case StorageError.otherPurpose:
            ["name another file: what is rehearsed never stands beside what Apple signed"]
        case StorageError.tooNew: ["use the newer version of this program"]
        case StorageError.busy:
            ["one process writes at a time: let the other one end, or stop it"]
        default: []
        }
    }

    private static let writing =
        "whoever runs this must be allowed to write the file and its folder, where more files stand"
        + " beside it"
}
