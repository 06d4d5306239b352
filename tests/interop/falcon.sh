# Falcon's keys and signatures with Bouncy Castle (provider BCPQC of Debian 13's jar, under a Java of this system that
# compiles) and with liboqs. Sourced by run.sh, after liboqs.sh.

falcon_cells() {
    local n
    if falcon_bouncy_castle; then
        for n in 512 1024; do
            cell "$FALCON_BC_NAME" "falcon$n" "it signs with our key in its layout" bc_signs_with_ours "$n"
            cell "$FALCON_BC_NAME" "falcon$n" "its key pair: it signs, we verify and sign, it verifies" bc_pair "$n"
            cell "$FALCON_BC_NAME" "falcon$n" "we write its keys as it does" bc_rewrites "$n"
            cell "$FALCON_BC_NAME" "falcon$n" "it verifies our compressed signature, and a padded one so spelled" bc_verifies "$n"
        done
    else
        for n in 512 1024; do
            not_run "bouncy castle" "falcon$n" "all" "$falcon_why"
        done
    fi
    if find_liboqs; then
        for n in 512 1024; do
            cell "$LIBOQS_NAME" "falcon$n" "it signs with our raw key, padded and compressed" oqs_signs_with_ours "$n"
            cell "$LIBOQS_NAME" "falcon$n" "its raw key pair signs here, it verifies" oqs_pair "$n"
            cell "$LIBOQS_NAME" "falcon$n" "its compressed signature, padded by convert" oqs_respelled "$n"
        done
    else
        for n in 512 1024; do
            not_run liboqs "falcon$n" "all" "$npm_why"
        done
    fi
}

falcon_bouncy_castle() {
    falcon_why="no Java compiler here"
    command -v javac >"$scratch/log" || return 1
    falcon_jar=${PQC_BCPROV:-}
    if [ -z "$falcon_jar" ]; then
        falcon_why="no Debian can be made (not root?)"
        debian || return 1
        falcon_jar=$(ls "$debian"/usr/share/java/bcprov-1.*.jar 2>"$scratch/log" | head -n 1)
    fi
    falcon_why="no Bouncy Castle in $debian: make it anew"
    [ -n "$falcon_jar" ] || return 1
    if ! javac -cp "$falcon_jar" -d "$scratch/falcon" "$here/Falcon.java" >"$scratch/log" 2>&1; then
        falcon_why="its driver does not compile: $(head -n 1 "$scratch/log")"
        return 1
    fi
    FALCON_BC_NAME="bc $(peer_bc version)"
}

peer_bc() {
    java -cp "$falcon_jar:$scratch/falcon" Falcon "$@"
}

# The object identifiers that Bouncy Castle 1.80 knows.
bc_oid() {
    [ "$1" = 512 ] && echo 1.3.9999.3.6 || echo 1.3.9999.3.9
}

bc_signs_with_ours() {
    echo message >m
    pqc keygen --alg "falcon$1" -o k
    pqc convert k.key --layout bouncycastle --oid "$(bc_oid "$1")" -o bc.key
    peer_bc sign "$1" bc.key m m.raw
    pqc verify m -s m.raw -p k.pub
}

bc_pair() {
    echo message >m
    peer_bc keygen "$1" k.pem p.pem
    chmod 600 k.pem
    pqc convert k.pem --public -o ours.pub
    pqc convert p.pem -o p.pub
    cmp ours.pub p.pub
    peer_bc sign "$1" k.pem m m.raw
    pqc verify m -s m.raw -p p.pem
    pqc sign m -k k.pem --format raw --encoding compressed -o s
    peer_bc verify "$1" p.pem m s
}

bc_rewrites() {
    peer_bc keygen "$1" k.pem p.pem
    chmod 600 k.pem
    pqc convert k.pem -o oqs.key
    pqc convert oqs.key --layout bouncycastle --oid "$(bc_oid "$1")" -o back.pem
    cmp k.pem back.pem
    pqc convert p.pem -o oqs.pub
    pqc convert oqs.pub --oid "$(bc_oid "$1")" -o back.pub
    cmp p.pem back.pub
    peer_bc rewrite "$1" back.pem again.pem
    cmp k.pem again.pem
}

# It knows the compressed spelling alone.
bc_verifies() {
    echo message >m
    pqc keygen --alg "falcon$1" -o k
    pqc convert k.pub --oid "$(bc_oid "$1")" -o bc.pub
    pqc sign m -k k.key --format raw --encoding compressed -o compressed
    peer_bc verify "$1" bc.pub m compressed
    pqc sign m -k k.key -o m.sig
    pqc convert m.sig --raw --encoding compressed -o respelled
    peer_bc verify "$1" bc.pub m respelled
}

oqs_signs_with_ours() {
    echo message >m
    pqc keygen --alg "falcon$1" -o k
    pqc convert k.key --raw -o sk
    for name in "falcon-$1" "falcon-padded-$1"; do
        peer_liboqs sig sign "$name" ./m sk --format raw --output "$name.sig"
        pqc verify m -s "$name.sig" -p k.pub
    done
}

oqs_pair() {
    echo message >m
    peer_liboqs sig keygen "falcon-padded-$1" --format raw --output-dir its
    pqc convert its/secret.key --alg "falcon$1" -o its.key
    pqc convert its/public.key --alg "falcon$1" -o its.pub
    pqc convert its.key --public -o ours.pub
    cmp its.pub ours.pub
    pqc sign m -k its.key --format raw -o padded
    peer_liboqs sig verify "falcon-padded-$1" ./m padded its/public.key
    pqc sign m -k its.key --format raw --encoding compressed -o compressed
    peer_liboqs sig verify "falcon-$1" ./m compressed its/public.key
}

oqs_respelled() {
    echo message >m
    pqc keygen --alg "falcon$1" -o k
    pqc convert k.key --raw -o sk
    pqc convert k.pub --raw -o pk
    peer_liboqs sig sign "falcon-$1" ./m sk --format raw --output s
    pqc convert s --raw --encoding padded -o padded
    pqc verify m -s padded -p k.pub
    peer_liboqs sig verify "falcon-padded-$1" ./m padded pk
    pqc convert padded --raw --encoding compressed -o back
    cmp s back
    pqc convert s -p k.pub -o m.sig
    pqc verify m -p k.pub
}
