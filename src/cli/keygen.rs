//! `pqc keygen`: a key pair, or a series of them, each tried before it got its names.

use super::args;
use super::exit::{Kind, failure, usage};
use super::io::target::{Existing, PRIVATE, PUBLIC, Prepared, Target, commit};
use super::io::{is_dash, with_ending};
use super::password::{self, Source};
use super::progress::Progress;
use super::report::{Object, Report, put_name, shell_quoted, shown};
use super::{key_home, names, pool, sampler};
use crate::algorithm::Algorithm;
use crate::falcon::{Encoding, SigningKey};
use crate::files::Fingerprint;
use crate::files::encrypted::Encrypted;
use crate::files::pkcs8::PrivateKey;
use crate::files::spki::PublicKey;
use crate::isa::Isa;
use crate::kem::DecapsulationKey;
use crate::ntru::Sampler;
use crate::rng::OsRandom;
use crate::{kyber, ntru};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// What is to be made, and where.
struct Plan<'a> {
    algorithm: Algorithm,
    sampler: Sampler,
    /// Both names without their endings; a series has one for each pair.
    bases: Vec<PathBuf>,
    /// What may happen to a public key that exists.
    existing: Existing,
    /// Where the password comes from, if there is to be one.
    password: Option<Source<'a>>,
}

fn plan<'a>(args: &'a args::Keygen, report: &Report) -> Result<Plan<'a>> {
    let Some(name) = &args.alg else {
        return Err(usage(
            "keygen needs --alg, for example --alg falcon512 or --alg mlkem768; pqc list shows all",
        ));
    };
    let algorithm = names::algorithm(name)?;
    let sampler = sampler::chosen(args.sampler, algorithm, report)?;
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
    let password =
        (args.password || args.password_options.is_given()).then(|| Source::of(&args.password_options));
    let plan = Plan { algorithm, sampler, bases, existing: Existing::forced(args.force), password };
    for base in &plan.bases {
        let targets = plan.targets(base)?;
        if let Some(file) = password.and_then(Source::file) {
            targets.iter().try_for_each(|target| target.is_not([file]))?;
        }
    }
    Ok(plan)
}

impl Plan<'_> {
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
    let plan = plan(args, report)?;
    names::warn_if_legacy(plan.algorithm, report);
    let first = plan.bases.first().map(|base| with_ending(base, ".key")).unwrap_or_default();
    // One for all pairs of a series.
    let password = plan.password.map(|source| password::new(source, &first)).transpose()?;
    let password = password.as_deref().map(Vec::as_slice);
    let series = args.count.is_some();
    if series {
        report.progress.of_items(plan.bases.len());
    }
    let work = |number: usize, _: &mut Progress| match plan.bases.get(number) {
        Some(base) => make(&plan, base, password, isa).map(Some),
        None => Ok(None),
    };
    pool::in_order(plan.bases.len(), pool::threads(args.jobs), report, work, |_, made, report| {
        let Some(Pair { fingerprint, paths: [private, public], files }) = made? else { return Ok(()) };
        report.progress.item();
        commit(files)?;
        let (algorithm, fingerprint) = (plan.algorithm.name(), fingerprint.to_string());
        match (report.is_quiet(), series) {
            (true, _) => {}
            (false, true) => report.line(&format!("{} ({algorithm} {fingerprint})", shown(&private))),
            (false, false) => {
                describe(plan.algorithm, &fingerprint, [&private, &public], args.output.is_some(), report);
            }
        }
        let mut object = Object::new();
        object.insert("algorithm".into(), algorithm.into());
        object.insert("fingerprint".into(), fingerprint.into());
        put_name(&mut object, "private_key", private.as_os_str());
        put_name(&mut object, "public_key", public.as_os_str());
        object.insert("protected".into(), Value::Bool(password.is_some()));
        sampler::put(&mut object, plan.sampler, plan.algorithm);
        report.result(object);
        Ok(())
    })?;
    if password.is_none() {
        let keys = match plan.bases.len() {
            1 => shown(&first),
            count => format!("these {count} private keys"),
        };
        report.note(&format!("note: no password protects {keys}"));
    }
    Ok(0)
}

/// What is told of one pair.
fn describe(
    algorithm: Algorithm,
    fingerprint: &str,
    [private, public]: [&Path; 2],
    named: bool,
    report: &mut Report,
) {
    report.line(&format!("algorithm:   {}", algorithm.name()));
    report.line(&format!("fingerprint: {fingerprint}"));
    report.line(&format!("private key: {}", shown(private)));
    report.line(&format!("public key:  {}", shown(public)));
    if named {
        report.line(&match algorithm {
            Algorithm::Falcon(_) => {
                format!("use: pqc sign -k {} FILE", shell_quoted(private.as_os_str()))
            }
            Algorithm::Kyber(_) | Algorithm::Ntru(_) => format!(
                "use: pqc encaps -p {} -o CIPHERTEXT --secret-out SECRET",
                shell_quoted(public.as_os_str())
            ),
        });
    }
}

/// A pair that was tried and has not its names yet.
struct Pair {
    fingerprint: Fingerprint,
    /// Of the private and of the public key.
    paths: [PathBuf; 2],
    files: Vec<Prepared>,
}

/// Makes a pair, writes both files under other names, reads them back and tries them.
fn make(plan: &Plan<'_>, base: &Path, password: Option<&[u8]>, isa: Isa) -> Result<Pair> {
    let [private, public] = plan.targets(base)?;
    let private_key = generate(plan.algorithm, plan.sampler, isa)?;
    let public_key = private_key.public_key(isa)?;
    let private_file = match password {
        None => private.prepare(private_key.to_pem()?.as_bytes())?,
        Some(password) => {
            let sealed = Encrypted::seal(&private_key.to_der()?, password, &mut OsRandom)?;
            private.prepare(sealed.to_pem().as_bytes())?
        }
    };
    let public_file = public.prepare(public_key.to_pem().as_bytes())?;
    let read_back = [private_file.read_back()?, public_file.read_back()?];
    try_pair(&read_back, password, &public_key, plan.sampler, isa).map_err(|e| {
        failure(Kind::SelfCheck, format!("the new key pair failed its trial and was thrown away: {e:#}"))
    })?;
    Ok(Pair {
        fingerprint: public_key.fingerprint(),
        paths: [private.path().to_owned(), public.path().to_owned()],
        files: vec![private_file, public_file],
    })
}

/// A new private key.
fn generate(algorithm: Algorithm, sampler: Sampler, isa: Isa) -> Result<PrivateKey> {
    let key = match algorithm {
        Algorithm::Falcon(params) => {
            return Ok(PrivateKey::of_signing_key(&SigningKey::generate(params, isa)?));
        }
        Algorithm::Kyber(set) => {
            DecapsulationKey::Kyber(Box::new(kyber::DecapsulationKey::generate(set, isa)?))
        }
        Algorithm::Ntru(set) => {
            DecapsulationKey::Ntru(ntru::DecapsulationKey::generate_with(set, sampler, isa)?)
        }
    };
    Ok(PrivateKey::of_decapsulation_key(&key, isa))
}

/// Reads both files as any later command will, and signs and verifies, or encapsulates and decapsulates, with them.
fn try_pair(
    [private, public]: &[Zeroizing<Vec<u8>>; 2],
    password: Option<&[u8]>,
    expected: &PublicKey,
    sampler: Sampler,
    isa: Isa,
) -> Result<()> {
    const MESSAGE: &[u8] = b"pqc keygen: a trial of a new key pair";
    let private = match password {
        None => PrivateKey::from_pem(private),
        Some(password) => {
            Encrypted::from_pem(private).and_then(|sealed| sealed.open(password)).map(|(_, key)| key)
        }
    };
    let private = private.context("private key")?;
    let public = PublicKey::from_pem(public).context("public key")?;
    ensure!(public == *expected, "the public key came back changed");
    match expected.algorithm {
        Algorithm::Falcon(_) => {
            let signature = private.signing_key(isa)?.sign(isa, Encoding::Padded, MESSAGE)?;
            public.verifying_key()?.verify(isa, MESSAGE, &signature)?;
        }
        Algorithm::Kyber(_) | Algorithm::Ntru(_) => {
            let (ciphertext, sent) = public.encapsulation_key(isa)?.encapsulate(sampler, isa)?;
            let received = private.decapsulation_key(isa)?.decapsulate(isa, &ciphertext)?;
            ensure!(received.is_equal(&sent), "the secrets differ");
        }
    }
    Ok(())
}
