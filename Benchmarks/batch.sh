#!/usr/bin/env bash
# counterfoil verify --batch over receipts that are all different: one job beside two in turns, the
# memory of each, and whether both print the same. Needs the release builds.
#
#   Benchmarks/batch.sh [RECEIPTS] [ROUNDS]
set -euo pipefail

count=${1:-10000}
rounds=${2:-3}
release=.build/release
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

echo "verify --batch over $count different receipts of 10 purchases"
"$release/CounterfoilBenchmarks" receipts "$count" "$folder"

# Seconds and the most kB of one run.
run() {
    /usr/bin/env python3 - "$release/counterfoil" "$folder" "$1" <<'PYTHON'
import os, sys, time
tool, folder, jobs = sys.argv[1:]
words = [tool, "verify", "--batch", f"{folder}/receipts.ndjson", "--anchor", f"{folder}/root.pem",
         "--jobs", jobs, "--output", f"{folder}/verdicts.{jobs}"]
start = time.monotonic()
child = os.posix_spawn(tool, words, os.environ,
                       file_actions=[(os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)])
_, status, usage = os.wait4(child, 0)
if status != 0:
    sys.exit(f"verify ended with {os.waitstatus_to_exitcode(status)}")
print(time.monotonic() - start, usage.ru_maxrss, usage.ru_utime + usage.ru_stime)
PYTHON
}

for round in $(seq "$rounds"); do
    read -r one_time one_memory one_spent <<<"$(run 1)"
    read -r two_time two_memory two_spent <<<"$(run 2)"
    awk -v r="$round" -v n="$count" -v a="$one_time" -v am="$one_memory" -v as="$one_spent" \
        -v b="$two_time" -v bm="$two_memory" -v bs="$two_spent" 'BEGIN {
            printf "round %d: one job %.0f/s, %.1f MB; two jobs %.0f/s, %.1f MB; ratio %.2f; " \
                "processor time a receipt %.1f and %.1f us\n",
                r, n / a, am / 1e3, n / b, bm / 1e3, a / b, as / n * 1e6, bs / n * 1e6 }'
done
cmp "$folder/verdicts.1" "$folder/verdicts.2" && echo "Both print the same bytes."
