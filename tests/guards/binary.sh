#!/usr/bin/env bash
# The guards on one program's machine code. Usage: binary.sh ARCH PROGRAM [GUARD…]; ARCH is x86_64, aarch64 or
# riscv64; without GUARD all of them. The program must have its symbols, with the generic parameters in their names:
# build it with RUSTFLAGS="-C symbol-mangling-version=v0".
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
arch=$1 program=$2
shift 2
guards=("$@")
[ ${#guards[@]} -gt 0 ] || guards=(fused division outlined softfloat)
case $arch in
    "$(uname -m)") objdump=objdump ;;
    *) objdump=$arch-linux-gnu-objdump ;;
esac
listing=$(mktemp)
trap 'rm -f "$listing"' EXIT
"$objdump" -d -C --no-show-raw-insn "$program" >"$listing"
status=0
for guard in "${guards[@]}"; do
    awk -v arch="$arch" -v guard="$guard" -v allowed="$here/allowed-divisions.txt" -f "$here/binary.awk" "$listing" ||
        { echo "FAILED: $guard in $program ($arch)"; status=1; }
done
exit $status
