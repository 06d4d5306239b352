//! Algorithm names as people type them: those of this build, those that it has not, and near misses.

use super::exit::usage;
use super::report::printable;
use crate::algorithm::Algorithm;
use anyhow::Result;
use std::ffi::OsStr;

/// Why a known name is not among the algorithms: shown after the name.
fn explanation(plain: &str) -> Option<&'static str> {
    Some(match plain {
        "mlkem512" | "mlkem768" | "mlkem1024" => "is ML-KEM (FIPS 203), which this version does not have yet",
        "kyber512" | "kyber768" | "kyber1024" => "is Kyber, round 3, which this version does not have yet",
        "kyber51290s" | "kyber76890s" | "kyber102490s" => {
            "is Kyber-90s, which this version does not have yet"
        }
        "ntruhps2048509" | "ntruhps2048677" | "ntruhps4096821" | "ntruhps40961229" | "ntruhrss701"
        | "ntruhrss1373" => "is NTRU, which this version does not have yet",
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
        _ => return None,
    })
}

/// The names that [`explanation`] knows and a user may have meant.
const ELSEWHERE: [&str; 15] = [
    "mlkem512",
    "mlkem768",
    "mlkem1024",
    "kyber512",
    "kyber768",
    "kyber1024",
    "ntruhps2048509",
    "ntruhps2048677",
    "ntruhps4096821",
    "ntruhps40961229",
    "ntruhrss701",
    "ntruhrss1373",
    "sntrup761",
    "fndsa512",
    "mldsa65",
];

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
        assert!(error("xyz").contains("this version has falcon512, falcon1024"));
    }

    #[test]
    fn every_name_of_elsewhere_is_explained() {
        for name in ELSEWHERE {
            assert!(explanation(name).is_some(), "{name}");
        }
        assert!(error("ML-KEM-768").contains("FIPS 203"));
        assert!(
            error("FN-DSA-512").contains("not compatible")
                || error("FN-DSA-512").contains("not be compatible")
        );
        assert!(error("kyber512-90s").contains("90s"));
    }

    #[test]
    fn lists() {
        assert_eq!(algorithms("all").unwrap(), Algorithm::ALL);
        assert_eq!(algorithms("falcon1024, Falcon-512").unwrap().len(), 2);
        assert!(algorithms("falcon512,").is_err());
    }
}
