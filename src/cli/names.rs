//! Algorithm names as people type them: those of this build, those that it has not, and near misses.

use super::exit::usage;
use super::report::{Report, printable};
use crate::algorithm::{Algorithm, Status};
use anyhow::Result;
use std::ffi::OsStr;

/// Why a known name is not among the algorithms: shown after the name.
fn explanation(plain: &str) -> Option<&'static str> {
    Some(match plain {
        "sntrup761" => "is Streamlined NTRU Prime, another scheme than NTRU, and not part of this program",
        "fndsa512" | "fndsa1024" => {
            "is FN-DSA (FIPS 206), which is not published and will not be compatible with Falcon; \
             for Falcon, round 3, use falcon512 or falcon1024"
        }
        "mldsa44" | "mldsa65" | "mldsa87" => {
            "is ML-DSA (FIPS 204, once Dilithium), another signature scheme and not part of this program; \
             for signatures use falcon512 or falcon1024"
        }
        "falconpadded512" | "falconpadded1024" | "falcon512padded" | "falcon1024padded" => {
            "is a spelling of signatures and not of keys: use falcon512 or falcon1024, and sign with \
             --encoding padded (the default)"
        }
        "falcon" => "comes in two sizes: falcon512 and falcon1024",
        "mlkem" => "comes in three sizes: mlkem512, mlkem768 and mlkem1024",
        "kyber" => {
            "is what ML-KEM came from: use mlkem512, mlkem768 or mlkem1024; round 3 is kyber512, kyber768, \
             kyber1024, and with -90s"
        }
        "ntru" | "ntruhps" | "ntruhrss" => {
            "comes in six sizes: ntruhps2048509, ntruhps2048677, ntruhps4096821, ntruhps40961229, \
             ntruhrss701 and ntruhrss1373"
        }
        _ => return None,
    })
}

/// The names that [`explanation`] knows and a user may have meant.
const ELSEWHERE: [&str; 3] = ["sntrup761", "fndsa512", "mldsa65"];

/// A name in lower case and without `-` and `_`.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

/// The algorithm of a name.
///
/// # Errors
/// A usage failure that explains a name of elsewhere or lists the nearest names.
pub fn algorithm(name: &str) -> Result<Algorithm> {
    if let Ok(algorithm) = Algorithm::from_name(name) {
        return Ok(algorithm);
    }
    let wanted = plain(name);
    let name = printable(OsStr::new(name));
    if let Some(why) = explanation(&wanted) {
        return Err(usage(format!("{name} {why}")));
    }
    let near = nearest(&wanted);
    if near.is_empty() {
        let all: Vec<&str> = Algorithm::ALL.iter().map(|a| a.name()).collect();
        return Err(usage(format!("{name} is no known algorithm; this version has {}", all.join(", "))));
    }
    Err(usage(format!("{name} is no known algorithm; did you mean {}?", near.join(" or "))))
}

/// Says once that an algorithm is legacy, where it is.
pub fn warn_if_legacy(algorithm: Algorithm, report: &Report) {
    if let (Algorithm::Kyber(set), Status::Legacy) = (algorithm, algorithm.status()) {
        let (name, level) = (algorithm.name(), algorithm.security_level());
        let instead = Algorithm::ALL.iter().find(|other| {
            other.is_kem() && other.status() == Status::Standard && other.security_level() == level
        });
        let instead = instead.map_or("ML-KEM", |other| other.name());
        report.warn(&format!(
            "{name} is legacy: {} of NIST's round 3, for reading and comparing; {instead} is the standard",
            set.name(),
        ));
    }
}

/// Several names with commas between them; `all` is every algorithm.
///
/// # Errors
/// As [`algorithm`].
pub fn algorithms(list: &str) -> Result<Vec<Algorithm>> {
    if plain(list) == "all" {
        return Ok(Algorithm::ALL.to_vec());
    }
    list.split(',').map(str::trim).map(algorithm).collect()
}

/// Up to three names at the least distance, if that is small.
fn nearest(wanted: &str) -> Vec<&'static str> {
    let names = Algorithm::ALL.iter().map(|a| a.name()).chain(ELSEWHERE);
    let distances: Vec<(usize, &str)> = names.map(|name| (distance(wanted, name), name)).collect();
    let least = distances.iter().map(|(d, _)| *d).min().unwrap_or(usize::MAX);
    if least > 3.min(wanted.len() / 2) {
        return Vec::new();
    }
    distances.into_iter().filter(|(d, _)| *d == least).map(|(_, name)| name).take(3).collect()
}

/// Levenshtein distance: insertions, deletions and changes that make `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (above, cb) in row.iter().skip(1).zip(b.chars()) {
            left = (left + 1).min(above + 1).min(diagonal + usize::from(ca != cb));
            diagonal = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn error(name: &str) -> String {
        algorithm(name).unwrap_err().to_string()
    }

    #[test]
    fn distances() {
        for (a, b, expected) in
            [("", "", 0), ("a", "", 1), ("", "ab", 2), ("kitten", "sitting", 3), ("ab", "ba", 2)]
        {
            assert_eq!(distance(a, b), expected);
        }
    }

    #[test]
    fn near_misses_get_suggestions() {
        assert!(error("falcon521").contains("falcon512"));
        assert!(error("falkon1024").contains("falcon1024"));
        assert!(error("mlkem786").contains("mlkem768"));
        assert!(error("xyz").contains("this version has falcon512, falcon1024, mlkem512"));
    }

    #[test]
    fn every_name_of_elsewhere_is_explained() {
        for name in ELSEWHERE {
            assert!(explanation(name).is_some(), "{name}");
        }
        assert!(
            error("FN-DSA-512").contains("not compatible")
                || error("FN-DSA-512").contains("not be compatible")
        );
        assert!(error("Kyber").contains("kyber512"));
        assert!(
            error("NTRU").contains("ntruhps4096821") && error("ntruhps2048508").contains("ntruhps2048509")
        );
    }

    #[test]
    fn lists() {
        assert_eq!(algorithms("all").unwrap(), Algorithm::ALL);
        assert_eq!(algorithms("falcon1024, Falcon-512").unwrap().len(), 2);
        assert!(algorithms("falcon512,").is_err());
    }
}
