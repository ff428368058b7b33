import CommandLineInterface
import Foundation
import Testing

@Suite("Completion")
struct CompletionTests {
    @Test(
        "What fits at the end of an unfinished line is offered",
        arguments: [
            ([""], "verify ledger issue help completions"),
            (["l"], "ledger"),
            (["sec"], ""),
            (["ledger", ""], "check show"),
            (["help", "v"], "verify"),
            (["-"], "--quiet --help --no-color --version"),
            (["verify", "--b"], "--bundle-id"),
            (["verify", "--bundle-id", "x", "--b"], ""),
            (["verify", "--anchor", "x", "--a"], "--anchor"),
            (["verify", "--format", ""], "text json"),
            (["verify", "--format", "j"], "json"),
            (["verify", "--format=j"], "--format=json"),
            (["verify", "--format", "=", "j"], "json"),
            (["verify", "--format", "="], "text json"),
            (["verify", "--format=text", "--limit=5", ""], ":files"),
            (["verify", "--anchor", ""], ":files"),
            (["verify", "-a", ""], ":files"),
            (["verify", "--bundle-id", ""], ""),
            (["verify", "x", "y"], ":files"),
            (["verify", "--", "--f"], ":files"),
            (["issue", ""], "receipt transaction"),
            (["issue", "--out", ""], ":directories"),
            (["issue", "receipt", "1", ""], ""),
            (["completions", ""], "bash zsh fish"),
            (["nonsense", "verify", "--fo"], "--format"),
            ([], "verify ledger issue help completions"),
        ]
    )
    func offers(words: [String], expected: String) async throws {
        let outcome = try await Sample.program.outcome(["--complete"] + words)
        #expect(outcome.exitCode == .success)
        let offered = outcome.output.split(separator: "\n").map { $0.split(separator: "\t")[0] }
        #expect(offered.joined(separator: " ") == expected)
    }

    @Test("An offer says what it is for")
    func explanation() async throws {
        let outcome = try await Sample.program.outcome(["--complete", "iss"])
        #expect(outcome.output == "issue\tissue a document\n")
    }

    private static func has(_ shell: String) -> Bool {
        ["/bin", "/usr/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(shell)")
        }
    }

    /// Runs a shell in a new folder that holds `alpha.der` and, as `sample`, a program that answers
    /// every question with the given lines and notes what it was asked.
    private func shell(
        _ shell: String,
        _ arguments: [String],
        answering lines: String,
        script: String
    ) async throws -> (output: String, asked: String) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let completions = try await Sample.program.outcome("completions \(shell)")
        #expect(completions.exitCode == .success)
        try Data(completions.output.utf8).write(to: folder.appendingPathComponent("completions"))
        try Data().write(to: folder.appendingPathComponent("alpha.der"))
        try Data(lines.utf8).write(to: folder.appendingPathComponent("lines"))
        let program = folder.appendingPathComponent("sample")
        try Data("#!/bin/sh\nprintf '%s|' \"$@\" >asked\ncat lines\n".utf8).write(to: program)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: program.path
        )
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [shell] + arguments + [script]
        process.currentDirectoryURL = folder
        process.environment = [
            "PATH": "\(folder.path):/usr/bin:/bin", "HOME": folder.path, "TERM": "dumb",
        ]
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let asked = try? Data(contentsOf: folder.appendingPathComponent("asked"))
        return (
            String(decoding: output, as: UTF8.self),
            String(decoding: asked ?? Data(), as: UTF8.self)
        )
    }

    @Test("Bash offers the words and files that the program names", .enabled(if: has("bash")))
    func bash() async throws {
        let script = """
            source ./completions
            complete -p sample
            compopt() { :; }
            COMP_WORDS=(sample verify --format = 'two words'); COMP_CWORD=4
            _sample_complete
            printf '<%s>' "${COMPREPLY[@]}"
            COMP_WORDS=(sample al); COMP_CWORD=1
            printf ':files\\n' >lines
            _sample_complete
            printf '<%s>' "${COMPREPLY[@]}"
            """
        let (output, asked) = try await shell(
            "bash",
            ["--norc", "-c"],
            answering: "text\thow it is\njson\t\n",
            script: script
        )
        #expect(output == "complete -F _sample_complete sample\n<text><json><alpha.der>")
        #expect(asked == "--complete|al|")
    }

    @Test("Zsh accepts the script and knows the completion", .enabled(if: has("zsh")))
    func zsh() async throws {
        let script = """
            autoload -U compinit && compinit -u -d ./dump
            source ./completions
            print -- $_comps[sample]
            _describe() { print -rl -- "${(@P)4}" }
            _files() { print files }
            words=(sample verify 'two words'); CURRENT=3
            _sample_complete
            """
        let (output, asked) = try await shell(
            "zsh",
            ["-f", "-c"],
            answering: "a:b\thow: it is\n:files\n",
            script: script
        )
        #expect(output == "_sample_complete\nfiles\na\\:b:how: it is\n")
        #expect(asked == "--complete|verify|two words|")
    }

    @Test("Fish offers the words and files that the program names", .enabled(if: has("fish")))
    func fish() async throws {
        let (output, asked) = try await shell(
            "fish",
            ["--no-config", "-c"],
            answering: "almost\thow it is\n:files\n",
            script: "source ./completions; complete -C 'sample verify al'"
        )
        #expect(output.contains("almost\thow it is\n"))
        #expect(output.contains("alpha.der"))
        #expect(asked == "--complete|verify|al|")
    }
}
