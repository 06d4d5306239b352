//! `pqc verify`: one verdict a file.
//!
//! The rules of trust stand in [`Trust`] and [`judge`]: a key comes from `-p`, from the key home, or from inside
//! the signature if a fingerprint was given to hold it against; never from anywhere else.

use super::args;
use super::exit::{Kind, classify, of_files, usage};
use super::io::message::Message;
use super::io::{self, is_dash, stem, with_ending};
use super::keys::{self, KeySource, Known, PublicArgument};
use super::report::{Report, Tone, put_name, shown};
use super::sign::encoding_name;
use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::falcon;
use crate::files::signature::{Container, is_container, may_be_raw};
use crate::files::{Fingerprint, recognise};
use crate::isa::Isa;
use anyhow::Result;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// What the user trusts.
enum Trust {
    /// `-p FILE`: this key and no other.
    Key(Known),
    /// `-p sha256:...`: the key with this fingerprint, which may be in the key home.
    Pin(Fingerprint, Option<Known>),
    /// The public keys of the key home.
    Home(Vec<Known>),
}

/// A file and its signature.
struct Job {
    file: PathBuf,
    signature: PathBuf,
}

impl Details {
    fn is_signed_with(&mut self, algorithm: Algorithm, fingerprint: Fingerprint, signature: &[u8]) {
        let Algorithm::Falcon(params) = algorithm;
        self.algorithm = Some(algorithm);
        self.fingerprint = Some(fingerprint);
        self.encoding = falcon::encoding_of_len(params, signature.len());
    }
}

/// The outcome for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Ok,
    Failed,
    /// With the exit code that it counts for.
    NotChecked(u8),
}

/// The outcome for one file and its reason.
struct Verdict {
    status: Status,
    /// The word in `--json`.
    reason: Option<&'static str>,
    /// The words in the line.
    why: String,
}

/// What is known of a signature and of the key that was used.
#[derive(Default)]
struct Details {
    algorithm: Option<Algorithm>,
    encoding: Option<falcon::Encoding>,
    fingerprint: Option<Fingerprint>,
    key_path: Option<PathBuf>,
    key_source: Option<KeySource>,
}

impl Verdict {
    fn new(status: Status, reason: &'static str, why: impl Into<String>) -> Verdict {
        Verdict { status, reason: Some(reason), why: why.into() }
    }

    fn failed(reason: &'static str, why: impl Into<String>) -> Verdict {
        Verdict::new(Status::Failed, reason, why)
    }

    fn not_checked(reason: &'static str, why: impl Into<String>) -> Verdict {
        Verdict::new(Status::NotChecked(Kind::Malformed.code()), reason, why)
    }

    /// The verdict where the file or, if it is named, its signature could not be read.
    fn unread(error: &anyhow::Error, signature: Option<&Path>) -> Verdict {
        let cause = error.root_cause();
        let why = match (signature, classify(error)) {
            (None, _) => cause.to_string(),
            (Some(path), Kind::Missing) => format!("there is no signature {}", io::name_of(path)),
            (Some(path), _) => format!("{}: {cause}", io::name_of(path)),
        };
        match classify(error) {
            Kind::Missing => Verdict::new(Status::NotChecked(3), "missing", why),
            Kind::Malformed => Verdict::not_checked("malformed", why),
            _ => Verdict::new(Status::NotChecked(3), "unreadable", why),
        }
    }

    fn code(&self) -> u8 {
        match self.status {
            Status::Ok => 0,
            Status::Failed => Kind::NotValid.code(),
            Status::NotChecked(code) => code,
        }
    }
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

fn trust(args: &args::Verify) -> Result<Trust> {
    let Some(value) = &args.public_key else { return Ok(Trust::Home(keys::trusted_home_keys()?)) };
    Ok(match PublicArgument::parse(value)? {
        PublicArgument::File(path) => Trust::Key(Known::read(&path, KeySource::Option)?),
        PublicArgument::Pin(pin) => Trust::Pin(pin, keys::pinned_home_key(pin)?),
    })
}

/// Runs the command.
///
/// # Errors
/// Usage, an unusable key.
pub fn run(args: &args::Verify, isa: Isa, report: &mut Report) -> Result<u8> {
    let jobs = jobs(args, report)?;
    let trust = trust(args)?;
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

/// What a signature file holds.
enum Signature {
    Container(Container),
    Raw(Vec<u8>),
}

impl Signature {
    fn bytes(&self) -> &[u8] {
        match self {
            Signature::Container(container) => &container.signature,
            Signature::Raw(bytes) => bytes,
        }
    }
}

/// Reads a signature file, or says why it holds none that can be checked.
fn read_signature(path: &Path) -> Result<Signature, Verdict> {
    let small = io::read_small(path).map_err(|e| Verdict::unread(&e, Some(path)))?;
    let found = recognise(&small.bytes);
    if found.is_foreign_signature() {
        return Err(Verdict::not_checked("foreign", format!("{}: is {found}", io::name_of(path))));
    }
    if may_be_raw(&small.bytes) && !crate::files::pem::has_block(&small.bytes) {
        return Ok(Signature::Raw(small.bytes.to_vec()));
    }
    Container::from_pem(&small.bytes)
        .map(Signature::Container)
        .map_err(|e| Verdict::not_checked("malformed", format!("{}: {e}", io::name_of(path))))
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

/// The engine's verdict in words.
fn verdict_of(key: &Known, outcome: Result<(), Error>) -> Verdict {
    match outcome {
        Ok(()) => {
            let why = format!("by {} ({} {})", key.name, key.algorithm.name(), key.fingerprint);
            Verdict { status: Status::Ok, reason: None, why }
        }
        Err(Error::InvalidSignature) => {
            let why = format!("the signature does not belong to this file and the key {}", key.name);
            Verdict::failed("bad-signature", why)
        }
        Err(e) => Verdict::failed("not-canonical", e.to_string()),
    }
}

/// The one key that may decide over a signature, or the verdict where there is none.
fn choose_key<'t>(signature: &Signature, trust: &'t Trust) -> Result<Cow<'t, Known>, Verdict> {
    let container = match (signature, trust) {
        (Signature::Container(container), _) => container,
        (Signature::Raw(_), Trust::Key(known) | Trust::Pin(_, Some(known))) => {
            return Ok(Cow::Borrowed(known));
        }
        (Signature::Raw(_), Trust::Pin(pin, None)) => {
            return Err(Verdict::not_checked("no-key", no_key(*pin)));
        }
        (Signature::Raw(_), Trust::Home(_)) => {
            let why = "a raw signature, or no signature of this program; a raw one needs -p PUB";
            return Err(Verdict::not_checked("no-key", why));
        }
    };
    let other_key = |used: Fingerprint| {
        let why = format!("signed with another key: {}, not {used}", container.fingerprint);
        Verdict::failed("other-key", why)
    };
    match trust {
        Trust::Key(known) | Trust::Pin(_, Some(known)) => {
            if known.algorithm != container.algorithm {
                let (signed, used) = (container.algorithm.name(), known.algorithm.name());
                let why = format!("signed with {signed}, the key {} is for {used}", known.name);
                return Err(Verdict::failed("other-algorithm", why));
            }
            if known.fingerprint != container.fingerprint {
                return Err(other_key(known.fingerprint));
            }
            Ok(Cow::Borrowed(known))
        }
        Trust::Pin(pin, None) => {
            if container.fingerprint != *pin {
                return Err(other_key(*pin));
            }
            let Some(inside) = container.key.as_ref().filter(|key| key.fingerprint() == *pin) else {
                return Err(Verdict::not_checked("no-key", no_key(*pin)));
            };
            Known::new(inside, None, KeySource::Signature)
                .map(Cow::Owned)
                .map_err(|e| Verdict::not_checked("malformed", format!("the key inside the signature: {e}")))
        }
        Trust::Home(keys) => {
            let known = keys.iter().find(|known| known.fingerprint == container.fingerprint);
            let Some(known) = known else {
                return Err(Verdict::not_checked("no-key", no_key(container.fingerprint)));
            };
            if known.algorithm != container.algorithm {
                let (signed, used) = (container.algorithm.name(), known.algorithm.name());
                let why = format!("signed with {signed}, the key {} is for {used}", known.name);
                return Err(Verdict::failed("other-algorithm", why));
            }
            Ok(Cow::Borrowed(known))
        }
    }
}

fn no_key(fingerprint: Fingerprint) -> String {
    format!("no public key known with fingerprint {fingerprint}; -p names one")
}

fn result(job: &Job, verdict: &Verdict, details: &Details) -> Map<String, Value> {
    let mut object = Map::new();
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
        None => _ = object.insert("key".into(), Value::Null),
    }
    object.insert("key_source".into(), details.key_source.map(KeySource::name).into());
    object
}
