/// A shell that can complete commands.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// A line that makes the shell complete a program's commands from now on.
    func installation(of program: String) -> String {
        switch self {
        case .bash: "source <(\(program) completions bash)  # in ~/.bashrc"
        case .zsh: "source <(\(program) completions zsh)  # in ~/.zshrc, after compinit"
        case .fish: "\(program) completions fish > ~/.config/fish/completions/\(program).fish"
        }
    }

    /// The script that asks the program what fits, and hands it to the shell.
    func completionScript(for program: String) -> String {
        let function = "_\(program)_complete"
        return switch self {
        case .bash: Self.bash(program, function)
        case .zsh: Self.zsh(program, function)
        case .fish: Self.fish(program, function)
        }
    }

    private static func bash(_ program: String, _ function: String) -> String {
        """
        # Completion of \(program) for bash.
        \(function)() {
            local current=${COMP_WORDS[COMP_CWORD]} candidate
            [ "$current" = "=" ] && current=
            COMPREPLY=()
            while IFS=$'\\t' read -r candidate _; do
                case $candidate in
                    :files)
                        compopt -o filenames
                        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current") ;;
                    :directories)
                        compopt -o filenames
                        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current") ;;
                    *) COMPREPLY+=("$candidate") ;;
                esac
            done < <("${COMP_WORDS[0]}" \(Program.completeOption) "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
        }
        complete -F \(function) \(program)

        """
    }

    private static func zsh(_ program: String, _ function: String) -> String {
        """
        #compdef \(program)
        # Completion of \(program) for zsh.
        \(function)() {
            local -a candidates
            local line word
            for line in "${(@f)$("${words[1]}" \(Program.completeOption) "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
                case $line in
                    '') ;;
                    :files) _files ;;
                    :directories) _files -/ ;;
                    *)
                        word=${line%%$'\\t'*}
                        candidates+=("${word//:/\\\\:}:${line#*$'\\t'}") ;;
                esac
            done
            (( ${#candidates} )) && _describe -t values \(program) candidates
        }
        if [ "${funcstack[1]}" = _\(program) ]; then
            \(function) "$@"
        else
            compdef \(function) \(program)
        fi

        """
    }

    private static func fish(_ program: String, _ function: String) -> String {
        """
        # Completion of \(program) for fish.
        function \(function)
            set -l words (commandline -opc) (commandline -ct)
            for line in ($words[1] \(Program.completeOption) $words[2..-1] 2>/dev/null)
                switch $line
                    case ':files'
                        __fish_complete_path (commandline -ct)
                    case ':directories'
                        __fish_complete_directories (commandline -ct)
                    case '*'
                        echo $line
                end
            end
        end
        complete -c \(program) -f -a '(\(function))'

        """
    }
}
