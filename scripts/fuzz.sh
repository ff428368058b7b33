#!/usr/bin/env bash
# Feeds the readers of foreign bytes with inputs that libFuzzer makes up, led by coverage.
#
# Usage: scripts/fuzz.sh run SECONDS [TARGET…]    fuzz each target (all of them) for so long
#        scripts/fuzz.sh replay FILE [TARGET]     feed one input; its name begins with its target
#        scripts/fuzz.sh keep [TARGET…]           minimise what was found into Tests/FuzzCorpus
#
# A run first lets the fuzzer find a trap that is planted for it, and fails where it does not.
# Where COUNTERFOIL_CORPUS is set real documents are seeds too; what grows from them stands apart
# under .build/fuzz and is never kept.
set -euo pipefail
cd "$(dirname "$0")/.."
exec </dev/null

home="$PWD/.build/fuzz"
fuzzer="$home/release/CounterfoilFuzzer"
findings="$home/findings"
kept="Tests/FuzzCorpus"

# A crash shall end at once, not wait for somebody to look at a backtrace.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=detect_leaks=0

declare -A longest=(
    [ber]=2048 [certificate]=4096 [cms]=8192 [payload]=4096 [plist]=4096
    [base64]=512 [transport]=4096 [json]=4096 [verifier]=16384 [jws]=16384 [claims]=4096
    [ocsp]=4096
    [canary]=64
)

targets=(ber certificate cms payload plist base64 transport json verifier jws claims ocsp)

build() {
    # Swift listens to the last -sanitize alone, so both stand in one.
    COUNTERFOIL_FUZZ=1 swift build -c release --scratch-path "$home" \
        --sanitize fuzzer --sanitize address -Xswiftc -sanitize=address,fuzzer \
        --product CounterfoilFuzzer >"$home.log" 2>&1 || { cat "$home.log" >&2; exit 1; }
    mkdir -p "$home/work" "$home/logs" "$findings"
    [ -d "$home/seeds" ] || COUNTERFOIL_FUZZ_SEEDS="$home/seeds" "$fuzzer"
}

# fuzz TARGET OPTION-OR-FOLDER…
fuzz() {
    local target="$1" issued="$home/seeds/issued/authority"
    [ ! -d "$kept/authority" ] || issued="$kept/authority:$issued"
    COUNTERFOIL_FUZZ_TARGET="$target" COUNTERFOIL_FUZZ_ISSUED="$issued" "$fuzzer" \
        -max_len="${longest[$target]}" -timeout=30 -rss_limit_mb=2048 "${@:2}"
}

find_canary() {
    local folder
    folder=$(mktemp -d)
    if fuzz canary -max_total_time=60 -artifact_prefix="$folder/" >"$home/logs/canary" 2>&1; then
        echo "The planted trap was not found in a minute: this fuzzer would find nothing." >&2
        tail -n 3 "$home/logs/canary" >&2
        exit 1
    fi
    if ! grep -q "canary's trap was found" "$home/logs/canary"; then
        tail -n 20 "$home/logs/canary" >&2
        exit 1
    fi
    rm -r "$folder"
    echo "canary: the planted trap was found"
}

# run_target SECONDS TARGET: one line of figures, or the finding.
run_target() {
    local left="$1" target="$2" log="$home/logs/$2" work="$home/work/issued" folders=() folder
    [ -z "${COUNTERFOIL_CORPUS:-}" ] || work="$home/work/real"
    mkdir -p "$work/$target"
    for folder in "$kept/$target" "$home/work/issued/$target" "$home"/seeds/*/"$target"; do
        case "$folder" in
            "$work/$target") continue ;;
            "$home/seeds/real/"*) [ -n "${COUNTERFOIL_CORPUS:-}" ] || continue ;;
        esac
        [ ! -d "$folder" ] || folders+=("$folder")
    done
    : >"$log"
    while [ "$left" -gt 0 ]; do
        local began="$SECONDS" status=0
        fuzz "$target" -max_total_time="$left" -print_final_stats=1 -report_slow_units=60 \
            -artifact_prefix="$findings/$target-" "$work/$target" "${folders[@]}" \
            >>"$log" 2>&1 || status=$?
        left=$((left - (SECONDS - began)))
        [ "$status" -ne 0 ] || break
        is_pause "$target" "$log" && continue
        echo "$target: FOUND SOMETHING; see $log" >&2
        grep -E 'ERROR|Fatal error|Test unit written' "$log" >&2 || tail -n 5 "$log" >&2
        return 1
    done
    awk -v target="$target" '
        { for (i = 1; i < NF; i++) { if ($i == "cov:") edges = $(i + 1)
                                     if ($i == "corp:") split($(i + 1), corpus, "/") } }
        /number_of_executed_units/ { runs += $2 }
        END { printf "%-12s %10d runs %6d edges %5d inputs, nothing found\n",
                     target, runs, edges, corpus[1] }' "$log"
}

# Whether the finding is a time limit that the input alone keeps: then the machine stood still, and
# the clock on the wall, which libFuzzer looks at, did not.
is_pause() {
    local unit
    unit=$(sed -n 's/.*Test unit written to \(.*-timeout-[0-9a-f]*\)$/\1/p' "$2" | tail -n 1)
    [ -n "$unit" ] && [ -f "$unit" ] || return 1
    fuzz "$1" "$unit" >/dev/null 2>&1 || return 1
    rm "$unit"
}

run() {
    local seconds="$1" failed=0
    shift
    [ "$#" -gt 0 ] || set -- "${targets[@]}"
    build
    find_canary
    for target in "$@"; do
        if [ -z "${longest[$target]:-}" ]; then
            echo "There is no target $target; there are: ${!longest[*]}" >&2
            exit 2
        fi
        run_target "$seconds" "$target" || failed=1
    done
    exit "$failed"
}

replay() {
    local file="$1" target="${2:-$(basename "$1")}"
    target="${target%%-*}"
    build
    fuzz "$target" "$file"
}

# The authority of the present seeds, and one sound document of each kind that it signed: those are
# too large to be among the small ones, and without them nothing would be proved.
keep_authority() {
    local target number
    cp -r "$home/seeds/issued/authority" "$kept/authority"
    for target in jws ocsp; do
        mkdir -p "$kept/$target"
        for number in 0 1 2 3 4; do
            cp "$home/seeds/issued/$target/seed-$number" "$kept/$target/sound-$number"
        done
    done
}

# The smallest set of inputs with the coverage of everything that grew from our own seeds; of a set
# that is large all the same, as many as fit, the small ones first.
keep() {
    build
    mkdir -p "$kept"
    [ -d "$kept/authority" ] || keep_authority
    [ "$#" -gt 0 ] || set -- "${targets[@]}"
    for target in "$@"; do
        local new folders=()
        new=$(mktemp -d)
        for folder in "$kept/$target" "$home/seeds/issued/$target" "$home/work/issued/$target"; do
            [ ! -d "$folder" ] || folders+=("$folder")
        done
        fuzz "$target" -set_cover_merge=1 -use_counters=0 "$new" "${folders[@]}" \
            >"$home/logs/merge-$target" 2>&1
        local size=0 most=120000 length name
        [ "$target" != verifier ] || most=160000
        while read -r length name; do
            size=$((size + length))
            [ "$size" -le "$most" ] || rm "$new/$name"
        done < <(find "$new" -type f -printf '%s %f\n' | sort -n)
        [ ! -d "$kept/$target" ] || find "$kept/$target" -name 'sound-*' -exec cp {} "$new" ';'
        rm -rf "${kept:?}/$target"
        mv "$new" "$kept/$target"
        chmod 755 "$kept/$target"
        find "$kept/$target" -type f -printf '%s\n' | awk -v target="$target" \
            '{ sum += $1 } END { printf "%-12s %4d inputs %8d bytes\n", target, NR, sum }'
    done
}

case "${1:-}" in
    run) run "${@:2}" ;;
    replay) replay "${@:2}" ;;
    keep) keep "${@:2}" ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
