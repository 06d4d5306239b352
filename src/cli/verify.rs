//! `pqc verify`: one verdict a file.
//!
//! Here: which files, and the report. Which key may decide stands in `trust`, what can come out in `verdict`.

mod trust;
mod verdict;

use super::args;
use super::exit::{of_files, usage};
use super::io::message::Message;
use super::io::{self, is_dash, stem, with_ending};
use super::keys::KeySource;
use super::report::{Object, Report, Tone, put_name, shown};
use super::sign::encoding_name;
use crate::algorithm::Algorithm;
use crate::files::signature::is_container;
use crate::isa::Isa;
use anyhow::Result;
use serde_json::Value;
use std::path::{Path, PathBuf};
use trust::{Signature, Trust, choose_key, read_signature, verdict_of};
use verdict::{Details, Status, Verdict};

/// A file and its signature.
struct Job {
    file: PathBuf,
    signature: PathBuf,
}

fn jobs(args: &args::Verify, report: &Report) -> Result<Vec<Job>> {
    if args.files.is_empty() {
        if args.signature.is_some() || args.sig_dir.is_some() {
            return Err(usage("-s and --sig-dir need a FILE"));
        }
        return jobs_of_folder(report);
    }
    if args.signature.is_some() && args.files.len() > 1 {
        return Err(usage("-s takes one FILE; for several there is --sig-dir DIR"));
    }
    let inputs = args.files.iter().chain(&args.signature).chain(&args.public_key);
    io::stdin_once(inputs.map(PathBuf::as_path))?;
    args.files.iter().map(|file| job_of(file, args)).collect()
}

/// The file and the signature that an argument means.
fn job_of(file: &Path, args: &args::Verify) -> Result<Job> {
    let job = |file: &Path, signature: PathBuf| Ok(Job { file: file.to_owned(), signature });
    if let Some(signature) = &args.signature {
        return job(file, signature.clone());
    }
    if is_dash(file) {
        return Err(usage("- as FILE needs -s SIG"));
    }
    // X.sig, where it is a signature, means X.
    if let Some(name) = stem(file, ".sig")
        && is_container(&io::peek(file))
    {
        return job(&file.with_file_name(name), file.to_owned());
    }
    match (&args.sig_dir, file.file_name()) {
        (Some(folder), Some(name)) => job(file, with_ending(&folder.join(name), ".sig")),
        _ => job(file, with_ending(file, ".sig")),
    }
}

/// Every regular, non-hidden `*.sig` of the current folder.
fn jobs_of_folder(report: &Report) -> Result<Vec<Job>> {
    let names = io::regular_files(Path::new(".")).map_err(|e| super::exit::unreadable(&e))?;
    let mut jobs = Vec::new();
    let mut others = 0usize;
    for name in &names {
        let path = Path::new(name);
        if let Some(file) = stem(path, ".sig") {
            jobs.push(Job { file: file.into(), signature: path.to_owned() });
        } else if names.binary_search(&with_ending(path, ".sig").into_os_string()).is_err() {
            others += 1;
        }
    }
    if jobs.is_empty() {
        return Err(usage("no *.sig in the current folder; name the FILE to check"));
    }
    if others > 0 {
        let files = if others == 1 { "file here has" } else { "files here have" };
        report.say(&format!("{others} other {files} no .sig: not checked"));
    }
    Ok(jobs)
}

/// Runs the command.
///
/// # Errors
/// Usage, an unusable key.
pub fn run(args: &args::Verify, isa: Isa, report: &mut Report) -> Result<u8> {
    let jobs = jobs(args, report)?;
    let trust = trust::trust(args)?;
    let several = jobs.len() > 1;
    if several {
        report.progress.of_items(jobs.len());
    }
    let mut verdicts = Vec::new();
    for job in &jobs {
        let mut details = Details::default();
        let verdict = judge(job, &trust, isa, several, &mut details, report);
        report.progress.item();
        print(job, &verdict, report);
        report.result(result(job, &verdict, &details));
        verdicts.push(verdict);
    }
    if several {
        let count = |status| verdicts.iter().filter(|verdict| verdict.status == status).count();
        let (ok, failed) = (count(Status::Ok), count(Status::Failed));
        let rest = verdicts.len() - ok - failed;
        report.progress.finish();
        report.say(&format!("{} files: {ok} OK, {failed} FAILED, {rest} NOT CHECKED", verdicts.len()));
    }
    Ok(of_files(verdicts.iter().map(Verdict::code)))
}

fn print(job: &Job, verdict: &Verdict, report: &mut Report) {
    let file = format!("{}: ", shown(&job.file));
    let why = format!(" ({})", verdict.why);
    match verdict.status {
        Status::Ok if report.is_quiet() => {}
        Status::Ok => report.verdict(&file, "OK", Tone::Good, &format!(" {}", verdict.why)),
        Status::Failed => report.verdict(&file, "FAILED", Tone::Bad, &why),
        Status::NotChecked(_) => report.verdict(&file, "NOT CHECKED", Tone::Unsure, &why),
    }
}

/// The verdict on one file.
fn judge(
    job: &Job,
    trust: &Trust,
    isa: Isa,
    several: bool,
    details: &mut Details,
    report: &mut Report,
) -> Verdict {
    let mut message = match Message::open(&job.file) {
        Ok(message) => message,
        Err(e) => return Verdict::unread(&e, None),
    };
    let signature = match read_signature(&job.signature) {
        Ok(signature) => signature,
        Err(verdict) => return verdict,
    };
    if let Signature::Container(container) = &signature {
        details.is_signed_with(container.algorithm, container.fingerprint, &container.signature);
    }
    let key = match choose_key(&signature, trust) {
        Ok(key) => key,
        Err(verdict) => return verdict,
    };
    details.is_signed_with(key.algorithm, key.fingerprint, signature.bytes());
    details.key_path.clone_from(&key.path);
    details.key_source = Some(key.source);
    if !several {
        report.progress.of_bytes(message.known_len());
    }
    let outcome = match key.key.verifier(isa, signature.bytes()) {
        Err(e) => Ok(Err(e)),
        Ok(mut verifier) => {
            message.feed(&mut report.progress, |piece| verifier.update(piece)).map(|()| verifier.finish())
        }
    };
    match outcome {
        Err(e) => Verdict::unread(&e, None),
        Ok(outcome) => verdict_of(&key, outcome),
    }
}

fn result(job: &Job, verdict: &Verdict, details: &Details) -> Object {
    let mut object = Object::new();
    put_name(&mut object, "file", job.file.as_os_str());
    put_name(&mut object, "signature", job.signature.as_os_str());
    let status = match verdict.status {
        Status::Ok => "ok",
        Status::Failed => "failed",
        Status::NotChecked(_) => "not-checked",
    };
    object.insert("status".into(), status.into());
    object.insert("reason".into(), verdict.reason.into());
    object.insert("message".into(), verdict.why.clone().into());
    object.insert("exit".into(), verdict.code().into());
    object.insert("algorithm".into(), details.algorithm.map(Algorithm::name).into());
    object.insert("encoding".into(), details.encoding.map(encoding_name).into());
    object.insert("fingerprint".into(), details.fingerprint.map(|f| f.to_string()).into());
    match &details.key_path {
        Some(path) => put_name(&mut object, "key", path.as_os_str()),
        None => object.insert("key".into(), Value::Null),
    }
    object.insert("key_source".into(), details.key_source.map(KeySource::name).into());
    object
}
