//! Whose signature counts: the rules of trust.
//!
//! A key comes from `-p`, from the key home, or from inside the signature if a fingerprint was given to hold it
//! against; never from anywhere else. What the signature says of its key is a hint and decides nothing: the
//! engine's verdict under the chosen key does.

use super::verdict::{BAD_SIGNATURE, Status, Verdict};
use crate::cli::args;
use crate::cli::io;
use crate::cli::keys::KeySource;
use crate::cli::keys::public::{PublicArgument, Verifier, pinned_home_key, trusted_home_keys};
use crate::error::Error;
use crate::files::signature::{Container, may_be_raw};
use crate::files::{Fingerprint, pem, recognise};
use anyhow::{Context, Result};
use std::borrow::Cow;
use std::path::Path;

/// What the user trusts.
pub(super) enum Trust {
    /// `-p FILE`: this key and no other.
    Key(Verifier),
    /// `-p sha256:...`: the key with this fingerprint, which may be in the key home.
    Pin(Fingerprint, Option<Verifier>),
    /// The public keys of the key home.
    Home(Vec<Verifier>),
}

pub(super) fn trust(args: &args::Verify) -> Result<Trust> {
    let Some(value) = &args.public_key else { return Ok(Trust::Home(trusted_home_keys()?)) };
    Ok(match PublicArgument::parse(value)? {
        PublicArgument::File(path) => Trust::Key(Verifier::read(&path, KeySource::Option)?),
        PublicArgument::Pin(pin) => {
            let found = pinned_home_key(pin)?;
            let key = found.map(|(path, public)| {
                Verifier::new(&public, Some(&path), KeySource::Home).with_context(|| io::name_of(&path))
            });
            Trust::Pin(pin, key.transpose()?)
        }
    })
}

/// What a signature file holds.
pub(super) enum Signature {
    Container(Container),
    Raw(Vec<u8>),
}

impl Signature {
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Signature::Container(container) => &container.signature,
            Signature::Raw(bytes) => bytes,
        }
    }
}

/// Reads a signature file, or says why it holds none that can be checked.
pub(super) fn read_signature(path: &Path) -> Result<Signature, Verdict> {
    let small = io::read_small(path).map_err(|e| Verdict::unread(&e, Some(path)))?;
    let found = recognise(&small.bytes);
    if found.is_foreign_signature() {
        return Err(Verdict::not_checked("foreign", format!("{}: is {found}", io::name_of(path))));
    }
    if may_be_raw(&small.bytes) && !pem::has_block(&small.bytes) {
        return Ok(Signature::Raw(small.bytes.to_vec()));
    }
    Container::from_pem(&small.bytes)
        .map(Signature::Container)
        .map_err(|e| Verdict::not_checked("malformed", format!("{}: {e}", io::name_of(path))))
}

/// The one key that may decide over a signature, or the verdict where there is none.
pub(super) fn choose_key<'t>(signature: &Signature, trust: &'t Trust) -> Result<Cow<'t, Verifier>, Verdict> {
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
            Verifier::new(inside, None, KeySource::Signature)
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

/// The engine's verdict in words.
pub(super) fn verdict_of(key: &Verifier, outcome: Result<(), Error>) -> Verdict {
    match outcome {
        Ok(()) => {
            let why = format!("by {} ({} {})", key.name, key.algorithm.name(), key.fingerprint);
            Verdict { status: Status::Ok, reason: None, why }
        }
        Err(Error::InvalidSignature) => {
            let why = format!("the signature does not belong to this file and the key {}", key.name);
            Verdict::failed(BAD_SIGNATURE, why)
        }
        Err(e) => Verdict::failed("not-canonical", e.to_string()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::algorithm::Algorithm;
    use crate::falcon::{Encoding, Params, SigningKey};
    use crate::files::spki::PublicKey;
    use crate::isa::Isa;

    const MESSAGE: &[u8] = b"message";

    /// A key pair, and a signature container by it.
    fn signed(params: Params, with_key: bool) -> (PublicKey, Container) {
        let isa = Isa::detect();
        let key = SigningKey::generate(params, isa).unwrap();
        let public = PublicKey::new(Algorithm::Falcon(params), key.verifying_key().to_bytes());
        let container = Container {
            algorithm: public.algorithm,
            fingerprint: public.fingerprint(),
            signature: key.sign(isa, Encoding::Compressed, MESSAGE).unwrap(),
            key: with_key.then(|| public.clone()),
        };
        (public, container)
    }

    fn known(public: &PublicKey, source: KeySource) -> Verifier {
        Verifier::new(public, Some(Path::new("alice.pub")), source).unwrap()
    }

    /// What `choose_key` says: the fingerprint of the key, or the reason and the exit code.
    fn choice(signature: &Signature, trust: &Trust) -> Result<Fingerprint, (&'static str, u8)> {
        match choose_key(signature, trust) {
            Ok(key) => Ok(key.fingerprint),
            Err(verdict) => Err((verdict.reason.unwrap(), verdict.code())),
        }
    }

    #[test]
    fn a_key_inside_the_signature_counts_only_under_its_pin() {
        let (public, container) = signed(Params::Falcon512, true);
        let fingerprint = public.fingerprint();
        let inside = Signature::Container(container.clone());
        let without = Signature::Container(Container { key: None, ..container });
        assert_eq!(choice(&inside, &Trust::Pin(fingerprint, None)), Ok(fingerprint));
        assert_eq!(choice(&without, &Trust::Pin(fingerprint, None)), Err(("no-key", 2)));
        assert_eq!(choice(&inside, &Trust::Home(Vec::new())), Err(("no-key", 2)));
        let other = Fingerprint([7; 32]);
        assert_eq!(choice(&inside, &Trust::Pin(other, None)), Err(("other-key", 1)));
        let (stranger, _) = signed(Params::Falcon512, false);
        let stranger = known(&stranger, KeySource::Option);
        assert_eq!(choice(&inside, &Trust::Key(stranger.clone())), Err(("other-key", 1)));
        assert_eq!(choice(&inside, &Trust::Home(vec![stranger])), Err(("no-key", 2)));
    }

    #[test]
    fn a_key_that_only_claims_the_pinned_fingerprint_does_not_count() {
        // Whoever writes the container can write any fingerprint into it; the key is held against the pin itself.
        let (public, container) = signed(Params::Falcon512, true);
        let pin = Fingerprint([7; 32]);
        let forged = Signature::Container(Container { fingerprint: pin, ..container });
        assert_eq!(choice(&forged, &Trust::Pin(pin, None)), Err(("no-key", 2)));
        // With the right key at hand, the engine decides, whatever the container says.
        let (signer, container) = signed(Params::Falcon512, false);
        let relabelled = Container { fingerprint: public.fingerprint(), ..container };
        let key = known(&public, KeySource::Home);
        assert_eq!(
            key.key.verify(Isa::detect(), MESSAGE, &relabelled.signature),
            Err(Error::InvalidSignature)
        );
        assert!(
            known(&signer, KeySource::Home).key.verify(Isa::detect(), MESSAGE, &relabelled.signature).is_ok()
        );
    }

    #[test]
    fn another_algorithm_is_said_before_another_key() {
        let (public, _) = signed(Params::Falcon1024, false);
        let (_, container) = signed(Params::Falcon512, false);
        let trust = Trust::Key(known(&public, KeySource::Option));
        let verdict = choose_key(&Signature::Container(container), &trust).err().unwrap();
        assert_eq!((verdict.reason, verdict.code()), (Some("other-algorithm"), 1));
        assert!(verdict.why.contains("falcon512") && verdict.why.contains("falcon1024"), "{}", verdict.why);
    }

    #[test]
    fn a_raw_signature_needs_a_named_key() {
        let (public, container) = signed(Params::Falcon512, false);
        let raw = Signature::Raw(container.signature);
        let key = known(&public, KeySource::Home);
        assert_eq!(choice(&raw, &Trust::Home(vec![key.clone()])), Err(("no-key", 2)));
        assert_eq!(choice(&raw, &Trust::Key(key)), Ok(public.fingerprint()));
        assert_eq!(choice(&raw, &Trust::Pin(public.fingerprint(), None)), Err(("no-key", 2)));
    }

    #[test]
    fn verdicts_of_the_engine() {
        let (public, _) = signed(Params::Falcon512, false);
        let key = known(&public, KeySource::Option);
        let of = |outcome| {
            let verdict = verdict_of(&key, outcome);
            (verdict.status, verdict.reason)
        };
        assert_eq!(of(Ok(())), (Status::Ok, None));
        assert_eq!(of(Err(Error::InvalidSignature)), (Status::Failed, Some("bad-signature")));
        let length = Error::Length { what: "signature", expected: 666, found: 1 };
        assert_eq!(of(Err(length)), (Status::Failed, Some("not-canonical")));
    }
}
