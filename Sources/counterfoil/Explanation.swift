import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics

extension Counterfoil {
    /// What to tell a user about an error that ended a command.
    static func explanation(of error: any Error) -> Program.Failure {
        switch error {
        case let error as any CodedError: Program.Failure(error.description, exitCode: .undecided)
        default: Program.Failure("\(error)", exitCode: .undecided)
        }
    }
}
