#!/usr/bin/env bash
# Every operation on secrets under valgrind, on every backend that valgrind can run; and two planted leaks, which
# must be found. Needs valgrind and x86-64. Usage: tests/constant_time.sh [512|1024 ...]
set -euo pipefail
cd "$(dirname "$0")/.."
sets=("$@")
[ ${#sets[@]} -gt 0 ] || sets=(512 1024)

cargo test --release --locked --features ct-test --test constant_time --no-run 2>/dev/null
program=$(cargo test --release --locked --features ct-test --test constant_time --no-run --message-format=json 2>/dev/null |
    sed -n 's/.*"executable":"\([^"]*constant_time[^"]*\)".*/\1/p' | tail -n 1)
[ -x "$program" ] || { echo "constant_time: the test program was not built" >&2; exit 1; }

check() { valgrind -q --error-exitcode=99 --error-limit=no --suppressions=tests/constant_time.supp "$program" "$@" >/dev/null 2>"$log"; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT

passed=0
for planted in planted-branch planted-index; do
    if check "$planted" scalar 512; then
        echo "constant_time: valgrind did not find the $planted" >&2
        exit 1
    fi
done
for set in "${sets[@]}"; do
    # Valgrind knows no AVX-512.
    for isa in scalar soft sse2 avx2; do
        for operation in load sign sign-batch keygen; do
            if ! check "$operation" "$isa" "$set"; then
                echo "constant_time: $operation of Falcon-$set on $isa depends on a secret:" >&2
                head -n 40 "$log" >&2
                exit 1
            fi
            passed=$((passed + 1))
        done
    done
done
echo "constant_time: $passed operations without a report, 2 planted leaks found"
