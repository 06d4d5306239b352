//! `pqc encaps`: a fresh shared secret, and the ciphertext that takes it to the owner of a key.
//!
//! The two outputs belong together: neither is written unless both can be.

use super::args::{self, Format};
use super::exit::{system, usage};
use super::io::target::{Existing, PLAIN, Place, commit};
use super::io::{self, name_of};
use super::keys::public::Encapsulator;
use super::report::{Object, Report, put_name, shown};
use super::{names, sampler, shared_secret};
use crate::files::ciphertext::{Confirmation, Container};
use crate::isa::Isa;
use anyhow::{Context, Result};
use std::path::Path;

/// Where the outputs go.
struct Plan<'a> {
    public_key: &'a Path,
    ciphertext: Place,
    secret: Place,
}

fn plan<'a>(args: &'a args::Encaps, report: &Report) -> Result<Plan<'a>> {
    let Some(public_key) = args.public_key.as_deref() else {
        return Err(usage("encaps needs -p PUB, the public key of who will have the secret"));
    };
    let Some(secret) = args.secret_out.as_deref() else {
        return Err(usage("encaps needs --secret-out FILE; - is standard output, if that is a pipe"));
    };
    let secret = shared_secret::place(secret, args.force, report)?;
    let output = args.output.as_deref().unwrap_or(Path::new("-"));
    let ciphertext = Place::check(output, Existing::forced(args.force), PLAIN)?;
    match (&ciphertext, &secret) {
        (Place::Stdout, Place::Stdout) => {
            return Err(usage("ciphertext and secret cannot both go to standard output; use -o CIPHERTEXT"));
        }
        (Place::File(a), Place::File(b)) if a.is_same_place(b) => {
            return Err(usage(format!("ciphertext and secret would both be written to {}", shown(a.path()))));
        }
        (Place::Stdout, _) if report.is_json() => {
            return Err(usage("--json and the ciphertext cannot both go to standard output; use -o"));
        }
        (Place::Stdout, _) if args.format == Format::Raw && io::stdout_is_terminal() => {
            return Err(usage("a raw ciphertext does not go to a terminal; use -o"));
        }
        _ => {}
    }
    for target in [&ciphertext, &secret].into_iter().filter_map(Place::file) {
        target.is_not([public_key])?;
    }
    Ok(Plan { public_key, ciphertext, secret })
}

/// Runs the command.
///
/// # Errors
/// Usage, refused overwrite, no key, unsuitable key, unreadable, system.
pub fn run(args: &args::Encaps, isa: Isa, report: &mut Report) -> Result<u8> {
    let plan = plan(args, report)?;
    let known = Encapsulator::chosen(plan.public_key, isa)?;
    let sampler = sampler::chosen(args.sampler, known.algorithm, report)?;
    names::warn_if_legacy(known.algorithm, report);
    let path = known.path.as_deref().unwrap_or(plan.public_key);
    let (algorithm, fingerprint) = (known.algorithm.name(), known.fingerprint);
    report.note(&format!("key {} ({algorithm} {fingerprint}) from {}", name_of(path), source_of(&known)));

    let (ciphertext, secret) = known.key.encapsulate(sampler, isa)?;
    let ciphertext = ciphertext_file(&known, &ciphertext, secret.expose(), args.format);
    let secret = shared_secret::encoded(secret.expose(), args.encode);
    let mut prepared = Vec::new();
    for (place, bytes) in [(&plan.ciphertext, &ciphertext), (&plan.secret, &*secret)] {
        if let Place::File(target) = place {
            prepared.push(target.prepare(bytes)?);
        }
    }
    // What goes to standard output goes there before the other output gets its name: a reader who left leaves no
    // half of a pair behind.
    let written = match (&plan.ciphertext, &plan.secret) {
        (Place::Stdout, _) => io::write_stdout(&ciphertext),
        (_, Place::Stdout) => io::write_secret_to_stdout(&secret),
        _ => Ok(()),
    };
    written.map_err(|e| system(&e)).context("standard output")?;
    commit(prepared)?;

    let aside = [&plan.ciphertext, &plan.secret].iter().any(|place| place.file().is_none());
    for (label, place) in [("ciphertext:", &plan.ciphertext), ("secret:", &plan.secret)] {
        let Some(target) = place.file() else { continue };
        let line = format!("{label:<13}{}", shown(target.path()));
        if aside {
            report.note(&line);
        } else if !report.is_quiet() {
            report.line(&line);
        }
    }
    let mut object = result(&plan, &known, path, args.format);
    sampler::put(&mut object, sampler, known.algorithm);
    report.result(object);
    Ok(0)
}

fn source_of(known: &Encapsulator) -> &'static str {
    match known.source {
        super::keys::KeySource::Home => "the key home",
        _ => "-p",
    }
}

fn ciphertext_file(known: &Encapsulator, ciphertext: &[u8], secret: &[u8; 32], format: Format) -> Vec<u8> {
    match format {
        Format::Raw => ciphertext.to_vec(),
        Format::Pem => Container {
            algorithm: known.algorithm,
            fingerprint: known.fingerprint,
            ciphertext: ciphertext.to_vec(),
            confirmation: Confirmation::of(secret, ciphertext),
        }
        .to_pem()
        .into_bytes(),
    }
}

fn result(plan: &Plan, known: &Encapsulator, key: &Path, format: Format) -> Object {
    let mut object = Object::new();
    for (name, place) in [("ciphertext", &plan.ciphertext), ("secret", &plan.secret)] {
        if let Some(target) = place.file() {
            put_name(&mut object, name, target.path().as_os_str());
        }
    }
    object.insert("algorithm".into(), known.algorithm.name().into());
    object.insert("format".into(), format.name().into());
    object.insert("fingerprint".into(), known.fingerprint.to_string().into());
    put_name(&mut object, "key", key.as_os_str());
    object.insert("key_source".into(), known.source.name().into());
    object
}
