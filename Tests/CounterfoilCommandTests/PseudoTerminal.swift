import Foundation

/// The tool on a terminal of its own.
enum PseudoTerminal {
    /// What a person would see there.
    static func show(
        _ words: [String],
        columns: Int,
        environment: [String: String] = [:]
    ) throws -> String {
        let script = """
            import fcntl, os, pty, struct, sys, termios
            columns, words = int(sys.argv[1]), sys.argv[2:]
            child, terminal = pty.fork()
            if child == 0:
                size = struct.pack("HHHH", 24, columns, 0, 0)
                fcntl.ioctl(0, termios.TIOCSWINSZ, size)
                os.execv(words[0], words)
            while True:
                try: part = os.read(terminal, 65536)
                except OSError: break
                if not part: break
                sys.stdout.buffer.write(part)
            os.waitpid(child, 0)
            """
        let outcome = try Tool.run(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["python3", "-c", script, String(columns), Tool.binary.path] + words,
            environment: ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 }
        )
        return outcome.output.replacingOccurrences(of: "\r\n", with: "\n")
    }

    /// A text without the sequences of its colours.
    static func plain(_ text: String) -> String { text.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
}
