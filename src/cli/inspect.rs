//! `pqc inspect`: what a key, signature or ciphertext file is.

use super::exit::{Kind, classify, failure, of_files, usage};
use super::password::Source;
use super::report::{Object, Report, put_name, shown};
use super::sign::encoding_name;
use super::subject::{self, Armour, Subject};
use super::{args, io, key_home, keys, names};
use crate::algorithm::Algorithm;
use crate::falcon;
use crate::files::ciphertext::{self, CONFIRMATION_LEN};
use crate::files::encrypted::Encrypted;
use crate::files::pkcs8::{Material, PrivateKey};
use crate::files::signature::Container;
use crate::files::spki::PublicKey;
use crate::isa::Isa;
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What is known of a file: names for `--json`, labels for people, values.
#[derive(Default)]
struct Facts {
    list: Vec<(&'static str, &'static str, Value)>,
    /// What is wrong with a file of which this much is known.
    problem: Option<anyhow::Error>,
}

impl Facts {
    fn add(&mut self, key: &'static str, label: &'static str, value: impl Into<Value>) {
        self.list.push((key, label, value.into()));
    }
}

/// How files are looked at.
struct Look<'a> {
    /// The algorithm of keys that are raw bytes.
    alg: Option<Algorithm>,
    /// Where passwords come from, if private keys under one are to be looked into.
    password: Option<Source<'a>>,
}

/// Runs the command.
///
/// # Errors
/// Usage, unreadable, malformed, a wrong password.
pub fn run(args: &args::Inspect, isa: Isa, report: &mut Report) -> Result<u8> {
    let password = Source::of(&args.password_options);
    io::stdin_once(args.files.iter().map(PathBuf::as_path).chain(password.file()))?;
    let asked = args.password || args.password_options.is_given();
    let look = Look {
        alg: args.alg.as_deref().map(names::algorithm).transpose()?,
        password: asked.then_some(password),
    };
    if args.public {
        let [file] = args.files.as_slice() else {
            return Err(usage("--public takes one FILE, a private key"));
        };
        return print_public(file, password, isa, report);
    }
    let files = if args.files.is_empty() { keys_of_home()? } else { args.files.clone() };
    if let ([file], true) = (files.as_slice(), !args.files.is_empty()) {
        // One file that was named: what is wrong with it is the command's own error.
        let facts = inspect(file, &look, isa, report)?;
        print(file, &facts, false, report);
        return facts.problem.map_or(Ok(0), Err);
    }
    let mut codes = Vec::new();
    for file in &files {
        let problem = match inspect(file, &look, isa, report) {
            Ok(facts) => {
                print(file, &facts, !codes.is_empty(), report);
                facts.problem
            }
            Err(error) => {
                let mut object = Object::new();
                put_name(&mut object, "file", file.as_os_str());
                object.insert("kind".into(), Value::Null);
                object.insert("problem".into(), format!("{error:#}").into());
                report.result(object);
                Some(error)
            }
        };
        if let Some(error) = &problem {
            report.say(&format!("pqc: {error:#}"));
        }
        codes.push(problem.map_or(0, |error| classify(&error).code()));
        if report.is_closed() {
            break;
        }
    }
    Ok(of_files(codes))
}

/// Every key in the key home.
fn keys_of_home() -> Result<Vec<PathBuf>> {
    let home = key_home::required("name a FILE")?;
    let mut files = key_home::files(&home, ".key")?;
    files.extend(key_home::files(&home, ".pub")?);
    files.sort();
    if files.is_empty() {
        return Err(failure(Kind::Key, "no key in the key home; name a FILE")).with_context(|| shown(&home));
    }
    Ok(files)
}

/// Prints the public key of a private key, which is checked first.
fn print_public(file: &Path, password: Source<'_>, isa: Isa, report: &mut Report) -> Result<u8> {
    let private = keys::read_private(file, password, isa, report)?;
    let public = private.public_key(isa).with_context(|| io::name_of(file))?;
    let pem = public.to_pem();
    if report.is_json() {
        let mut object = Object::new();
        put_name(&mut object, "file", file.as_os_str());
        object.insert("fingerprint".into(), public.fingerprint().to_string().into());
        object.insert("public_key".into(), pem.into());
        report.result(object);
    } else {
        report.write(pem.as_bytes());
    }
    Ok(0)
}

fn print(file: &Path, facts: &Facts, blank: bool, report: &mut Report) {
    if blank {
        report.line("");
    }
    report.line(&format!("{}:", shown(file)));
    let mut object = Object::new();
    put_name(&mut object, "file", file.as_os_str());
    for (key, label, value) in &facts.list {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Bool(true) => "yes".into(),
            Value::Bool(false) => "no".into(),
            value => value.to_string(),
        };
        report.line(&format!("  {:<20}{text}", format!("{label}:")));
        object.insert((*key).into(), value.clone());
    }
    let problem = facts.problem.as_ref().map(|problem| format!("{problem:#}"));
    object.insert("problem".into(), problem.into());
    report.result(object);
}

fn inspect(file: &Path, look: &Look<'_>, isa: Isa, report: &Report) -> Result<Facts> {
    let small = io::read_small(file)?;
    let (subject, armour) = subject::read(&small.bytes, look.alg).with_context(|| io::name_of(file))?;
    if let Subject::Private(_) | Subject::Encrypted(_) = subject {
        warn_readable(file, &small, report);
    }
    let facts = match subject {
        Subject::Private(key) => private_key(&key, armour, None, isa),
        Subject::Encrypted(encrypted) => match look.password {
            None => Ok(encrypted_key(&encrypted, armour)),
            Some(password) => {
                let unlocked = keys::unlocked(&encrypted, file, password, isa)?;
                private_key(&unlocked.key, armour, Some(&encrypted), isa)
            }
        },
        Subject::Public(key) => public_key(&key, armour, isa),
        Subject::Signature(container) => signature(&container),
        Subject::RawSignature(algorithm, encoding) => {
            Ok(raw_signature(algorithm, encoding, small.bytes.len()))
        }
        Subject::Ciphertext(container) => Ok(ciphertext(&container)),
        Subject::RawCiphertext(possible) => Ok(raw_ciphertext(&possible, small.bytes.len())),
    };
    let mut facts = facts.with_context(|| io::name_of(file))?;
    facts.problem = facts.problem.map(|problem| problem.context(io::name_of(file)));
    Ok(facts)
}

fn warn_readable(file: &Path, small: &io::Small, report: &Report) {
    if small.metadata.as_ref().is_some_and(|m| m.is_file() && io::others_can_read(m)) {
        report.warn(&format!("{}: others can read this private key", shown(file)));
    }
}

fn private_key(key: &PrivateKey, armour: Armour, encrypted: Option<&Encrypted>, isa: Isa) -> Result<Facts> {
    let mut facts = Facts::default();
    facts.add("kind", "kind", "private key");
    facts.add("algorithm", "algorithm", key.algorithm.name());
    if armour != Armour::Raw {
        facts.add("oid", "object identifier", key.oid.to_string());
    }
    facts.add("layout", "layout", key.layout());
    facts.add("format", "format", armour.name());
    if let Material::Kem(key) = &key.material {
        facts.add("seed", "seed inside", key.seed.is_some());
    }
    facts.add("private_key_bytes", "private key bytes", key.algorithm.private_key_len());
    facts.add("public_key_bytes", "public key bytes", key.algorithm.public_key_len());
    protection(&mut facts, encrypted);
    let claimed = key.claimed();
    if let Some(claimed) = &claimed {
        // The half that the file claims, whether it belongs to the other or not.
        facts.add("fingerprint", "fingerprint", claimed.fingerprint().to_string());
    }
    match key.public_key(isa) {
        Ok(public) => {
            if claimed.is_none() {
                facts.add("fingerprint", "fingerprint", public.fingerprint().to_string());
            }
            facts.add("public_matches", "public matches", true);
        }
        Err(error) => {
            facts.add("public_matches", "public matches", false);
            facts.problem = Some(error.into());
        }
    }
    Ok(facts)
}

/// Whether a password protects a private key, and how.
fn protection(facts: &mut Facts, encrypted: Option<&Encrypted>) {
    facts.add("encrypted", "encrypted", encrypted.is_some());
    if let Some(encrypted) = encrypted {
        facts.add("kdf", "key derivation", encrypted.kdf());
        facts.add("kdf_cost", "cost of a try", encrypted.cost());
        facts.add("cipher", "cipher", encrypted.cipher());
    }
}

/// What is known without the password.
fn encrypted_key(encrypted: &Encrypted, armour: Armour) -> Facts {
    let mut facts = Facts::default();
    facts.add("kind", "kind", "private key");
    facts.add("layout", "layout", "PKCS#8 under a password");
    facts.add("format", "format", armour.name());
    protection(&mut facts, Some(encrypted));
    facts
}

fn public_key(key: &PublicKey, armour: Armour, isa: Isa) -> Result<Facts> {
    match key.algorithm {
        Algorithm::Falcon(_) => drop(key.verifying_key()?),
        Algorithm::Kyber(_) | Algorithm::Ntru(_) => drop(key.encapsulation_key(isa)?),
    }
    let mut facts = Facts::default();
    facts.add("kind", "kind", "public key");
    facts.add("algorithm", "algorithm", key.algorithm.name());
    if armour != Armour::Raw {
        facts.add("oid", "object identifier", key.oid.to_string());
    }
    facts.add("layout", "layout", if armour == Armour::Raw { "raw" } else { "SPKI" });
    facts.add("format", "format", armour.name());
    facts.add("public_key_bytes", "public key bytes", key.bytes.len());
    facts.add("fingerprint", "fingerprint", key.fingerprint().to_string());
    Ok(facts)
}

fn signature(container: &Container) -> Result<Facts> {
    let mut facts = Facts::default();
    facts.add("kind", "kind", "signature");
    facts.add("algorithm", "algorithm", container.algorithm.name());
    facts.add("oid", "object identifier", container.algorithm.object_identifier().to_string());
    facts.add("layout", "layout", "PQC SIGNATURE, version 1");
    facts.add("signature_bytes", "signature bytes", container.signature.len());
    facts.add("encoding", "encoding", encoding_of(container.algorithm, container.signature.len())?);
    facts.add("fingerprint", "key fingerprint", container.fingerprint.to_string());
    facts.add("with_key", "key inside", container.key.is_some());
    if let Some(key) = &container.key {
        key.verifying_key().context("the key inside")?;
    }
    Ok(facts)
}

fn encoding_of(algorithm: Algorithm, len: usize) -> Result<&'static str> {
    let encoding = match algorithm {
        Algorithm::Falcon(params) => falcon::encoding_of_len(params, len),
        Algorithm::Kyber(_) | Algorithm::Ntru(_) => None,
    };
    encoding.map(encoding_name).ok_or_else(|| {
        failure(Kind::Malformed, format!("no {} signature has {len} bytes", algorithm.display_name()))
    })
}

fn ciphertext(container: &ciphertext::Container) -> Facts {
    let mut facts = Facts::default();
    facts.add("kind", "kind", "ciphertext");
    facts.add("algorithm", "algorithm", container.algorithm.name());
    facts.add("oid", "object identifier", container.algorithm.object_identifier().to_string());
    facts.add("layout", "layout", "PQC CIPHERTEXT, version 1");
    facts.add("ciphertext_bytes", "ciphertext bytes", container.ciphertext.len());
    facts.add("confirmation_bytes", "confirmation bytes", CONFIRMATION_LEN);
    facts.add("fingerprint", "key fingerprint", container.fingerprint.to_string());
    facts
}

fn raw_signature(algorithm: Algorithm, encoding: falcon::Encoding, len: usize) -> Facts {
    let mut facts = Facts::default();
    facts.add("kind", "kind", "signature");
    facts.add("algorithm", "algorithm", algorithm.name());
    facts.add("layout", "layout", "raw");
    facts.add("signature_bytes", "signature bytes", len);
    facts.add("encoding", "encoding", encoding_name(encoding));
    facts
}

fn raw_ciphertext(possible: &[Algorithm], len: usize) -> Facts {
    let names: Vec<&str> = possible.iter().map(|algorithm| algorithm.name()).collect();
    let mut facts = Facts::default();
    facts.add("kind", "kind", "ciphertext");
    facts.add("possible_algorithms", "one of", names.join(", "));
    facts.add("layout", "layout", "raw, known by its length alone");
    facts.add("ciphertext_bytes", "ciphertext bytes", len);
    facts
}
