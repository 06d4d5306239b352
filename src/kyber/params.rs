//! The nine parameter sets: ML-KEM (FIPS 203, table 2), Kyber and Kyber-90s (round 3, specification 3.02, table 1).
//!
//! A set is the rank k with its noise and compression, and a [`Variant`], which says how seeds, hashes and secrets are
//! derived. All of it is public. Next: [`super::variant`].

use super::variant::Variant;

/// The modulus.
pub const Q: u32 = 3329;
/// Coefficients of a polynomial.
pub const N: usize = 256;
/// The largest rank.
pub(super) const MAX_K: usize = 4;
/// The longest ciphertext.
pub(super) const MAX_CIPHERTEXT_LEN: usize = ParameterSet::MlKem1024.ciphertext_len();
/// Bytes of an encoded polynomial: 12 bits a coefficient.
pub(super) const POLY_LEN: usize = N * 12 / 8;
/// Bytes of a seed, a message, a hash, a shared secret.
pub const SEED_LEN: usize = 32;

/// A parameter set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParameterSet {
    /// FIPS 203, rank 2, NIST category 1.
    MlKem512,
    /// FIPS 203, rank 3, NIST category 3.
    MlKem768,
    /// FIPS 203, rank 4, NIST category 5.
    MlKem1024,
    /// Kyber, round 3, rank 2.
    Kyber512,
    /// Kyber, round 3, rank 3.
    Kyber768,
    /// Kyber, round 3, rank 4.
    Kyber1024,
    /// Kyber-90s, round 3, rank 2.
    Kyber512In90s,
    /// Kyber-90s, round 3, rank 3.
    Kyber768In90s,
    /// Kyber-90s, round 3, rank 4.
    Kyber1024In90s,
}

impl ParameterSet {
    /// All nine.
    pub const ALL: [ParameterSet; 9] = [
        ParameterSet::MlKem512,
        ParameterSet::MlKem768,
        ParameterSet::MlKem1024,
        ParameterSet::Kyber512,
        ParameterSet::Kyber768,
        ParameterSet::Kyber1024,
        ParameterSet::Kyber512In90s,
        ParameterSet::Kyber768In90s,
        ParameterSet::Kyber1024In90s,
    ];

    /// The name in the specification.
    pub const fn name(self) -> &'static str {
        match self {
            ParameterSet::MlKem512 => "ML-KEM-512",
            ParameterSet::MlKem768 => "ML-KEM-768",
            ParameterSet::MlKem1024 => "ML-KEM-1024",
            ParameterSet::Kyber512 => "Kyber512",
            ParameterSet::Kyber768 => "Kyber768",
            ParameterSet::Kyber1024 => "Kyber1024",
            ParameterSet::Kyber512In90s => "Kyber512-90s",
            ParameterSet::Kyber768In90s => "Kyber768-90s",
            ParameterSet::Kyber1024In90s => "Kyber1024-90s",
        }
    }

    /// How seeds, hashes and secrets are derived.
    pub(super) const fn variant(self) -> Variant {
        match self {
            ParameterSet::MlKem512 | ParameterSet::MlKem768 | ParameterSet::MlKem1024 => Variant::MlKem,
            ParameterSet::Kyber512 | ParameterSet::Kyber768 | ParameterSet::Kyber1024 => Variant::Round3,
            _ => Variant::NinetiesSymmetric,
        }
    }

    /// Whether this is a set of the standard, FIPS 203, and not of round 3.
    pub const fn is_standard(self) -> bool {
        matches!(self.variant(), Variant::MlKem)
    }

    /// The rank: polynomials in a vector.
    pub const fn k(self) -> usize {
        match self {
            ParameterSet::MlKem512 | ParameterSet::Kyber512 | ParameterSet::Kyber512In90s => 2,
            ParameterSet::MlKem768 | ParameterSet::Kyber768 | ParameterSet::Kyber768In90s => 3,
            ParameterSet::MlKem1024 | ParameterSet::Kyber1024 | ParameterSet::Kyber1024In90s => 4,
        }
    }

    /// The width of the secret's noise and of y's: coefficients in [-eta1, eta1]. That of e1 and e2 (eta2) is
    /// [`ETA2`] in every set.
    pub const fn eta1(self) -> usize {
        if self.k() == 2 { 3 } else { 2 }
    }

    /// Bits of a coefficient of u in a ciphertext.
    pub const fn du(self) -> usize {
        if self.k() == 4 { 11 } else { 10 }
    }

    /// Bits of a coefficient of v in a ciphertext.
    pub const fn dv(self) -> usize {
        if self.k() == 4 { 5 } else { 4 }
    }

    /// Bytes of an encoded encapsulation key: t in the NTT domain, rho.
    pub const fn encapsulation_key_len(self) -> usize {
        self.k() * POLY_LEN + SEED_LEN
    }

    /// Bytes of an expanded decapsulation key: s in the NTT domain, the encapsulation key, its hash, z.
    pub const fn expanded_len(self) -> usize {
        2 * self.k() * POLY_LEN + 3 * SEED_LEN
    }

    /// Bytes of a ciphertext.
    pub const fn ciphertext_len(self) -> usize {
        (self.k() * self.du() + self.dv()) * N / 8
    }
}

/// The width of the noise e1 and e2, in every set.
pub(super) const ETA2: usize = 2;
/// The largest width of noise.
pub(super) const MAX_ETA: usize = 3;
