//! `interop-ml-kem SIZE keygen PRIVATE PUBLIC | encaps PUBLIC CIPHERTEXT SECRET | decaps PRIVATE CIPHERTEXT SECRET`:
//! the crate ml-kem on PEM keys and raw ciphertexts.

use ml_kem::{Decapsulate, Encapsulate, Kem, MlKem512, MlKem768, MlKem1024};
use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, LineEnding};
use std::error::Error;
use std::fs;

type Outcome = Result<(), Box<dyn Error>>;

fn run<K>(command: &str, files: [&str; 3]) -> Outcome
where
    K: Kem,
    K::EncapsulationKey: Encapsulate<Kem = K> + EncodePublicKey + DecodePublicKey,
    K::DecapsulationKey: Decapsulate<Kem = K> + EncodePrivateKey + DecodePrivateKey,
{
    match (command, files) {
        ("keygen", [private, public, _]) => {
            let (decapsulation, encapsulation) = K::generate_keypair();
            fs::write(private, decapsulation.to_pkcs8_pem(LineEnding::LF)?)?;
            fs::write(public, encapsulation.to_public_key_pem(LineEnding::LF)?)?;
        }
        ("encaps", [public, ciphertext, secret]) => {
            let key = K::EncapsulationKey::from_public_key_pem(&fs::read_to_string(public)?)?;
            let (encapsulated, shared) = key.encapsulate();
            fs::write(ciphertext, encapsulated)?;
            fs::write(secret, shared)?;
        }
        ("decaps", [private, ciphertext, secret]) => {
            let key = K::DecapsulationKey::from_pkcs8_pem(&fs::read_to_string(private)?)?;
            fs::write(secret, key.decapsulate_slice(&fs::read(ciphertext)?)?)?;
        }
        _ => return Err("unknown command".into()),
    }
    Ok(())
}

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (size, command, files) = match args.as_slice() {
        [size, command, a, b] => (*size, *command, [*a, *b, ""]),
        [size, command, a, b, c] => (*size, *command, [*a, *b, *c]),
        _ => return Err("SIZE COMMAND FILE FILE [FILE]".into()),
    };
    match size {
        "512" => run::<MlKem512>(command, files),
        "768" => run::<MlKem768>(command, files),
        "1024" => run::<MlKem1024>(command, files),
        _ => Err("the sizes are 512, 768 and 1024".into()),
    }
}
