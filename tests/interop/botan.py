"""Key generation, encapsulation and decapsulation with Botan, for botan.sh."""

import sys

import botan3


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def main(command, *args):
    if command == "version":
        print("{}.{}.{}".format(*(f() for f in (botan3.version_major, botan3.version_minor, botan3.version_patch))))
        return
    rng = botan3.RandomNumberGenerator()
    if command == "keygen":
        algorithm, private, public, *password = args
        size = algorithm.removeprefix("kyber")
        key = botan3.PrivateKey.create("Kyber", "Kyber-" + size + "-r3", rng)
        write(private, (key.export_encrypted(password[0], rng, True) if password else key.to_pem()).encode())
        write(public, key.get_public_key().to_pem().encode())
    elif command == "encaps":
        public, ciphertext, secret = args
        key = botan3.PublicKey.load(read(public).decode())
        shared, encapsulated = botan3.KemEncrypt(key, "Raw").create_shared_key(rng, b"", 32)
        write(ciphertext, encapsulated)
        write(secret, shared)
    elif command == "decaps":
        private, ciphertext, secret, *password = args
        key = botan3.PrivateKey.load(read(private).decode(), *password)
        write(secret, botan3.KemDecrypt(key, "Raw").decrypt_shared_key(b"", 32, read(ciphertext)))
    else:
        raise SystemExit("unknown command: " + command)


main(*sys.argv[1:])
