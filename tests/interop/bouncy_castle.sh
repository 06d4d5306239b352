# NTRU with Bouncy Castle, by its provider BCPQC: Debian 13's jar under a Java of this system that compiles. Sourced by
# run.sh, after liboqs.sh.

# The jar: PQC_BCPROV, else the one of the Debian in a folder.
bouncy_castle_cells() {
    local set sampler why=
    bcprov=${PQC_BCPROV:-}
    if ! command -v javac >"$scratch/log"; then
        why="no Java compiler here"
    elif [ -z "$bcprov" ]; then
        if debian; then
            bcprov=$(ls "$debian"/usr/share/java/bcprov-1.*.jar 2>"$scratch/log" | head -n 1)
            [ -n "$bcprov" ] || why="no Bouncy Castle in $debian: make it anew"
        else
            why="no Debian can be made (not root?)"
        fi
    fi
    [ -n "$why" ] || javac -cp "$bcprov" -d "$scratch/bouncy-castle" "$here/BouncyCastle.java" >"$scratch/log" 2>&1 ||
        why="its driver does not compile: $(head -n 1 "$scratch/log")"
    if [ -n "$why" ]; then
        for set in $NTRU_SETS; do
            not_run "bouncy castle" "$set" "all" "$why"
        done
        return
    fi
    BOUNCY_CASTLE_NAME="bc $(peer_bouncy_castle version)"
    for set in $NTRU_SETS; do
        for sampler in $(samplers "$set"); do
            cell "$BOUNCY_CASTLE_NAME" "$set" "it decapsulates ours with our private key, $sampler" bouncy_castle_reads_ours "$set" "$sampler"
        done
        cell "$BOUNCY_CASTLE_NAME" "$set" "it writes our keys as we do" bouncy_castle_rewrites "$set"
        cell "$BOUNCY_CASTLE_NAME" "$set" "we decapsulate its own for our public key" bouncy_castle_encapsulates "$set"
        cell "$BOUNCY_CASTLE_NAME" "$set" "its key pair: both ways" bouncy_castle_pair "$set"
        cell "$BOUNCY_CASTLE_NAME" "$set" "a changed ciphertext: the same rejection secret" bouncy_castle_rejection "$set"
    done
}

peer_bouncy_castle() {
    java -cp "$bcprov:$scratch/bouncy-castle" BouncyCastle "$@"
}

bouncy_castle_reads_ours() {
    pqc keygen --alg "$1" -o k $(sampler_option "$2")
    pqc encaps -p k.pub -o c --secret-out s --format raw $(sampler_option "$2")
    peer_bouncy_castle decaps k.key c s2
    same s s2
}

bouncy_castle_rewrites() {
    pqc keygen --alg "$1" -o k
    peer_bouncy_castle rewrite k.key k2.key
    peer_bouncy_castle rewrite k.pub k2.pub
    cmp k.key k2.key
    cmp k.pub k2.pub
}

bouncy_castle_encapsulates() {
    pqc keygen --alg "$1" -o k
    peer_bouncy_castle encaps k.pub c s
    pqc decaps c -k k.key --format raw --secret-out s2
    same s s2
}

bouncy_castle_pair() {
    peer_bouncy_castle keygen "$1" k.pem p.pem
    chmod 600 k.pem
    pqc inspect --public k.pem >ours.pem
    cmp p.pem ours.pem
    pqc encaps -p p.pem -o c --secret-out s --format raw
    peer_bouncy_castle decaps k.pem c s2
    same s s2
    peer_bouncy_castle encaps p.pem d t
    pqc decaps d -k k.pem --format raw --secret-out t2
    same t t2
}

bouncy_castle_rejection() {
    pqc keygen --alg "$1" -o k
    pqc encaps -p k.pub -o c --secret-out s --format raw
    printf '\x55\xaa' | dd of=c bs=1 seek=100 conv=notrunc status=none
    peer_bouncy_castle decaps k.key c s2
    pqc decaps c -k k.key --format raw --secret-out s3
    same s2 s3
    ! cmp -s s s2
}
