# NTRU with liboqs, from the npm package @oqs/liboqs-js (Node 20 or later). It knows bare keys alone, so the tests take them
# out of our files and put them into such. Sourced by run.sh.

NTRU_SETS="ntruhps2048509 ntruhps2048677 ntruhps4096821 ntruhps40961229 ntruhrss701 ntruhrss1373"

# Where the package is: PQC_LIBOQS_JS, else a folder into which npm installs it.
liboqs_cells() {
    local set sampler version=0.15.1
    liboqs_js=${PQC_LIBOQS_JS:-$scratch/liboqs}
    if [ ! -d "$liboqs_js/node_modules/@oqs/liboqs-js" ]; then
        mkdir -p "$liboqs_js"
        if ! npm install --silent --no-audit --no-fund --prefix "$liboqs_js" "@oqs/liboqs-js@$version" >"$scratch/log" 2>&1; then
            for set in $NTRU_SETS; do
                not_run liboqs-js "$set" "all" "npm does not install @oqs/liboqs-js: $(tail -n 1 "$scratch/log")"
            done
            return
        fi
    fi
    version=$(sed -n 's/.*"version": *"\([^"]*\)".*/\1/p' "$liboqs_js/node_modules/@oqs/liboqs-js/package.json" | head -n 1)
    LIBOQS_NAME="liboqs $version"
    for set in $NTRU_SETS; do
        for sampler in $(ntru_samplers "$set"); do
            cell "$LIBOQS_NAME" "$set" "it decapsulates ours with our private key, $sampler" liboqs_reads_ours "$set" "$sampler"
        done
        cell "$LIBOQS_NAME" "$set" "we decapsulate its own for our public key" liboqs_encapsulates "$set"
        cell "$LIBOQS_NAME" "$set" "its key pair: both ways" liboqs_pair "$set"
        cell "$LIBOQS_NAME" "$set" "a changed ciphertext: the same rejection secret" liboqs_rejection "$set"
    done
}

peer_liboqs() {
    node "$liboqs_js/node_modules/@oqs/liboqs-js/bin/cli.js" "$@"
}

# ntruhps2048509 is ntru-hps-2048-509 there.
liboqs_set() {
    sed -E 's/^ntru(hps|hrss)(2048|4096)?([0-9]+)$/ntru-\1-\2-\3/; s/--/-/' <<<"$1"
}

# Takes the bare key out of a file of ours: the end of the DER.
bare() { # FILE BYTES
    grep -v -e ----- "$1" | base64 -d | tail -c "$2"
}

# Puts a bare key into a file like one of ours.
wrapped() { # LIKE BARE
    local whole
    whole=$(grep -v -e ----- "$1" | base64 -d | wc -c)
    grep -e '-----BEGIN' "$1"
    { grep -v -e ----- "$1" | base64 -d | head -c $((whole - $(wc -c <"$2"))); cat "$2"; } | base64 -w 64
    grep -e '-----END' "$1"
}

# Our key pair as k.key and k.pub, and its bare halves sk and pk.
ntru_pair_of_ours() { # SET [OPTION…]
    local set=$1 lens
    shift
    pqc keygen --alg "$set" -o k "$@"
    lens=$("$PQC" list --json | sed 's/{"kind"/\n&/g' | sed -n 's/.*"algorithm":"'"$set"'".*"public_key_bytes":\([0-9]*\),"private_key_bytes":\([0-9]*\).*/\1 \2/p')
    bare k.pub "${lens% *}" >pk
    bare k.key "${lens#* }" >sk
}

# The samplers to try: HRSS has no step of fixed weight, and so nothing to choose.
ntru_samplers() { # SET
    [[ $1 == ntruhrss* ]] && echo default || echo shuffle sort
}

ntru_option() { # SAMPLER
    [ "$1" = default ] || echo "--sampler $1"
}

liboqs_reads_ours() {
    ntru_pair_of_ours "$1" $(ntru_option "$2")
    pqc encaps -p k.pub -o c --secret-out s --format raw $(ntru_option "$2")
    peer_liboqs kem decapsulate "$(liboqs_set "$1")" c sk --format raw --output s2
    same s s2
}

liboqs_encapsulates() {
    ntru_pair_of_ours "$1"
    peer_liboqs kem encapsulate "$(liboqs_set "$1")" pk --format raw --output c
    pqc decaps c.ct -k k.key --format raw --secret-out s2
    same c.ss s2
}

liboqs_pair() {
    local set
    set=$(liboqs_set "$1")
    ntru_pair_of_ours "$1"
    peer_liboqs kem keygen "$set" --format raw --output-dir its
    wrapped k.key its/secret.key >its.key
    wrapped k.pub its/public.key >its.pub
    chmod 600 its.key
    pqc inspect --public its.key >ours.pub
    cmp its.pub ours.pub
    pqc encaps -p its.pub -o c --secret-out s --format raw
    peer_liboqs kem decapsulate "$set" c its/secret.key --format raw --output s2
    same s s2
    peer_liboqs kem encapsulate "$set" its/public.key --format raw --output d
    pqc decaps d.ct -k its.key --format raw --secret-out t
    same d.ss t
}

liboqs_rejection() {
    ntru_pair_of_ours "$1"
    pqc encaps -p k.pub -o c --secret-out s --format raw
    printf '\x55\xaa' | dd of=c bs=1 seek=100 conv=notrunc status=none
    peer_liboqs kem decapsulate "$(liboqs_set "$1")" c sk --format raw --output s2
    pqc decaps c -k k.key --format raw --secret-out s3
    same s2 s3
    ! cmp -s s s2
}
