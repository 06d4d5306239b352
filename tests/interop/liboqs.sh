# KEMs with liboqs, from the npm package @oqs/liboqs-js (Node 20 or later), which takes bare keys alone. Sourced by run.sh.

NTRU_SETS="ntruhps2048509 ntruhps2048677 ntruhps4096821 ntruhps40961229 ntruhrss701 ntruhrss1373"
LIBOQS_SETS="mlkem512 mlkem768 mlkem1024 kyber512 kyber768 kyber1024 $NTRU_SETS"

find_liboqs() {
    local version=0.15.1
    npm_package @oqs/liboqs-js $version || return 1
    LIBOQS_NAME="liboqs-js $version"
}

liboqs_cells() {
    local set sampler
    if ! find_liboqs; then
        for set in $LIBOQS_SETS; do
            not_run liboqs-js "$set" "all" "$npm_why"
        done
        return
    fi
    for set in $LIBOQS_SETS; do
        for sampler in $(samplers "$set"); do
            cell "$LIBOQS_NAME" "$set" "it decapsulates ours with our private key, $sampler" liboqs_reads_ours "$set" "$sampler"
        done
        cell "$LIBOQS_NAME" "$set" "we decapsulate its own for our public key" liboqs_encapsulates "$set"
        cell "$LIBOQS_NAME" "$set" "its key pair: both ways" liboqs_pair "$set"
        cell "$LIBOQS_NAME" "$set" "a changed ciphertext: the same rejection secret" liboqs_rejection "$set"
    done
}

peer_liboqs() {
    node "$npm_folder/node_modules/@oqs/liboqs-js/bin/cli.js" "$@"
}

# ntruhps2048509 is ntru-hps-2048-509 there, mlkem512 is ml-kem-512.
liboqs_set() {
    sed -E 's/^mlkem/ml-kem-/; s/^ntru(hps|hrss)(2048|4096)?([0-9]+)$/ntru-\1-\2-\3/; s/--/-/' <<<"$1"
}

# Our key pair as k.key and k.pub, and its bare halves sk and pk.
pair_of_ours() { # SET [OPTION…]
    local set=$1
    shift
    pqc keygen --alg "$set" -o k "$@"
    pqc convert k.pub --raw -o pk
    pqc convert k.key --raw -o sk
}

# The samplers to try: where no step has a fixed weight, there is nothing to choose.
samplers() { # SET
    [[ $1 == ntruhps* ]] && echo shuffle sort || echo default
}

sampler_option() { # SAMPLER
    [ "$1" = default ] || echo "--sampler $1"
}

liboqs_reads_ours() {
    # shellcheck disable=SC2046 # two words, or none
    pair_of_ours "$1" $(sampler_option "$2")
    # shellcheck disable=SC2046
    pqc encaps -p k.pub -o c --secret-out s --format raw $(sampler_option "$2")
    peer_liboqs kem decapsulate "$(liboqs_set "$1")" c sk --format raw --output s2
    same s s2
}

liboqs_encapsulates() {
    pair_of_ours "$1"
    peer_liboqs kem encapsulate "$(liboqs_set "$1")" pk --format raw --output c
    pqc decaps c.ct -k k.key --format raw --secret-out s2
    same c.ss s2
}

liboqs_pair() {
    local set
    set=$(liboqs_set "$1")
    peer_liboqs kem keygen "$set" --format raw --output-dir its
    pqc convert its/secret.key --alg "$1" -o its.key
    pqc convert its/public.key --alg "$1" -o its.pub
    pqc convert its.key --public -o ours.pub
    cmp its.pub ours.pub
    pqc encaps -p its.pub -o c --secret-out s --format raw
    peer_liboqs kem decapsulate "$set" c its/secret.key --format raw --output s2
    same s s2
    peer_liboqs kem encapsulate "$set" its/public.key --format raw --output d
    pqc decaps d.ct -k its.key --format raw --secret-out t
    same d.ss t
}

liboqs_rejection() {
    pair_of_ours "$1"
    pqc encaps -p k.pub -o c --secret-out s --format raw
    printf '\x55\xaa' | dd of=c bs=1 seek=100 conv=notrunc status=none
    peer_liboqs kem decapsulate "$(liboqs_set "$1")" c sk --format raw --output s2
    pqc decaps c -k k.key --format raw --secret-out s3
    same s2 s3
    ! cmp -s s s2
}
