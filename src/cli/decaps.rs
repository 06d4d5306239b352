//! `pqc decaps`: the shared secret out of a ciphertext.
//!
//! A KEM answers a wrong key or a damaged ciphertext with another secret and without an error. The container's
//! confirmation tells: the command then fails and writes nothing. A bare ciphertext has none.

use super::args::{self, Format};
use super::exit::{Kind, failure, usage};
use super::io::target::{Place, commit};
use super::io::{self, name_of};
use super::keys::{self, Decapsulating};
use super::report::{Object, Report, put_name, shown};
use super::{names, shared_secret};
use crate::error::Error;
use crate::files::ciphertext::{Container, is_container};
use crate::files::{Found, recognise};
use crate::isa::Isa;
use anyhow::{Context, Result};
use std::path::Path;

/// A ciphertext file.
enum Input {
    Container(Container),
    Raw(Vec<u8>),
}

impl Input {
    fn container(&self) -> Option<&Container> {
        match self {
            Input::Container(container) => Some(container),
            Input::Raw(_) => None,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// Usage, refused overwrite, no key, malformed, unreadable, system; not valid where the confirmation does not match.
pub fn run(args: &args::Decaps, isa: Isa, report: &mut Report) -> Result<u8> {
    let Some(file) = args.file.as_deref() else {
        return Err(usage("decaps needs a CIPHERTEXT file; - is standard input"));
    };
    io::stdin_once([file].into_iter().chain(args.key.as_deref()))?;
    let place =
        shared_secret::place(args.secret_out.as_deref().unwrap_or(Path::new("-")), args.force, report)?;
    if let Some(target) = place.file() {
        target.is_not([file].into_iter().chain(args.key.as_deref()))?;
    }
    let bytes = io::read_small(file)?.bytes;
    let input = read(&bytes, args.format).with_context(|| name_of(file))?;
    let key = keys::decapsulation_key(args.key.as_deref(), input.container(), isa, report)?;
    if let Input::Container(container) = &input
        && (container.algorithm, container.fingerprint) != (key.public.algorithm, key.fingerprint)
    {
        let (algorithm, fingerprint) = (container.algorithm.name(), container.fingerprint);
        let why = format!("it is for another key: {algorithm} {fingerprint}, and not {}", key.describe());
        return Err(failure(Kind::NotValid, why)).with_context(|| name_of(file));
    }
    names::warn_if_legacy(key.public.algorithm, report);

    let bytes = match &input {
        Input::Container(container) => &container.ciphertext,
        Input::Raw(bytes) => bytes,
    };
    let secret = key.key.decapsulate(isa, bytes).with_context(|| name_of(file))?;
    if let Input::Container(container) = &input
        && !container.confirms(secret.expose())
    {
        let why = "the ciphertext is damaged, or was not made for this key; no secret was written";
        return Err(failure(Kind::NotValid, why)).with_context(|| name_of(file));
    }
    let secret = shared_secret::encoded(secret.expose(), args.encode);
    match &place {
        Place::Stdout => report.write_secret(&secret),
        Place::File(target) => {
            commit(vec![target.prepare(&secret)?])?;
            if !report.is_quiet() {
                report.line(&format!("{} -> {}", shown(file), shown(target.path())));
            }
        }
    }
    report.result(result(file, &place, &input, &key));
    Ok(0)
}

/// Reads a ciphertext. A bare one is taken only where that was said, so that a container that lost its lines is never
/// taken for one.
fn read(bytes: &[u8], format: Format) -> Result<Input> {
    match format {
        Format::Raw if is_container(bytes) => {
            Err(failure(Kind::Malformed, "is a PQC CIPHERTEXT and not a bare one; leave out --format raw"))
        }
        Format::Raw => Ok(Input::Raw(bytes.to_vec())),
        Format::Pem => {
            Container::from_pem(bytes).map(Input::Container).map_err(|error| match recognise(bytes) {
                Found::Binary | Found::Der => {
                    let why = format!("{error}; a bare ciphertext needs --format raw");
                    failure(Kind::Malformed, why)
                }
                _ => Error::into(error),
            })
        }
    }
}

fn result(file: &Path, place: &Place, input: &Input, key: &Decapsulating) -> Object {
    let mut object = Object::new();
    put_name(&mut object, "file", file.as_os_str());
    if let Some(target) = place.file() {
        put_name(&mut object, "secret", target.path().as_os_str());
    }
    object.insert("confirmed".into(), input.container().is_some().into());
    object.insert("algorithm".into(), key.public.algorithm.name().into());
    object.insert("fingerprint".into(), key.fingerprint.to_string().into());
    put_name(&mut object, "key", key.path.as_os_str());
    object.insert("key_source".into(), key.source.name().into());
    object
}
