//! The six parameter sets of NTRU, round 3 (specification of September 2020, section 1.3): four HPS, two HRSS.
//!
//! A set is the degree n, the modulus q, and for HPS the weight d of a message. Polynomials are modulo x^n - 1 (R),
//! or modulo Phi_n = (x^n - 1) / (x - 1) (S). All of it is public. Next: [`super::poly`].

/// Bytes of the key for implicit rejection, and of a shared secret.
pub const SEED_LEN: usize = 32;
/// The largest degree.
pub(super) const MAX_N: usize = ParameterSet::Hrss1373.n();
/// The longest packed ternary polynomial.
pub(super) const MAX_TERNARY_LEN: usize = ParameterSet::Hrss1373.ternary_len();
/// The most positions that are drawn with a fixed weight.
pub(super) const MAX_POSITIONS: usize = ParameterSet::Hps40961229.n() - 1;
/// The most random words that the shuffle takes.
pub(super) const MAX_WORDS: usize = ParameterSet::Hps40961229.shuffle_words();

/// A parameter set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParameterSet {
    /// n = 509, q = 2^11, d = 254.
    Hps2048509,
    /// n = 677, q = 2^11, d = 254.
    Hps2048677,
    /// n = 821, q = 2^12, d = 510.
    Hps4096821,
    /// n = 1229, q = 2^12, d = 510.
    Hps40961229,
    /// n = 701, q = 2^13.
    Hrss701,
    /// n = 1373, q = 2^14.
    Hrss1373,
}

impl ParameterSet {
    /// All six.
    pub const ALL: [ParameterSet; 6] = [
        ParameterSet::Hps2048509,
        ParameterSet::Hps2048677,
        ParameterSet::Hps4096821,
        ParameterSet::Hps40961229,
        ParameterSet::Hrss701,
        ParameterSet::Hrss1373,
    ];

    /// The name in the specification.
    pub const fn name(self) -> &'static str {
        match self {
            ParameterSet::Hps2048509 => "ntruhps2048509",
            ParameterSet::Hps2048677 => "ntruhps2048677",
            ParameterSet::Hps4096821 => "ntruhps4096821",
            ParameterSet::Hps40961229 => "ntruhps40961229",
            ParameterSet::Hrss701 => "ntruhrss701",
            ParameterSet::Hrss1373 => "ntruhrss1373",
        }
    }

    /// The degree n: a prime, so that Phi_n is irreducible modulo 2 and modulo 3.
    pub const fn n(self) -> usize {
        match self {
            ParameterSet::Hps2048509 => 509,
            ParameterSet::Hps2048677 => 677,
            ParameterSet::Hps4096821 => 821,
            ParameterSet::Hps40961229 => 1229,
            ParameterSet::Hrss701 => 701,
            ParameterSet::Hrss1373 => 1373,
        }
    }

    /// The binary logarithm of the modulus q.
    pub const fn logq(self) -> u32 {
        match self {
            ParameterSet::Hps2048509 | ParameterSet::Hps2048677 => 11,
            ParameterSet::Hps4096821 | ParameterSet::Hps40961229 => 12,
            ParameterSet::Hrss701 => 13,
            ParameterSet::Hrss1373 => 14,
        }
    }

    /// q - 1: the bits of a coefficient.
    pub(super) const fn q_mask(self) -> i16 {
        (1 << self.logq()) - 1
    }

    /// The weight d = q / 8 - 2 of g and of messages, half of it ones and half minus ones; `None` for HRSS, whose
    /// polynomials have any weight.
    pub const fn weight(self) -> Option<usize> {
        match self {
            ParameterSet::Hrss701 | ParameterSet::Hrss1373 => None,
            _ => Some((1 << (self.logq() - 3)) - 2),
        }
    }

    /// Random bytes of a polynomial without a fixed weight: one a coefficient.
    pub(super) const fn iid_len(self) -> usize {
        self.n() - 1
    }

    /// Random 16-bit words that [`Sampler::Shuffle`](super::Sampler) takes: n - 1 first tries, the rest for redraws.
    /// They run out with a probability below 2^-74, and then as many fresh ones are drawn. 0 for HRSS.
    ///
    /// For n = 509, 677, 821 the numbers are those of ePrint 2024/548; that for 1229, by the same rule, is our own.
    pub const fn shuffle_words(self) -> usize {
        match self {
            ParameterSet::Hps2048509 => 536,
            ParameterSet::Hps2048677 => 704,
            ParameterSet::Hps4096821 => 856,
            ParameterSet::Hps40961229 => 1272,
            ParameterSet::Hrss701 | ParameterSet::Hrss1373 => 0,
        }
    }

    /// Bytes of a packed ternary polynomial: five coefficients a byte.
    pub(super) const fn ternary_len(self) -> usize {
        (self.n() - 1).div_ceil(5)
    }

    /// Bytes of a packed polynomial modulo q: n - 1 coefficients.
    pub(super) const fn packed_len(self) -> usize {
        ((self.n() - 1) * self.logq() as usize).div_ceil(8)
    }

    /// Bytes of an encoded public key: h.
    pub const fn encapsulation_key_len(self) -> usize {
        self.packed_len()
    }

    /// Bytes of an encoded private key: f, f^-1 modulo 3, h^-1, the key for implicit rejection.
    pub const fn decapsulation_key_len(self) -> usize {
        2 * self.ternary_len() + self.packed_len() + SEED_LEN
    }

    /// Whether the bits behind the last coefficient of an encoded public key or a ciphertext are zero, as those of all that
    /// this program makes are. In: bytes of the right length; public.
    pub(crate) fn has_zero_spare_bits(self, bytes: &[u8]) -> bool {
        let used = (self.n() - 1) * self.logq() as usize;
        bytes.get(used / 8).is_none_or(|last| last >> (used % 8) == 0)
    }

    /// Bytes of a ciphertext.
    pub const fn ciphertext_len(self) -> usize {
        self.packed_len()
    }
}
