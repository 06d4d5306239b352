//! Several operations in one call: the same keys, ciphertexts and secrets as one by one, in less time.
//!
//! Where a permutation of Keccak has several streams, eight operations at a time go in lock step ([`super::lock_step`]);
//! keys may be different ones or the same, and where neighbours are the same one, its matrix is made once. Elsewhere, and for
//! the sets of the nineties, whose streams fill vectors on their own, they are done one by one. Random bytes are drawn for
//! eight operations at once.

use super::kem::{Ciphertext, DecapsulationKey, EncapsulationKey};
use super::lock_step::{self, GROUP, Made};
use super::operations;
use super::params::{ParameterSet, SEED_LEN};
use super::poly::Poly;
use crate::error::Error;
use crate::isa::{self, Isa, Op};
use crate::rng::{OsRandom, RandomSource};
use crate::secret::Secret;
use crate::shared_secret::SharedSecret;
use crate::symmetric::keccak::Keccak;

/// Operations of a batch that are done at once; more of them gain nothing.
pub const BATCH: usize = GROUP;

impl EncapsulationKey {
    /// [`EncapsulationKey::encapsulate`] with each of `keys`, in their order. Keys may be of several sets; neighbours of one
    /// set are faster. Draws 32 bytes for each.
    ///
    /// # Errors
    /// [`Error::Randomness`]; then there are no results at all.
    pub fn encapsulate_batch(
        isa: Isa,
        keys: &[&EncapsulationKey],
    ) -> Result<Vec<(Ciphertext, SharedSecret)>, Error> {
        EncapsulationKey::encapsulate_batch_from(isa, keys, &mut OsRandom)
    }

    /// [`EncapsulationKey::encapsulate_batch`] with its random bytes from `random`. Private: for known answers alone.
    pub(crate) fn encapsulate_batch_from(
        isa: Isa,
        keys: &[&EncapsulationKey],
        random: &mut dyn RandomSource,
    ) -> Result<Vec<(Ciphertext, SharedSecret)>, Error> {
        let mut all = Vec::with_capacity(keys.len());
        let mut drawn = Secret::new([[0; SEED_LEN]; BATCH]);
        for keys in keys.chunk_by(|a, b| a.parameter_set() == b.parameter_set()).flat_map(|k| k.chunks(BATCH))
        {
            let Some(set) = keys.first().map(|key| key.parameter_set()) else { continue };
            let drawn = &mut drawn.expose_mut()[..keys.len()];
            random.fill(drawn.as_flattened_mut())?;
            let mut made: Vec<(Vec<u8>, SharedSecret)> =
                keys.iter().map(|_| (vec![0; set.ciphertext_len()], SharedSecret::zeros())).collect();
            let mut out: Vec<_> =
                made.iter_mut().map(|(bytes, secret)| (bytes.as_mut_slice(), secret.expose_mut())).collect();
            if gains(isa, set, keys.len()) {
                lock_step::encapsulate(isa, keys, drawn, &mut out);
            } else {
                for ((key, random), (ciphertext, secret)) in keys.iter().zip(&*drawn).zip(out) {
                    operations::encapsulate(isa, key, random, ciphertext, secret);
                }
            }
            all.extend(made.into_iter().map(|(bytes, secret)| (Ciphertext::of_bytes(set, bytes), secret)));
        }
        Ok(all)
    }
}

impl DecapsulationKey {
    /// [`DecapsulationKey::generate`] so many times. Draws 64 bytes for each.
    ///
    /// # Errors
    /// [`Error::Randomness`]; then there are no keys at all.
    pub fn generate_batch(set: ParameterSet, isa: Isa, count: usize) -> Result<Vec<DecapsulationKey>, Error> {
        DecapsulationKey::generate_batch_from(set, isa, count, &mut OsRandom)
    }

    /// [`DecapsulationKey::generate_batch`] with its random bytes from `random`: d and z of each. Private: for known
    /// answers alone.
    pub(crate) fn generate_batch_from(
        set: ParameterSet,
        isa: Isa,
        count: usize,
        random: &mut dyn RandomSource,
    ) -> Result<Vec<DecapsulationKey>, Error> {
        let mut all = Vec::with_capacity(count);
        let mut drawn = Secret::new([[0; 2 * SEED_LEN]; BATCH]);
        while all.len() < count {
            let seeds = &mut drawn.expose_mut()[..BATCH.min(count - all.len())];
            random.fill(seeds.as_flattened_mut())?;
            if !gains(isa, set, seeds.len()) {
                all.extend(seeds.iter().map(|seed| DecapsulationKey::expand(set, isa, seed)));
                continue;
            }
            let mut made: Vec<(Secret<Vec<Poly>>, Vec<u8>)> = seeds
                .iter()
                .map(|_| (Secret::new(vec![Poly::ZERO; set.k()]), vec![0; set.encapsulation_key_len()]))
                .collect();
            let mut hashes = [[0; SEED_LEN]; BATCH];
            let mut keys = Vec::with_capacity(seeds.len());
            for ((s_hat, public), seed) in made.iter_mut().zip(&*seeds) {
                let Some(d) = seed.first_chunk() else { unreachable!("two halves of 32 bytes") };
                keys.push(Made { d, s_hat: s_hat.expose_mut(), public });
            }
            lock_step::generate(isa, set, &mut keys, &mut hashes[..seeds.len()]);
            for (((s_hat, public), seed), hash) in made.into_iter().zip(&*seeds).zip(hashes) {
                all.push(DecapsulationKey::from_made(set, seed, s_hat, public, hash));
            }
        }
        Ok(all)
    }

    /// [`DecapsulationKey::decapsulate`] of each ciphertext with its key, in their order. A wrong ciphertext is rejected
    /// implicitly, without a trace at the others. Keys may be of several sets; neighbours of one set are faster.
    ///
    /// # Errors
    /// [`Error::Format`] where any ciphertext is of another set than its key; then there are no results at all.
    pub fn decapsulate_batch(
        isa: Isa,
        pairs: &[(&DecapsulationKey, &Ciphertext)],
    ) -> Result<Vec<SharedSecret>, Error> {
        for (key, ciphertext) in pairs {
            key.check_ciphertext(ciphertext)?;
        }
        let mut all: Vec<SharedSecret> = pairs.iter().map(|_| SharedSecret::zeros()).collect();
        let mut rest = all.iter_mut();
        let of_one_set = pairs.chunk_by(|a, b| a.0.parameter_set() == b.0.parameter_set());
        for pairs in of_one_set.flat_map(|pairs| pairs.chunks(BATCH)) {
            let Some(set) = pairs.first().map(|(key, _)| key.parameter_set()) else { continue };
            let mut secrets: Vec<_> = rest.by_ref().take(pairs.len()).map(SharedSecret::expose_mut).collect();
            if gains(isa, set, pairs.len()) {
                let (keys, ciphertexts): (Vec<&DecapsulationKey>, Vec<&[u8]>) =
                    pairs.iter().map(|(key, ciphertext)| (*key, ciphertext.as_bytes())).unzip();
                lock_step::decapsulate(isa, &keys, &ciphertexts, &mut secrets);
            } else {
                for ((key, ciphertext), secret) in pairs.iter().zip(secrets) {
                    operations::decapsulate(isa, key, ciphertext.as_bytes(), secret);
                }
            }
        }
        Ok(all)
    }
}

/// Whether so many operations gain from going in lock step. (Two on their own fill as many streams.)
fn gains(isa: Isa, set: ParameterSet, count: usize) -> bool {
    count > 2 && set.variant().has_sponges() && isa::with(isa, SharesPermutations)
}

/// [`Keccak::SHARES`] of a backend.
struct SharesPermutations;

impl<K: Keccak> Op<K> for SharesPermutations {
    type Out = bool;

    #[inline(always)]
    fn run(self, _: K) -> bool {
        K::SHARES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Replay;

    /// None, one, two, a few, a group and one more or less, groups and a rest.
    const COUNTS: [usize; 8] = [0, 1, 2, 3, 7, 8, 9, 17];

    fn backends() -> impl Iterator<Item = Isa> {
        Isa::ALL.iter().copied().filter(|isa| isa.is_supported())
    }

    /// Different bytes for each operation.
    fn random(len: usize) -> Vec<u8> {
        (0..len as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
    }

    /// Keys made one by one, on one fixed backend.
    fn keys(set: ParameterSet, count: usize) -> Vec<DecapsulationKey> {
        let random = random(64 * count);
        let key = |seed| DecapsulationKey::generate_from(set, Isa::Scalar, &mut Replay(seed)).expect("a key");
        random.chunks(64).map(key).collect()
    }

    /// The public keys as a receiver reads them: without their hashes.
    fn public(keys: &[DecapsulationKey], isa: Isa) -> Vec<EncapsulationKey> {
        let read = |key: &DecapsulationKey| {
            let bytes = key.encapsulation_key().as_bytes();
            EncapsulationKey::from_bytes(key.parameter_set(), isa, bytes).expect("a key")
        };
        keys.iter().map(read).collect()
    }

    /// Ciphertext and secret of each key, one by one.
    fn singles(keys: &[&EncapsulationKey]) -> Vec<(Vec<u8>, [u8; 32])> {
        let random = random(32 * keys.len());
        let one = |(key, m): (&&EncapsulationKey, _)| {
            let (ciphertext, secret) = key.encapsulate_from(Isa::Scalar, &mut Replay(m)).expect("made");
            (ciphertext.as_bytes().to_vec(), *secret.expose())
        };
        keys.iter().zip(random.chunks(32)).map(one).collect()
    }

    /// The same at once.
    fn together(isa: Isa, keys: &[&EncapsulationKey]) -> Vec<(Vec<u8>, [u8; 32])> {
        let random = &random(32 * keys.len());
        let made = EncapsulationKey::encapsulate_batch_from(isa, keys, &mut Replay(random)).expect("made");
        made.iter().map(|(ciphertext, secret)| (ciphertext.as_bytes().to_vec(), *secret.expose())).collect()
    }

    #[test]
    fn every_number_of_operations_gives_the_single_results_on_every_backend() {
        for set in ParameterSet::ALL {
            let all = keys(set, 17);
            for count in COUNTS {
                let all = &all[..count];
                let read = public(all, Isa::Scalar);
                let expected = singles(&read.iter().collect::<Vec<_>>());
                // Two of the ciphertexts are changed, in the middle and at the end of a batch.
                let mut ciphertexts: Vec<_> = expected
                    .iter()
                    .map(|(bytes, _)| Ciphertext::from_bytes(set, bytes).expect("its length"))
                    .collect();
                for changed in [3, 8] {
                    if let Some(ciphertext) = ciphertexts.get_mut(changed) {
                        let mut bytes = ciphertext.as_bytes().to_vec();
                        bytes[77 * changed] ^= 0x10;
                        *ciphertext = Ciphertext::from_bytes(set, &bytes).expect("its length");
                    }
                }
                let pairs: Vec<_> = all.iter().zip(&ciphertexts).collect();
                let secrets: Vec<[u8; 32]> = pairs
                    .iter()
                    .map(|(key, c)| *key.decapsulate(Isa::Scalar, c).expect("of the set").expose())
                    .collect();
                for (i, (secret, (_, sent))) in secrets.iter().zip(&expected).enumerate() {
                    assert_eq!(secret == sent, i != 3 && i != 8);
                }
                for isa in backends() {
                    let name = format!("{count} of {} on {}", set.name(), isa.name());
                    let made = DecapsulationKey::generate_batch_from(
                        set,
                        isa,
                        count,
                        &mut Replay(&random(64 * count)),
                    );
                    let made = made.expect("keys");
                    assert_eq!(made.len(), count, "{name}");
                    for (ours, theirs) in made.iter().zip(all) {
                        assert_eq!(*ours.expanded(isa), *theirs.expanded(isa), "{name}");
                        assert_eq!(ours.seed(), theirs.seed(), "{name}");
                        assert!(ours.encapsulation_key().known_hash().is_some(), "{name}");
                    }
                    let read = public(all, isa);
                    assert!(together(isa, &read.iter().collect::<Vec<_>>()) == expected, "{name}");
                    let found = DecapsulationKey::decapsulate_batch(isa, &pairs).expect("of the set");
                    assert!(found.iter().map(|s| *s.expose()).eq(secrets.iter().copied()), "{name}");
                }
            }
        }
    }

    /// Keys that keep their matrix, keys that come several times, and another set between them.
    #[test]
    fn keys_can_be_mixed() {
        for (set, other) in [
            (ParameterSet::MlKem768, ParameterSet::MlKem512),
            (ParameterSet::Kyber1024, ParameterSet::Kyber768In90s),
        ] {
            let (mut private, others) = (keys(set, 3), keys(other, 2));
            private.extend(others);
            for isa in backends() {
                let public = public(&private, isa);
                public[1].keep_matrix(isa);
                private[1].keep_matrix(isa);
                for order in
                    [[0, 0, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 1, 2, 2, 0, 1, 1], [2, 2, 3, 4, 4, 0, 1, 0, 2]]
                {
                    let keys: Vec<&EncapsulationKey> = order.iter().map(|i| &public[*i]).collect();
                    let made = together(isa, &keys);
                    assert!(made == singles(&keys), "{order:?} of {} on {}", set.name(), isa.name());
                    let ciphertexts: Vec<Ciphertext> = (keys.iter().zip(&made))
                        .map(|(key, (bytes, _))| Ciphertext::from_bytes(key.parameter_set(), bytes))
                        .collect::<Result<_, _>>()
                        .expect("their lengths");
                    let pairs: Vec<_> = order.iter().map(|i| &private[*i]).zip(&ciphertexts).collect();
                    let found = DecapsulationKey::decapsulate_batch(isa, &pairs).expect("of their sets");
                    assert!(found.iter().zip(&made).all(|(found, (_, sent))| found.expose() == sent));
                }
            }
        }
    }

    #[test]
    fn a_random_source_that_fails_leaves_no_results() {
        let (isa, set) = (Isa::detect(), ParameterSet::MlKem512);
        let public = public(&keys(set, 9), isa);
        let public: Vec<&EncapsulationKey> = public.iter().collect();
        for len in [0, 255, 256, 287] {
            let bytes = vec![1; len];
            let made = EncapsulationKey::encapsulate_batch_from(isa, &public, &mut Replay(&bytes));
            assert!(matches!(made.err(), Some(Error::Randomness(_))), "{len} bytes");
            let bytes = vec![1; 2 * len];
            let made = DecapsulationKey::generate_batch_from(set, isa, 9, &mut Replay(&bytes));
            assert!(matches!(made.err(), Some(Error::Randomness(_))), "{} bytes", bytes.len());
        }
    }

    #[test]
    fn a_ciphertext_of_another_set_leaves_no_results() {
        let isa = Isa::detect();
        let keys = keys(ParameterSet::MlKem768, 2);
        let own = keys[0].encapsulation_key().encapsulate(isa).expect("random bytes").0;
        let wrong = Ciphertext::from_bytes(ParameterSet::MlKem512, &[0; 768]).expect("its length");
        let found = DecapsulationKey::decapsulate_batch(isa, &[(&keys[0], &own), (&keys[1], &wrong)]);
        assert!(matches!(found.err(), Some(Error::Format { .. })));
        assert_eq!(DecapsulationKey::decapsulate_batch(isa, &[]).map(|found| found.len()), Ok(0));
    }
}
