// ML-KEM and Falcon (round 3) with the npm package @noble/post-quantum, for noble.sh. Files hold raw bytes.
// noble.mjs FOLDER-OF-NODE-MODULES SET COMMAND FILE…

import { readFileSync as read, writeFileSync as write } from "node:fs";

const [modules, set, command, ...files] = process.argv.slice(2);
const load = (part) => import(`${modules}/@noble/post-quantum/${part}.js`);

const kem = async () => (await load("ml-kem"))[set.replace("mlkem", "ml_kem")];
const signer = async () => (await load("falcon"))[set];

const commands = {
    async "kem-keygen"(seed, secretKey, publicKey) {
        const keys = (await kem()).keygen(read(seed));
        write(secretKey, keys.secretKey);
        write(publicKey, keys.publicKey);
    },
    async encaps(publicKey, ciphertext, secret) {
        const made = (await kem()).encapsulate(read(publicKey));
        write(ciphertext, made.cipherText);
        write(secret, made.sharedSecret);
    },
    async decaps(secretKey, ciphertext, secret) {
        write(secret, (await kem()).decapsulate(read(ciphertext), read(secretKey)));
    },
    async keygen(secretKey, publicKey) {
        const keys = (await signer()).keygen();
        write(secretKey, keys.secretKey);
        write(publicKey, keys.publicKey);
    },
    async sign(secretKey, message, signature) {
        write(signature, (await signer()).sign(read(message), read(secretKey)));
    },
    async verify(publicKey, message, signature) {
        if (!(await signer()).verify(read(signature), read(message), read(publicKey))) throw new Error("not valid");
    },
};

await commands[command](...files);
