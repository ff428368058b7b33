#!/usr/bin/env bash
# Says clearly when Swift is missing or too old, before a build fails in a less obvious way.
set -euo pipefail

need=6.3
where="https://www.swift.org/install/linux/"

if ! command -v swift >/dev/null 2>&1; then
    echo "Counterfoil needs Swift $need or later, and no 'swift' is in PATH. Get it from $where" >&2
    exit 1
fi
banner=$(swift --version 2>&1 || true)
found=$(sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' <<<"$banner" | head -n 1)
if [ -z "$found" ]; then
    echo "'$(command -v swift)' does not say its version but: ${banner:-nothing}" >&2
    echo "It may lack a library (see $where), or be another program of that name." >&2
    exit 1
fi
if [ "$(printf '%s\n%s\n' "$need" "$found" | sort -V | head -n 1)" != "$need" ]; then
    echo "Counterfoil needs Swift $need or later; '$(command -v swift)' is $found. Get a newer one from $where" >&2
    exit 1
fi
