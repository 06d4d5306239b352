//! `pqc keygen`: a key pair that was tried before it got its names.

use super::args;
use super::exit::{Kind, failure, usage};
use super::io::target::{Existing, PRIVATE, PUBLIC, Target, commit};
use super::io::{is_dash, with_ending};
use super::report::{Object, Report, put_name, shell_quoted, shown};
use super::{key_home, names, sampler};
use crate::algorithm::Algorithm;
use crate::falcon::{Encoding, SigningKey};
use crate::files::pkcs8::PrivateKey;
use crate::files::spki::PublicKey;
use crate::isa::Isa;
use crate::kem::DecapsulationKey;
use crate::ntru::Sampler;
use crate::{kyber, ntru};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What is to be made, and where.
struct Plan {
    algorithm: Algorithm,
    sampler: Sampler,
    private: Target,
    public: Target,
    /// Whether `-o` said where.
    named: bool,
}

fn plan(args: &args::Keygen, report: &Report) -> Result<Plan> {
    let Some(name) = &args.alg else {
        return Err(usage(
            "keygen needs --alg, for example --alg falcon512 or --alg mlkem768; pqc list shows all",
        ));
    };
    let algorithm = names::algorithm(name)?;
    let sampler = sampler::chosen(args.sampler, algorithm, report)?;
    let base = match &args.output {
        Some(name) => base_name(name)?,
        None => {
            let home = key_home::required("name the files with -o NAME")?;
            key_home::create(&home)?;
            home.join(algorithm.name())
        }
    };
    let private = Target::check(&with_ending(&base, ".key"), Existing::Never, PRIVATE)?;
    let public = Target::check(&with_ending(&base, ".pub"), Existing::forced(args.force), PUBLIC)?;
    Ok(Plan { algorithm, sampler, private, public, named: args.output.is_some() })
}

/// The common part of both names.
fn base_name(name: &Path) -> Result<PathBuf> {
    let bytes = name.as_os_str().as_encoded_bytes();
    if is_dash(name) {
        return Err(usage("-o -: a key pair is two files; give a NAME for NAME.key and NAME.pub"));
    }
    if name.file_name().is_none() || bytes.ends_with(b"/") {
        return Err(usage(format!("-o {}: give a NAME for NAME.key and NAME.pub", shown(name))));
    }
    for ending in [".key", ".pub"] {
        if super::io::stem(name, ending).is_some() {
            let why = format!("-o {}: leave out {ending}, it is added to the name", shown(name));
            return Err(usage(why));
        }
    }
    Ok(name.to_owned())
}

/// Runs the command.
///
/// # Errors
/// Usage, refused overwrite, system.
pub fn run(args: &args::Keygen, isa: Isa, report: &mut Report) -> Result<u8> {
    let Plan { algorithm, sampler, private, public, named } = plan(args, report)?;
    names::warn_if_legacy(algorithm, report);
    let private_key = generate(algorithm, sampler, isa)?;
    let public_key = private_key.public_key(isa)?;
    let private_file = private.prepare(private_key.to_pem()?.as_bytes())?;
    let public_file = public.prepare(public_key.to_pem().as_bytes())?;
    try_pair(&private_file.read_back()?, &public_file.read_back()?, &public_key, sampler, isa).map_err(
        |e| failure(Kind::SelfCheck, format!("the new key pair failed its trial and was thrown away: {e:#}")),
    )?;
    commit(vec![private_file, public_file])?;

    let fingerprint = public_key.fingerprint().to_string();
    if !report.is_quiet() {
        report.line(&format!("algorithm:   {}", algorithm.name()));
        report.line(&format!("fingerprint: {fingerprint}"));
        report.line(&format!("private key: {}", shown(private.path())));
        report.line(&format!("public key:  {}", shown(public.path())));
        if named {
            report.line(&match algorithm {
                Algorithm::Falcon(_) => {
                    format!("use: pqc sign -k {} FILE", shell_quoted(private.path().as_os_str()))
                }
                _ => format!(
                    "use: pqc encaps -p {} -o CIPHERTEXT --secret-out SECRET",
                    shell_quoted(public.path().as_os_str())
                ),
            });
        }
    }
    let mut object = Object::new();
    object.insert("algorithm".into(), algorithm.name().into());
    object.insert("fingerprint".into(), fingerprint.into());
    put_name(&mut object, "private_key", private.path().as_os_str());
    put_name(&mut object, "public_key", public.path().as_os_str());
    object.insert("protected".into(), Value::Bool(false));
    sampler::put(&mut object, sampler, algorithm);
    report.result(object);
    report.note(&format!("note: no password protects {}", shown(private.path())));
    Ok(0)
}

/// A new private key.
fn generate(algorithm: Algorithm, sampler: Sampler, isa: Isa) -> Result<PrivateKey> {
    let key = match algorithm {
        Algorithm::Falcon(params) => {
            return Ok(PrivateKey::of_signing_key(&SigningKey::generate(params, isa)?));
        }
        Algorithm::Kyber(set) => {
            DecapsulationKey::Kyber(Box::new(kyber::DecapsulationKey::generate(set, isa)?))
        }
        Algorithm::Ntru(set) => {
            DecapsulationKey::Ntru(ntru::DecapsulationKey::generate_with(set, sampler, isa)?)
        }
    };
    Ok(PrivateKey::of_decapsulation_key(&key, isa))
}

/// Reads both files as any later command will, and signs and verifies, or encapsulates and decapsulates, with them.
fn try_pair(private: &[u8], public: &[u8], expected: &PublicKey, sampler: Sampler, isa: Isa) -> Result<()> {
    const MESSAGE: &[u8] = b"pqc keygen: a trial of a new key pair";
    let private = PrivateKey::from_pem(private).context("private key")?;
    let public = PublicKey::from_pem(public).context("public key")?;
    ensure!(public == *expected, "the public key came back changed");
    match expected.algorithm {
        Algorithm::Falcon(_) => {
            let signature = private.signing_key(isa)?.sign(isa, Encoding::Padded, MESSAGE)?;
            public.verifying_key()?.verify(isa, MESSAGE, &signature)?;
        }
        Algorithm::Kyber(_) | Algorithm::Ntru(_) => {
            let (ciphertext, sent) = public.encapsulation_key(isa)?.encapsulate(sampler, isa)?;
            let received = private.decapsulation_key(isa)?.decapsulate(isa, &ciphertext)?;
            ensure!(received.is_equal(&sent), "the secrets differ");
        }
    }
    Ok(())
}
