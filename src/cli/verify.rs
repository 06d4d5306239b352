//! `pqc verify`: one verdict a file.
//!
//! Here: which files, and the report. Which key may decide stands in `trust`, what can come out in `verdict`, what is
//! said of a file that failed in `explain`.

mod explain;
mod rewrite;
mod trust;
mod verdict;

use super::args;
use super::exit::{Kind, of_files, usage};
use super::inputs;
use super::io::message::Message;
use super::io::{self, is_dash, stem, with_ending};
use super::keys::KeySource;
use super::pool;
use super::progress::Progress;
use super::report::{Object, Report, Tone, put_name, shown};
use super::sign::encoding_name;
use crate::algorithm::Algorithm;
use crate::files::signature::is_container;
use crate::isa::Isa;
use anyhow::Result;
use explain::Puzzle;
use serde_json::Value;
use std::path::{Path, PathBuf};
use trust::{Signature, Trust, choose_key, read_signature, verdict_of};
use verdict::{BAD_SIGNATURE, Details, Status, Verdict};

/// A file and its signature.
struct Job {
    file: PathBuf,
    signature: PathBuf,
}

fn jobs(args: &args::Verify, report: &Report) -> Result<Vec<Job>> {
    if args.files.is_empty() && args.batch.files_from.is_none() {
        if args.signature.is_some() || args.sig_dir.is_some() {
            return Err(usage("-s and --sig-dir need a FILE"));
        }
        return jobs_of_folder(report);
    }
    if args.signature.is_some() && args.files.len() > 1 {
        return Err(usage("-s takes one FILE; for several there is --sig-dir DIR"));
    }
    let others = args.signature.iter().chain(&args.public_key).map(PathBuf::as_path);
    inputs::read_once(&args.files, &args.batch, others)?;
    let files = inputs::files(&args.files, &args.batch)?;
    files.iter().map(|file| job_of(file, args)).collect()
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
    let threads = pool::threads(args.batch.jobs);
    // A verdict is printed as soon as it is there, unless threads would spend their time on handing it over.
    let group = (jobs.len() / threads / 8).clamp(1, if threads > 1 { 16 } else { 1 });
    let groups: Vec<&[Job]> = jobs.chunks(group).collect();
    let work = |number: usize, progress: &mut Progress| -> Vec<(Verdict, Details)> {
        let jobs = groups.get(number).copied().unwrap_or_default();
        jobs.iter().map(|job| judge(job, &trust, isa, several, progress)).collect()
    };
    let mut codes = Vec::with_capacity(jobs.len());
    pool::in_order(groups.len(), threads, report, work, |number, outcomes, report| {
        let jobs = groups.get(number).copied().unwrap_or_default();
        for (job, (verdict, details)) in jobs.iter().zip(outcomes) {
            report.progress.item();
            print(job, &verdict, report);
            report.result(result(job, &verdict, &details));
            codes.push(verdict.code());
        }
        Ok(())
    })?;
    if several {
        let count = |code| codes.iter().filter(|found| **found == code).count();
        let (ok, failed) = (count(0), count(Kind::NotValid.code()));
        let rest = codes.len() - ok - failed;
        report.progress.finish();
        report.say(&format!("{} files: {ok} OK, {failed} FAILED, {rest} NOT CHECKED", codes.len()));
    }
    Ok(of_files(codes))
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
fn judge(job: &Job, trust: &Trust, isa: Isa, several: bool, progress: &mut Progress) -> (Verdict, Details) {
    let mut details = Details::default();
    let verdict = judge_into(&mut details, job, trust, isa, several, progress);
    (verdict.unwrap_or_else(|verdict| verdict), details)
}

/// The verdict; one that comes before the key has been tried is an error.
fn judge_into(
    details: &mut Details,
    job: &Job,
    trust: &Trust,
    isa: Isa,
    several: bool,
    progress: &mut Progress,
) -> Result<Verdict, Verdict> {
    let mut message = Message::open(&job.file).map_err(|e| Verdict::unread(&e, None))?;
    let signature = read_signature(&job.signature)?;
    if let Signature::Container(container) = &signature {
        details.is_signed_with(container.algorithm, container.fingerprint, &container.signature);
    }
    let key = choose_key(&signature, trust)?;
    details.is_signed_with(key.algorithm, key.fingerprint, signature.bytes());
    details.key_path.clone_from(&key.path);
    details.key_source = Some(key.source);
    if !several {
        progress.of_bytes(message.known_len());
    }
    let outcome = match key.key.verifier(isa, signature.bytes()) {
        Err(e) => Err(e),
        Ok(mut verifier) => {
            message.feed(progress, |piece| verifier.update(piece)).map_err(|e| Verdict::unread(&e, None))?;
            verifier.finish()
        }
    };
    let mut verdict = verdict_of(&key, outcome);
    if verdict.reason == Some(BAD_SIGNATURE) {
        let puzzle = Puzzle { key: &key.key, isa, signature: signature.bytes() };
        details.belongs_to = puzzle.solve(&job.file);
        if let Some(found) = &details.belongs_to {
            verdict.why += &format!("; it does belong to {found}");
        }
    }
    Ok(verdict)
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
    object.insert("belongs_to".into(), details.belongs_to.clone().into());
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
