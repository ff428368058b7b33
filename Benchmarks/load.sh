#!/usr/bin/env bash
# verifyReceipt over HTTP beside an empty handler of the same engine with equal bytes: requests per
# second, latency and memory, as ratios within one run. Needs wrk and the benchmarks' release build.
#
#   Benchmarks/load.sh [SECONDS of each measurement] [ROUNDS] [REQUESTS of the memory check]
set -euo pipefail

seconds=${1:-8}
rounds=${2:-3}
soak=${3:-200000}
binary=.build/release/CounterfoilBenchmarks
folder=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || true; rm -rf "$folder"' EXIT

start() {
    rm -f "$folder/address"
    "$binary" serve "$1" "$folder" >"$folder/address" 2>/dev/null </dev/null &
    pid=$!
    for _ in $(seq 100); do
        [ ! -s "$folder/address" ] || break
        sleep 0.1
    done
    read -r address sent received <"$folder/address"
}

stop() {
    kill -TERM "$pid"
    wait "$pid" || true
    pid=
}

load() {
    wrk -t 1 -c 64 -d "${1}s" --latency -s "$folder/post.lua" "http://$address" | grep '^result '
}

# Processor time of the server so far, in microseconds.
spent() { awk -v hz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hz * 1e6 }' "/proc/$pid/stat"; }

resident() { awk '/^VmRSS/ { print $2 }' "/proc/$pid/status"; }

echo "verifyReceipt of 10 purchases at 64 connections, beside an empty handler with equal bytes"
for round in $(seq "$rounds"); do
    start empty
    load 1 >/dev/null
    empty_spent=$(spent)
    read -r _ empty_count empty_time empty_p50 empty_p99 _ <<<"$(load "$seconds")"
    empty_spent=$(awk -v a="$empty_spent" -v b="$(spent)" 'BEGIN { print b - a }')
    stop
    start verify-receipt
    load 1 >/dev/null
    spent=$(spent)
    read -r _ count time p50 p99 errors <<<"$(load "$seconds")"
    spent=$(awk -v a="$spent" -v b="$(spent)" 'BEGIN { print b - a }')
    stop
    awk -v r="$round" -v ec="$empty_count" -v et="$empty_time" -v e99="$empty_p99" \
        -v e50="$empty_p50" -v c="$count" -v t="$time" -v p99="$p99" -v p50="$p50" \
        -v es="$empty_spent" -v sp="$spent" \
        -v err="$errors" -v sent="$sent" -v received="$received" 'BEGIN {
            printf "round %d: %d bytes in, %d out; empty %.0f/s, p50 %.1f ms, p99 %.1f ms; " \
                "verifyReceipt %.0f/s, p50 %.1f ms, p99 %.1f ms; errors %d; " \
                "requests ratio %.2f, p99 ratio %.2f; processor time a request %.0f and %.0f us\n",
                r, sent, received, ec / et * 1e6, e50 / 1e3, e99 / 1e3, c / t * 1e6, p50 / 1e3,
                p99 / 1e3, err, (c / t) / (ec / et), p99 / e99, es / ec, sp / c }'
done

start verify-receipt
load 2 >/dev/null
before=$(resident)
total=0
while [ "$total" -lt "$soak" ]; do
    read -r _ count _ _ _ errors <<<"$(load 10)"
    total=$((total + count))
    [ "$errors" -eq 0 ] || echo "errors: $errors"
done
echo "memory: $before kB after warming up, $(resident) kB after $total more requests"
stop
