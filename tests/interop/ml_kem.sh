# ML-KEM with the crate ml-kem (RustCrypto), an independent implementation in Rust. Sourced by run.sh.

ml_kem_cells() {
    local n peer="ml-kem 0.3" interop_target=${CARGO_TARGET_DIR:-$root/target}/interop
    if ! cargo build --quiet --release --locked --manifest-path "$here/ml-kem/Cargo.toml" --target-dir "$interop_target" 2>"$scratch/log"; then
        for n in 512 768 1024; do
            not_run "$peer" "mlkem$n" "all" "the crate was not built: $(tail -n 1 "$scratch/log")"
        done
        return
    fi
    peer_ml_kem() { "$interop_target/release/interop-ml-kem" "$@"; }
    for n in 512 768 1024; do
        cell "$peer" "mlkem$n" "it decapsulates ours with our private key" ml_kem_reads_ours "$n"
        cell "$peer" "mlkem$n" "we decapsulate its own for our public key" ml_kem_encapsulates "$n"
        cell "$peer" "mlkem$n" "its key pair: both ways" ml_kem_pair "$n"
        cell "$peer" "mlkem$n" "a changed ciphertext: the same rejection secret" ml_kem_rejection "$n"
    done
}

ml_kem_reads_ours() {
    pqc keygen --alg "mlkem$1" -o k
    pqc encaps -p k.pub -o c --secret-out s --format raw
    peer_ml_kem "$1" decaps k.key c s2
    same s s2
}

ml_kem_encapsulates() {
    pqc keygen --alg "mlkem$1" -o k
    peer_ml_kem "$1" encaps k.pub c s
    pqc decaps c -k k.key --format raw --secret-out s2
    same s s2
}

ml_kem_pair() {
    peer_ml_kem "$1" keygen k.pem p.pem
    pqc inspect --public k.pem >ours.pem
    cmp p.pem ours.pem
    pqc encaps -p p.pem -o c --secret-out s --format raw
    peer_ml_kem "$1" decaps k.pem c s2
    same s s2
    peer_ml_kem "$1" encaps p.pem d t
    pqc decaps d -k k.pem --format raw --secret-out t2
    same t t2
}

ml_kem_rejection() {
    pqc keygen --alg "mlkem$1" -o k
    pqc encaps -p k.pub -o c --secret-out s --format raw
    printf '\x55\xaa' | dd of=c bs=1 seek=100 conv=notrunc status=none
    peer_ml_kem "$1" decaps k.key c s2
    pqc decaps c -k k.key --format raw --secret-out s3
    same s2 s3
    ! cmp -s s s2
}
