//! `pqc sign`: one signature for each file, all or none.
//!
//! Files are read one after the other; the signatures of [`BATCH`] of them are made at once.

use super::args::{self, EncodingArg, Format};
use super::exit::{Kind, failure, usage};
use super::io::message::Message;
use super::io::target::{Existing, PLAIN, Place, Target, commit};
use super::io::{self, is_dash, name_of, with_ending};
use super::keys::{self, Signing};
use super::password::Source;
use super::report::{Object, Report, put_name, shown};
use crate::falcon::{BATCH, Encoding, Signer};
use crate::files::signature::{Container, is_container};
use crate::isa::Isa;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// What is to be signed, and how.
struct Plan {
    jobs: Vec<(PathBuf, Place)>,
    format: Format,
    encoding: Encoding,
    with_key: bool,
}

fn plan(args: &args::Sign, report: &Report) -> Result<Plan> {
    if args.secret.is_some() {
        return Err(usage("-s is no option of sign; did you mean -k?"));
    }
    if args.files.is_empty() {
        return Err(usage("sign needs a FILE; - is standard input"));
    }
    if args.output.is_some() && args.files.len() > 1 {
        return Err(usage("-o takes one FILE; for several there is --sig-dir DIR"));
    }
    if args.with_key && args.format == Format::Raw {
        return Err(usage("--with-key needs --format pem: a raw signature has no room for a key"));
    }
    let inputs = || {
        let password = Source::of(&args.password).file();
        args.files.iter().chain(&args.key).map(PathBuf::as_path).chain(password)
    };
    io::stdin_once(inputs())?;
    let mut jobs: Vec<(PathBuf, Place)> = Vec::new();
    for file in &args.files {
        let place = place_of(file, args)?;
        if let Place::File(target) = &place {
            target.is_not(inputs())?;
            for (other, taken) in &jobs {
                if matches!(taken, Place::File(taken) if taken.is_same_place(target)) {
                    let (a, b, to) = (name_of(other), name_of(file), shown(target.path()));
                    return Err(usage(format!("{a} and {b} would both be signed into {to}")));
                }
            }
        } else if report.is_json() {
            return Err(usage("--json and a signature cannot both go to standard output; use -o"));
        } else if args.format == Format::Raw && io::stdout_is_terminal() {
            return Err(usage("a raw signature does not go to a terminal; use -o"));
        }
        if is_container(&io::peek(file)) {
            return Err(is_signature(file));
        }
        jobs.push((file.clone(), place));
    }
    // Every input is looked at before the first is signed.
    for (file, _) in jobs.iter().filter(|(file, _)| !is_dash(file)) {
        let found =
            io::metadata(file).map_err(|e| super::exit::unreadable(&e)).with_context(|| name_of(file))?;
        if found.is_file() || found.is_dir() {
            Message::open(file)?;
        }
    }
    let encoding = match args.encoding {
        EncodingArg::Padded => Encoding::Padded,
        EncodingArg::Compressed => Encoding::Compressed,
    };
    Ok(Plan { jobs, format: args.format, encoding, with_key: args.with_key })
}

fn is_signature(file: &Path) -> anyhow::Error {
    failure(
        Kind::Malformed,
        format!("{}: is itself a PQC SIGNATURE; sign the file that it belongs to", name_of(file)),
    )
}

/// Where the signature of a file goes.
fn place_of(file: &Path, args: &args::Sign) -> Result<Place> {
    let existing = Existing::forced(args.force);
    match (&args.output, &args.sig_dir) {
        (Some(output), _) => Place::check(output, existing, PLAIN),
        (None, Some(_)) if is_dash(file) => Err(usage("standard input has no name for --sig-dir; use -o")),
        (None, Some(folder)) => {
            let Some(name) = file.file_name() else {
                return Err(usage(format!("{}: is no file", name_of(file))));
            };
            Ok(Place::File(Target::check(&with_ending(&folder.join(name), ".sig"), existing, PLAIN)?))
        }
        (None, None) if is_dash(file) => Ok(Place::Stdout),
        (None, None) => Ok(Place::File(Target::check(&with_ending(file, ".sig"), existing, PLAIN)?)),
    }
}

/// Runs the command.
///
/// # Errors
/// Usage, refused overwrite, no key, unreadable, system.
pub fn run(args: &args::Sign, isa: Isa, report: &mut Report) -> Result<u8> {
    let plan = plan(args, report)?;
    let password = Source::of(&args.password);
    let signing = keys::signing_key(args.key.as_deref(), password, isa, report)?;
    let several = plan.jobs.len() > 1;
    if several {
        report.progress.of_items(plan.jobs.len());
    }
    let mut prepared = Vec::new();
    let mut to_stdout = Vec::new();
    for jobs in plan.jobs.chunks(BATCH) {
        let mut signers = Vec::with_capacity(jobs.len());
        for (file, _) in jobs {
            signers.push(hash_file(file, &signing, isa, several, report)?);
        }
        let signatures = Signer::finish_all(signers, plan.encoding);
        for ((file, place), signature) in jobs.iter().zip(signatures) {
            let bytes = signature_file(signature.with_context(|| name_of(file))?, &plan, &signing);
            match place {
                Place::Stdout => to_stdout = bytes,
                Place::File(target) => prepared.push(target.prepare(&bytes)?),
            }
            report.progress.item();
        }
    }
    commit(prepared)?;
    report.progress.finish();
    // A signature on standard output has it for itself.
    let aside = plan.jobs.iter().any(|(_, place)| matches!(place, Place::Stdout));
    for (file, place) in &plan.jobs {
        let Place::File(target) = place else {
            report.write(&to_stdout);
            continue;
        };
        let line = format!("{} -> {}", shown(file), shown(target.path()));
        if aside {
            report.note(&line);
        } else if !report.is_quiet() {
            report.line(&line);
        }
        report.result(result(file, target.path(), &plan, &signing));
    }
    Ok(0)
}

/// Reads one file, from which only its signature is missing then.
fn hash_file<'k>(
    file: &Path,
    signing: &'k Signing,
    isa: Isa,
    several: bool,
    report: &mut Report,
) -> Result<Signer<'k>> {
    let mut message = Message::open(file)?;
    if !several {
        report.progress.of_bytes(message.known_len());
    }
    let mut signer = signing.key.signer(isa)?;
    // What cannot be read twice is looked at as it passes.
    let mut start = Vec::new();
    message.feed(&mut report.progress, |piece| {
        let missing = io::PEEK_LEN.saturating_sub(start.len());
        start.extend(piece.iter().take(missing));
        signer.update(piece);
    })?;
    if is_container(&start) {
        return Err(is_signature(file));
    }
    message.unchanged()?;
    Ok(signer)
}

/// The bytes of one signature file.
fn signature_file(signature: Vec<u8>, plan: &Plan, signing: &Signing) -> Vec<u8> {
    match plan.format {
        Format::Raw => signature,
        Format::Pem => Container {
            algorithm: signing.public.algorithm,
            fingerprint: signing.fingerprint,
            signature,
            key: plan.with_key.then(|| signing.public.clone()),
        }
        .to_pem()
        .into_bytes(),
    }
}

fn result(file: &Path, signature: &Path, plan: &Plan, signing: &Signing) -> Object {
    let mut object = Object::new();
    put_name(&mut object, "file", file.as_os_str());
    put_name(&mut object, "signature", signature.as_os_str());
    object.insert("algorithm".into(), signing.public.algorithm.name().into());
    object.insert("encoding".into(), encoding_name(plan.encoding).into());
    object.insert("format".into(), plan.format.name().into());
    object.insert("fingerprint".into(), signing.fingerprint.to_string().into());
    put_name(&mut object, "key", signing.path.as_os_str());
    object.insert("key_source".into(), signing.source.name().into());
    object
}

/// The word for an encoding in `--encoding` and `--json`.
pub fn encoding_name(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Padded => "padded",
        Encoding::Compressed => "compressed",
    }
}
