/// What the process tells its caller when it ends.
package enum ExitCode: Int32, Sendable {
    /// The document was verified, or the question answered.
    case success = 0

    /// The verdict is no: the document was examined and refused.
    case refused = 1

    /// There is no verdict: a file, the network or another system did not do its part.
    case undecided = 2

    /// The command line itself was wrong; the number is `EX_USAGE` of sysexits.h.
    case usage = 64

    /// Ended early by SIGINT (Ctrl-C), with everything done until then written; the number is what
    /// shells report for it.
    case interrupted = 130

    /// Ended early because the reader of the output went away; the number is what shells report
    /// for SIGPIPE.
    case readerGone = 141

    /// Ended early by SIGTERM, otherwise as by SIGINT.
    case terminated = 143

    /// One sentence for help texts.
    package static let explanation =
        "Exit codes: 0 verified or answered, 1 refused, 2 could not decide, 64 wrong usage."
}
