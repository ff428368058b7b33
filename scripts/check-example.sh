#!/usr/bin/env bash
# Builds the example packages against this clone, runs the lines of the first one's README, compares
# what they print with what it says there, sees that the library brought no HTTP with it, and runs
# the tests of the second one.
#
# Usage: scripts/check-example.sh COUNTERFOIL
set -euo pipefail
cd "$(dirname "$0")/.."

tool=$(realpath "$1")
example=Examples/ReceiptVerification
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

swift build --package-path "$example" --scratch-path .build/example
binary=$(realpath .build/example/debug/ReceiptVerification)

# The lines of the README's blocks of one language.
block() {
    awk -v fence="\`\`\`$1" '$0 == "```" { inside = 0 } inside { print } $0 == fence { inside = 1 }' \
        "$example/README.md"
}

block sh >"$folder/commands"
block text >"$folder/expected"
(
    cd "$folder"
    # The README's words, with what was built just now.
    counterfoil() { "$tool" "$@"; }
    swift() { shift 2 && "$binary" "$@"; }
    # The last line is refused and says so with its exit code.
    set +e
    # shellcheck disable=SC1091
    . ./commands
    true
) >"$folder/found" </dev/null
if ! diff -u "$folder/expected" "$folder/found"; then
    echo "$example/README.md says otherwise than the program." >&2
    exit 1
fi

if LC_ALL=C ldd "$binary" | grep -E 'microhttpd|curl|gnutls|nghttp|FoundationNetworking'; then
    echo "The library must bring no HTTP with it." >&2
    exit 1
fi
echo "$example works as it says."

# What both share is built once.
swift test --disable-xctest --package-path Examples/SubscriptionBackend --scratch-path .build/example
echo "Examples/SubscriptionBackend passes its tests."
