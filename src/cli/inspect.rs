//! `pqc inspect`: what a key, signature or ciphertext file is.

use super::exit::{Kind, classify, failure, of_files, usage};
use super::keys;
use super::report::{Object, Report, put_name, shown};
use super::sign::encoding_name;
use super::{args, io, key_home};
use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::falcon;
use crate::files::ciphertext::{self, CONFIRMATION_LEN};
use crate::files::pkcs8::{Material, PrivateKey};
use crate::files::signature::{Container, may_be_raw};
use crate::files::spki::PublicKey;
use crate::files::{Found, pem, recognise};
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

/// Runs the command.
///
/// # Errors
/// Usage, unreadable, malformed.
pub fn run(args: &args::Inspect, isa: Isa, report: &mut Report) -> Result<u8> {
    io::stdin_once(args.files.iter().map(PathBuf::as_path))?;
    if args.public {
        let [file] = args.files.as_slice() else {
            return Err(usage("--public takes one FILE, a private key"));
        };
        return print_public(file, isa, report);
    }
    let files = if args.files.is_empty() { keys_of_home()? } else { args.files.clone() };
    if let ([file], true) = (files.as_slice(), !args.files.is_empty()) {
        // One file that was named: what is wrong with it is the command's own error.
        let facts = inspect(file, isa, report)?;
        print(file, &facts, false, report);
        return facts.problem.map_or(Ok(0), Err);
    }
    let mut codes = Vec::new();
    for file in &files {
        let problem = match inspect(file, isa, report) {
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
fn print_public(file: &Path, isa: Isa, report: &mut Report) -> Result<u8> {
    let public = keys::read_private(file, report)?.public_key(isa).with_context(|| io::name_of(file))?;
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

fn inspect(file: &Path, isa: Isa, report: &Report) -> Result<Facts> {
    let small = io::read_small(file)?;
    let bytes = small.bytes.as_slice();
    let facts = match pem::first_label(bytes).as_deref() {
        Some(pem::PRIVATE_KEY) => {
            warn_readable(file, &small, report);
            private_key(bytes, isa)
        }
        Some("ENCRYPTED PRIVATE KEY") => Ok(encrypted()),
        Some(pem::PUBLIC_KEY) => public_key(bytes, isa),
        Some(pem::SIGNATURE) => signature(bytes),
        Some(pem::CIPHERTEXT) => ciphertext(bytes),
        _ => raw(bytes),
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

fn private_key(bytes: &[u8], isa: Isa) -> Result<Facts> {
    let key = PrivateKey::from_pem(bytes)?;
    let mut facts = Facts::default();
    facts.add("kind", "kind", "private key");
    facts.add("algorithm", "algorithm", key.algorithm.name());
    facts.add("oid", "object identifier", key.oid.to_string());
    facts.add("layout", "layout", key.layout());
    if let Material::Kem(key) = &key.material {
        facts.add("seed", "seed inside", key.seed.is_some());
    }
    facts.add("private_key_bytes", "private key bytes", key.algorithm.private_key_len());
    facts.add("public_key_bytes", "public key bytes", key.algorithm.public_key_len());
    facts.add("encrypted", "encrypted", false);
    if let Material::Pair { public, .. } = &key.material {
        // The half that the file claims, whether it belongs to the other or not.
        let claimed = PublicKey::new(key.algorithm, public.clone());
        facts.add("fingerprint", "fingerprint", claimed.fingerprint().to_string());
    }
    match key.public_key(isa) {
        Ok(public) => {
            if let Material::Kem(_) = &key.material {
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

fn encrypted() -> Facts {
    let mut facts = Facts::default();
    facts.add("kind", "kind", "private key");
    facts.add("encrypted", "encrypted", true);
    facts
}

fn public_key(bytes: &[u8], isa: Isa) -> Result<Facts> {
    let key = PublicKey::from_pem(bytes)?;
    match key.algorithm {
        Algorithm::Falcon(_) => drop(key.verifying_key()?),
        Algorithm::Kyber(_) => drop(key.encapsulation_key(isa)?),
    }
    let mut facts = Facts::default();
    facts.add("kind", "kind", "public key");
    facts.add("algorithm", "algorithm", key.algorithm.name());
    facts.add("oid", "object identifier", key.oid.to_string());
    facts.add("layout", "layout", "SPKI");
    facts.add("public_key_bytes", "public key bytes", key.bytes.len());
    facts.add("fingerprint", "fingerprint", key.fingerprint().to_string());
    Ok(facts)
}

fn signature(bytes: &[u8]) -> Result<Facts> {
    let container = Container::from_pem(bytes)?;
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
        Algorithm::Kyber(_) => None,
    };
    encoding.map(encoding_name).ok_or_else(|| {
        failure(Kind::Malformed, format!("no {} signature has {len} bytes", algorithm.display_name()))
    })
}

fn ciphertext(bytes: &[u8]) -> Result<Facts> {
    let container = ciphertext::Container::from_pem(bytes)?;
    let mut facts = Facts::default();
    facts.add("kind", "kind", "ciphertext");
    facts.add("algorithm", "algorithm", container.algorithm.name());
    facts.add("oid", "object identifier", container.algorithm.object_identifier().to_string());
    facts.add("layout", "layout", "PQC CIPHERTEXT, version 1");
    facts.add("ciphertext_bytes", "ciphertext bytes", container.ciphertext.len());
    facts.add("confirmation_bytes", "confirmation bytes", CONFIRMATION_LEN);
    facts.add("fingerprint", "key fingerprint", container.fingerprint.to_string());
    Ok(facts)
}

/// A bare signature, or what has the length of a bare ciphertext.
fn raw(bytes: &[u8]) -> Result<Facts> {
    raw_signature(bytes).or_else(|| raw_ciphertext(bytes)).ok_or_else(|| {
        let found = recognise(bytes);
        failure(Kind::Malformed, format!("is {found}; no key, signature or ciphertext of this program"))
    })
}

/// A bare signature: the header byte says which algorithm, the length which encoding.
fn raw_signature(bytes: &[u8]) -> Option<Facts> {
    let (algorithm, encoding) = Algorithm::ALL.iter().find_map(|algorithm| {
        let Algorithm::Falcon(params) = algorithm else { return None };
        let header = u8::try_from(0x30 + params.logn()).ok()?;
        let encoding = falcon::encoding_of_len(*params, bytes.len())?;
        (may_be_raw(bytes) && bytes.first() == Some(&header)).then_some((algorithm, encoding))
    })?;
    let mut facts = Facts::default();
    facts.add("kind", "kind", "signature");
    facts.add("algorithm", "algorithm", algorithm.name());
    facts.add("layout", "layout", "raw");
    facts.add("signature_bytes", "signature bytes", bytes.len());
    facts.add("encoding", "encoding", encoding_name(encoding));
    Some(facts)
}

/// A bare ciphertext has nothing but its length to know it by.
fn raw_ciphertext(bytes: &[u8]) -> Option<Facts> {
    let fits = |algorithm: &&Algorithm| algorithm.ciphertext_len() == Some(bytes.len());
    let possible: Vec<&str> = Algorithm::ALL.iter().filter(fits).map(|algorithm| algorithm.name()).collect();
    if possible.is_empty() || recognise(bytes) != Found::Binary {
        return None;
    }
    let mut facts = Facts::default();
    facts.add("kind", "kind", "ciphertext");
    facts.add("possible_algorithms", "one of", possible.join(", "));
    facts.add("layout", "layout", "raw, known by its length alone");
    facts.add("ciphertext_bytes", "ciphertext bytes", bytes.len());
    Some(facts)
}
