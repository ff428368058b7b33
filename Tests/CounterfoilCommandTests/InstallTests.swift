import CounterfoilTestSupport
import Foundation
import Testing

@Suite("make install")
struct InstallTests {
    private static let files = [
        "bin/counterfoil", "share/bash-completion/completions/counterfoil",
        "share/fish/vendor_completions.d/counterfoil.fish", "share/zsh/site-functions/_counterfoil",
    ]

    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Runs `make` for the binary that is tested, below a prefix of our own.
    private func make(_ goal: String, path: String? = nil) throws -> Tool.Outcome {
        let search = (path.map { "\($0):" } ?? "") + "/usr/bin:/bin"
        let words = "\(goal) BINARY='\(Tool.binary.path)' PREFIX=/opt/x DESTDIR='\(folder.path)'"
        return try Shell.run("make -s \(words)", environment: ["PATH": search])
    }

    private func installed() throws -> [String] {
        let root = folder.path + "/opt/x"
        return try FileManager.default.subpathsOfDirectory(atPath: root).filter { path in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(
                atPath: "\(root)/\(path)",
                isDirectory: &isFolder
            )
            return exists && !isFolder.boolValue
        }.sorted()
    }

    @Test("The program and its completions stand where shells look, and run from there")
    func install() throws {
        let outcome = try make("install")
        #expect(outcome.exitCode == 0, "\(outcome.error)")
        #expect(try installed() == Self.files)
        for file in Self.files { #expect(outcome.output.contains("/opt/x/\(file)\n")) }
        let program = folder.url("opt/x/bin/counterfoil")
        #expect(try Tool.run(program, ["--version"]).output == Tool.run(["--version"]).output)
        for (shell, file) in zip(["bash", "fish", "zsh"], Self.files.dropFirst()) {
            let script = try folder.text("opt/x/\(file)")
            #expect(try script == Tool.run(["completions", shell]).output)
        }
        for file in Self.files {
            let path = folder.path + "/opt/x/" + file
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(mode as? Int == (file.hasPrefix("bin/") ? 0o755 : 0o644), "\(file)")
        }
    }

    @Test("The packages that bring its libraries are named")
    func packages() throws {
        let outcome = try make("install")
        #expect(outcome.output.contains("libmicrohttpd"))
        #expect(outcome.output.contains("libsimdjson"))
        #expect(outcome.output.contains("libssl3"))
        #expect(!outcome.output.contains("gnutls"), "What only a library needs is its own matter.")
    }

    @Test("Where a library is missing nothing is installed, and its package is named")
    func missing() throws {
        let ldd = try folder.write(
            "tools/ldd",
            Array(
                """
                #!/bin/sh
                printf '\\tlibmicrohttpd.so.12 => not found\\n\\tlibcrypto.so.3 => not found\\n'

                """.utf8
            )
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: ldd)
        let outcome = try make("install", path: folder.path + "/tools")
        #expect(outcome.exitCode != 0)
        #expect(outcome.error.contains("apt-get install libmicrohttpd12 libssl3\n"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/opt"))
    }

    @Test("Uninstalling removes what was installed and nothing else, also twice")
    func uninstall() throws {
        _ = try make("install")
        try folder.write("opt/x/bin/other", [])
        for _ in 0..<2 {
            #expect(try make("uninstall").exitCode == 0)
            #expect(try installed() == ["bin/other"])
        }
    }

    @Test("Bash completes the installed program's commands, options and words")
    func bash() throws {
        _ = try make("install")
        func complete(_ words: [String]) throws -> [String] {
            let list = words.map { "'\($0)'" }.joined(separator: " ")
            let script = """
                PATH="$PWD/opt/x/bin:$PATH"
                compopt() { :; }
                source opt/x/share/bash-completion/completions/counterfoil
                COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1)
                "$(complete -p counterfoil | sed 's/.* -F \\([^ ]*\\) .*/\\1/')"
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let outcome = try Shell.run(script, in: folder.path)
            #expect(outcome.exitCode == 0, "\(outcome.error)")
            return outcome.output.split(separator: "\n").map(String.init)
        }
        #expect(try complete(["counterfoil", "ver"]) == ["verify"])
        #expect(try complete(["counterfoil", "verify", "--ba"]) == ["--batch"])
        #expect(try complete(["counterfoil", "verify", "--batch", "op"]) == ["opt"])
        #expect(
            try complete(["counterfoil", "completions", ""]) == ["bash", "zsh", "fish"]
        )
        #expect(
            try complete(["counterfoil", "inspect", "--format", "=", "j"]) == ["json"]
        )
    }

    @Test("Fish completes them, too", .enabled(if: has("fish")))
    func fish() throws {
        _ = try make("install")
        let script = """
            set -x PATH "$PWD/opt/x/bin" $PATH
            source opt/x/share/fish/vendor_completions.d/counterfoil.fish
            complete -C 'counterfoil ver'
            complete -C 'counterfoil verify --ba'
            complete -C 'counterfoil completions '
            """
        let path = try folder.write("script.fish", Array(script.utf8))
        let outcome = try Shell.run("HOME=\"$PWD\" fish '\(path)'", in: folder.path)
        let words = outcome.lines.dropLast().map { $0.prefix { $0 != "\t" } }
        #expect(words == ["verify", "--batch", "bash", "fish", "zsh"])
    }

    private static func has(_ shell: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)")
            || FileManager.default.isExecutableFile(atPath: "/bin/\(shell)")
    }

    @Test("Every shell that is here parses its script", arguments: ["bash", "zsh", "fish"])
    func parses(shell: String) throws {
        guard Self.has(shell) else { return }
        let script = try folder.write(
            "script",
            Array(Tool.run(["completions", shell]).output.utf8)
        )
        let outcome = try Shell.run("\(shell) -n '\(script)'")
        #expect(outcome.exitCode == 0, "\(outcome.error)")
    }
}
