#!/usr/bin/env bash
# Instructions between markers, counted under qemu, as a table. Usage: tests/counts/run.sh ARCH CPU [NAME…]
#   tests/counts/run.sh riscv64 rv64,v=true,vlen=256 falcon-fft
#   tests/counts/run.sh aarch64 cortex-a72 neon
# NAME: the beginning of a region's name, or a backend; without, all of them. Counts repeat exactly.
set -euo pipefail
cd "$(dirname "$0")"
[ $# -ge 2 ] || { sed -n 2,5p run.sh >&2; exit 2; }
arch=$1 cpu=$2
shift 2
case $arch in
    aarch64) target=aarch64-unknown-linux-gnu ;;
    riscv64) target=riscv64gc-unknown-linux-gnu ;;
    *) echo "no such architecture: $arch" >&2; exit 2 ;;
esac
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_RISCV64GC_UNKNOWN_LINUX_GNU_LINKER=riscv64-linux-gnu-gcc
built=${CARGO_TARGET_DIR:-target}
cargo build --quiet --release -p counts-plugin
cargo build --quiet --release -p counts-guest --target "$target"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"qemu-$arch" -L "/usr/$arch-linux-gnu" -cpu "$cpu" \
    -plugin "$built/release/libcounts_plugin.so,out=$scratch/counts" \
    "$built/$target/release/counts-guest" "$@" >"$scratch/regions"
[ -s "$scratch/counts" ] || { echo "no region was counted" >&2; exit 1; }
[ "$(wc -l <"$scratch/counts")" = "$(wc -l <"$scratch/regions")" ] || { echo "regions and counts do not match" >&2; exit 1; }

echo "$arch, $cpu; a unit"
{
    echo "BACKEND REGION INSTRUCTIONS VECTOR VECTOR-LOADS VECTOR-STORES BYTES-READ BYTES-WRITTEN"
    paste -d' ' "$scratch/regions" "$scratch/counts" | awk '$1 == "counted" {
        printf "%s %s", $2, $3
        for (i = 5; i <= 10; i++) printf $4 == 1 ? " %d" : " %.2f", $i / $4
        print ""
    }'
} | column -t -R 3,4,5,6,7,8
