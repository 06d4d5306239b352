#!/usr/bin/env bash
# Shows that each guard on machine code can fail: plants one fault a guard in a tiny program and requires that it is
# found, and that a clean program passes. Usage: selftest.sh [ARCH…] (without: this machine's, aarch64 and riscv64).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
declare -A target=([x86_64]=x86_64-unknown-linux-gnu [aarch64]=aarch64-unknown-linux-gnu [riscv64]=riscv64gc-unknown-linux-gnu)
arches=("$@")
[ ${#arches[@]} -gt 0 ] || arches=("$(uname -m)" aarch64 riscv64)
found=0

fail() {
    cat "$scratch/log"
    echo "FAILED: $*"
    exit 1
}

compile() { # ARCH clean|planted
    local linker=cc
    [ "$1" = "$(uname -m)" ] || linker=$1-linux-gnu-gcc
    rustc --edition 2024 -O -C codegen-units=1 -C symbol-mangling-version=v0 --crate-name pqc -A warnings \
        --target "${target[$1]}" -C linker="$linker" --cfg "$2" -o "$scratch/$1-$2" "$here/planted.rs"
}

for arch in $(printf '%s\n' "${arches[@]}" | sort -u); do
    compile "$arch" clean
    "$here/binary.sh" "$arch" "$scratch/$arch-clean" >"$scratch/log" || fail "a guard finds something in a clean program ($arch)"
    compile "$arch" planted
    for guard in fused division outlined softfloat; do
        if [ "$arch-$guard" = riscv64-outlined ]; then
            echo "not planted on riscv64: outlined (stable Rust has no intrinsics to call there)"
            continue
        fi
        ! "$here/binary.sh" "$arch" "$scratch/$arch-planted" "$guard" >"$scratch/log" || fail "the guard '$guard' does not see its planted case ($arch)"
        grep -q ' [1-9][0-9]* findings' "$scratch/log" || fail "nothing counted ($arch, $guard)"
        found=$((found + 1))
        [ "$arch-$guard" != riscv64-fused ] || grep -q vfmacc "$scratch/log" || fail "a fused vector instruction is not seen ($arch)"
    done
    # A program without the names that the guards look for proves nothing, and must not pass.
    printf '00000000 <main>:\n   0:\tret\n' >"$scratch/empty"
    for guard in division outlined softfloat; do
        ! awk -v arch="$arch" -v guard="$guard" -f "$here/binary.awk" "$scratch/empty" >"$scratch/log" || fail "the guard '$guard' passes a program with nothing to look at"
        found=$((found + 1))
    done
done

# A function of a backend that was not inlined, in a program that has tokens.
printf '0 <<T as Token>::enter>:\n   0:\tcall   10 <pqc::simd::avx2::halves>\n' >"$scratch/called"
! awk -v arch=x86_64 -v guard=outlined -f "$here/binary.awk" "$scratch/called" >"$scratch/log" || fail "the guard 'outlined' does not see a backend's function"
found=$((found + 1))

# A backend copied for another instruction set.
planted=$scratch/other.rs
sed 's/_mm_/_mm128_/; s/Sse2/Other/' "$here/../../src/simd/sse2.rs" >"$planted"
! "$here/shared_lines.sh" src/simd/sse2.rs "$planted" >"$scratch/log" || fail "the guard on shared lines does not see its planted case"
grep -q " 1 findings" "$scratch/log" || fail "nothing counted (shared lines)"
found=$((found + 1))
echo "guards on machine code and on shared lines: $found planted cases found"
