#!/usr/bin/env bash
# Every operation on secrets under valgrind, on every backend that valgrind can run; and planted leaks, which must be
# found. Needs valgrind and x86-64. Usage: tests/constant_time.sh [Falcon-512|ML-KEM-768|Kyber768-90s|ntruhps2048509/sort ...]
set -euo pipefail
cd "$(dirname "$0")/.."
sets=("$@")
[ ${#sets[@]} -gt 0 ] || sets=(Falcon-512 Falcon-1024 ML-KEM-512 ML-KEM-768 ML-KEM-1024 Kyber768 Kyber768-90s
    ntruhps2048509 ntruhps2048509/sort ntruhps4096821 ntruhrss701)

cargo test --release --locked --features ct-test --test constant_time --no-run 2>/dev/null
program=$(cargo test --release --locked --features ct-test --test constant_time --no-run --message-format=json 2>/dev/null |
    sed -n 's/.*"executable":"\([^"]*constant_time[^"]*\)".*/\1/p' | tail -n 1)
[ -x "$program" ] || { echo "constant_time: the test program was not built" >&2; exit 1; }

check() { valgrind -q --error-exitcode=99 --error-limit=no --suppressions=tests/constant_time.supp "$program" "$@" >/dev/null 2>"$log"; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT

found=0
must_find() { # OPERATION BACKEND PARAMETERS
    if check "$@" || ! grep -q 'uninitialised value' "$log"; then
        echo "constant_time: valgrind did not find what leaks in: $*" >&2
        exit 1
    fi
    found=$((found + 1))
}
must_find planted-branch scalar Falcon-512
must_find planted-index scalar Falcon-512
for operation in keygen encaps decaps reject; do
    must_find "planted-$operation" avx2 ML-KEM-768
    must_find "planted-$operation" avx2 ntruhps2048509
done

passed=0
for set in "${sets[@]}"; do
    case $set in
        Falcon*) operations=(load sign sign-batch keygen) ;;
        *-90s | *sort | ntruhrss*) operations=(keygen encaps decaps reject) ;;
        ntru*) operations=(keygen encaps decaps reject encaps-batch) ;;
        *) operations=(keygen encaps decaps reject keygen-batch encaps-batch decaps-batch) ;;
    esac
    # Valgrind knows no AVX-512.
    for isa in scalar soft sse2 avx2-base avx2; do
        for operation in "${operations[@]}"; do
            if ! check "$operation" "$isa" "$set"; then
                echo "constant_time: $operation of $set on $isa depends on a secret:" >&2
                head -n 40 "$log" >&2
                exit 1
            fi
            passed=$((passed + 1))
        done
    done
done
echo "constant_time: $passed operations without a report, $found planted leaks found"
