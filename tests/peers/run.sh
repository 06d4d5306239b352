#!/usr/bin/env bash
# Cross-check with pqcrypto-falcon, then speed beside the peers: one run, interleaved rounds, a Markdown table and the
# ratios. Usage: tests/peers/run.sh [ROUNDS] (20 where none is given). PEERS_CPU pins all workers to one processor (0).
# Exit code 1: a target is missed or the cross-check fails.
set -euo pipefail
cd "$(dirname "$0")"
rounds=${1:-20}
built=${CARGO_TARGET_DIR:-target}/release
workers=${CARGO_TARGET_DIR:-target}/workers
mkdir -p "$workers"

# One cargo call a package: built together they would share features. Not --locked: the peers are pinned by version,
# and what `pqc` depends on may have moved since this lock file was written.
build() { # PACKAGE NAME [FEATURES]
    cargo build --quiet --release -p "$1" ${3:+--features "$3"}
    cp "$built/$1" "$workers/$2"
}
build peer-ours ours
build peer-fn-dsa-04 fn-dsa-04-avx2
build peer-fn-dsa-04 fn-dsa-04-plain no_avx2
build peer-fn-dsa-03 fn-dsa-03-avx2
build peer-fn-dsa-03 fn-dsa-03-plain no_avx2
build peer-pqclean pqclean-avx2 avx2
build peer-pqclean pqclean-clean
build peer-crosscheck crosscheck
build peer-reference-keys reference-keys
build peer-sampler sampler
build pqc-peers drive

echo "## Cross-check with pqcrypto-falcon 0.4.1"
"$workers/crosscheck" 100

echo
echo "## Keys of the reference program (falcon-rs 0.3.1), PEERS_KEYS seeds a degree"
"$workers/reference-keys" "${PEERS_KEYS:-1000}"

pin=()
if command -v taskset >/dev/null; then pin=(taskset -c "${PEERS_CPU:-0}"); fi
missed=0
if [ "$(uname -m)" = x86_64 ]; then
    echo
    echo "## Falcon's base sampler beside the paper baseline"
    "${pin[@]}" "$workers/sampler" || missed=1
fi

echo
echo "## Speed"
grep -m1 'model name' /proc/cpuinfo || true
rustc --version
ours=()
for isa in avx512f avx2 sse2 scalar soft; do
    if echo "setup 512" | "$workers/ours" "$isa" >/dev/null 2>&1; then ours+=("pqc $isa=$workers/ours $isa"); fi
done
"${pin[@]}" "$workers/drive" "$rounds" "${ours[@]}" \
    "fn-dsa 0.4.0, AVX2=$workers/fn-dsa-04-avx2" \
    "fn-dsa 0.4.0, no AVX2=$workers/fn-dsa-04-plain" \
    "fn-dsa 0.3.0, AVX2=$workers/fn-dsa-03-avx2" \
    "fn-dsa 0.3.0, no AVX2=$workers/fn-dsa-03-plain" \
    "pqcrypto-falcon 0.4.1, AVX2=$workers/pqclean-avx2" \
    "pqcrypto-falcon 0.4.1, no AVX2=$workers/pqclean-clean" || missed=1
exit $missed
