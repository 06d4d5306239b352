//! `pqc inspect`: what a key or signature file is.

use super::exit::{Kind, classify, failure, of_files, usage};
use super::keys::{self, KeySource, Known};
use super::report::{Object, Report, put_name, shown};
use super::sign::encoding_name;
use super::{args, io, key_home};
use crate::algorithm::Algorithm;
use crate::falcon::{self, Params, VerifyingKey};
use crate::files::pkcs8::{LAYOUT, PrivateKey};
use crate::files::signature::{Container, may_be_raw};
use crate::files::spki::PublicKey;
use crate::files::{pem, recognise};
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
    let key = keys::read_private(file, report)?;
    keys::expand(&key, isa).with_context(|| io::name_of(file))?;
    let pem = key.public.to_pem();
    if report.is_json() {
        let mut object = Object::new();
        put_name(&mut object, "file", file.as_os_str());
        object.insert("fingerprint".into(), key.public.fingerprint().to_string().into());
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
        Some(pem::PUBLIC_KEY) => public_key(bytes),
        Some(pem::SIGNATURE) => signature(bytes),
        _ => raw_signature(bytes),
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
    facts.add("layout", "layout", LAYOUT);
    facts.add("private_key_bytes", "private key bytes", key.bytes.len());
    facts.add("public_key_bytes", "public key bytes", key.public.bytes.len());
    facts.add("encrypted", "encrypted", false);
    facts.add("fingerprint", "fingerprint", key.public.fingerprint().to_string());
    match keys::expand(&key, isa) {
        Ok(_) => facts.add("public_matches", "public matches", true),
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

fn public_key(bytes: &[u8]) -> Result<Facts> {
    let key = PublicKey::from_pem(bytes)?;
    Known::new(&key, None, KeySource::Option)?;
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
    let Algorithm::Falcon(params) = container.algorithm;
    let mut facts = Facts::default();
    facts.add("kind", "kind", "signature");
    facts.add("algorithm", "algorithm", container.algorithm.name());
    facts.add("oid", "object identifier", container.algorithm.object_identifier().to_string());
    facts.add("layout", "layout", "PQC SIGNATURE, version 1");
    facts.add("signature_bytes", "signature bytes", container.signature.len());
    facts.add("encoding", "encoding", encoding_of(params, container.signature.len())?);
    facts.add("fingerprint", "key fingerprint", container.fingerprint.to_string());
    facts.add("with_key", "key inside", container.key.is_some());
    if let Some(key) = &container.key {
        let Algorithm::Falcon(params) = key.algorithm;
        VerifyingKey::from_bytes(params, &key.bytes).context("the key inside")?;
    }
    Ok(facts)
}

fn encoding_of(params: Params, len: usize) -> Result<&'static str> {
    falcon::encoding_of_len(params, len)
        .map(encoding_name)
        .ok_or_else(|| failure(Kind::Malformed, format!("no {} signature has {len} bytes", params.name())))
}

/// A bare signature: the header byte says which algorithm, the length which encoding.
fn raw_signature(bytes: &[u8]) -> Result<Facts> {
    let known = Algorithm::ALL.iter().find_map(|algorithm| {
        let Algorithm::Falcon(params) = algorithm;
        let header = u8::try_from(0x30 + params.logn()).ok()?;
        let encoding = falcon::encoding_of_len(*params, bytes.len())?;
        (may_be_raw(bytes) && bytes.first() == Some(&header)).then_some((algorithm, encoding))
    });
    let Some((algorithm, encoding)) = known else {
        return Err(failure(
            Kind::Malformed,
            format!("is {}; no key or signature of this program", recognise(bytes)),
        ));
    };
    let mut facts = Facts::default();
    facts.add("kind", "kind", "signature");
    facts.add("algorithm", "algorithm", algorithm.name());
    facts.add("layout", "layout", "raw");
    facts.add("signature_bytes", "signature bytes", bytes.len());
    facts.add("encoding", "encoding", encoding_name(encoding));
    Ok(facts)
}
