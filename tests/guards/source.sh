#!/usr/bin/env bash
# The guards on the source text. Each is first tried on a planted line, which it must find.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0
guards=0

# Prints `FILE:LINE:text` of the lines that match, without what follows `#[cfg(test)]` at the start of a line.
matches() { # PATTERN FILE…
    local pattern=$1
    shift
    awk -v pattern="$pattern" 'FNR == 1 { test = 0 } /^#\[cfg\(test\)\]/ { test = 1 } !test && $0 ~ pattern { print FILENAME ":" FNR ":" $0 }' "$@"
}

scan() { # NAME PATTERN PLANTED FILE…
    local name=$1 pattern=$2 planted=$3
    shift 3
    printf '%s\n' "$planted" >"$scratch/planted"
    [ -n "$(matches "$pattern" "$scratch/planted")" ] || { echo "FAILED: the guard '$name' does not see its planted line"; exit 1; }
    [ $# -gt 0 ] || { echo "FAILED: the guard '$name' has no file to look at"; exit 1; }
    local found
    found=$(matches "$pattern" "$@")
    guards=$((guards + 1))
    if [ -n "$found" ]; then
        echo "FAILED: $name"
        printf '%s\n' "$found" | head -20
        status=1
    else
        echo "$name: looked at $# files, 0 findings"
    fi
}

# A module of tests may have a file of its own.
mapfile -t source < <(git ls-files 'src/*.rs' | grep -v '/tests\.rs$')
# Lock files name the registry; this file names what it looks for.
mapfile -t text < <(git ls-files | grep -vE '(^|/)Cargo\.lock$|^tests/guards/source\.sh$|\.(gz|bin)$')

scan "no printing that panics on a closed stream" '(^|[^a-z_])(e?print(ln)?|dbg)!' '    println!("x");' "${source[@]}"
scan "nothing left undone" '(todo|unimplemented)!|FIXME|XXX' '    todo!()' "${source[@]}"
scan "no paths of one machine" '/(work|root|home/[a-z]+)/|/tmp/bash' 'see /home/someone/pqc' "${text[@]}"
scan "no package hosts" '(index|static)[.]crates[.]io|deb[.]debian[.]org' 'https://index.crates.io/' "${text[@]}"

# A double cast to an integer saturates, which compiles to a branch on its value. The compiler knows the types, a
# pattern does not; `--force-warn` also sees what `allow` hides. `// float-cast: WHY` on the line or the one above
# excuses a public value.
lint=(--force-warn clippy::cast_possible_truncation)
is_float_cast='casting `f(32|64)` to `[iu]'
clippy-driver --edition 2024 -A warnings "${lint[@]}" --cfg planted --crate-name pqc --emit=metadata -o "$scratch/planted.rmeta" \
    "$here/planted.rs" 2>"$scratch/log"
grep -qE "$is_float_cast" "$scratch/log" || { echo "FAILED: the guard on float casts does not see its planted case"; exit 1; }
cargo clippy --quiet --locked --lib --message-format short -- -A warnings -A clippy::all "${lint[@]}" 2>"$scratch/log" ||
    { cat "$scratch/log"; echo "FAILED: clippy"; exit 1; }
guards=$((guards + 1))
looked=$(grep -c 'src/' "$scratch/log" || true)
findings=0
while IFS=: read -r file line _; do
    if ! sed -n "$((line > 1 ? line - 1 : 1)),${line}p" "$file" | grep -q 'float-cast: .'; then
        echo "    $file:$line: $(sed -n "${line}p" "$file")"
        findings=$((findings + 1))
    fi
done < <(grep -E "^src/(falcon|simd|symmetric)/.*$is_float_cast" "$scratch/log" || true)
echo "no double becomes an integer by a cast: looked at $looked narrowing casts, $findings findings"
[ "$findings" -eq 0 ] || { echo "FAILED: casts of doubles"; status=1; }
[ "$looked" -gt 0 ] || { echo "FAILED: the guard on float casts saw no cast at all"; status=1; }

echo "guards on the source: $guards"
exit $status
