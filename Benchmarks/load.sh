#!/usr/bin/env bash
# verifyReceipt over HTTP beside an empty handler of the same engine with equal bytes: requests per
# second, latency and memory, as ratios within one run. Both servers stand side by side and are
# loaded in turns of two seconds, so that a noisy machine disturbs both alike. Needs wrk and the
# benchmarks' release build.
#
#   Benchmarks/load.sh [TURNS of each server] [REQUESTS of the memory check]
set -euo pipefail

turns=${1:-10}
soak=${2:-200000}
binary=.build/release/CounterfoilBenchmarks
folder=$(mktemp -d)
declare -A pids addresses
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$folder"' EXIT

start() {
    mkdir "$folder/$1"
    "$binary" serve "$1" "$folder/$1" >"$folder/$1/address" 2>/dev/null </dev/null &
    pids[$1]=$!
    for _ in $(seq 200); do
        [ ! -s "$folder/$1/address" ] || break
        sleep 0.1
    done
    read -r addresses[$1] sent received <"$folder/$1/address"
}

load() {
    wrk -t 1 -c 64 -d "$2s" --latency -s "$folder/$1/post.lua" "http://${addresses[$1]}" |
        grep '^result '
}

# Processor time of a server so far, in microseconds.
spent() {
    awk -v hz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hz * 1e6 }' "/proc/${pids[$1]}/stat"
}

resident() { awk '/^VmRSS/ { print $2 }' "/proc/${pids[$1]}/status"; }

start empty
start verify-receipt
echo "verifyReceipt of 10 purchases at 64 connections, beside an empty handler with equal bytes"
for server in empty verify-receipt; do load "$server" 2 >/dev/null; done
for turn in $(seq "$turns"); do
    for server in empty verify-receipt; do
        before=$(spent "$server")
        read -r _ count time p50 p99 errors <<<"$(load "$server" 2)"
        echo "$turn $server $count $time $p50 $p99 $errors $before $(spent "$server")"
    done
done | tee "$folder/turns" | awk -v sent="$sent" -v received="$received" '
    { rate = $3 / $4 * 1e6; count[$2] += $3; time[$2] += $4; errors += $7
      spent[$2] += $9 - $8; p50[$2] = $5; p99[$2] = $6; now[$2] = rate }
    $2 == "verify-receipt" {
        ratios[++n] = now["verify-receipt"] / now["empty"]
        tails[n] = p99["verify-receipt"] / p99["empty"]
        printf "turn %d: empty %.0f/s, p99 %.1f ms; verifyReceipt %.0f/s, p99 %.1f ms; " \
            "ratios %.2f and %.2f\n", $1, now["empty"], p99["empty"] / 1e3,
            now["verify-receipt"], p99["verify-receipt"] / 1e3, ratios[n], tails[n] }
    function median(values,    i, j, swap) {
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && values[j] < values[j - 1]; j--) {
                swap = values[j]; values[j] = values[j - 1]; values[j - 1] = swap }
        return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2 }
    END {
        printf "%d bytes in, %d out; requests ratio %.2f in all, median of turns %.2f; " \
            "p99 ratio %.2f, median of turns; errors %d; processor time a request %.0f and " \
            "%.0f us\n", sent, received,
            (count["verify-receipt"] / time["verify-receipt"]) / (count["empty"] / time["empty"]),
            median(ratios), median(tails), errors, spent["empty"] / count["empty"],
            spent["verify-receipt"] / count["verify-receipt"] }'

load verify-receipt 2 >/dev/null
before=$(resident verify-receipt)
total=0
while [ "$total" -lt "$soak" ]; do
    read -r _ count _ _ _ errors <<<"$(load verify-receipt 10)"
    total=$((total + count))
    [ "$errors" -eq 0 ] || echo "errors: $errors"
done
echo "memory: $before kB after warming up, $(resident verify-receipt) kB after $total more requests"
