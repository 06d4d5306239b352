//! `pqc keygen`: a key pair, or a series of them, each tried before it got its names.

use super::args;
use super::exit::{Kind, failure, usage};
use super::io::target::{Existing, PRIVATE, PUBLIC, Prepared, Target, commit};
use super::io::{is_dash, with_ending};
use super::progress::Progress;
use super::report::{Object, Report, put_name, shell_quoted, shown};
use super::{key_home, names, pool};
use crate::algorithm::Algorithm;
use crate::falcon::{Encoding, SigningKey};
use crate::files::Fingerprint;
use crate::files::pkcs8::PrivateKey;
use crate::files::spki::PublicKey;
use crate::isa::Isa;
use crate::kyber::DecapsulationKey;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What is to be made, and where.
struct Plan {
    algorithm: Algorithm,
    /// Both names without their endings; a series has one for each pair.
    bases: Vec<PathBuf>,
    /// What may happen to a public key that exists.
    existing: Existing,
}

fn plan(args: &args::Keygen) -> Result<Plan> {
    let Some(name) = &args.alg else {
        return Err(usage(
            "keygen needs --alg, for example --alg falcon512 or --alg mlkem768; pqc list shows all",
        ));
    };
    let algorithm = names::algorithm(name)?;
    let bases = match (&args.output, args.count) {
        (Some(name), None) => vec![base_name(name)?],
        (Some(name), Some(count)) => {
            let name = base_name(name)?;
            (1..=count).map(|number| with_ending(&name, &format!("-{number:06}"))).collect()
        }
        (None, Some(_)) => return Err(usage("--count needs -o NAME, for NAME-000001.key and so on")),
        (None, None) => {
            let home = key_home::required("name the files with -o NAME")?;
            key_home::create(&home)?;
            vec![home.join(algorithm.name())]
        }
    };
    let plan = Plan { algorithm, bases, existing: Existing::forced(args.force) };
    for base in &plan.bases {
        plan.targets(base)?;
    }
    Ok(plan)
}

impl Plan {
    /// Where the private and the public key of a pair go, checked.
    fn targets(&self, base: &Path) -> Result<[Target; 2]> {
        Ok([
            Target::check(&with_ending(base, ".key"), Existing::Never, PRIVATE)?,
            Target::check(&with_ending(base, ".pub"), self.existing, PUBLIC)?,
        ])
    }
}

/// The common part of both names.
fn base_name(name: &Path) -> Result<PathBuf> {
    let bytes = name.as_os_str().as_encoded_bytes();
    if is_dash(name) {
        return Err(usage("-o -: a key pair is two files; give a NAME for NAME.key and NAME.pub"));
    }
    if name.file_name().is_none() || bytes.ends_with(b"/") {
        return Err(usage(format!("-o {}: give a NAME for NAME.key and NAME.pub", shown(name))));
    }
    for ending in [".key", ".pub"] {
        if super::io::stem(name, ending).is_some() {
            let why = format!("-o {}: leave out {ending}, it is added to the name", shown(name));
            return Err(usage(why));
        }
    }
    Ok(name.to_owned())
}

/// Runs the command.
///
/// # Errors
/// Usage, refused overwrite, system. Of a series, the pairs before the one that failed are there.
pub fn run(args: &args::Keygen, isa: Isa, report: &mut Report) -> Result<u8> {
    let plan = plan(args)?;
    names::warn_if_legacy(plan.algorithm, report);
    let series = args.count.is_some();
    if series {
        report.progress.of_items(plan.bases.len());
    }
    let work = |number: usize, _: &mut Progress| match plan.bases.get(number) {
        Some(base) => make(&plan, base, isa).map(Some),
        None => Ok(None),
    };
    let threads = pool::threads(args.jobs);
    pool::in_order(plan.bases.len(), threads, report, work, |_, made, report| {
        let Some(pair) = made? else { return Ok(()) };
        report.progress.item();
        let [private, public] = pair.paths.clone();
        let fingerprint = pair.fingerprint.to_string();
        commit(pair.files)?;
        if series {
            let (private, algorithm) = (shown(&private), plan.algorithm.name());
            if !report.is_quiet() {
                report.line(&format!("{private} ({algorithm} {fingerprint})"));
            }
        } else if !report.is_quiet() {
            describe(&plan, &fingerprint, &private, &public, args.output.is_some(), report);
        }
        let mut object = Object::new();
        object.insert("algorithm".into(), plan.algorithm.name().into());
        object.insert("fingerprint".into(), fingerprint.into());
        put_name(&mut object, "private_key", private.as_os_str());
        put_name(&mut object, "public_key", public.as_os_str());
        object.insert("protected".into(), Value::Bool(false));
        report.result(object);
        Ok(())
    })?;
    let unprotected = match plan.bases.as_slice() {
        [base] => shown(&with_ending(base, ".key")),
        bases => format!("these {} private keys", bases.len()),
    };
    report.note(&format!("note: no password protects {unprotected}"));
    Ok(0)
}

/// What is told of one pair.
fn describe(plan: &Plan, fingerprint: &str, private: &Path, public: &Path, named: bool, report: &mut Report) {
    report.line(&format!("algorithm:   {}", plan.algorithm.name()));
    report.line(&format!("fingerprint: {fingerprint}"));
    report.line(&format!("private key: {}", shown(private)));
    report.line(&format!("public key:  {}", shown(public)));
    if named {
        report.line(&match plan.algorithm {
            Algorithm::Falcon(_) => {
                format!("use: pqc sign -k {} FILE", shell_quoted(private.as_os_str()))
            }
            Algorithm::Kyber(_) => format!(
                "use: pqc encaps -p {} -o CIPHERTEXT --secret-out SECRET",
                shell_quoted(public.as_os_str())
            ),
        });
    }
}

/// A pair that was tried and has not its names yet.
struct Pair {
    fingerprint: Fingerprint,
    paths: [PathBuf; 2],
    files: Vec<Prepared>,
}

/// Makes a pair, writes both files under other names, reads them back and tries them.
fn make(plan: &Plan, base: &Path, isa: Isa) -> Result<Pair> {
    let [private, public] = plan.targets(base)?;
    let private_key = match plan.algorithm {
        Algorithm::Falcon(params) => PrivateKey::of_signing_key(&SigningKey::generate(params, isa)?),
        Algorithm::Kyber(set) => {
            PrivateKey::of_decapsulation_key(&DecapsulationKey::generate(set, isa)?, isa)
        }
    };
    let public_key = private_key.public_key(isa)?;
    let private_file = private.prepare(private_key.to_pem()?.as_bytes())?;
    let public_file = public.prepare(public_key.to_pem().as_bytes())?;
    try_pair(&private_file.read_back()?, &public_file.read_back()?, &public_key, isa).map_err(|e| {
        failure(Kind::SelfCheck, format!("the new key pair failed its trial and was thrown away: {e:#}"))
    })?;
    Ok(Pair {
        fingerprint: public_key.fingerprint(),
        paths: [private.path().to_owned(), public.path().to_owned()],
        files: vec![private_file, public_file],
    })
}

/// Reads both files as any later command will, and signs and verifies, or encapsulates and decapsulates, with them.
fn try_pair(private: &[u8], public: &[u8], expected: &PublicKey, isa: Isa) -> Result<()> {
    const MESSAGE: &[u8] = b"pqc keygen: a trial of a new key pair";
    let private = PrivateKey::from_pem(private).context("private key")?;
    let public = PublicKey::from_pem(public).context("public key")?;
    ensure!(public == *expected, "the public key came back changed");
    match expected.algorithm {
        Algorithm::Falcon(_) => {
            let signature = private.signing_key(isa)?.sign(isa, Encoding::Padded, MESSAGE)?;
            public.verifying_key()?.verify(isa, MESSAGE, &signature)?;
        }
        Algorithm::Kyber(_) => {
            let (ciphertext, sent) = public.encapsulation_key(isa)?.encapsulate(isa)?;
            let received = private.decapsulation_key(isa)?.decapsulate(isa, &ciphertext)?;
            ensure!(received.is_equal(&sent), "the secrets differ");
        }
    }
    Ok(())
}
