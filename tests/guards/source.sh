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

# A module of tests may have files of its own.
mapfile -t source < <(git ls-files 'src/*.rs' | grep -vE '/tests(\.rs$|/)')
# Lock files name the registry; this file names what it looks for.
mapfile -t text < <(git ls-files | grep -vE '(^|/)Cargo\.lock$|^tests/guards/source\.sh$|\.(gz|bin)$')

scan "no printing that panics on a closed stream" '(^|[^a-z_])(e?print(ln)?|dbg)!' '    println!("x");' "${source[@]}"
scan "nothing left undone" '(todo|unimplemented)!|FIXME|XXX' '    todo!()' "${source[@]}"
scan "no paths of one machine" '/(work|root|home/[a-z]+)/|/tmp/bash' 'see /home/someone/pqc' "${text[@]}"
scan "no package hosts" '(index|static)[.]crates[.]io|deb[.]debian[.]org' 'https://index.crates.io/' "${text[@]}"

# The rest asks the compiler, which knows the types. `--force-warn` also sees what `allow` hides.
engine='src/(falcon|kyber|ntru|simd|symmetric|ct|secret)'

# Prints `FILE:LINE:…` of every place that a lint names.
lint() { # LINT
    cargo clippy --quiet --locked --lib --message-format short -- -A warnings -A clippy::all --force-warn "clippy::$1" 2>"$scratch/log" ||
        { cat "$scratch/log" >&2; echo "FAILED: clippy" >&2; exit 1; }
    cat "$scratch/log"
}

planted_lint() { # LINT PATTERN
    clippy-driver --edition 2024 -A warnings --force-warn "clippy::$1" --cfg planted --crate-name pqc --emit=metadata \
        -o "$scratch/planted.rmeta" "$here/planted.rs" 2>"$scratch/log"
    grep -qE "$2" "$scratch/log" || { echo "FAILED: the guard on $1 does not see its planted case"; exit 1; }
    guards=$((guards + 1))
}

verdict() { # NAME LOOKED FINDINGS
    echo "$1: looked at $2 places, $3 findings"
    [ "$2" -gt 0 ] || { echo "FAILED: $1 (it saw nothing at all)"; status=1; }
    [ "$3" -eq 0 ] || { echo "FAILED: $1"; status=1; }
}

# A double cast to an integer saturates, which compiles to a branch on its value. `// float-cast: WHY` on the line or
# the one above excuses a public value.
is_float_cast='casting `f(32|64)` to `[iu]'
planted_lint cast_possible_truncation "$is_float_cast"
lint cast_possible_truncation >"$scratch/casts"
findings=0
while IFS=: read -r file line _; do
    if ! sed -n "$((line > 1 ? line - 1 : 1)),${line}p" "$file" | grep -q 'float-cast: .'; then
        echo "    $file:$line: $(sed -n "${line}p" "$file")"
        findings=$((findings + 1))
    fi
done < <(grep -E "^$engine.*$is_float_cast" "$scratch/casts" || true)
verdict "no double becomes an integer by a cast" "$(grep -c '^src/' "$scratch/casts" || true)" "$findings"

# Division by a literal or a constant compiles to a multiplication; by a variable to an instruction whose time depends
# on the operands. The machine code is looked at as well (binary.sh).
by_variable() { # TEXT: is there a division left after those by constants are taken away?
    sed -E 's/[%\/]=? *([0-9][0-9_]*|([a-z_]+::)*[A-Z][A-Z0-9_]*)\b//g' <<<"$1" | grep -q '[%/]'
}
by_variable 'a % (q | 1)' && by_variable 'x / 31 + y / n' && ! by_variable '(Q - 1) / 2048 + x % super::Q as u64' ||
    { echo "FAILED: the guard on divisions does not tell constants from variables"; exit 1; }
planted_lint integer_division_remainder_used 'planted.rs'
lint integer_division_remainder_used >"$scratch/divisions"
looked=0 findings=0
while IFS=: read -r file line; do
    looked=$((looked + 1))
    text=$(sed -n "${line}p" "$file" | sed 's|//.*||; s/^ *//; s/ *$//')
    if by_variable "$text" && ! grep -qF "$file"$'\t'"$text"$'\t' "$here/allowed-source-divisions.txt"; then
        echo "    $file:$line: $text"
        findings=$((findings + 1))
    fi
done < <(grep -E "^$engine" "$scratch/divisions" | cut -d: -f1,2 | sort -u || true)
verdict "no division by a variable" "$looked" "$findings"

echo "guards on the source: $guards"
exit $status
