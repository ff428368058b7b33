#!/usr/bin/env bash
# Installs the release binary and its completions, or removes them again.
#
# Usage: scripts/install.sh install|uninstall BINARY PREFIX [DESTDIR]
# DESTDIR is put before every path, for packagers; it is no part of where the program will run.
set -euo pipefail

action=$1
binary=$2
prefix=$3
root=${4:-}$prefix

program="$root/bin/counterfoil"
bash_completion="$root/share/bash-completion/completions/counterfoil"
zsh_completion="$root/share/zsh/site-functions/_counterfoil"
fish_completion="$root/share/fish/vendor_completions.d/counterfoil.fish"

# The Debian package that a shared library comes with, by its name and, if there is one, its path.
package_of() {
    local name=$1 path=${2:-} package=
    if [ -n "$path" ] && command -v dpkg-query >/dev/null 2>&1; then
        path=$(realpath "$path")
        # Where /lib is a link to /usr/lib, a package may know its files by either.
        package=$(dpkg-query --search "$path" "${path#/usr}" 2>/dev/null | head -n 1) || true
    fi
    case "${package%%:*}:$name" in
        :libcrypto.so.3 | :libssl.so.3) echo libssl3 ;;
        :*) echo "${name/.so./}" ;;
        *) echo "${package%%:*}" ;;
    esac
}

# Names what the binary needs at run time besides the C library, and fails where any is missing.
check_libraries() {
    local name arrow path package needed="" missing="" direct=""
    # What only the libraries need comes with their packages; without readelf all are named.
    direct=$(readelf -d "$binary" 2>/dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p') || true
    while read -r name arrow path _; do
        [ "$arrow" = "=>" ] || continue
        if [ "$path" = not ]; then
            missing+="$(package_of "$name")"$'\n'
        elif [ -z "$direct" ] || grep -qxF "$name" <<<"$direct"; then
            package=$(package_of "$name" "$path")
            case $package in libc6 | libgcc-s1) ;; *) needed+="$package"$'\n' ;; esac
        fi
    done < <(LC_ALL=C ldd "$binary")
    needed=$(sort -u <<<"$needed" | xargs)
    missing=$(sort -u <<<"$missing" | xargs)
    [ -z "$needed" ] || echo "It needs at run time (installed here): $needed"
    [ -n "$missing" ] || return 0
    echo "Libraries are missing, without which it does not run: apt-get install $missing" >&2
    return 1
}

# Writes what the binary prints to a file with the usual rights.
completion() {
    mkdir -p "$(dirname "$2")"
    "$binary" completions "$1" >"$2.new"
    chmod 644 "$2.new"
    mv "$2.new" "$2"
}

case $action in
    install)
        if [ ! -x "$binary" ]; then
            echo "There is no $binary yet: make build" >&2
            exit 1
        fi
        check_libraries
        install -D -m 755 "$binary" "$program"
        completion bash "$bash_completion"
        completion zsh "$zsh_completion"
        completion fish "$fish_completion"
        printf 'Installed %s\n' "$program" "$bash_completion" "$zsh_completion" "$fish_completion"
        ;;
    uninstall)
        for file in "$program" "$bash_completion" "$zsh_completion" "$fish_completion"; do
            if [ -e "$file" ]; then
                rm "$file"
                echo "Removed $file"
            fi
        done
        ;;
    *)
        echo "Usage: $0 install|uninstall BINARY PREFIX [DESTDIR]" >&2
        exit 64
        ;;
esac
