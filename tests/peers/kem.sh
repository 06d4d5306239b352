#!/usr/bin/env bash
# ML-KEM beside other crates: one run, interleaved rounds, Markdown tables, the best crate of each operation and the
# ratios to it; Kyber-90s in core cycles. Usage: tests/peers/kem.sh [ROUNDS] (40 where none is given). PEERS_CPU pins all
# workers to one processor (0). Exit code 1: a target is missed, or two crates do not agree.
set -euo pipefail
cd "$(dirname "$0")"
rounds=${1:-40}
built=${CARGO_TARGET_DIR:-target}/release
# One cargo call a package: built together they would share features. Not --locked: as run.sh.
for package in peer-kem-{ours,graviola,aws-lc,libcrux,pqclean,rustcrypto} pqc-peers; do
    cargo build --quiet --release -p "$package"
done

grep -m1 'model name' /proc/cpuinfo || true
rustc --version
pin=()
if command -v taskset >/dev/null; then pin=(taskset -c "${PEERS_CPU:-0}"); fi
ours=()
for isa in avx512f avx2 scalar; do
    if echo clock | "$built/peer-kem-ours" "$isa" >/dev/null 2>&1; then ours+=("pqc $isa=$built/peer-kem-ours $isa"); fi
done
"${pin[@]}" "$built/kem" "$rounds" "${ours[@]}" \
    "graviola 0.4.4=$built/peer-kem-graviola" \
    "aws-lc-rs 1.19.0=$built/peer-kem-aws-lc" \
    "libcrux-ml-kem 0.0.11=$built/peer-kem-libcrux" \
    "pqcrypto-mlkem 0.1.1=$built/peer-kem-pqclean" \
    "ml-kem 0.3.4=$built/peer-kem-rustcrypto"
