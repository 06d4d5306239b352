//! The table of every algorithm: name, family, sizes, identifiers, security level, status.
//!
//! One row an algorithm; everything that lists, names or recognises algorithms reads it from here.

use crate::error::Error;
use crate::falcon;
use crate::kyber::{self, ParameterSet};
use crate::ntru;
use der::asn1::ObjectIdentifier;

/// An algorithm of this build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// A Falcon parameter set.
    Falcon(falcon::Params),
    /// A parameter set of ML-KEM or of Kyber, round 3.
    Kyber(kyber::ParameterSet),
    /// A parameter set of NTRU, round 3.
    Ntru(ntru::ParameterSet),
}

/// How much the world has agreed on an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A published standard.
    Standard,
    /// No standard is published: selected for one (Falcon), or a finalist that others keep in use and in drafts (NTRU).
    Candidate,
    /// Replaced by a standard; for reading and comparing.
    Legacy,
}

impl Status {
    /// The word that `pqc list` prints.
    pub fn name(self) -> &'static str {
        match self {
            Status::Standard => "standard",
            Status::Candidate => "candidate",
            Status::Legacy => "legacy",
        }
    }
}

impl Algorithm {
    /// The algorithms of this build, in the order of `pqc list`.
    pub const ALL: &'static [Algorithm] = &[
        Algorithm::Falcon(falcon::Params::Falcon512),
        Algorithm::Falcon(falcon::Params::Falcon1024),
        Algorithm::Kyber(ParameterSet::MlKem512),
        Algorithm::Kyber(ParameterSet::MlKem768),
        Algorithm::Kyber(ParameterSet::MlKem1024),
        Algorithm::Kyber(ParameterSet::Kyber512),
        Algorithm::Kyber(ParameterSet::Kyber768),
        Algorithm::Kyber(ParameterSet::Kyber1024),
        Algorithm::Kyber(ParameterSet::Kyber512In90s),
        Algorithm::Kyber(ParameterSet::Kyber768In90s),
        Algorithm::Kyber(ParameterSet::Kyber1024In90s),
        Algorithm::Ntru(ntru::ParameterSet::Hps2048509),
        Algorithm::Ntru(ntru::ParameterSet::Hps2048677),
        Algorithm::Ntru(ntru::ParameterSet::Hps4096821),
        Algorithm::Ntru(ntru::ParameterSet::Hps40961229),
        Algorithm::Ntru(ntru::ParameterSet::Hrss701),
        Algorithm::Ntru(ntru::ParameterSet::Hrss1373),
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Falcon(falcon::Params::Falcon512) => "falcon512",
            Algorithm::Falcon(falcon::Params::Falcon1024) => "falcon1024",
            Algorithm::Kyber(ParameterSet::MlKem512) => "mlkem512",
            Algorithm::Kyber(ParameterSet::MlKem768) => "mlkem768",
            Algorithm::Kyber(ParameterSet::MlKem1024) => "mlkem1024",
            Algorithm::Kyber(ParameterSet::Kyber512) => "kyber512",
            Algorithm::Kyber(ParameterSet::Kyber768) => "kyber768",
            Algorithm::Kyber(ParameterSet::Kyber1024) => "kyber1024",
            Algorithm::Kyber(ParameterSet::Kyber512In90s) => "kyber512-90s",
            Algorithm::Kyber(ParameterSet::Kyber768In90s) => "kyber768-90s",
            Algorithm::Kyber(ParameterSet::Kyber1024In90s) => "kyber1024-90s",
            Algorithm::Ntru(set) => set.name(),
        }
    }

    /// The name in the literature.
    pub fn display_name(self) -> &'static str {
        match self {
            Algorithm::Falcon(params) => params.name(),
            Algorithm::Kyber(set) => set.name(),
            Algorithm::Ntru(set) => set.name(),
        }
    }

    /// The family's name.
    pub fn family(self) -> &'static str {
        match self {
            Algorithm::Falcon(_) => "Falcon",
            Algorithm::Kyber(set) if set.is_standard() => "ML-KEM",
            Algorithm::Kyber(_) => "Kyber",
            Algorithm::Ntru(_) => "NTRU",
        }
    }

    /// NIST security level, 1 to 5; of NTRU the one that liboqs gives, which takes memory to cost nothing.
    pub fn security_level(self) -> u8 {
        match self {
            Algorithm::Falcon(falcon::Params::Falcon512) => 1,
            Algorithm::Falcon(falcon::Params::Falcon1024) => 5,
            Algorithm::Kyber(set) => match set.k() {
                2 => 1,
                3 => 3,
                _ => 5,
            },
            Algorithm::Ntru(ntru::ParameterSet::Hps2048509) => 1,
            Algorithm::Ntru(ntru::ParameterSet::Hps2048677 | ntru::ParameterSet::Hrss701) => 3,
            Algorithm::Ntru(_) => 5,
        }
    }

    /// Standard, candidate or legacy.
    pub fn status(self) -> Status {
        match self {
            Algorithm::Falcon(_) | Algorithm::Ntru(_) => Status::Candidate,
            Algorithm::Kyber(set) if set.is_standard() => Status::Standard,
            Algorithm::Kyber(_) => Status::Legacy,
        }
    }

    /// Bytes of an encoded public key.
    pub fn public_key_len(self) -> usize {
        match self {
            Algorithm::Falcon(params) => params.public_key_len(),
            Algorithm::Kyber(set) => set.encapsulation_key_len(),
            Algorithm::Ntru(set) => set.encapsulation_key_len(),
        }
    }

    /// Bytes of an encoded private key; of ML-KEM and Kyber, the expanded one.
    pub fn private_key_len(self) -> usize {
        match self {
            Algorithm::Falcon(params) => params.private_key_len(),
            Algorithm::Kyber(set) => set.expanded_len(),
            Algorithm::Ntru(set) => set.decapsulation_key_len(),
        }
    }

    /// Bytes of a ciphertext, of a KEM.
    pub fn ciphertext_len(self) -> Option<usize> {
        match self {
            Algorithm::Falcon(_) => None,
            Algorithm::Kyber(set) => Some(set.ciphertext_len()),
            Algorithm::Ntru(set) => Some(set.ciphertext_len()),
        }
    }

    /// Whether keys and ciphertexts need polynomials of a fixed weight, for which there are several samplers: NTRU-HPS.
    pub fn has_fixed_weight(self) -> bool {
        matches!(self, Algorithm::Ntru(set) if set.weight().is_some())
    }

    /// Whether its keys encapsulate and decapsulate; else they sign and verify.
    pub fn is_kem(self) -> bool {
        self.ciphertext_len().is_some()
    }

    /// Every object identifier that a key of this algorithm may carry; the first is the one that is written.
    ///
    /// Falcon has none that a standard gave. The arc 1.3.9999.3 is what oqs-provider, wolfSSL and Bouncy Castle
    /// use: .11/.14 today, .16/.19 for keys meant for padded signatures, .6/.9 and .1/.4 in earlier years. ML-KEM's
    /// are NIST's; Kyber's, of round 3, are Botan's; NTRU's are Bouncy Castle's.
    pub fn object_identifiers(self) -> &'static [ObjectIdentifier] {
        const fn oid(text: &str) -> ObjectIdentifier {
            ObjectIdentifier::new_unwrap(text)
        }
        const FALCON512: [ObjectIdentifier; 4] =
            [oid("1.3.9999.3.11"), oid("1.3.9999.3.16"), oid("1.3.9999.3.6"), oid("1.3.9999.3.1")];
        const FALCON1024: [ObjectIdentifier; 4] =
            [oid("1.3.9999.3.14"), oid("1.3.9999.3.19"), oid("1.3.9999.3.9"), oid("1.3.9999.3.4")];
        macro_rules! one {
            ($text:literal) => {{
                const ONE: [ObjectIdentifier; 1] = [oid($text)];
                &ONE
            }};
        }
        match self {
            Algorithm::Falcon(falcon::Params::Falcon512) => &FALCON512,
            Algorithm::Falcon(falcon::Params::Falcon1024) => &FALCON1024,
            Algorithm::Kyber(ParameterSet::MlKem512) => one!("2.16.840.1.101.3.4.4.1"),
            Algorithm::Kyber(ParameterSet::MlKem768) => one!("2.16.840.1.101.3.4.4.2"),
            Algorithm::Kyber(ParameterSet::MlKem1024) => one!("2.16.840.1.101.3.4.4.3"),
            Algorithm::Kyber(ParameterSet::Kyber512) => one!("1.3.6.1.4.1.25258.1.7.1"),
            Algorithm::Kyber(ParameterSet::Kyber768) => one!("1.3.6.1.4.1.25258.1.7.2"),
            Algorithm::Kyber(ParameterSet::Kyber1024) => one!("1.3.6.1.4.1.25258.1.7.3"),
            Algorithm::Kyber(ParameterSet::Kyber512In90s) => one!("1.3.6.1.4.1.25258.1.11.1"),
            Algorithm::Kyber(ParameterSet::Kyber768In90s) => one!("1.3.6.1.4.1.25258.1.11.2"),
            Algorithm::Kyber(ParameterSet::Kyber1024In90s) => one!("1.3.6.1.4.1.25258.1.11.3"),
            Algorithm::Ntru(ntru::ParameterSet::Hps2048509) => one!("1.3.6.1.4.1.22554.5.5.1"),
            Algorithm::Ntru(ntru::ParameterSet::Hps2048677) => one!("1.3.6.1.4.1.22554.5.5.2"),
            Algorithm::Ntru(ntru::ParameterSet::Hps4096821) => one!("1.3.6.1.4.1.22554.5.5.3"),
            Algorithm::Ntru(ntru::ParameterSet::Hrss701) => one!("1.3.6.1.4.1.22554.5.5.4"),
            Algorithm::Ntru(ntru::ParameterSet::Hps40961229) => one!("1.3.6.1.4.1.22554.5.5.5"),
            Algorithm::Ntru(ntru::ParameterSet::Hrss1373) => one!("1.3.6.1.4.1.22554.5.5.6"),
        }
    }

    /// The object identifier that is written.
    pub fn object_identifier(self) -> ObjectIdentifier {
        let [first, ..] = self.object_identifiers() else {
            unreachable!("every algorithm has an identifier")
        };
        *first
    }

    /// The algorithm of an object identifier, whichever of its spellings that is.
    pub fn from_object_identifier(oid: ObjectIdentifier) -> Option<Algorithm> {
        Algorithm::ALL.iter().copied().find(|a| a.object_identifiers().contains(&oid))
    }

    /// Reads a name; case, `-` and `_` do not matter.
    ///
    /// # Errors
    /// [`Error::UnknownAlgorithm`] with the name as it was given.
    pub fn from_name(name: &str) -> Result<Algorithm, Error> {
        let plain =
            |s: &str| s.chars().filter(|c| !matches!(c, '-' | '_')).collect::<String>().to_ascii_lowercase();
        let wanted = plain(name);
        let found = Algorithm::ALL.iter().copied().find(|a| plain(a.name()) == wanted);
        found.ok_or_else(|| Error::UnknownAlgorithm(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_identifier_stands_for_two_algorithms() {
        let mut all: Vec<_> = Algorithm::ALL.iter().flat_map(|a| a.object_identifiers()).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
        for algorithm in Algorithm::ALL {
            assert_eq!(Algorithm::from_object_identifier(algorithm.object_identifier()), Some(*algorithm));
        }
    }

    #[test]
    fn names_are_read_as_people_write_them() {
        for algorithm in Algorithm::ALL {
            assert_eq!(Algorithm::from_name(algorithm.name()), Ok(*algorithm));
            assert_eq!(Algorithm::from_name(algorithm.display_name()), Ok(*algorithm));
        }
        assert!(Algorithm::from_name("Falcon_1024").is_ok());
        assert!(Algorithm::from_name("falcon").is_err());
    }
}
