import AppStoreSimulator
import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import HTTP

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
        default: []
        }
    }
}
