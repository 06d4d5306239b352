#!/bin/sh
# Makes a release archive: the program, man pages, completions, licences and a list of checksums of them; beside it
# SHA256SUMS of the archive, signed with the key that -k names. The script makes no key and keeps none; without -k
# the result is UNSIGNED, and it says so.
#
# The same source, compiler and SOURCE_DATE_EPOCH give the same archive: names are sorted, times and owners fixed,
# the paths of this machine left out. A signature is never the same twice, and so stands outside.
set -eu
umask 022
export LC_ALL=C

usage() {
    cat <<'USAGE'
usage: release.sh [-k KEY] [-o DIR] [-t TARGET] [-b PROGRAM]
  -k KEY      private key to sign SHA256SUMS with; without it the release is UNSIGNED
  -o DIR      where the archive goes (dist)
  -t TARGET   the target to build for, as rustc names it (this machine's)
  -b PROGRAM  a program that is built already, instead of building one
environment:
  SOURCE_DATE_EPOCH  the time of all files in the archive (that of the last commit)
  PQC                the program that signs (the one in the archive, which a foreign target cannot run)
USAGE
}

fail() {
    echo "release.sh: $*" >&2
    exit 2
}

key='' out=dist target='' program=''
while getopts k:o:t:b:h option; do
    case $option in
        k) key=$OPTARG ;;
        o) out=$OPTARG ;;
        t) target=$OPTARG ;;
        b) program=$OPTARG ;;
        h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || { usage >&2; exit 2; }

# Names are relative to where the script was started.
absolute() {
    case $1 in /*) printf '%s\n' "$1" ;; *) printf '%s/%s\n' "$PWD" "$1" ;; esac
}
[ -z "$key" ] || key=$(absolute "$key")
[ -z "$key" ] || [ -r "$key" ] || fail "$key: no key that can be read"
[ -z "$program" ] || program=$(absolute "$program")
out=$(absolute "$out")
cd "$(dirname "$0")"

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
[ -n "$target" ] || target=$(rustc -vV | sed -n 's/^host: //p')
[ -n "${SOURCE_DATE_EPOCH:-}" ] || SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) || fail 'set SOURCE_DATE_EPOCH'
export SOURCE_DATE_EPOCH

if [ -z "$program" ]; then
    RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$PWD=. --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo" \
        cargo build --release --locked --bin pqc --target "$target"
    program=${CARGO_TARGET_DIR:-target}/$target/release/pqc
fi

name=pqc-$version-$target
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$work/$name" "$out"
install -m 755 "$program" "$work/$name/pqc"
for file in LICENSE-MIT LICENSE-APACHE README.md CHANGELOG.md SECURITY.md; do
    install -m 644 "$file" "$work/$name/$file"
done
for folder in man completions; do
    mkdir "$work/$name/$folder"
    install -m 644 "$folder"/* "$work/$name/$folder"
done
(
    cd "$work/$name"
    find . -type f ! -name SHA256SUMS | sed 's|^\./||' | sort | while IFS= read -r file; do sha256sum "$file"; done >SHA256SUMS
)

archive=$name.tar.gz
(cd "$work" && tar --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    -cf "$name.tar" "$name" && gzip -9n "$name.tar" && sha256sum "$archive" >SHA256SUMS)
if [ -n "$key" ]; then
    ${PQC:-"$work/$name/pqc"} sign --with-key -k "$key" "$work/SHA256SUMS" -o "$work/SHA256SUMS.sig" -q
fi

# Nothing takes its place before all of it is there, and no old signature stays beside a new list.
rm -f "$out/SHA256SUMS.sig"
mv "$work/$archive" "$work/SHA256SUMS" "$out"
echo "$out/$archive"
echo "$out/SHA256SUMS"
if [ -n "$key" ]; then
    mv "$work/SHA256SUMS.sig" "$out"
    echo "$out/SHA256SUMS.sig"
else
    echo "UNSIGNED: no key was named with -k; SHA256SUMS has no signature"
fi
