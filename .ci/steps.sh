# Sourced by .ci/run and tests/full.sh: tools, steps, counts.

declare -A TARGET=([aarch64]=aarch64-unknown-linux-gnu [riscv64]=riscv64gc-unknown-linux-gnu)
CARGO_DENY_VERSION=0.20.2
# Generic parameters in symbol names: the guards on machine code read them. The code is the same.
export RUSTFLAGS="${RUSTFLAGS:-} -C symbol-mangling-version=v0"
export CARGO_TERM_COLOR=never
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_RISCV64GC_UNKNOWN_LINUX_GNU_LINKER=riscv64-linux-gnu-gcc
TARGET_DIR=${CARGO_TARGET_DIR:-target}

LOG=$(mktemp -d)
trap 'rm -rf "$LOG"' EXIT
STARTED=$SECONDS
SUMMARY=()
TESTS=0
NOT_RUN=0
FAILED=0

note() {
    SUMMARY+=("$1")
    echo "$1"
}

# The first failure ends the run; with CI_KEEP_GOING=1 only its exit code.
failed() {
    note "== $1"
    FAILED=$((FAILED + 1))
    [ -n "${CI_KEEP_GOING:-}" ] || exit 1
}

# Runs a command and prints how long it took, and of its output what counts; all of it where it fails.
step() { # NAME COMMAND…
    local name=$1 log=$LOG/step start=$SECONDS status=0
    shift
    echo "== $name"
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if [ $status -ne 0 ]; then
        tail -n 300 "$log"
        failed "$name: FAILED (exit code $status) after $((SECONDS - start)) s"
        return 0
    fi
    grep -E '^(test result|NOT RUN|guards on|[a-z ]+: looked at|[0-9]+ passed)|^ *(Running|Doc-tests)|^constant_time:|PQC_|SKIPPED|not planted|^[0-9]+ ok, | not run: ' "$log" | uniq || true
    local passed
    passed=$(awk '/^test result: ok/ { n += $4 } END { print n + 0 }' "$log")
    TESTS=$((TESTS + passed))
    NOT_RUN=$((NOT_RUN + $(grep -cE '^NOT RUN| not run: ' "$log" || true)))
    note "== $name: $((SECONDS - start)) s$([ "$passed" = 0 ] || echo ", $passed tests")"
}

# A step that must run tests; one that runs none has failed.
tests() { # NAME COMMAND…
    local tests_before=$TESTS failed_before=$FAILED
    step "$@"
    [ "$TESTS" -gt "$tests_before" ] || [ "$FAILED" -gt "$failed_before" ] || failed "$1: FAILED, no test ran"
}

# What the checks need beyond a Rust toolchain and a C compiler.
install_tools() {
    local missing=() package
    for package in qemu-user gcc-aarch64-linux-gnu gcc-riscv64-linux-gnu libc6-dev-arm64-cross libc6-dev-riscv64-cross binutils strace valgrind debootstrap; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    if [ ${#missing[@]} -gt 0 ]; then
        echo "installing ${missing[*]}"
        local sudo=()
        [ "$(id -u)" = 0 ] || sudo=(sudo)
        "${sudo[@]}" apt-get update -q
        DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"
    fi
    local have target
    have=$(rustup target list --installed)
    for target in "${TARGET[@]}"; do
        grep -qx "$target" <<<"$have" || rustup target add "$target"
    done
    have=$(rustup component list --installed)
    for target in rustfmt clippy; do
        grep -q "^$target" <<<"$have" || rustup component add "$target"
    done
    # Not optimised: it builds in half the time and runs for a second.
    cargo deny --version 2>/dev/null || RUSTFLAGS='' cargo install --locked --debug cargo-deny --version "$CARGO_DENY_VERSION"
    cargo fetch --locked
}

# The test programs of another architecture under its emulator. Without link-time optimisation, which costs half a
# minute a program and changes no result; the guards look at the program as it is shipped.
cross_build() { # ARCH
    CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
        cargo test --release --locked --target "${TARGET[$1]}" --no-run "${cross_tests[@]}"
}

cross_run() { # ARCH CPU TEST-SELECTION…
    local arch=$1 cpu=$2 runner
    shift 2
    runner=CARGO_TARGET_$(tr 'a-z-' 'A-Z_' <<<"${TARGET[$arch]}")_RUNNER
    env "$runner=qemu-$arch -L /usr/$arch-linux-gnu -cpu $cpu" \
        CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
        cargo test --release --locked --target "${TARGET[$arch]}" "$@" -- --show-output
}

# Everything but the tests that start the program as a process of its own, and what needs valgrind.
cross_tests=(--lib)
for file in tests/*.rs; do
    name=$(basename "$file" .rs)
    [ "$name" = constant_time ] || grep -qE 'CARGO_BIN_EXE|^mod common' "$file" || cross_tests+=(--test "$name")
done
# What differs from one processor model to the next: the backends.
backend_tests=()
for name in kat cross_backend kat_kyber kyber kat_ntru ntru; do
    [ ! -f "tests/$name.rs" ] || backend_tests+=(--test "$name")
done

finish() {
    echo
    printf '%s\n' "${SUMMARY[@]}"
    [ "$NOT_RUN" = 0 ] || echo "$NOT_RUN tests said NOT RUN (see above)"
    echo "total: $((SECONDS - STARTED)) s"
    if [ "$FAILED" -gt 0 ]; then
        echo "$FAILED steps FAILED"
        exit 1
    fi
    echo "$TESTS passed, 0 failed"
}
