# ML-KEM and Falcon with the npm package @noble/post-quantum (Node 20.19 or later), which takes raw bytes. Sourced by
# run.sh, after liboqs.sh.

noble_cells() {
    local n version=0.7.1
    if ! npm_package @noble/post-quantum $version; then
        for n in mlkem512 mlkem768 mlkem1024 falcon512 falcon1024; do
            not_run noble "$n" "all" "$npm_why"
        done
        return
    fi
    for n in 512 768 1024; do
        cell "noble $version" "mlkem$n" "it decapsulates ours with our private key" noble_reads_ours "$n"
        cell "noble $version" "mlkem$n" "we decapsulate its own for our public key" noble_encapsulates "$n"
        cell "noble $version" "mlkem$n" "our seed is its key pair, its key pair ours" noble_pair "$n"
        cell "noble $version" "mlkem$n" "a changed ciphertext: the same rejection secret" noble_rejection "$n"
    done
    for n in 512 1024; do
        cell "noble $version" "falcon$n" "it verifies our padded and compressed signatures" noble_verifies "$n"
        cell "noble $version" "falcon$n" "it signs with our raw key, padded and compressed" noble_signs_with_ours "$n"
        cell "noble $version" "falcon$n" "its key pair signs here, it verifies" noble_falcon_pair "$n"
    done
}

peer_noble() {
    node "$here/noble.mjs" "$npm_folder/node_modules" "$@"
}

# Its name of Falcon with a spelling of the signature.
noble_falcon() { # N ENCODING
    [ "$2" = padded ] && echo "falcon$1padded" || echo "falcon$1"
}

noble_reads_ours() {
    pair_of_ours "mlkem$1"
    pqc encaps -p k.pub -o c --secret-out s --format raw
    peer_noble "mlkem$1" decaps sk c s2
    same s s2
}

noble_encapsulates() {
    pair_of_ours "mlkem$1"
    peer_noble "mlkem$1" encaps pk c s
    pqc decaps c -k k.key --format raw --secret-out s2
    same s s2
}

noble_pair() {
    pair_of_ours "mlkem$1"
    pqc convert k.key --raw --layout seed -o seed
    peer_noble "mlkem$1" kem-keygen seed its.sk its.pk
    cmp its.sk sk
    cmp its.pk pk
    head -c 64 /dev/urandom >seed2
    peer_noble "mlkem$1" kem-keygen seed2 its.sk its.pk
    pqc convert seed2 --alg "mlkem$1" -o its.key
    pqc convert its.key --raw -o ours.sk
    cmp its.sk ours.sk
    pqc convert its.pk --alg "mlkem$1" -o its.pub
    pqc convert its.key --public -o ours.pub
    cmp its.pub ours.pub
}

noble_rejection() {
    pair_of_ours "mlkem$1"
    pqc encaps -p k.pub -o c --secret-out s --format raw
    printf '\x55\xaa' | dd of=c bs=1 seek=100 conv=notrunc status=none
    peer_noble "mlkem$1" decaps sk c s2
    pqc decaps c -k k.key --format raw --secret-out s3
    same s2 s3
    ! cmp -s s s2
}

noble_verifies() {
    local encoding
    echo message >m
    pair_of_ours "falcon$1"
    for encoding in padded compressed; do
        pqc sign m -k k.key --format raw --encoding "$encoding" -o "$encoding"
        peer_noble "$(noble_falcon "$1" "$encoding")" verify pk m "$encoding"
    done
}

noble_signs_with_ours() {
    local encoding
    echo message >m
    pair_of_ours "falcon$1"
    for encoding in padded compressed; do
        peer_noble "$(noble_falcon "$1" "$encoding")" sign sk m "$encoding"
        pqc verify m -s "$encoding" -p k.pub
    done
}

noble_falcon_pair() {
    echo message >m
    peer_noble "falcon$1" keygen its.sk its.pk
    pqc convert its.sk --alg "falcon$1" -o its.key
    pqc convert its.pk --alg "falcon$1" -o its.pub
    pqc convert its.key --public -o ours.pub
    cmp its.pub ours.pub
    pqc sign m -k its.key --format raw -o s
    peer_noble "falcon$1padded" verify its.pk m s
}
