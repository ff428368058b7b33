import Benchmarking
import CounterfoilBasics
import Glibc

/// A process that verifies a document with another library, warmed up once and asked for a
/// measurement again and again (Benchmarks/peer.py).
final class PythonPeer {
    /// What is verified, and by which library.
    enum Document: String {
        /// An app receipt in base 64, by `apple-purchase-receipt-verifier`.
        case receipt
        /// A transaction in its compact form, by Apple's `app-store-server-library`.
        case transaction
    }

    private let requests: UnsafeMutablePointer<FILE>
    private let answers: UnsafeMutablePointer<FILE>

    /// Starts the process and hands it the document and its root.
    ///
    /// - Parameters:
    ///   - python: an interpreter that has the library.
    ///   - kind: what the document is.
    ///   - document: its text.
    ///   - root: in DER.
    init(_ python: String, _ kind: Document, document: String, root: [UInt8]) {
        var toPeer: [Int32] = [-1, -1]
        var fromPeer: [Int32] = [-1, -1]
        precondition(pipe(&toPeer) == 0 && pipe(&fromPeer) == 0, "the system gives pipes")
        for end in [toPeer[1], fromPeer[0]] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, toPeer[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, fromPeer[1], STDOUT_FILENO)
        let words: [String] = [python, "Benchmarks/peer.py", kind.rawValue]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var child = pid_t()
        let started = posix_spawn(&child, python, &actions, nil, &arguments, environ)
        precondition(started == 0, "\(python) cannot be started")
        posix_spawn_file_actions_destroy(&actions)
        for argument in arguments { free(argument) }
        close(toPeer[0])
        close(fromPeer[1])
        requests = fdopen(toPeer[1], "w")!
        answers = fdopen(fromPeer[0], "r")!
        send(Base64.encode(root.span))
        send(document)
    }

    /// Its input ends, and with it the process.
    deinit {
        fclose(requests)
        fclose(answers)
    }

    /// Microseconds of processor time of one verification there, measured now.
    func measure() -> Double {
        send("")
        var line = [CChar](repeating: 0, count: 64)
        let text = fgets(&line, 64, answers).map { String(cString: $0) } ?? ""
        guard let number = Double(text.filter { $0 != "\n" }) else {
            preconditionFailure("Benchmarks/peer.py ended")
        }
        return number
    }

    /// Measures both in turns, and prints five rounds.
    ///
    /// - Throws: what our own work throws.
    func compare(with ours: Turns.Work) throws {
        for round in 1...5 {
            let ours = try Turns([ours], rounds: 12, roundMilliseconds: 40)[ours.name]
            let theirs = measure()
            print(
                "round \(round): ours \(ours.rounded(to: 1)), theirs \(theirs.rounded(to: 0)), "
                    + "ratio \((theirs / ours).rounded(to: 0))"
            )
        }
    }

    private func send(_ line: String) {
        fputs(line + "\n", requests)
        fflush(requests)
    }
}
