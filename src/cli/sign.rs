//! `pqc sign`: one signature for each file.
//!
//! What is refused as a whole stands in `plan`. Then files are read one after the other, and the signatures of a
//! group of them, up to [`BATCH`], are made at once; `-j` spreads the groups over threads. A file that cannot be
//! signed does not stop the others.

mod plan;

use super::args::{self, Format};
use super::exit::{classify, of_files};
use super::io::message::Message;
use super::io::target::{Folders, PLAIN, Target};
use super::io::{self, name_of};
use super::keys::{self, Signing};
use super::password::Source;
use super::pool;
use super::progress::Progress;
use super::report::{Object, Report, put_name, shown};
use crate::error::Error;
use crate::falcon::{BATCH, Encoding, Signer};
use crate::files::signature::{Container, is_container};
use crate::isa::Isa;
use anyhow::{Context, Result};
use plan::{Job, Plan, is_signature};
use std::path::Path;

/// Runs the command.
///
/// # Errors
/// Usage, refused overwrite, no key, unreadable, system. Of several files, those that fail are reported each, and
/// their codes decide.
pub fn run(args: &args::Sign, isa: Isa, report: &mut Report) -> Result<u8> {
    let plan = plan::plan(args, report)?;
    let password = Source::of(&args.password);
    let signing = keys::signing_key(args.key.as_deref(), password, isa, report)?;
    if plan.several() {
        report.progress.of_items(plan.jobs.len());
    }
    let threads = pool::threads(args.batch.jobs);
    let group = plan.jobs.len().div_ceil(threads).clamp(1, BATCH);
    let groups: Vec<&[Job]> = plan.jobs.chunks(group).collect();
    // A signature on standard output has it for itself.
    let aside = plan.jobs.iter().any(|job| job.signature.is_none());
    let mut codes = Vec::with_capacity(plan.jobs.len());
    let work = |number: usize, progress: &mut Progress| {
        let jobs = groups.get(number).copied().unwrap_or_default();
        sign_group(jobs, &plan, &signing, isa, progress)
    };
    pool::in_order(groups.len(), threads, report, work, |number, outcomes, report| {
        let jobs = groups.get(number).copied().unwrap_or_default();
        for (job, outcome) in jobs.iter().zip(outcomes) {
            report.progress.item();
            let failed = match outcome {
                Ok(to_stdout) => {
                    tell(job, &to_stdout, aside, report);
                    None
                }
                // Alone, it is the failure of the command.
                Err(error) if !plan.several() => return Err(error),
                Err(error) => Some(error),
            };
            codes.push(failed.as_ref().map_or(0, |error| classify(error).code()));
            if let Some(error) = &failed {
                report.say(&format!("pqc: {error:#}"));
            }
            if let Some(signature) = &job.signature {
                report.result(result(&job.file, signature, failed.as_ref(), &plan, &signing));
            }
        }
        Ok(())
    })?;
    report.progress.finish();
    if plan.several() {
        summarise(&codes, report);
    }
    Ok(of_files(codes))
}

fn summarise(codes: &[u8], report: &Report) {
    let signed = codes.iter().filter(|code| **code == 0).count();
    let rest = codes.len() - signed;
    let summary = format!("{} files: {signed} signed, {rest} NOT SIGNED", codes.len());
    if rest == 0 { report.note(&summary) } else { report.say(&summary) }
}

/// Says of a file that it was signed; its signature, where it goes to standard output.
fn tell(job: &Job, to_stdout: &[u8], aside: bool, report: &mut Report) {
    let Some(signature) = &job.signature else { return report.write(to_stdout) };
    let line = format!("{} -> {}", shown(&job.file), shown(signature));
    if aside {
        report.note(&line);
    } else if !report.is_quiet() {
        report.line(&line);
    }
}

/// Signs files at once and writes their signatures. Gives the outcome for each, with the bytes that are for standard
/// output.
fn sign_group(
    jobs: &[Job],
    plan: &Plan,
    signing: &Signing,
    isa: Isa,
    progress: &mut Progress,
) -> Vec<Result<Vec<u8>>> {
    let mut signers = Vec::with_capacity(jobs.len());
    let begun: Vec<Result<()>> = jobs
        .iter()
        .map(|job| hash_file(&job.file, signing, isa, plan.several(), progress).map(|s| signers.push(s)))
        .collect();
    let mut signatures = Signer::finish_all(signers, plan.encoding).into_iter();
    let mut folders = Folders::default();
    let outcomes = jobs
        .iter()
        .zip(begun)
        .map(|(job, begun)| {
            begun?;
            let signature = signatures.next().unwrap_or(Err(Error::SelfCheck));
            let bytes = signature_file(signature.with_context(|| name_of(&job.file))?, plan, signing);
            let Some(path) = &job.signature else { return Ok(bytes) };
            Target::check(path, plan.existing, PLAIN)?.prepare(&bytes)?.commit(&mut folders)?;
            Ok(Vec::new())
        })
        .collect();
    folders.sync();
    outcomes
}

/// Reads one file, from which only its signature is missing then.
fn hash_file<'k>(
    file: &Path,
    signing: &'k Signing,
    isa: Isa,
    several: bool,
    progress: &mut Progress,
) -> Result<Signer<'k>> {
    let mut message = Message::open(file)?;
    if !several {
        progress.of_bytes(message.known_len());
    }
    let mut signer = signing.key.signer(isa).with_context(|| name_of(file))?;
    // What cannot be read twice is looked at as it passes.
    let mut start = Vec::new();
    message.feed(progress, |piece| {
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

fn result(
    file: &Path,
    signature: &Path,
    failed: Option<&anyhow::Error>,
    plan: &Plan,
    signing: &Signing,
) -> Object {
    let mut object = Object::new();
    put_name(&mut object, "file", file.as_os_str());
    put_name(&mut object, "signature", signature.as_os_str());
    object.insert("status".into(), if failed.is_some() { "not-signed" } else { "signed" }.into());
    object.insert("reason".into(), failed.map(|error| classify(error).name()).into());
    object.insert("message".into(), failed.map(|error| format!("{error:#}")).into());
    object.insert("exit".into(), failed.map_or(0, |error| classify(error).code()).into());
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
