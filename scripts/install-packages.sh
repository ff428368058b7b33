#!/usr/bin/env bash
# Installs the Debian packages that are missing, and nothing where none is.
#
# Usage: scripts/install-packages.sh NEED:PACKAGE…
# A NEED is the name of a pkg-config module, of a command when it is written as `command=NAME`, or
# of a module of Python's when it is written as `python=NAME`.
# So a machine that has a library from elsewhere is left alone.
set -euo pipefail

is_met() {
    case "$1" in
        command=*) command -v "${1#command=}" >/dev/null 2>&1 ;;
        python=*) python3 -c "import ${1#python=}" >/dev/null 2>&1 ;;
        *) command -v pkg-config >/dev/null 2>&1 && pkg-config --exists "$1" ;;
    esac
}

missing=()
for pair in "$@"; do
    is_met "${pair%%:*}" || missing+=("${pair#*:}")
done
[ "${#missing[@]}" -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "Missing: ${missing[*]} (Debian's names). There is no apt-get here; install them by your system's own means." >&2
    exit 1
fi
become=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "Missing: ${missing[*]}. As root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    become=(sudo)
fi

apt() {
    "${become[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -o DPkg::Lock::Timeout=300 "$@" </dev/null
}

echo "Installing ${missing[*]} …"
apt update
apt install -y --no-install-recommends "${missing[@]}" >/dev/null

for pair in "$@"; do
    if ! is_met "${pair%%:*}"; then
        echo "${pair#*:} is installed, but ${pair%%:*} is still not found." >&2
        exit 1
    fi
done
