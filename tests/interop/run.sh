#!/usr/bin/env bash
# Keys, signatures and ciphertexts of other programs, both ways: ML-KEM with OpenSSL 3.5 and later, the crate ml-kem,
# liboqs and noble, Kyber of round 3 with Botan and liboqs, Kyber-90s with Botan, NTRU with liboqs and Bouncy Castle,
# layouts and passwords with OpenSSL and Botan, Falcon with Bouncy Castle, liboqs and noble. Prints a table of cells: ok,
# what went wrong, or why it was not run. The exit code is 1 if a cell failed; a cell that was not run is no failure, and
# says so.
# Usage: run.sh [openssl|ml_kem|botan|liboqs|noble|bouncy_castle|layouts|falcon…] (without: all).
#
# OpenSSL and Botan are taken from this system where they are recent enough, else from a Debian 13 in the folder
# PQC_DEBIAN, which is made with debootstrap if it does not exist (root, some minutes, 300 MB); without PQC_DEBIAN the
# folder is temporary. liboqs and noble are npm packages, which are installed into the folder PQC_NPM in seconds;
# without PQC_NPM it is temporary. PQC names the program; without it, it is built.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [ -z "${PQC:-}" ]; then
    cargo build --release --locked --manifest-path "$root/Cargo.toml" || exit 1
    PQC=${CARGO_TARGET_DIR:-$root/target}/release/pqc
fi
PQC=$(realpath "$PQC")
export PQC_HOME=$scratch/no-home

table=$scratch/table
failed=0 passed=0 skipped=0

row() { # PEER SET WHAT RESULT
    printf '%-16s %-15s %-60s %s\n' "$1" "$2" "$3" "$4" >>"$table"
}

# Runs a function in a folder of its own; what it prints last is the reason of its failure.
cell() { # PEER SET WHAT FUNCTION ARGUMENT…
    local peer=$1 set=$2 what=$3 folder
    shift 3
    folder=$(mktemp -d "$scratch/cell.XXXXXX")
    # Not as a condition, in which bash would ignore `set -e`.
    (set -e; cd "$folder"; "$@") >"$scratch/log" 2>&1
    if [ $? -eq 0 ]; then
        row "$peer" "$set" "$what" ok
        passed=$((passed + 1))
    else
        row "$peer" "$set" "$what" "FAILED: $(grep -v '^$' "$scratch/log" | tail -n 1)"
        failed=$((failed + 1))
    fi
}

not_run() { # PEER SET WHAT REASON
    row "$1" "$2" "$3" "not run: $4"
    skipped=$((skipped + 1))
}

pqc() {
    "$PQC" -q "$@"
}

# The secrets in two files are the same 32 bytes.
same() {
    [ "$(stat -c %s "$1")" = 32 ] || { echo "$1 has not 32 bytes"; return 1; }
    cmp "$1" "$2"
}

# Debian 13 in a folder, once, where something of it is needed.
debian=
debian() {
    [ -z "$debian" ] || { [ -d "$debian" ] && return 0 || return 1; }
    debian=${PQC_DEBIAN:-$scratch/debian}
    [ ! -x "$debian/usr/bin/openssl" ] || return 0
    [ "$(id -u)" = 0 ] || { debian=none; return 1; }
    command -v debootstrap >"$scratch/log" || apt-get install -qq -y debootstrap >"$scratch/log" 2>&1
    echo "making a Debian 13 in a folder" >&2
    debootstrap --variant=minbase --include=openssl,botan,python3-botan,libbcprov-java trixie "$debian" >"$scratch/log" 2>&1 ||
        { tail -n 5 "$scratch/log" >&2; debian=none; return 1; }
}

# Runs a program of that Debian on the files of the current folder.
in_debian() {
    local inside status=0
    inside=$(mktemp -d "$debian/tmp/cell.XXXXXX")
    cp -p -- * "$inside" 2>/dev/null || true
    chroot "$debian" env -C "${inside#"$debian"}" "$@" || status=$?
    cp -- "$inside"/* . 2>/dev/null || true
    rm -rf "$inside"
    return $status
}

# Installs a package of npm, once; false with the reason in npm_why where that cannot be done.
npm_folder=${PQC_NPM:-$scratch/npm}
npm_package() { # NAME VERSION
    npm_why="no Node here"
    command -v node >"$scratch/log" && command -v npm >"$scratch/log" || return 1
    [ ! -d "$npm_folder/node_modules/$1" ] || return 0
    mkdir -p "$npm_folder"
    npm_why="npm does not install $1"
    npm install --silent --no-audit --no-fund --prefix "$npm_folder" "$1@$2" >"$scratch/log" 2>&1
}

source "$here/openssl.sh"
source "$here/ml_kem.sh"
source "$here/botan.sh"
source "$here/liboqs.sh"
source "$here/noble.sh"
source "$here/bouncy_castle.sh"
source "$here/layouts.sh"
source "$here/falcon.sh"

peers=("$@")
[ ${#peers[@]} -gt 0 ] || peers=(openssl ml_kem botan liboqs noble bouncy_castle layouts falcon)
for peer in "${peers[@]}"; do
    [[ $peer =~ ^(openssl|ml_kem|botan|liboqs|noble|bouncy_castle|layouts|falcon)$ ]] || { echo "unknown peer: $peer" >&2; exit 2; }
    "${peer}_cells"
done

printf '%-16s %-15s %-60s %s\n' PEER SET CELL RESULT
cat "$table"
echo "$passed ok, $failed failed, $skipped not run"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
