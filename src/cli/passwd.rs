//! `pqc passwd`: the password of a private key, set, changed or removed in place.
//!
//! The PrivateKeyInfo inside stays the same bytes. The new file is written beside the old one, read back and opened
//! before it takes the old one's name; the old one must not have changed meanwhile.

use super::args;
use super::exit::{Kind, failure, usage};
use super::io::target::{Existing, PRIVATE, Prepared, Target, commit};
use super::io::{self, is_dash};
use super::keys::{self, Held};
use super::password::{self, Source};
use super::report::{Object, Report, put_name, shown};
use crate::ct::{self, declassify};
use crate::files::encrypted::Encrypted;
use crate::files::pem;
use crate::files::pkcs8::PrivateKey;
use crate::isa::Isa;
use crate::rng::OsRandom;
use anyhow::{Context, Result};
use zeroize::Zeroizing;

/// Runs the command.
///
/// # Errors
/// Usage, no key, a wrong password, unreadable, malformed, system.
pub fn run(args: &args::Passwd, isa: Isa, report: &mut Report) -> Result<u8> {
    let Some(path) = args.key.as_deref() else {
        return Err(usage("passwd needs a KEY, the file of a private key"));
    };
    if is_dash(path) {
        return Err(usage("passwd replaces a file; standard input is none"));
    }
    let (current, next) = (Source::of(&args.password), Source::of_new(&args.new_password));
    let passwords = || current.file().into_iter().chain(next.file());
    io::stdin_once(passwords())?;
    let target = Target::check(path, Existing::Renew, PRIVATE)?;
    target.is_not(passwords())?;
    let before = io::read_small(path)?.bytes;

    let (der, key, was_protected) = match keys::read_held(path, report)? {
        Held::Open(_) if args.remove => {
            let why = "is under no password; there is none to remove";
            return Err(failure(Kind::Malformed, why)).with_context(|| shown(path));
        }
        Held::Open(key) => {
            password::note_unused(current, path, report);
            // As it was read, under the identifier that it has.
            let der = key.der_under(key.oid)?;
            (der, key, false)
        }
        Held::Locked(encrypted) => {
            let unlocked = keys::unlocked(&encrypted, path, current, isa)?;
            (unlocked.der, unlocked.key, true)
        }
    };
    let public = key.public_key(isa).with_context(|| shown(path))?;
    let (block, sealed) = if args.remove {
        (pem::encode_secret(pem::PRIVATE_KEY, &der), None)
    } else {
        let password = password::new(next, path)?;
        let sealed = Encrypted::seal(&der, &password, &mut OsRandom)?;
        (sealed.to_pem().into(), Some((sealed, password)))
    };
    let prepared = target.prepare(&pem::with_block(&before, &block))?;
    let password = sealed.as_ref().map(|(_, password)| password.as_slice());
    check(&prepared, &der, password).with_context(|| shown(path))?;
    if *io::read_small(path)?.bytes != *before {
        let why = "the file changed meanwhile; nothing was written";
        return Err(failure(Kind::System, why)).with_context(|| shown(path));
    }
    commit(vec![prepared])?;

    let action = match (was_protected, args.remove) {
        (_, true) => "removed",
        (true, false) => "changed",
        (false, false) => "set",
    };
    if !report.is_quiet() {
        report.line(&format!("{}: password {action}", shown(path)));
    }
    if args.remove {
        report.note(&format!("note: no password protects {}", shown(path)));
    }
    let mut object = Object::new();
    put_name(&mut object, "file", path.as_os_str());
    object.insert("password".into(), action.into());
    object.insert("algorithm".into(), key.algorithm.name().into());
    object.insert("fingerprint".into(), public.fingerprint().to_string().into());
    object.insert("protected".into(), sealed.is_some().into());
    if let Some((sealed, _)) = &sealed {
        object.insert("kdf".into(), sealed.kdf().into());
        object.insert("kdf_cost".into(), sealed.cost().into());
        object.insert("cipher".into(), sealed.cipher().into());
    }
    report.result(object);
    Ok(0)
}

/// Reads the new file as any later command will; what is in it must be what went in.
fn check(prepared: &Prepared, expected: &[u8], password: Option<&[u8]>) -> Result<()> {
    let bytes = prepared.read_back()?;
    let der: Result<Zeroizing<Vec<u8>>, _> = match password {
        None => PrivateKey::from_pem(&bytes).and_then(|key| key.der_under(key.oid)),
        Some(password) => {
            Encrypted::from_pem(&bytes).and_then(|sealed| sealed.open(password)).map(|(der, _)| der)
        }
    };
    let same = der.is_ok_and(|der| der.len() == expected.len() && is_equal(&der, expected));
    if same {
        return Ok(());
    }
    Err(failure(Kind::SelfCheck, "the new file could not be read back; the old one stays as it is"))
}

fn is_equal(a: &[u8], b: &[u8]) -> bool {
    declassify(ct::eq(a, b).into_public_bool(), "a file that came back changed is thrown away")
}
