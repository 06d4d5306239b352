//! The layouts of private keys by the names of `pqc convert --layout`, and keys written in another one.

use super::falcon_key::{FalconForm, FalconKey};
use super::kem::{Form, KemKey};
use super::{Material, PrivateKey, WHAT};
use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::isa::Isa;
use crate::kem::DecapsulationKey;
use zeroize::Zeroizing;

/// How a private key stands inside its PKCS#8 structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Falcon: as liboqs' OpenSSL provider and wolfSSL.
    Oqs,
    /// Falcon, Kyber and NTRU: as Bouncy Castle.
    BouncyCastle,
    /// ML-KEM: the seed (RFC 9935).
    Seed,
    /// ML-KEM: the expanded key (RFC 9935).
    Expanded,
    /// ML-KEM: seed and expanded key (RFC 9935).
    Both,
    /// ML-KEM: the seed without a tag (a draft before RFC 9935).
    BareSeed,
    /// All: the algorithm's own bytes without a tag; of ML-KEM and Kyber, those of the expanded key.
    Bare,
}

impl Layout {
    /// All, in the order of the help.
    pub const ALL: [Layout; 7] = [
        Layout::Oqs,
        Layout::BouncyCastle,
        Layout::Seed,
        Layout::Expanded,
        Layout::Both,
        Layout::BareSeed,
        Layout::Bare,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Layout::Oqs => "oqs",
            Layout::BouncyCastle => "bouncycastle",
            Layout::Seed => "seed",
            Layout::Expanded => "expanded",
            Layout::Both => "both",
            Layout::BareSeed => "bare-seed",
            Layout::Bare => "bare",
        }
    }

    /// The layouts that keys of an algorithm can be written in; the first is preferred.
    pub fn of(algorithm: Algorithm) -> &'static [Layout] {
        match algorithm {
            Algorithm::Falcon(_) => &[Layout::Oqs, Layout::BouncyCastle, Layout::Bare],
            Algorithm::Kyber(set) if set.is_standard() => {
                &[Layout::Seed, Layout::Expanded, Layout::Both, Layout::BareSeed, Layout::Bare]
            }
            Algorithm::Kyber(_) => &[Layout::Bare, Layout::BouncyCastle],
            Algorithm::Ntru(_) => &[Layout::BouncyCastle, Layout::Bare],
        }
    }

    /// The form of a Falcon key.
    fn falcon_form(self) -> FalconForm {
        match self {
            Layout::BouncyCastle => FalconForm::BouncyCastle,
            Layout::Bare => FalconForm::Bare,
            _ => FalconForm::Oqs,
        }
    }

    /// The form of a KEM's key.
    fn kem_form(self, algorithm: Algorithm) -> Form {
        match self {
            Layout::Seed => Form::Seed,
            Layout::Both => Form::Both,
            Layout::BareSeed => Form::BareSeed,
            Layout::Bare if matches!(algorithm, Algorithm::Ntru(_)) => Form::Bare,
            Layout::Bare => Form::BareExpanded,
            Layout::Expanded => Form::Expanded,
            Layout::BouncyCastle | Layout::Oqs => Form::Wrapped,
        }
    }
}

impl PrivateKey {
    /// The same key in another layout; without one, in the preferred layout that what it holds allows: an ML-KEM
    /// key without its seed stays expanded. The key is checked, and its public half recomputed.
    ///
    /// # Errors
    /// [`Error::Format`] for a layout that its algorithm does not have, or that needs a seed which it does not hold;
    /// as [`PrivateKey::signing_key`] and [`PrivateKey::decapsulation_key`].
    pub fn in_layout(&self, layout: Option<Layout>, isa: Isa) -> Result<PrivateKey, Error> {
        let fail = |why: String| Error::Format { what: WHAT, why };
        let name = self.algorithm.display_name();
        let layouts = Layout::of(self.algorithm);
        if let Some(layout) = layout
            && !layouts.contains(&layout)
        {
            let names: Vec<&str> = layouts.iter().map(|layout| layout.name()).collect();
            let why = format!("{name} has no layout {}; it has {}", layout.name(), names.join(", "));
            return Err(fail(why));
        }
        let material = match &self.material {
            Material::Falcon(key) => {
                let public = self.signing_key(isa)?.verifying_key().to_bytes();
                let form = layout.unwrap_or(Layout::Oqs).falcon_form();
                let public = (form != FalconForm::Bare).then_some(public);
                Material::Falcon(FalconKey { form, private: key.private.clone(), public })
            }
            Material::Kem(_) => {
                let (held_seed, expanded) = match self.decapsulation_key(isa)? {
                    DecapsulationKey::Kyber(key) => (key.seed(), key.expanded(isa)),
                    DecapsulationKey::Ntru(key) => (None, key.to_bytes()),
                };
                let layout = layout.unwrap_or_else(|| match layouts {
                    [Layout::Seed, next, ..] if held_seed.is_none() => *next,
                    [first, ..] => *first,
                    [] => Layout::Bare,
                });
                let form = layout.kem_form(self.algorithm);
                let (needs_seed, needs_expanded) = form.holds();
                let seed = match held_seed {
                    Some(seed) if needs_seed => Some(seed),
                    None if needs_seed => {
                        let why = format!(
                            "it does not hold the seed that the layout {} needs, and nothing gives it back; \
                             the layouts expanded and bare do without",
                            layout.name()
                        );
                        return Err(fail(why));
                    }
                    _ => None,
                };
                Material::Kem(KemKey { form, seed, expanded: needs_expanded.then_some(expanded) })
            }
        };
        Ok(PrivateKey { algorithm: self.algorithm, oid: self.algorithm.object_identifier(), material })
    }

    /// A key from the algorithm's own bytes: of a KEM the expanded key or, of ML-KEM, the seed.
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn from_raw(algorithm: Algorithm, bytes: &[u8]) -> Result<PrivateKey, Error> {
        let oid = algorithm.object_identifier();
        let expected = algorithm.private_key_len();
        let private = || Zeroizing::new(bytes.to_vec());
        let material = match algorithm {
            Algorithm::Falcon(_) if bytes.len() == expected => {
                Material::Falcon(FalconKey { form: FalconForm::Bare, private: private(), public: None })
            }
            Algorithm::Kyber(set) if set.is_standard() && bytes.len() == super::kem::SEED_LEN => {
                Material::Kem(KemKey { form: Form::BareSeed, seed: Some(private()), expanded: None })
            }
            Algorithm::Kyber(_) | Algorithm::Ntru(_) if bytes.len() == expected => {
                let form = Layout::Bare.kem_form(algorithm);
                Material::Kem(KemKey { form, seed: None, expanded: Some(private()) })
            }
            _ => return Err(Error::Length { what: WHAT, expected, found: bytes.len() }),
        };
        Ok(PrivateKey { algorithm, oid, material })
    }

    /// The algorithm's own bytes: what the layouts `bare` and `bare-seed` hold.
    ///
    /// # Errors
    /// [`Error::Format`] for a key in another layout.
    pub fn to_raw(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        match &self.material {
            Material::Falcon(key) if key.form == FalconForm::Bare => Ok(key.private.clone()),
            Material::Kem(key) if matches!(key.form, Form::BareSeed | Form::BareExpanded | Form::Bare) => {
                Ok(key.write())
            }
            _ => Err(Error::Format { what: WHAT, why: "only the layouts bare and bare-seed are raw".into() }),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn names_are_different_and_every_algorithm_has_layouts() {
        for (i, layout) in Layout::ALL.iter().enumerate() {
            assert_eq!(Layout::ALL.iter().position(|other| other.name() == layout.name()), Some(i));
        }
        for algorithm in Algorithm::ALL {
            assert!(Layout::of(*algorithm).len() >= 2);
        }
    }

    /// From each layout to each, and the way back: the same public key, and what both hold is the same.
    #[test]
    fn a_key_goes_through_every_layout() {
        let isa = Isa::detect();
        for algorithm in Algorithm::ALL {
            let key = match *algorithm {
                Algorithm::Falcon(params) => {
                    PrivateKey::of_signing_key(&crate::falcon::SigningKey::generate(params, isa).unwrap())
                }
                Algorithm::Kyber(set) => {
                    let key = crate::kyber::DecapsulationKey::generate(set, isa).unwrap();
                    PrivateKey::of_decapsulation_key(&DecapsulationKey::Kyber(Box::new(key)), isa)
                }
                Algorithm::Ntru(set) => {
                    let key = crate::ntru::DecapsulationKey::generate(set, isa).unwrap();
                    PrivateKey::of_decapsulation_key(&DecapsulationKey::Ntru(key), isa)
                }
            };
            let public = key.public_key(isa).unwrap();
            let first = key.to_der().unwrap();
            assert_eq!(*key.in_layout(None, isa).unwrap().to_der().unwrap(), *first);
            for from in Layout::of(*algorithm) {
                let written = key.in_layout(Some(*from), isa).unwrap();
                let read = PrivateKey::from_der(&written.to_der().unwrap()).unwrap();
                assert_eq!((read.layout(), read.public_key(isa)), (written.layout(), Ok(public.clone())));
                for to in Layout::of(*algorithm) {
                    let direct = key.in_layout(Some(*to), isa).unwrap().to_der().unwrap();
                    match read.in_layout(Some(*to), isa) {
                        Ok(through) => assert_eq!(*through.to_der().unwrap(), *direct),
                        Err(error) => {
                            assert!(matches!(from, Layout::Expanded | Layout::Bare), "{from:?} {to:?}");
                            assert!(error.to_string().contains("seed"), "{error}");
                        }
                    }
                }
                if let Ok(raw) = written.to_raw() {
                    let back = PrivateKey::from_raw(*algorithm, &raw).unwrap();
                    assert_eq!(*back.to_der().unwrap(), *written.to_der().unwrap());
                }
            }
            for layout in Layout::ALL.iter().filter(|layout| !Layout::of(*algorithm).contains(layout)) {
                let error = key.in_layout(Some(*layout), isa).err().unwrap().to_string();
                assert!(error.contains(layout.name()), "{error}");
            }
        }
    }
}
