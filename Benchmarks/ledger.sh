#!/bin/bash
# What keeping a ledger costs: ledger.sh [NOTIFICATIONS [PURCHASES…]]
#
# Durable entries beside bare SQLite, bytes of a notification, answers beside few and many
# purchases, and the longest lineage.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
notifications=${1:-20000}
shift $(($# > 0 ? 1 : 0))
.build/release/CounterfoilBenchmarks ledger "$folder" "$notifications" ${@:-1000 100000}
