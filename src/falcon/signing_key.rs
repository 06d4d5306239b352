//! Private keys: made, read and checked; always expanded.

use super::VerifyingKey;
use super::codec;
use super::expanded::{Basis, Expand};
use super::kernels::Kernels;
use super::keygen;
use super::ntt;
use super::params::Params;
use crate::ct::{declassify, declassify_all};
use crate::error::Error;
use crate::isa::{self, Isa, Op};
use crate::rng::{OsRandom, RandomSource};
use crate::secret::{Buffer, Secret, scrubbed};
use crate::simd::Simd;
use std::sync::Mutex;
use zeroize::Zeroizing;

/// Bytes that a key is made from.
pub(crate) const KEYGEN_SEED_LEN: usize = 48;

/// A private key with everything that signing needs: f, g, F, the basis in FFT form, the LDL tree.
pub struct SigningKey {
    pub(super) verifying: VerifyingKey,
    pub(super) expanded: Secret<Vec<f64>>,
    f: Secret<Vec<i8>>,
    g: Secret<Vec<i8>>,
    big_f: Secret<Vec<i8>>,
    /// Room for [`super::sign_batch`], from its first use on: a batch works in as much memory as allocators like to give
    /// back to the system, and the system would have to clear it each time. Nothing but zeros between two uses.
    pub(super) room: Mutex<Secret<Buffer<f64>>>,
}

impl SigningKey {
    /// Makes a new key from 48 random bytes of the operating system.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn generate(params: Params, isa: Isa) -> Result<SigningKey, Error> {
        SigningKey::generate_from(params, isa, &mut OsRandom)
    }

    /// [`SigningKey::generate`] with its random bytes from `random`. Private: seeds are for known answers alone.
    pub(crate) fn generate_from(
        params: Params,
        isa: Isa,
        random: &mut dyn RandomSource,
    ) -> Result<SigningKey, Error> {
        let mut seed = Box::new(Secret::new([0; KEYGEN_SEED_LEN]));
        random.fill(seed.expose_mut().as_mut_slice())?;
        let polynomials = scrubbed(|| isa::with_base(isa, keygen::Generate { params, seed: seed.expose() }));
        SigningKey::from_polynomials(params, isa, polynomials)
    }

    /// Reads an encoded private key (1281 or 2305 bytes: header 0x50 + logn, f, g, F), recomputes G and the public
    /// key, checks that fG - gF = q, and expands the key.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotCanonical`], [`Error::InvalidKey`].
    pub fn from_bytes(params: Params, isa: Isa, bytes: &[u8]) -> Result<SigningKey, Error> {
        SigningKey::from_polynomials(params, isa, codec::decode_private_key(params, bytes)?)
    }

    /// Completes f, g, F to a key and checks it.
    fn from_polynomials(
        params: Params,
        isa: Isa,
        [f, g, big_f]: [Secret<Vec<i8>>; 3],
    ) -> Result<SigningKey, Error> {
        let completed = scrubbed(|| complete(params, isa, [f.expose(), g.expose(), big_f.expose()]));
        let (h, expanded) = completed.map_err(|why| Error::InvalidKey { why })?;
        declassify_all(h.expose(), "h is the public key");
        let h = h.expose().iter().map(|c| *c as u16).collect();
        let verifying = VerifyingKey::from_coefficients(params, h);
        let room = Mutex::new(Secret::new(Buffer::default()));
        Ok(SigningKey { verifying, expanded, f, g, big_f, room })
    }

    /// The encoded private key.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let (f, g, big_f) = (self.f.expose(), self.g.expose(), self.big_f.expose());
        Zeroizing::new(codec::encode_private_key(self.params(), f, g, big_f))
    }

    /// The parameter set.
    pub fn params(&self) -> Params {
        self.verifying.params()
    }

    /// The public key of this private key.
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.verifying
    }
}

/// h, coefficients in [0, q), and the expanded key.
type Loaded = (Secret<Vec<i16>>, Secret<Vec<f64>>);

/// What the polynomials of a key give, or why they are none.
fn complete(params: Params, isa: Isa, [f, g, big_f]: [&[i8]; 3]) -> Result<Loaded, &'static str> {
    let Completed { h, big_g, zeros, too_large } = isa::with_base(isa, Complete { f, g, big_f });
    if declassify(zeros, "a private key whose f has no inverse is refused") != 0 {
        return Err("f is not invertible modulo q");
    }
    if declassify(too_large, "a private key whose G is too large is refused") != 0 {
        return Err("G is out of range");
    }
    let basis = Basis { f, g, big_f, big_g: big_g.expose() };
    let expanded = isa::with_base(isa, Expand { params, basis }).ok_or("fG - gF is not q")?;
    Ok((h, expanded))
}

/// h and G from f, g and F.
struct Complete<'a> {
    f: &'a [i8],
    g: &'a [i8],
    big_f: &'a [i8],
}

struct Completed {
    /// g / f mod q: coefficients in [0, q).
    h: Secret<Vec<i16>>,
    /// F h mod q, as fG - gF = q.
    big_g: Secret<Vec<i8>>,
    /// Not 0 where f is not invertible modulo q; nothing else has a meaning then.
    zeros: u32,
    /// Not 0 where a coefficient of G is not in [-127, 127].
    too_large: u32,
}

impl<K: Kernels> Op<K> for Complete<'_> {
    type Out = Completed;

    #[inline(always)]
    fn run(self, k: K) -> Completed {
        let s = k.vector();
        let transformed = |poly: &[i8]| {
            let mut values: Vec<i16> = poly.iter().map(|c| i16::from(*c)).collect();
            k.ntt(&mut values);
            Secret::new(values)
        };
        let (f, mut h, mut big_g_mod_q) = (transformed(self.f), transformed(self.g), transformed(self.big_f));
        let zeros = ntt::div(s, h.expose_mut(), f.expose());
        let mut factor = Secret::new(h.expose().clone());
        ntt::to_factor(s, factor.expose_mut());
        ntt::mul(s, big_g_mod_q.expose_mut(), factor.expose());
        k.intt(big_g_mod_q.expose_mut());
        let mut big_g = Secret::new(vec![0i8; self.f.len()]);
        for values in big_g_mod_q.expose_mut().chunks_exact_mut(<K::Vector as Simd>::LANES16) {
            s.store_i16(values, ntt::centred(s, s.load_i16(values)));
        }
        let mut differences = 0;
        for (big_g, c) in big_g.expose_mut().iter_mut().zip(big_g_mod_q.expose()) {
            differences |= 127u16.wrapping_sub(c.unsigned_abs());
            *big_g = *c as i8;
        }
        let too_large = u32::from(differences >> 15);
        k.intt(h.expose_mut());
        ntt::divide_by_n(s, h.expose_mut());
        Completed { h, big_g, zeros, too_large }
    }
}
