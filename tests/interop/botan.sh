# Kyber of round 3 and Kyber-90s with Botan's Python binding, which has what its command line has not. Botan has
# deprecated both; 3.7.1 has them. Sourced by run.sh.

# Finds the binding, once, and gives it its name in the table.
find_botan() {
    [ -z "${BOTAN_NAME:-}" ] || return 0
    if python3 -c 'import botan3' 2>/dev/null; then
        peer_botan() { python3 botan.py "$@"; }
    elif debian && chroot "$debian" python3 -c 'import botan3' 2>/dev/null; then
        peer_botan() { in_debian python3 botan.py "$@"; }
    else
        return 1
    fi
    BOTAN_NAME="botan $(cd "$scratch" && cp "$here/botan.py" . && peer_botan version)"
}

botan_cells() {
    local set
    if ! find_botan; then
        for set in kyber512 kyber768 kyber1024 kyber512-90s kyber768-90s kyber1024-90s; do
            not_run botan "$set" "all" "no Python binding of Botan here, and no Debian can be made (not root?)"
        done
        return
    fi
    for set in kyber512 kyber768 kyber1024 kyber512-90s kyber768-90s kyber1024-90s; do
        cell "$BOTAN_NAME" "$set" "it decapsulates ours with our private key" botan_reads_ours "$set"
        cell "$BOTAN_NAME" "$set" "we decapsulate its own for our public key" botan_encapsulates "$set"
        cell "$BOTAN_NAME" "$set" "its key pair: both ways" botan_pair "$set"
        cell "$BOTAN_NAME" "$set" "a changed ciphertext: the same rejection secret" botan_rejection "$set"
    done
}

botan_reads_ours() {
    cp "$here/botan.py" .
    pqc keygen --alg "$1" -o k
    pqc encaps -p k.pub -o c --secret-out s --format raw
    peer_botan decaps k.key c s2
    same s s2
}

botan_encapsulates() {
    cp "$here/botan.py" .
    pqc keygen --alg "$1" -o k
    peer_botan encaps k.pub c s
    pqc decaps c -k k.key --format raw --secret-out s2
    same s s2
}

botan_pair() {
    cp "$here/botan.py" .
    peer_botan keygen "$1" k.pem p.pem
    pqc inspect --public k.pem >ours.pem
    cmp p.pem ours.pem
    pqc encaps -p p.pem -o c --secret-out s --format raw
    peer_botan decaps k.pem c s2
    same s s2
    peer_botan encaps p.pem d t
    pqc decaps d -k k.pem --format raw --secret-out t2
    same t t2
}

botan_rejection() {
    cp "$here/botan.py" .
    pqc keygen --alg "$1" -o k
    pqc encaps -p k.pub -o c --secret-out s --format raw
    printf '\x55\xaa' | dd of=c bs=1 seek=100 conv=notrunc status=none
    peer_botan decaps k.key c s2
    pqc decaps c -k k.key --format raw --secret-out s3
    same s2 s3
    ! cmp -s s s2
}
