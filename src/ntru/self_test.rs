//! What `pqc selftest` runs: known answers, implicit rejection, and refusals, on one backend.
//!
//! The known answers are entry 0 of the NIST files: key, ciphertext and secret, with `sort` the submission's and with
//! `shuffle` those of ePrint 2024/548. Every backend must give them, so this is also the test that backends agree.
//! Rejection is computed a second time here, with the crate `sha3`.

use super::{Ciphertext, DecapsulationKey, EncapsulationKey, ParameterSet, SEED_LEN, Sampler};
use crate::error::Error;
use crate::hex::hex;
use crate::isa::Isa;
use crate::rng::RandomSource;
use crate::simd::Scalar;
use crate::symmetric::aes256ctr::Aes256Ctr;
use sha2::Digest as _;
use sha2::Sha256;
use sha3::Sha3_256;

/// The generator of NIST's submission package: AES-256-CTR-DRBG, without a derivation function. Its counter has 32 bits
/// here, which do not overflow with the seed of entry 0.
struct Drbg {
    key: [u8; 32],
    v: [u8; 16],
}

impl Drbg {
    /// With the seed of entry 0 of each file.
    fn of_entry_0() -> Drbg {
        const SEED: [u8; 48] = hex(concat!(
            "061550234d158c5ec95595fe04ef7a25767f2e24cc2bc479d09d86dc9abcfde7",
            "056a8c266f9ef97ed08541dbd2e1ffa1"
        ));
        let mut drbg = Drbg { key: [0; 32], v: [0; 16] };
        drbg.update(&SEED);
        drbg
    }

    /// Key and counter from the stream that follows, changed by `data`.
    fn update(&mut self, data: &[u8; 48]) {
        let mut next = [0; 48];
        self.stream(&mut next);
        next.iter_mut().zip(data).for_each(|(next, data)| *next ^= data);
        let (key, v) = next.split_at(32);
        self.key.copy_from_slice(key);
        self.v.copy_from_slice(v);
    }

    /// The encryptions of the counters after v, which becomes the last of them.
    fn stream(&mut self, out: &mut [u8]) {
        let [nonce @ .., c0, c1, c2, c3] = self.v;
        let counter = u32::from_be_bytes([c0, c1, c2, c3]);
        Aes256Ctr::new(Scalar::get(), &self.key).keystream(&nonce, counter.wrapping_add(1), out);
        let last = counter.wrapping_add(out.len().div_ceil(16) as u32);
        self.v.iter_mut().skip(nonce.len()).zip(last.to_be_bytes()).for_each(|(to, byte)| *to = byte);
    }
}

impl RandomSource for Drbg {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.stream(out);
        self.update(&[0; 48]);
        Ok(())
    }
}

/// SHA-256 of public key, private key, ciphertext and secret of entry 0, one after the other. HRSS has one entry for both
/// samplers; that of 1229 with `shuffle`, whose number of words is our own, is known from this program alone.
const fn entry_0_sum(set: ParameterSet, sampler: Sampler) -> [u8; 32] {
    hex(match (set, sampler) {
        (ParameterSet::Hps2048509, Sampler::Sort) => {
            "e7a1e55aee5201cd4f6be6269c5e97dd5f15ebe38e6887bfd2880d43aa6f1a52"
        }
        (ParameterSet::Hps2048509, Sampler::Shuffle) => {
            "2c661751b7e52eca3ba87e2d2b2c84fe92793fede68060d507352f1760382646"
        }
        (ParameterSet::Hps2048677, Sampler::Sort) => {
            "2c84b786ae9a050b3a0184b97cecfb5af46d4d9038228d9bbd067d9a007edb8d"
        }
        (ParameterSet::Hps2048677, Sampler::Shuffle) => {
            "21687905ef30a68f10700fbc70af16bfe0908228429454f25bdefb1279fac039"
        }
        (ParameterSet::Hps4096821, Sampler::Sort) => {
            "746565103563e7b7dda3b061b601f3d41afb74af236856056c084b178a26ca5b"
        }
        (ParameterSet::Hps4096821, Sampler::Shuffle) => {
            "8de5364b1cc67933f3b9b777e19265b85d4b1d9470cff3dbd761f541dbaad576"
        }
        (ParameterSet::Hps40961229, Sampler::Sort) => {
            "b1f69cfa1151c57e557cacf2fefde4cd4f330cefd767a270e5a36a8eb768c0aa"
        }
        (ParameterSet::Hps40961229, Sampler::Shuffle) => {
            "73d4bfe8e02901124074e9b06baa100e9b0c56c7bda5155e7dff4433eb7c84b3"
        }
        (ParameterSet::Hrss701, _) => "c234799cfdc3040471bbf9f00b8b7b8afb0724f0074925e71b09c2a9548bdd49",
        (ParameterSet::Hrss1373, _) => "2cf803b2eca2eb39fb44d1ca59d94c38479f507632df5932c882711c4cce70ec",
    })
}

/// Known answers, rejection and refusals of a parameter set on a backend; the keys made are published ones and are
/// thrown away.
///
/// # Errors
/// The name of the first check that failed.
pub fn self_test(set: ParameterSet, isa: Isa) -> Result<(), &'static str> {
    known_answer(set, Sampler::Sort, isa)?;
    known_answer(set, Sampler::Shuffle, isa)
}

fn known_answer(set: ParameterSet, sampler: Sampler, isa: Isa) -> Result<(), &'static str> {
    let mut random = Drbg::of_entry_0();
    let key =
        DecapsulationKey::generate_from(set, sampler, isa, &mut random).map_err(|_| "key generation")?;
    let public = key.encapsulation_key();
    let (ciphertext, sent) =
        public.encapsulate_from(sampler, isa, &mut random).map_err(|_| "encapsulation")?;
    let private = key.to_bytes();
    let sum = Sha256::new()
        .chain_update(public.as_bytes())
        .chain_update(&private)
        .chain_update(ciphertext.as_bytes())
        .chain_update(sent.expose())
        .finalize();
    if sum.as_slice() != entry_0_sum(set, sampler) {
        return Err("known answer");
    }

    // Both halves as they are read from files.
    let read = DecapsulationKey::from_bytes(set, isa, &private).map_err(|_| "reading a private key")?;
    if read.encapsulation_key() != public {
        return Err("reading a private key");
    }
    let received = read.decapsulate(isa, &ciphertext).map_err(|_| "decapsulation")?;
    if !received.is_equal(&sent) {
        return Err("decapsulation");
    }
    if EncapsulationKey::from_bytes(set, isa, public.as_bytes()).as_ref() != Ok(public) {
        return Err("reading a public key");
    }
    rejection(&read, &ciphertext, &private, isa)?;
    refusals(set, isa, public.as_bytes(), &private)
}

/// What changed ciphertexts give: SHA3-256 of the key for rejection and the ciphertext.
fn rejection(
    key: &DecapsulationKey,
    ciphertext: &Ciphertext,
    private: &[u8],
    isa: Isa,
) -> Result<(), &'static str> {
    let set = key.parameter_set();
    let prf_key = private.last_chunk::<SEED_LEN>().map_or(&[][..], |key| key);
    let bits = ciphertext.as_bytes().len() * 8;
    // Not the end but for the last bit: there a change of HRSS by little can be another message.
    for bit in (0..bits - 101 * set.logq() as usize).step_by(61).chain([bits - 1]) {
        let mut changed = ciphertext.as_bytes().to_vec();
        if let Some(byte) = changed.get_mut(bit / 8) {
            *byte ^= 1 << (bit % 8);
        }
        let expected = Sha3_256::new().chain_update(prf_key).chain_update(&changed).finalize();
        let secret = Ciphertext::from_bytes(set, &changed).and_then(|changed| key.decapsulate(isa, &changed));
        // The secrets of a published key are public.
        if secret.map_err(|_| "implicit rejection")?.expose() != expected.as_slice() {
            return Err("implicit rejection");
        }
    }
    Ok(())
}

/// Keys and ciphertexts that must not be read.
fn refusals(set: ParameterSet, isa: Isa, public: &[u8], private: &[u8]) -> Result<(), &'static str> {
    let mut spare = public.to_vec();
    if let Some(last) = spare.last_mut() {
        *last |= 0x80;
    }
    let has_spare_bits = !set.has_zero_spare_bits(&spare);
    if EncapsulationKey::from_bytes(set, isa, &spare).is_ok() == has_spare_bits {
        return Err("refusing a public key that is not canonical");
    }
    // A byte that is no five digits; and one of f that is another five.
    for change in [|_| 243, |byte: u8| if byte == 0 { 1 } else { byte - 1 }] {
        let mut damaged = private.to_vec();
        if let Some(first) = damaged.first_mut() {
            *first = change(*first);
        }
        if DecapsulationKey::from_bytes(set, isa, &damaged).is_ok() {
            return Err("refusing a damaged private key");
        }
    }
    let short = |bytes: &[u8]| bytes.get(1..).unwrap_or_default().to_vec();
    if EncapsulationKey::from_bytes(set, isa, &short(public)).is_ok()
        || DecapsulationKey::from_bytes(set, isa, &short(private)).is_ok()
        || Ciphertext::from_bytes(set, &short(public)).is_ok()
    {
        return Err("refusing a wrong length");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_on_every_backend() {
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            for set in ParameterSet::ALL {
                assert_eq!(self_test(set, *isa), Ok(()), "{} on {}", set.name(), isa.name());
            }
        }
    }
}
