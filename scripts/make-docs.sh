#!/usr/bin/env bash
# Makes the documentation of the libraries with DocC, from the modules of a debug build; a warning of
# DocC's is a failure.
#
# Usage: scripts/make-docs.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$1
modules=(AppStoreVerification AppStoreModel AppStoreSimulator)
toolchain=$(dirname "$(readlink -f "$(command -v swift)")")
built=$(swift build --show-bin-path)
target=$(swift -print-target-info | sed -n 's/.*"triple": "\([^"]*\)".*/\1/p' | head -n 1)

mkdir -p "$folder"
for module in "${modules[@]}"; do
    graphs="$folder/graphs/$module"
    rm -rf "$graphs" "$folder/$module.doccarchive"
    mkdir -p "$graphs"
    "$toolchain/swift-symbolgraph-extract" -module-name "$module" -target "$target" \
        -I "$built/Modules" \
        -Xcc -fmodule-map-file=Sources/CCounterfoilOpenSSL/module.modulemap \
        -Xcc -fmodule-map-file="$built/CCounterfoilSimdJSON.build/module.modulemap" \
        -minimum-access-level public -skip-inherited-docs -skip-synthesized-members \
        -output-dir "$graphs"
    "$toolchain/docc" convert "Sources/$module/$module.docc" --warnings-as-errors \
        --additional-symbol-graph-dir "$graphs" \
        --fallback-display-name "$module" \
        --fallback-bundle-identifier "counterfoil.$module" \
        --output-path "$folder/$module.doccarchive"
    echo "$folder/$module.doccarchive"
done
