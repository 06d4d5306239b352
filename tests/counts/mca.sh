#!/usr/bin/env bash
# Cycles of kernels on AArch64 processors, estimated by llvm-mca from the instructions that they run under qemu, as a
# table. Usage: tests/counts/mca.sh [NAME…]
#   tests/counts/mca.sh kyber-ntt kyber-intt
# NAME: a region. Without branches and misses of caches, and the models are no processors: for comparing kernels only.
set -euo pipefail
cd "$(dirname "$0")"
[ $# -gt 0 ] || set -- kyber-ntt kyber-intt kyber-multiplier kyber-multiply-2 kyber-cbd-2 kyber-cbd-3 kyber-reject-3-blocks kyber-keccak-x1 kyber-keccak-x2
version=${LLVM_VERSION--19}
for tool in llvm-mc llvm-mca; do
    command -v "$tool$version" >/dev/null || { echo "no $tool$version (LLVM_VERSION says which)" >&2; exit 2; }
done
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
built=${CARGO_TARGET_DIR:-target}
cargo build --quiet --release -p counts-plugin
cargo build --quiet --release -p counts-guest --target aarch64-unknown-linux-gnu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
iterations=20
echo "cycles, llvm-mca $("llvm-mca$version" --version | grep -o 'version [0-9.]*' | cut -d' ' -f2)"
{
    echo "REGION BACKEND INSTRUCTIONS CORTEX-A72 NEOVERSE-N1"
    for region in "$@"; do
        for cpu in cortex-a72 max; do
            # The backends of a processor run one after the other; the trace is that of the last and best one.
            qemu-aarch64 -L /usr/aarch64-linux-gnu -cpu "$cpu" \
                -plugin "$built/release/libcounts_plugin.so,out=$scratch/counts,trace=$scratch/trace" \
                "$built/aarch64-unknown-linux-gnu/release/counts-guest" "$region" >"$scratch/regions"
            [ -s "$scratch/trace" ] || { echo "no region $region" >&2; exit 1; }
            # What is only seen through a branch is not modelled.
            sed -E 's/(..)(..)(..)(..)/0x\4 0x\3 0x\2 0x\1/' "$scratch/trace" |
                "llvm-mc$version" --disassemble -triple=aarch64 -mattr=+sha3,+aes,+sha2 2>/dev/null |
                grep -vE '^[[:space:]]*(\.text|b|bl|br|blr|ret|b\..*|cbn?z|tbn?z)([[:space:]]|$)' >"$scratch/text"
            row="$region $([ "$cpu" = max ] && echo neon+crypto || echo neon) $(wc -l <"$scratch/trace")"
            for model in cortex-a72 neoverse-n1; do
                cycles=$("llvm-mca$version" -march=aarch64 -mcpu="$model" -mattr=+sha3,+aes,+sha2 \
                    -iterations=$iterations "$scratch/text" | awk '/^Total Cycles:/ { print $3 }')
                row+=" $((cycles / iterations))"
            done
            echo "$row"
        done
    done
} | column -t -R 3,4,5
