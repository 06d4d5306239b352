//! What is to be signed, where the signatures go, and what is refused before the first is written.

use crate::cli::args::{self, EncodingArg, Format};
use crate::cli::exit::{Kind, failure, unreadable, usage};
use crate::cli::inputs;
use crate::cli::io::message::Message;
use crate::cli::io::target::{Existing, Inputs, Location, PLAIN, Target};
use crate::cli::io::{self, is_dash, name_of, with_ending};
use crate::cli::password::Source;
use crate::cli::report::{Report, shown};
use crate::falcon::Encoding;
use crate::files::signature::is_container;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is to be signed, and how.
pub(super) struct Plan {
    pub(super) jobs: Vec<Job>,
    pub(super) existing: Existing,
    pub(super) format: Format,
    pub(super) encoding: Encoding,
    pub(super) with_key: bool,
}

/// A file to sign.
pub(super) struct Job {
    pub(super) file: PathBuf,
    /// The file of the signature; `None` is standard output.
    pub(super) signature: Option<PathBuf>,
}

impl Plan {
    /// Whether a file that cannot be signed must not stop the others, since there are others.
    pub(super) fn several(&self) -> bool {
        self.jobs.len() > 1
    }
}

/// Reads the command line and looks at every output. Of the inputs, only one that is alone is looked at: what is
/// wrong with one of several is found when its turn comes.
pub(super) fn plan(args: &args::Sign, report: &Report) -> Result<Plan> {
    if args.secret.is_some() {
        return Err(usage("-s is no option of sign; did you mean -k?"));
    }
    if args.files.is_empty() && args.batch.files_from.is_none() {
        return Err(usage("sign needs a FILE; - is standard input"));
    }
    if args.output.is_some() && args.files.len() > 1 {
        return Err(usage("-o takes one FILE; for several there is --sig-dir DIR"));
    }
    if args.with_key && args.format == Format::Raw {
        return Err(usage("--with-key needs --format pem: a raw signature has no room for a key"));
    }
    inputs::read_once(&args.files, &args.batch, other_inputs(args))?;
    let files = inputs::files(&args.files, &args.batch)?;
    let existing = Existing::forced(args.force);
    let jobs = files.into_iter().map(|file| job_of(file, args)).collect::<Result<Vec<Job>>>()?;
    check_outputs(&jobs, args, existing, report)?;
    if let [job] = jobs.as_slice() {
        look_at(&job.file)?;
    }
    let encoding = match args.encoding {
        EncodingArg::Padded => Encoding::Padded,
        EncodingArg::Compressed => Encoding::Compressed,
    };
    Ok(Plan { jobs, existing, format: args.format, encoding, with_key: args.with_key })
}

/// What is read beside files and their list.
fn other_inputs(args: &args::Sign) -> impl Iterator<Item = &Path> {
    args.key.as_deref().into_iter().chain(Source::of(&args.password).file())
}

/// Where the signature of a file goes.
fn job_of(file: PathBuf, args: &args::Sign) -> Result<Job> {
    let signature = match (&args.output, &args.sig_dir) {
        (Some(output), _) => Some(output.clone()).filter(|output| !is_dash(output)),
        (None, Some(_)) if is_dash(&file) => {
            return Err(usage("standard input has no name for --sig-dir; use -o"));
        }
        (None, Some(folder)) => match file.file_name() {
            Some(name) => Some(with_ending(&folder.join(name), ".sig")),
            None => return Err(usage(format!("{}: is no file", name_of(&file)))),
        },
        (None, None) => Some(with_ending(&file, ".sig")).filter(|_| !is_dash(&file)),
    };
    Ok(Job { file, signature })
}

/// Refuses outputs that cannot be written, may not be replaced, are inputs, or are one place for two files.
fn check_outputs(jobs: &[Job], args: &args::Sign, existing: Existing, report: &Report) -> Result<()> {
    let list = args.batch.files_from.as_deref();
    let files = jobs.iter().map(|job| job.file.as_path());
    let inputs = Inputs::new(files.chain(list).chain(other_inputs(args)));
    let mut taken: BTreeMap<Location, &Path> = BTreeMap::new();
    for job in jobs {
        let Some(signature) = &job.signature else {
            if report.is_json() {
                return Err(usage("--json and a signature cannot both go to standard output; use -o"));
            }
            if args.format == Format::Raw && io::stdout_is_terminal() {
                return Err(usage("a raw signature does not go to a terminal; use -o"));
            }
            continue;
        };
        // A file that is not there gets no signature, and its folder may not be there either.
        if jobs.len() > 1 && !is_dash(&job.file) && io::metadata(&job.file).is_err() {
            continue;
        }
        let target = Target::check(signature, existing, PLAIN)?;
        target.is_none_of(&inputs)?;
        if let Some(other) = taken.insert(target.into_place(), &job.file) {
            let (a, b, to) = (name_of(other), name_of(&job.file), shown(signature));
            return Err(usage(format!("{a} and {b} would both be signed into {to}")));
        }
    }
    Ok(())
}

/// Refuses a file that cannot be signed, before a key is sought.
fn look_at(file: &Path) -> Result<()> {
    if is_container(&io::peek(file)) {
        return Err(is_signature(file));
    }
    if !is_dash(file) {
        let found = io::metadata(file).map_err(|e| unreadable(&e)).with_context(|| name_of(file))?;
        if found.is_file() || found.is_dir() {
            Message::open(file)?;
        }
    }
    Ok(())
}

/// The failure of a file that is a signature.
pub(super) fn is_signature(file: &Path) -> anyhow::Error {
    failure(
        Kind::Malformed,
        format!("{}: is itself a PQC SIGNATURE; sign the file that it belongs to", name_of(file)),
    )
}
