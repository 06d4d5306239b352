//! NTRU beyond the known answers: implicit rejection, refused keys, both samplers, exhausted randomness, every backend
//! against every other.
//!
//! `PQC_SEEDS` sets the number of random seeds a parameter set (20 without it); `PQC_KAT=single` tries some of the bits
//! and not all (for emulators).

mod nist;

use nist::{Drbg, in_parallel};
use pqc::ntru::known_answers::{
    Replay, encapsulate_known_answer, fixed_weight_known_answer, generate_known_answer,
};
use pqc::ntru::{Ciphertext, DecapsulationKey, EncapsulationKey, ParameterSet, Sampler};
use pqc::rng::RandomSource;
use pqc::{Error, Isa};
use sha2::{Digest, Sha256};

const SAMPLERS: [Sampler; 2] = [Sampler::Shuffle, Sampler::Sort];

fn backends() -> impl Iterator<Item = Isa> {
    Isa::ALL.iter().copied().filter(|isa| isa.is_supported())
}

fn thorough() -> bool {
    std::env::var("PQC_KAT").map_or(true, |v| v != "single")
}

fn seeds() -> usize {
    std::env::var("PQC_SEEDS").ok().map_or(20, |v| v.parse().expect("PQC_SEEDS is a number"))
}

/// A generator that depends on a purpose and a number alone.
fn generator(purpose: &str, number: usize) -> Drbg {
    let digest = |half: u8| Sha256::digest(format!("pqc ntru {purpose} {number} {half}"));
    let seed: Vec<u8> = digest(0).into_iter().chain(digest(1)).take(48).collect();
    Drbg::new(&seed.try_into().expect("48 bytes"))
}

fn key_of(set: ParameterSet, sampler: Sampler, isa: Isa, number: usize) -> DecapsulationKey {
    generate_known_answer(set, sampler, isa, &mut generator("key", number)).expect("a key")
}

fn encapsulate(key: &EncapsulationKey, sampler: Sampler, isa: Isa, number: usize) -> (Ciphertext, [u8; 32]) {
    let (ciphertext, secret) =
        encapsulate_known_answer(key, sampler, isa, &mut generator("message", number)).expect("a ciphertext");
    (ciphertext, *secret.expose())
}

fn decapsulate(key: &DecapsulationKey, isa: Isa, ciphertext: &[u8]) -> [u8; 32] {
    let ciphertext = Ciphertext::from_bytes(key.parameter_set(), ciphertext).expect("the right length");
    *key.decapsulate(isa, &ciphertext).expect("the same set").expose()
}

/// What a wrong ciphertext must give, by another implementation of the hash.
fn rejection(key: &DecapsulationKey, ciphertext: &[u8]) -> [u8; 32] {
    let bytes = key.to_bytes();
    sha3::Sha3_256::digest([&bytes[bytes.len() - 32..], ciphertext].concat()).into()
}

/// Whether a changed bit can give the ciphertext of another message: of HRSS, whose Lift(m) is any multiple of x - 1 by a
/// ternary polynomial. A change of coefficient i by 1 or 2 changes all of those from i on by as much, and those few that
/// are the last ones may stay ternary.
fn can_be_another_message(set: ParameterSet, bit: usize) -> bool {
    let logq = set.logq() as usize;
    set.weight().is_none() && bit % logq < 2 && bit / logq + 100 > set.n()
}

/// Every bit, the spare ones among them.
#[test]
fn a_ciphertext_with_any_bit_changed_is_rejected_implicitly_on_every_backend() {
    let mut count = 0;
    for set in ParameterSet::ALL {
        for isa in backends() {
            let key = key_of(set, Sampler::Shuffle, isa, 0);
            let (ciphertext, secret) = encapsulate(key.encapsulation_key(), Sampler::Shuffle, isa, 0);
            let bits = 8 * set.ciphertext_len();
            let step = if thorough() && isa == Isa::detect() { 1 } else { 499 };
            let tried = in_parallel(bits.div_ceil(step), |i| {
                // From the last one on: spare bits are among those that are always tried.
                let bit = bits - 1 - i * step;
                let mut changed = ciphertext.as_bytes().to_vec();
                changed[bit / 8] ^= 1 << (bit % 8);
                let got = decapsulate(&key, isa, &changed);
                let name = format!("bit {bit} of {} on {}", set.name(), isa.name());
                assert_ne!(got, secret, "{name}");
                if !can_be_another_message(set, bit) {
                    assert_eq!(got, rejection(&key, &changed), "{name}");
                }
            });
            count += tried.len();
        }
    }
    println!("{count} changed ciphertexts");
    assert!(count > 0);
}

/// Coefficients of a packed polynomial modulo q.
fn unpack(set: ParameterSet, bytes: &[u8]) -> Vec<u32> {
    let logq = set.logq() as usize;
    let bit = |at: usize| u32::from(bytes[at / 8] >> (at % 8) & 1);
    (0..set.n() - 1).map(|i| (0..logq).map(|j| bit(i * logq + j) << j).sum()).collect()
}

fn pack(set: ParameterSet, coefficients: &[u32]) -> Vec<u8> {
    let logq = set.logq() as usize;
    let mut bytes = vec![0; set.ciphertext_len()];
    for (i, c) in coefficients.iter().enumerate() {
        for j in 0..logq {
            let at = i * logq + j;
            bytes[at / 8] |= ((c >> j & 1) as u8) << (at % 8);
        }
    }
    bytes
}

/// `a b + m` modulo x^n - 1 and q, by the definition; a and m ternary in {0, 1, 2} with 2 for -1.
fn encrypt(set: ParameterSet, h: &[u32], r: &[u8], m: &[i64]) -> Vec<u32> {
    let (n, q) = (set.n(), 1i64 << set.logq());
    let mut sum: Vec<i64> = m.to_vec();
    sum.resize(n, 0);
    let mut h: Vec<i64> = h.iter().map(|c| i64::from(*c)).collect();
    h.push(-h.iter().sum::<i64>());
    for (i, r) in r.iter().enumerate().filter(|(_, r)| **r != 0) {
        let sign = if *r == 1 { 1 } else { -1 };
        for (j, h) in h.iter().enumerate() {
            sum[(i + j) % n] += sign * h;
        }
    }
    sum[..n - 1].iter().map(|c| c.rem_euclid(q) as u32).collect()
}

/// Ciphertexts that decrypt, and yet are none that encapsulation gives: the check of each kind, alone, must reject.
#[test]
fn messages_out_of_range_are_rejected_implicitly_on_every_backend() {
    for set in ParameterSet::ALL {
        for isa in backends() {
            let key = key_of(set, Sampler::Shuffle, isa, 1);
            let h = unpack(set, key.encapsulation_key().as_bytes());
            let n = set.n();
            let ternary = |purpose: &str| -> Vec<u8> {
                generator(purpose, 1).bytes(n - 1).iter().map(|byte| byte % 3).collect()
            };
            let r = ternary("r");
            let name = format!("{} on {}", set.name(), isa.name());
            let secret_of = |c: &[u32]| {
                let c = pack(set, c);
                let got = decapsulate(&key, isa, &c);
                (got == rejection(&key, &c), got)
            };
            // r with a coefficient 2 or -2 (HRSS and HPS: m stays what it is).
            let m = match set.weight() {
                None => vec![0; n - 1],
                Some(d) => {
                    let (mut m, half) = (vec![0; n - 1], d / 2);
                    m[..half].fill(1);
                    m[half..d].fill(-1);
                    m
                }
            };
            let honest = encrypt(set, &h, &r, &m);
            let (is_rejected, secret) = secret_of(&honest);
            assert!(!is_rejected, "{name}: an honest ciphertext");
            let trits: Vec<u8> = m.iter().map(|c| (c + 3) as u8 % 3).collect();
            let packed = |trits: &[u8]| -> Vec<u8> {
                trits.chunks(5).map(|five| five.iter().rev().fold(0, |sum, digit| 3 * sum + digit)).collect()
            };
            let expected = sha3::Sha3_256::digest([packed(&r), packed(&trits)].concat());
            assert_eq!(secret, *expected, "{name}");
            // One more, or one less, of a coefficient.
            let more_h_at = |c: &[u32], at: usize, coefficient: u8| {
                let mut one = vec![0; n];
                one[at] = coefficient;
                let c: Vec<i64> = c.iter().map(|c| i64::from(*c)).collect();
                encrypt(set, &h, &one, &c)
            };
            for coefficient in [1, 2] {
                let at = r.iter().position(|c| *c == coefficient).expect("each is there");
                let doubled = more_h_at(&honest, at, coefficient);
                assert!(secret_of(&doubled).0, "{name}: r has a 2 or a -2");
                let mut without = r.clone();
                without[at] = 0;
                let whole = more_h_at(&encrypt(set, &h, &without, &m), at, coefficient);
                assert_eq!(whole, honest, "{name}: as before");
            }
            // And of the last one, which is no coefficient of r: it is minus one in all others.
            assert!(secret_of(&more_h_at(&honest, n - 1, 1)).0, "{name}: r has a -2");
            if let Some(d) = set.weight() {
                for (what, place, value) in [("lighter", 0, 0), ("heavier", d, 1), ("unbalanced", 0, -1)] {
                    let mut other = m.clone();
                    other[place] = value;
                    assert!(secret_of(&encrypt(set, &h, &r, &other)).0, "{name}: {what}");
                }
                // One more of each.
                let mut other = m.clone();
                (other[d], other[d + 1]) = (1, -1);
                assert!(secret_of(&encrypt(set, &h, &r, &other)).0, "{name}: balanced and heavier");
            }
        }
    }
}

/// What a backend makes of one seed.
fn run(set: ParameterSet, sampler: Sampler, isa: Isa, number: usize) -> Vec<(&'static str, Vec<u8>)> {
    let key = key_of(set, sampler, isa, number);
    let public =
        EncapsulationKey::from_bytes(set, isa, key.encapsulation_key().as_bytes()).expect("canonical");
    // Files of either sampler are read by the holder of any key.
    let other = SAMPLERS[number % 2];
    let (ciphertext, secret) = encapsulate(&public, other, isa, number);
    assert_eq!(decapsulate(&key, isa, ciphertext.as_bytes()), secret, "{} seed {number}", set.name());
    let read = DecapsulationKey::from_bytes(set, isa, &key.to_bytes()).expect("a valid key");
    assert!(read.encapsulation_key() == key.encapsulation_key(), "{} seed {number}", set.name());
    assert_eq!(*read.to_bytes(), *key.to_bytes());
    assert_eq!(decapsulate(&read, isa, ciphertext.as_bytes()), secret, "{} seed {number}", set.name());
    let random = generator("c", number).bytes(set.ciphertext_len());
    vec![
        ("public key", public.to_bytes()),
        ("private key", key.to_bytes().to_vec()),
        ("ciphertext", ciphertext.as_bytes().to_vec()),
        ("secret", secret.to_vec()),
        ("secret of a random ciphertext", decapsulate(&key, isa, &random).to_vec()),
    ]
}

#[test]
fn every_backend_gives_the_same_bytes_with_either_sampler() {
    for set in ParameterSet::ALL {
        for sampler in SAMPLERS {
            let equal = in_parallel(seeds(), |number| {
                let expected = run(set, sampler, Isa::Scalar, number);
                for isa in backends().filter(|isa| *isa != Isa::Scalar) {
                    let got = run(set, sampler, isa, number);
                    for ((what, ours), (_, theirs)) in got.iter().zip(&expected) {
                        let (set, isa) = (set.name(), isa.name());
                        assert_eq!(ours, theirs, "{set} {what} of seed {number} on {isa}");
                    }
                }
            });
            println!("{} {}: {} seeds equal (PQC_SEEDS)", set.name(), sampler.name(), equal.len());
            assert!(!equal.is_empty(), "no seed was tried");
        }
    }
}

#[test]
fn samplers_make_no_difference_for_hrss_and_different_polynomials_for_hps() {
    let isa = Isa::detect();
    for set in ParameterSet::ALL {
        let [shuffle, sort] = SAMPLERS.map(|sampler| key_of(set, sampler, isa, 3).to_bytes());
        assert_eq!(*shuffle == *sort, set.weight().is_none(), "{}", set.name());
    }
}

/// Each position is as often a one and a minus one as every other, and so are neighbours.
#[test]
fn every_position_has_its_share_of_each_coefficient() {
    let set = ParameterSet::Hps2048509;
    let (n, d) = (set.n(), 254.0);
    let mut random = generator("frequencies", 0);
    let draws = 4000;
    let mut counts = vec![[0u32; 3]; n];
    let mut pairs = 0;
    for _ in 0..draws {
        let bytes = random.bytes(2 * set.shuffle_words());
        let drawn =
            fixed_weight_known_answer(set, Sampler::Shuffle, Isa::detect(), &bytes).expect("enough words");
        for (counts, c) in counts.iter_mut().zip(&drawn) {
            counts[usize::from(*c)] += 1;
        }
        pairs += drawn.windows(2).filter(|pair| pair[0] != 0 && pair[1] != 0).count();
    }
    let (positions, draws) = ((n - 1) as f64, f64::from(draws));
    // Six standard deviations: a thousand comparisons, all of the same bytes in every run.
    let check = |got: f64, of: f64, chance: f64| {
        assert!(
            (got - of * chance).abs() < 6.0 * (of * chance * (1.0 - chance)).sqrt(),
            "{got} {of} {chance}"
        );
    };
    for counts in &counts[..n - 1] {
        check(f64::from(counts[1]), draws, d / 2.0 / positions);
        check(f64::from(counts[2]), draws, d / 2.0 / positions);
    }
    assert_eq!(counts[n - 1], [draws as u32, 0, 0]);
    check(pairs as f64, draws * (positions - 1.0), d * (d - 1.0) / (positions * (positions - 1.0)));
}

/// Zeros, which every draw but the last ones rejects, a number of times; then a generator.
struct BadStart {
    bad: usize,
    calls: usize,
    rest: Drbg,
}

impl RandomSource for BadStart {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.calls += 1;
        if self.calls <= self.bad {
            out.fill(0);
            return Ok(());
        }
        self.rest.fill(out)
    }
}

#[test]
fn words_that_run_out_are_drawn_again_and_a_broken_generator_is_an_error() {
    for set in ParameterSet::ALL.into_iter().filter(|set| set.weight().is_some()) {
        for isa in backends() {
            let zeros = vec![0; 2 * set.shuffle_words()];
            assert_eq!(fixed_weight_known_answer(set, Sampler::Shuffle, isa, &zeros), None);
            let expected = key_of(set, Sampler::Shuffle, isa, 0).to_bytes();
            for bad in 0..6 {
                let mut random = BadStart { bad, calls: 0, rest: generator("key", 0) };
                match generate_known_answer(set, Sampler::Shuffle, isa, &mut random) {
                    Ok(key) => {
                        assert!(bad < 4 && random.calls == bad + 2);
                        assert_eq!(*key.to_bytes(), *expected);
                    }
                    Err(error) => {
                        assert!(bad >= 4 && random.calls == 4, "{bad}");
                        assert!(matches!(error, Error::Randomness(_)));
                    }
                }
            }
        }
    }
    // Bytes that end too early.
    let short = [1; 100];
    let refused =
        generate_known_answer(ParameterSet::Hrss701, Sampler::Sort, Isa::detect(), &mut Replay(&short));
    assert!(matches!(refused.map(drop), Err(Error::Randomness(_))));
}

#[test]
fn public_keys_with_spare_bits_are_refused() {
    let mut count = 0;
    for set in ParameterSet::ALL {
        let isa = Isa::detect();
        let public = key_of(set, Sampler::Shuffle, isa, 2).encapsulation_key().to_bytes();
        for bit in (set.n() - 1) * set.logq() as usize..8 * public.len() {
            let mut changed = public.clone();
            changed[bit / 8] |= 1 << (bit % 8);
            let refused = EncapsulationKey::from_bytes(set, isa, &changed);
            assert!(matches!(refused, Err(Error::NotCanonical { .. })), "{} {bit}", set.name());
            count += 1;
        }
    }
    assert_eq!(count, 3 * 4, "spare bits of 509, 677 and 701");
}

/// Every byte that is no five digits, every spare bit, and damage everywhere else but in the key for rejection.
#[test]
fn damaged_private_keys_are_refused() {
    for set in ParameterSet::ALL {
        for isa in backends() {
            let key = key_of(set, Sampler::Sort, isa, 2);
            let bytes = key.to_bytes();
            let ternary_len = (set.n() - 1).div_ceil(5);
            let read = |bytes: &[u8]| DecapsulationKey::from_bytes(set, isa, bytes).map(drop);
            assert_eq!(read(&bytes), Ok(()), "{}", set.name());
            let step = if thorough() { 7 } else { 97 };
            for at in (0..2 * ternary_len).step_by(step).chain([ternary_len - 1, 2 * ternary_len - 1]) {
                let mut changed = bytes.to_vec();
                changed[at] = 243 + (at % 13) as u8;
                assert!(matches!(read(&changed), Err(Error::NotCanonical { .. })), "{} {at}", set.name());
                changed[at] = if bytes[at] == 0 { 1 } else { bytes[at] - 1 };
                assert!(matches!(read(&changed), Err(Error::InvalidKey { .. })), "{} {at}", set.name());
            }
            // The last byte of each has fewer digits: 3 of 508, 1 of 676, none less of 700.
            let digits = (set.n() - 1) % 5;
            if digits > 0 {
                let mut changed = bytes.to_vec();
                changed[ternary_len - 1] = 3u8.pow(digits as u32);
                assert!(matches!(read(&changed), Err(Error::NotCanonical { .. })), "{}", set.name());
            }
            let packed_end = bytes.len() - 32;
            for bit in (2 * ternary_len * 8..packed_end * 8).step_by(step * 37) {
                let mut changed = bytes.to_vec();
                changed[bit / 8] ^= 1 << (bit % 8);
                assert!(read(&changed).is_err(), "{} bit {bit}", set.name());
            }
            // An inverse of h that is zero modulo 2.
            let mut changed = bytes.to_vec();
            changed[2 * ternary_len..packed_end].fill(0);
            assert!(matches!(read(&changed), Err(Error::InvalidKey { .. })), "{}", set.name());
            // f = 0, its inverse 0.
            let mut changed = bytes.to_vec();
            changed[..2 * ternary_len].fill(0);
            assert!(matches!(read(&changed), Err(Error::InvalidKey { .. })), "{}", set.name());
            // The halves of two keys.
            let other = key_of(set, Sampler::Sort, isa, 4).to_bytes();
            let mixed = [&bytes[..2 * ternary_len], &other[2 * ternary_len..]].concat();
            assert!(matches!(read(&mixed), Err(Error::InvalidKey { .. })), "{}", set.name());
        }
    }
}

#[test]
fn wrong_lengths_and_sets_are_refused() {
    let isa = Isa::detect();
    for set in ParameterSet::ALL {
        let key = key_of(set, Sampler::Shuffle, isa, 5);
        let (public, private) = (key.encapsulation_key().to_bytes(), key.to_bytes());
        let (ciphertext, _) = encapsulate(key.encapsulation_key(), Sampler::Shuffle, isa, 5);
        assert_eq!(public.len(), set.encapsulation_key_len());
        assert_eq!(private.len(), set.decapsulation_key_len());
        let lengths = |full: usize| (0..full).chain(full + 1..full + 101);
        for len in lengths(public.len()) {
            let refused = EncapsulationKey::from_bytes(set, isa, &vec![0; len]);
            assert!(matches!(refused, Err(Error::Length { .. })));
        }
        for len in lengths(private.len()) {
            let refused = DecapsulationKey::from_bytes(set, isa, &vec![0; len]).map(drop);
            assert!(matches!(refused, Err(Error::Length { .. })));
        }
        for len in lengths(ciphertext.as_bytes().len()) {
            assert!(matches!(Ciphertext::from_bytes(set, &vec![0; len]), Err(Error::Length { .. })));
        }
        let other = ParameterSet::ALL.into_iter().find(|other| *other != set).expect("another set");
        let other = key_of(other, Sampler::Shuffle, isa, 5);
        assert!(matches!(other.decapsulate(isa, &ciphertext).map(drop), Err(Error::Format { .. })));
    }
}

#[test]
fn fresh_keys_and_ciphertexts_differ() {
    let isa = Isa::detect();
    for set in ParameterSet::ALL {
        for sampler in SAMPLERS {
            let key = DecapsulationKey::generate_with(set, sampler, isa).expect("a key");
            let other = DecapsulationKey::generate(set, isa).expect("a key");
            assert!(key.encapsulation_key() != other.encapsulation_key());
            let (first, secret) =
                key.encapsulation_key().encapsulate_with(sampler, isa).expect("a ciphertext");
            let (second, _) = key.encapsulation_key().encapsulate(isa).expect("a ciphertext");
            assert!(first != second);
            assert!(key.decapsulate(isa, &first).expect("the same set").is_equal(&secret));
        }
    }
}

#[test]
fn sizes_are_those_of_the_specification() {
    let sizes = ParameterSet::ALL
        .map(|set| (set.encapsulation_key_len(), set.decapsulation_key_len(), set.ciphertext_len()));
    let expected = [
        (699, 935, 699),
        (930, 1234, 930),
        (1230, 1590, 1230),
        (1842, 2366, 1842),
        (1138, 1450, 1138),
        (2401, 2983, 2401),
    ];
    assert_eq!(sizes, expected);
}
