//! Keys of the reference program, and what they show to be right: every rejection, and F and G.

use super::gauss::Stream;
use super::*;
use crate::simd::{Scalar, Soft};
use sha2::{Digest, Sha256};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
}

fn sum(lists: &[&[i8]]) -> String {
    let numbers: Vec<String> = lists.iter().flat_map(|list| list.iter()).map(i8::to_string).collect();
    hex(&Sha256::digest(numbers.join(",")))
}

/// Seeds of the NIST known answers (entry number in front), pairs rejected by each check (norm, orthogonalised
/// norm, invertibility, NTRU equation; the range of f and g rejects none), and the SHA-256 of f, g, F, G in decimal
/// text with commas. From the reference program of 2021-11-01. The NTRU equation is given up in entry 50 (512) and 1 (1024) for a
/// quotient out of range at depth 7, and in entry 4 for F or G out of range.
const KEYS: [(Params, u32, &str, [u32; 4], &str); 7] = [
    (
        Params::Falcon512,
        0,
        "7c9935a0b07694aa0c6d10e4db6b1add2fd81a25ccb148032dcd739936737f2db505d7cfad1b497499323c8686325e47",
        [1, 0, 0, 0],
        "1b8a8cfec7fabb161044cec8aa7604d7e3fd5d97937f211396f701748a15c536",
    ),
    (
        Params::Falcon512,
        1,
        "4b622de1350119c45a9f2e2ef3dc5df50a759d138cdfbd64c81cc7cc2f513345d5a45a4ced06403c5557e87113cb30ea",
        [1, 3, 0, 0],
        "7ab64ea83ad26b4559c7097f1d1ac1ef3f52c4e372f2e50669d132a06a5552d2",
    ),
    (
        Params::Falcon512,
        17,
        "7611b5b7d4195d5f8b97244b6811748efea929ea272e66435a36d0bd16e3bf215bcbc73d669e35fea82036d6eb6f2ce8",
        [22, 17, 1, 0],
        "6e52832b32b7acd6d48e56242a9e391288386e48e25f38b2d85a99611a40e02e",
    ),
    (
        Params::Falcon512,
        50,
        "771cbb7c9fbd9fc5db93e3e4de6c034e58be9bade93748c422971421246962347b5f037cd6cf229c695e650c3a3aca4f",
        [3, 2, 0, 1],
        "4a5c113285117b3ccb0fe9c3342dac13e2ec757c857bf150f011b69a7b2fd8c1",
    ),
    (
        Params::Falcon1024,
        0,
        "7c9935a0b07694aa0c6d10e4db6b1add2fd81a25ccb148032dcd739936737f2db505d7cfad1b497499323c8686325e47",
        [8, 4, 0, 0],
        "731700350bcd26e25ae4adf48234571c9d56d771b16a2cb8f952708f762e38f9",
    ),
    (
        Params::Falcon1024,
        1,
        "4b622de1350119c45a9f2e2ef3dc5df50a759d138cdfbd64c81cc7cc2f513345d5a45a4ced06403c5557e87113cb30ea",
        [17, 11, 1, 1],
        "cb12da638448b4f3ad57e4292c085f1d464cf494b0eb374293d9081823aede4a",
    ),
    (
        Params::Falcon1024,
        4,
        "2ca59c6cf33c53803749f69ef5abfa9482fcee7efd87fbf17135ecc3ff3fd7f749fd2f99cf65690a805570697769a00a",
        [9, 6, 0, 1],
        "7432f1c093f8e3822414368d1657aac1a6be87028a55350345bf6399b5a761cc",
    ),
];

/// As [`generate`], counting the rejections.
fn count_rejections<S: Simd + Keccak>(s: S, params: Params, seed: &[u8]) -> [u32; 4] {
    let mut stream = Stream::new(s, seed);
    let mut counts = [0; 4];
    loop {
        let f = stream.polynomial(s, params);
        let g = stream.polynomial(s, params);
        match check(s, params, &f, &g) {
            Err(Unsuitable::Coefficient) => panic!("f and g are in range in all of these"),
            Err(Unsuitable::Norm) => counts[0] += 1,
            Err(Unsuitable::OrthogonalisedNorm) => counts[1] += 1,
            Err(Unsuitable::NotInvertible) => counts[2] += 1,
            Ok(()) if solve::solve(s, &f, &g).is_some() => return counts,
            Ok(()) => counts[3] += 1,
        }
    }
}

fn keys_are_those_of_the_reference<S: Simd + Keccak>(s: S) {
    for (params, entry, seed, rejections, expected) in KEYS {
        let seed = bytes(seed);
        assert_eq!(count_rejections(s, params, &seed), rejections, "{} entry {entry}", params.name());
        let basis = generate(s, params, &seed);
        let found = sum(&[&basis.f, &basis.g, &basis.F, &basis.G]);
        assert_eq!(found, expected, "{} entry {entry}", params.name());
    }
}

#[test]
fn keys_are_those_of_the_reference_on_doubles() {
    keys_are_those_of_the_reference(Scalar::get());
}

#[test]
fn keys_are_those_of_the_reference_on_integers() {
    keys_are_those_of_the_reference(Soft::get());
}

#[test]
fn doubles_and_integers_give_the_same_keys() {
    for params in [Params::Falcon512, Params::Falcon1024] {
        for seed in 0..20u64 {
            let seed = seed.to_le_bytes();
            let hard = generate(Scalar::get(), params, &seed);
            let soft = generate(Soft::get(), params, &seed);
            let limit = 1 << (params.fg_bits() - 1);
            assert!(hard.f.iter().chain(&hard.g).all(|x| x.unsigned_abs() < limit));
            assert!(hard.F.iter().chain(&hard.G).all(|x| *x != -128));
            assert!(solve::is_solution(Scalar::get(), &hard.f, &hard.g, &hard.F, &hard.G));
            assert!(hard.f == soft.f && hard.g == soft.g && hard.F == soft.F && hard.G == soft.G);
        }
    }
}

#[test]
fn a_changed_coefficient_solves_nothing() {
    let params = Params::Falcon512;
    let mut basis = generate(Scalar::get(), params, b"changed");
    basis.F[17] ^= 1;
    let NtruBasis { f, g, F, G } = &basis;
    assert!(!solve::is_solution(Scalar::get(), f, g, F, G));
}

#[test]
fn each_check_has_a_pair_that_fails_it() {
    let s = Scalar::get();
    let params = Params::Falcon512;
    let basis = generate(s, params, b"checks");
    assert_eq!(check(s, params, &basis.f, &basis.g), Ok(()));
    for large in [32, -32] {
        let mut f = basis.f.clone();
        f[511] = large;
        assert_eq!(check(s, params, &f, &basis.g), Err(Unsuitable::Coefficient));
    }
    // Squared norms around the bound: 2 * 512 * 4^2, changed by +9 for each 5 and by -7 for each 3.
    for (fives, threes, why) in [(55, 8, Unsuitable::Norm), (51, 3, Unsuitable::OrthogonalisedNorm)] {
        let mut g = vec![4; 512];
        g[..fives].fill(5);
        g[fives..fives + threes].fill(3);
        assert_eq!(check(s, params, &[4; 512], &g), Err(why));
    }
    let mut one = [0; 512];
    assert!(!is_invertible(s, &one));
    one[0] = 1;
    assert!(is_invertible(s, &one));
}
