# ML-KEM with OpenSSL 3.5 or later. Sourced by run.sh.

is_recent_openssl() { # VERSION, as "OpenSSL 3.5.9 …"
    [[ $1 =~ ^OpenSSL\ ([0-9]+)\.([0-9]+) ]] || return 1
    [ "${BASH_REMATCH[1]}" -gt 3 ] || { [ "${BASH_REMATCH[1]}" = 3 ] && [ "${BASH_REMATCH[2]}" -ge 5 ]; }
}

# Finds OpenSSL, once, and gives it its name in the table.
find_openssl() {
    [ -z "${OPENSSL_NAME:-}" ] || return 0
    if is_recent_openssl "$(openssl version 2>/dev/null)"; then
        peer_openssl() { openssl "$@"; }
    elif debian; then
        peer_openssl() { in_debian openssl "$@"; }
    else
        return 1
    fi
    OPENSSL_NAME="openssl $(peer_openssl version | cut -d' ' -f2)"
}

openssl_cells() {
    local n form
    if ! find_openssl; then
        for n in 512 768 1024; do
            not_run openssl "mlkem$n" "all" "no OpenSSL 3.5 here, and no Debian can be made (not root?)"
        done
        return
    fi
    for n in 512 768 1024; do
        cell "$OPENSSL_NAME" "mlkem$n" "it derives our public key from our private key" openssl_public "$n"
        cell "$OPENSSL_NAME" "mlkem$n" "it decapsulates ours with our private key" openssl_reads_ours "$n"
        cell "$OPENSSL_NAME" "mlkem$n" "we decapsulate its own for our public key" openssl_encapsulates "$n"
        for form in seed-only priv-only seed-priv bare-seed bare-priv; do
            cell "$OPENSSL_NAME" "mlkem$n" "its private key as $form: both ways" openssl_form "$n" "$form"
        done
        cell "$OPENSSL_NAME" "mlkem$n" "a changed ciphertext: the same rejection secret" openssl_rejection "$n"
    done
}

openssl_public() {
    pqc keygen --alg "mlkem$1" -o k
    peer_openssl pkey -in k.key -pubout -out p.pem
    cmp k.pub p.pem
}

openssl_reads_ours() {
    pqc keygen --alg "mlkem$1" -o k
    pqc encaps -p k.pub -o c --secret-out s --format raw
    peer_openssl pkeyutl -decap -inkey k.key -in c -secret s2
    same s s2
}

openssl_encapsulates() {
    pqc keygen --alg "mlkem$1" -o k
    peer_openssl pkeyutl -encap -pubin -inkey k.pub -secret s -out c
    pqc decaps c -k k.key --format raw --secret-out s2
    same s s2
}

openssl_form() {
    peer_openssl genpkey -algorithm "ML-KEM-$1" -provparam "ml-kem.output_formats=$2" -out k.pem
    peer_openssl pkey -in k.pem -pubout -out p.pem
    pqc inspect --public k.pem >ours.pem
    cmp p.pem ours.pem
    pqc encaps -p p.pem -o c --secret-out s --format raw
    peer_openssl pkeyutl -decap -inkey k.pem -in c -secret s2
    same s s2
    peer_openssl pkeyutl -encap -pubin -inkey p.pem -secret t -out d
    pqc decaps d -k k.pem --format raw --secret-out t2
    same t t2
}

openssl_rejection() {
    pqc keygen --alg "mlkem$1" -o k
    pqc encaps -p k.pub -o c --secret-out s --format raw
    printf '\x55\xaa' | dd of=c bs=1 seek=100 conv=notrunc status=none
    peer_openssl pkeyutl -decap -inkey k.key -in c -secret s2
    pqc decaps c -k k.key --format raw --secret-out s3
    same s2 s3
    ! cmp -s s s2
}
