#!/usr/bin/env bash
# The long counts, before a release: hours under emulation. .ci/run first.
# Usage: tests/full.sh [native|cross|peers|advisories…] (without: all).
set -euo pipefail
cd "$(dirname "$0")/.."
source .ci/steps.sh
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(native cross peers advisories)

native() {
    export PQC_SEEDS=10000 PQC_KAT=all PQC_BIG=1
    tests "tests, 10000 seeds, files over 4 GiB" cargo test --release --locked -- --show-output
}

cross() {
    export PQC_SEEDS=500 PQC_KAT=all
    local arch cpu
    for arch in aarch64 riscv64; do
        step "build the tests, $arch" cross_build "$arch"
        case $arch in
            aarch64) cpus=(max cortex-a72 cortex-a53) ;;
            riscv64) cpus=(rv64,v=true,vlen=128 rv64,v=true,vlen=256 rv64,v=true,vlen=512 rv64,v=false) ;;
        esac
        for cpu in "${cpus[@]}"; do
            tests "tests, $arch on $cpu, 500 seeds" cross_run "$arch" "$cpu" "${cross_tests[@]}"
        done
    done
}

peers() {
    step "clippy of tests/peers" cargo clippy --workspace --all-targets --manifest-path tests/peers/Cargo.toml -- -D warnings
    echo "== peers"
    tests/peers/run.sh
}

advisories() {
    step "dependencies: advisories" cargo deny --locked check advisories
}

for part in "${parts[@]}"; do
    [[ $part =~ ^(native|cross|peers|advisories)$ ]] || { echo "unknown part: $part"; exit 2; }
    $part
done
finish
