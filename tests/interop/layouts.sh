# Layouts of ML-KEM keys that we write, and private keys under a password, with OpenSSL 3.5 or later and with Botan.
# Sourced by run.sh, after openssl.sh and botan.sh.

layouts_cells() {
    local n form method set
    if ! find_openssl; then
        for n in 512 768 1024; do
            not_run openssl "mlkem$n" "layouts and passwords" "no OpenSSL 3.5"
        done
    else
        for n in 512 768 1024; do
            for form in seed expanded both bare-seed bare; do
                cell "$OPENSSL_NAME" "mlkem$n" "it reads our private key as $form" openssl_reads_layout "$n" "$form"
                cell "$OPENSSL_NAME" "mlkem$n" "it opens our key as $form under a password" openssl_opens_ours "$n" "$form"
            done
            cell "$OPENSSL_NAME" "mlkem$n" "it opens what passwd wrote, we what it wrote of that" openssl_and_passwd "$n"
            for method in "-v2 aes-256-cbc" "-v2 aes-128-cbc" "-v2 aes-192-cbc -iter 600000" "-v2prf hmacWithSHA512" "-scrypt" \
                "-scrypt -scrypt_N 4096 -scrypt_r 8 -scrypt_p 2"; do
                cell "$OPENSSL_NAME" "mlkem$n" "we open its key by ${method#-}" openssl_writes "$n" "$method"
            done
        done
    fi
    if ! find_botan; then
        not_run botan kyber "passwords" "no Python binding of Botan"
        return
    fi
    for set in kyber512 kyber768 kyber1024 kyber512-90s kyber768-90s kyber1024-90s; do
        cell "$BOTAN_NAME" "$set" "it opens our key under a password" botan_opens_ours "$set"
        cell "$BOTAN_NAME" "$set" "we open its key under a password" botan_locks "$set"
    done
}

openssl_reads_layout() {
    pqc keygen --alg "mlkem$1" -o k
    pqc convert k.key --layout "$2" -o l.key
    peer_openssl pkey -in l.key -pubout -out p.pem
    cmp k.pub p.pem
    pqc encaps -p k.pub -o c --secret-out s --format raw
    peer_openssl pkeyutl -decap -inkey l.key -in c -secret s2
    same s s2
    pqc convert k.key --der -o k.der
    peer_openssl pkey -inform DER -in k.der -pubout -out q.pem
    cmp k.pub q.pem
}

openssl_opens_ours() {
    echo "correct horse" >pw
    pqc keygen --alg "mlkem$1" -o k --password-file pw
    pqc convert k.key --password-file pw --layout "$2" -o l.key
    peer_openssl pkey -in l.key -passin file:pw -pubout -out p.pem
    cmp k.pub p.pem
}

openssl_and_passwd() {
    echo "correct horse" >pw
    echo "battery staple" >pw2
    pqc keygen --alg "mlkem$1" -o k
    pqc passwd k.key --new-password-file pw
    peer_openssl pkcs8 -topk8 -in k.key -passin file:pw -v2 aes-256-cbc -iter 2048 -passout file:pw2 -out l.key
    chmod 600 l.key
    pqc inspect --public l.key --password-file pw2 >p.pem
    cmp k.pub p.pem
    pqc passwd l.key --password-file pw2 --remove
    peer_openssl pkey -in l.key -pubout -out q.pem
    cmp k.pub q.pem
}

openssl_writes() {
    echo "correct horse" >pw
    peer_openssl genpkey -algorithm "ML-KEM-$1" -out k.pem
    peer_openssl pkey -in k.pem -pubout -out p.pem
    # The words of the method.
    # shellcheck disable=SC2086
    peer_openssl pkcs8 -topk8 -in k.pem $2 -passout file:pw -out l.key
    chmod 600 l.key
    pqc inspect --public l.key --password-file pw >q.pem
    cmp p.pem q.pem
    pqc encaps -p p.pem -o c --secret-out s
    pqc decaps c -k l.key --password-file pw --secret-out s2
    same s s2
}

botan_opens_ours() {
    cp "$here/botan.py" .
    echo "correct horse" >pw
    pqc keygen --alg "$1" -o k --password-file pw
    pqc encaps -p k.pub -o c --secret-out s --format raw
    peer_botan decaps k.key c s2 "correct horse"
    same s s2
}

botan_locks() {
    cp "$here/botan.py" .
    echo "correct horse" >pw
    peer_botan keygen "$1" k.pem p.pem "correct horse"
    chmod 600 k.pem
    grep -q "ENCRYPTED PRIVATE KEY" k.pem
    pqc inspect --public k.pem --password-file pw >q.pem
    cmp p.pem q.pem
    pqc encaps -p p.pem -o c --secret-out s
    pqc decaps c -k k.pem --password-file pw --secret-out s2
    same s s2
}
