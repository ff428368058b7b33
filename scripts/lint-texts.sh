#!/usr/bin/env bash
# Cheap checks of everything that is not Swift: scripts parse, lines end where their text ends.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0
while IFS= read -r script; do
    case "$(head -n 1 "$script")" in
        *bash) bash -n "$script" || failed=1 ;;
        *python3)
            command -v python3 >/dev/null || continue
            python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])' "$script" \
                || failed=1
            ;;
    esac
done < <(git ls-files scripts .ci Tests/Referees Tests/Vectors/make Benchmarks)

# Markdown's two spaces at a line's end are not used here, so every trailing blank is an accident.
if git grep -nIE '[[:blank:]]+$' -- . ':!*.swift'; then
    echo "The lines above end in blanks." >&2
    failed=1
fi
exit "$failed"
