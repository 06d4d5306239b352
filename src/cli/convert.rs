//! `pqc convert`: a key or signature in another layout, spelling or format.
//!
//! What goes in is read as strictly as everywhere and checked; a private key keeps its password. What goes out is
//! written as any output: nothing is replaced without `--force`, and a private key neither replaces nor is replaced.

use super::args::{self, EncodingArg};
use super::exit::{Kind, failure, usage};
use super::io::target::{Existing, PLAIN, PRIVATE, PUBLIC, Place, commit};
use super::io::{self, name_of};
use super::keys::public::read_public;
use super::password::{self, Source};
use super::report::{Object, Report, put_name, shown};
use super::sign::encoding_name;
use super::subject::{self, Armour, Subject};
use super::{keys, names};
use crate::algorithm::Algorithm;
use crate::falcon::{self, Encoding};
use crate::files::encrypted::Encrypted;
use crate::files::pem;
use crate::files::pkcs8::PrivateKey;
use crate::files::pkcs8::layout::Layout;
use crate::files::signature::Container;
use crate::files::spki::PublicKey;
use crate::isa::Isa;
use crate::rng::OsRandom;
use anyhow::{Context, Result};
use der::asn1::ObjectIdentifier;
use std::path::Path;
use zeroize::Zeroizing;

/// What the options ask for.
struct Wanted<'a> {
    args: &'a args::Convert,
    file: &'a Path,
    password: Source<'a>,
    armour: Armour,
    alg: Option<Algorithm>,
    oid: Option<ObjectIdentifier>,
}

/// What is written, and what is said of it.
struct Made {
    bytes: Zeroizing<Vec<u8>>,
    facts: Object,
    note: String,
}

/// What OUT will hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kin {
    Private,
    Public,
    Signature,
}

fn wanted(args: &args::Convert) -> Result<Wanted<'_>> {
    let Some(file) = args.file.as_deref() else {
        return Err(usage("convert needs a file IN; - is standard input"));
    };
    let armour = match (args.der, args.raw) {
        (true, _) => Armour::Der,
        (_, true) => Armour::Raw,
        _ => Armour::Pem,
    };
    let oid = match &args.oid {
        None => None,
        Some(text) => Some(ObjectIdentifier::new(text).map_err(|_| {
            usage(format!("--oid {}: is no object identifier", super::report::printable(text.as_ref())))
        })?),
    };
    if oid.is_some() && armour == Armour::Raw {
        return Err(usage("raw bytes have no object identifier; leave out --oid or --raw"));
    }
    let alg = args.alg.as_deref().map(names::algorithm).transpose()?;
    Ok(Wanted { args, file, password: Source::of(&args.password), armour, alg, oid })
}

impl Wanted<'_> {
    fn inputs(&self) -> impl Iterator<Item = &Path> {
        [self.file].into_iter().chain(self.password.file()).chain(self.args.public_key.as_deref())
    }

    /// Refuses options that say nothing about what IN holds: they would be ignored.
    fn fits(&self, subject: &Subject) -> Result<Kin> {
        let args = self.args;
        let (kin, what) = match subject {
            Subject::Private(_) | Subject::Encrypted(_) if args.public => (Kin::Public, "a private key"),
            Subject::Private(_) | Subject::Encrypted(_) => (Kin::Private, "a private key"),
            Subject::Public(_) => (Kin::Public, "a public key"),
            Subject::Signature(_) | Subject::RawSignature(..) => (Kin::Signature, "a signature"),
            Subject::Ciphertext(_) | Subject::RawCiphertext(_) => {
                let why = "is a ciphertext; its file holds a confirmation that only the secret makes, so \
                           encaps --format raw writes bare ones, and nothing makes a file of a bare one";
                return Err(failure(Kind::Malformed, why));
            }
        };
        let is_private = matches!(subject, Subject::Private(_) | Subject::Encrypted(_));
        let protects = matches!(subject, Subject::Encrypted(_)) && kin == Kin::Private;
        for (given, fits, option) in [
            (args.public, is_private, "--public"),
            (args.layout.is_some(), kin == Kin::Private, "--layout"),
            (args.unprotected, kin == Kin::Private, "--unprotected"),
            (self.password.file().is_some() || args.password.is_given(), is_private, "a password"),
            (args.encoding.is_some(), kin == Kin::Signature, "--encoding"),
            (args.public_key.is_some(), matches!(subject, Subject::RawSignature(..)), "-p"),
            (args.oid.is_some(), kin != Kin::Signature, "--oid"),
            (args.der, kin != Kin::Signature, "--der"),
            (args.alg.is_some(), kin != Kin::Signature, "--alg"),
        ] {
            if given && !fits {
                let for_result =
                    if args.public && is_private { " of which the public key is written" } else { "" };
                return Err(usage(format!("{option} has no meaning for {what}{for_result}")));
            }
        }
        if protects && self.armour == Armour::Raw && !args.unprotected {
            return Err(usage("raw bytes have no password; --unprotected writes them without"));
        }
        Ok(kin)
    }

    /// The object identifier to write.
    fn oid_of(&self, algorithm: Algorithm) -> Result<ObjectIdentifier> {
        let all = algorithm.object_identifiers();
        match self.oid {
            None => Ok(algorithm.object_identifier()),
            Some(oid) if all.contains(&oid) => Ok(oid),
            Some(oid) => {
                let all: Vec<String> = all.iter().map(ToString::to_string).collect();
                let (name, all) = (algorithm.name(), all.join(", "));
                Err(usage(format!("--oid {oid}: {name} has {all}")))
            }
        }
    }
}

/// Runs the command.
///
/// # Errors
/// Usage, refused overwrite, a wrong password, malformed, unreadable, system.
pub fn run(args: &args::Convert, isa: Isa, report: &mut Report) -> Result<u8> {
    let wanted = wanted(args)?;
    let file = wanted.file;
    io::stdin_once(wanted.inputs())?;
    let small = io::read_small(file)?;
    let (subject, _) = subject::read(&small.bytes, wanted.alg).with_context(|| name_of(file))?;
    let kin = wanted.fits(&subject).with_context(|| name_of(file))?;
    let place = place(&wanted, kin, report)?;
    if let Some(target) = place.file() {
        target.is_not(wanted.inputs())?;
    }

    let mut locked = None;
    let made = match subject {
        Subject::Private(key) => {
            password::note_unused(wanted.password, file, report);
            of_private(&key, None, &wanted, isa)
        }
        Subject::Encrypted(encrypted) => {
            let unlocked = keys::unlocked(&encrypted, file, wanted.password, isa)?;
            let password = &*locked.insert(unlocked.password);
            of_private(&unlocked.key, (!args.unprotected).then_some(password.as_slice()), &wanted, isa)
        }
        Subject::Public(key) => of_public(key, &wanted, isa),
        Subject::Signature(container) => of_signature(container, &wanted),
        Subject::RawSignature(algorithm, _) => of_raw_signature(algorithm, &small.bytes, &wanted),
        Subject::Ciphertext(_) | Subject::RawCiphertext(_) => return Ok(Kind::Malformed.code()),
    };
    let mut made = made.with_context(|| name_of(file))?;
    let mut object = Object::new();
    put_name(&mut object, "file", file.as_os_str());
    match &place {
        Place::Stdout if kin == Kin::Private => report.write_secret(&made.bytes),
        Place::Stdout => report.write(&made.bytes),
        Place::File(target) => {
            commit(vec![target.prepare(&made.bytes)?])?;
            if !report.is_quiet() {
                report.line(&format!("{} -> {}", shown(file), shown(target.path())));
            }
            put_name(&mut object, "output", target.path().as_os_str());
        }
    }
    report.note(&made.note);
    object.append(&mut made.facts);
    object.insert("format".into(), wanted.armour.name().into());
    report.result(object);
    Ok(0)
}

/// Where the result goes.
fn place(wanted: &Wanted<'_>, kin: Kin, report: &Report) -> Result<Place> {
    let output = wanted.args.output.as_deref().unwrap_or(Path::new("-"));
    let (existing, mode) = match kin {
        Kin::Private => (Existing::Never, PRIVATE),
        Kin::Public => (Existing::forced(wanted.args.force), PUBLIC),
        Kin::Signature => (Existing::forced(wanted.args.force), PLAIN),
    };
    let place = Place::check(output, existing, mode)?;
    if matches!(place, Place::Stdout) {
        if report.is_json() {
            return Err(usage("--json and the result cannot both go to standard output; use -o"));
        }
        if kin == Kin::Private && io::stdout_is_terminal() {
            return Err(usage("a private key does not go to a terminal; use -o, or a pipe"));
        }
        if kin == Kin::Private && io::stdout_is_open_to_others() {
            report.warn("others can read the file that the private key goes to; -o makes it yours alone");
        }
        if wanted.armour != Armour::Pem && io::stdout_is_terminal() {
            return Err(usage("binary data does not go to a terminal; use -o"));
        }
    }
    Ok(place)
}

/// A private key, or its public key.
fn of_private(key: &PrivateKey, password: Option<&[u8]>, wanted: &Wanted<'_>, isa: Isa) -> Result<Made> {
    if wanted.args.public {
        return of_public(key.public_key(isa)?, wanted, isa);
    }
    let layout = match (wanted.armour, wanted.args.layout) {
        (Armour::Raw, None | Some(Layout::Bare | Layout::Expanded)) => Some(Layout::Bare),
        (Armour::Raw, Some(Layout::Seed | Layout::BareSeed)) => Some(Layout::BareSeed),
        (Armour::Raw, Some(layout)) => {
            return Err(usage(format!("--raw writes no layout {}: it is a structure", layout.name())));
        }
        (_, layout) => layout,
    };
    let key = key.in_layout(layout, isa)?;
    let public = key.public_key(isa)?;
    let bytes = match (wanted.armour, password) {
        (Armour::Raw, _) => key.to_raw()?,
        (armour, password) => {
            let der = key.der_under(wanted.oid_of(key.algorithm)?)?;
            match (armour, password) {
                (Armour::Der, None) => der,
                (_, None) => text(&pem::encode_secret(pem::PRIVATE_KEY, &der)),
                (armour, Some(password)) => {
                    let sealed = Encrypted::seal(&der, password, &mut OsRandom)?;
                    match armour {
                        Armour::Der => Zeroizing::new(sealed.to_der()),
                        _ => text(&sealed.to_pem()),
                    }
                }
            }
        }
    };
    let protected = password.is_some() && wanted.armour != Armour::Raw;
    let layout = if wanted.armour == Armour::Raw { "raw" } else { key.layout() };
    let mut facts = Object::new();
    facts.insert("kind".into(), "private key".into());
    facts.insert("algorithm".into(), key.algorithm.name().into());
    facts.insert("layout".into(), layout.into());
    facts.insert("protected".into(), protected.into());
    facts.insert("fingerprint".into(), public.fingerprint().to_string().into());
    let protection = if protected { "under the same password" } else { "under no password" };
    let note = format!("private key, {}, {layout}, {protection}", key.algorithm.name());
    Ok(Made { bytes, facts, note })
}

fn of_public(key: PublicKey, wanted: &Wanted<'_>, isa: Isa) -> Result<Made> {
    match key.algorithm {
        Algorithm::Falcon(_) => drop(key.verifying_key()?),
        Algorithm::Kyber(_) | Algorithm::Ntru(_) => drop(key.encapsulation_key(isa)?),
    }
    let fingerprint = key.fingerprint().to_string();
    let der = key.der_under(wanted.oid_of(key.algorithm)?);
    let bytes = match wanted.armour {
        Armour::Raw => key.bytes,
        Armour::Der => der,
        Armour::Pem => pem::encode(pem::PUBLIC_KEY, &der).into_bytes(),
    };
    let mut facts = Object::new();
    facts.insert("kind".into(), "public key".into());
    facts.insert("algorithm".into(), key.algorithm.name().into());
    facts.insert("fingerprint".into(), fingerprint.clone().into());
    let note = format!("public key, {}, {fingerprint}", key.algorithm.name());
    Ok(Made { bytes: Zeroizing::new(bytes), facts, note })
}

fn of_signature(mut container: Container, wanted: &Wanted<'_>) -> Result<Made> {
    let (signature, encoding) = respelled(container.algorithm, &container.signature, wanted)?;
    let bytes = match wanted.armour {
        Armour::Raw => signature,
        _ => {
            container.signature = signature;
            container.to_pem().into_bytes()
        }
    };
    Ok(signature_made(container.algorithm, encoding, bytes))
}

/// A bare signature becomes a file where the key is known that made it.
fn of_raw_signature(algorithm: Algorithm, bytes: &[u8], wanted: &Wanted<'_>) -> Result<Made> {
    let (signature, encoding) = respelled(algorithm, bytes, wanted)?;
    let bytes = match (wanted.armour, &wanted.args.public_key) {
        (Armour::Raw, None) => signature,
        (Armour::Raw, Some(_)) => return Err(usage("a bare signature names no key; leave out -p or --raw")),
        (_, None) => {
            return Err(usage(
                "is a bare signature: --raw writes another, and -p PUB, the key that made it, makes a file of it",
            ));
        }
        (_, Some(path)) => {
            let key = read_public(path)?;
            if key.algorithm != algorithm {
                let (a, b) = (algorithm.name(), key.algorithm.name());
                return Err(failure(Kind::Malformed, format!("is by {a}, and the key of -p is of {b}")));
            }
            let fingerprint = key.fingerprint();
            Container { algorithm, fingerprint, signature, key: None }.to_pem().into_bytes()
        }
    };
    Ok(signature_made(algorithm, encoding, bytes))
}

/// A signature in the spelling that was asked for, else in its own.
fn respelled(algorithm: Algorithm, bytes: &[u8], wanted: &Wanted<'_>) -> Result<(Vec<u8>, Encoding)> {
    let Algorithm::Falcon(params) = algorithm else {
        return Err(failure(Kind::Malformed, format!("{} has no signatures", algorithm.name())));
    };
    let found = falcon::encoding_of_len(params, bytes.len()).ok_or_else(|| {
        failure(Kind::Malformed, format!("no {} signature has {} bytes", algorithm.name(), bytes.len()))
    })?;
    let encoding = match wanted.args.encoding {
        None => found,
        Some(EncodingArg::Padded) => Encoding::Padded,
        Some(EncodingArg::Compressed) => Encoding::Compressed,
    };
    Ok((falcon::reencode(params, bytes, encoding)?, encoding))
}

fn signature_made(algorithm: Algorithm, encoding: Encoding, bytes: Vec<u8>) -> Made {
    let mut facts = Object::new();
    facts.insert("kind".into(), "signature".into());
    facts.insert("algorithm".into(), algorithm.name().into());
    facts.insert("encoding".into(), encoding_name(encoding).into());
    let note = format!("signature, {}, {}", algorithm.name(), encoding_name(encoding));
    Made { bytes: Zeroizing::new(bytes), facts, note }
}

fn text(pem: &str) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(pem.as_bytes().to_vec())
}
