//! The two parameter sets of Falcon, round 3 (specification 1.2, table 3.3).
//!
//! Constants that the reference program holds as doubles are given by their bit patterns, since a decimal
//! spelling would hide that two of them are one unit above the true value. Next: [`super::codec`].

/// The modulus.
pub const Q: u32 = 12289;

/// The largest degree.
pub(super) const MAX_N: usize = 1024;

/// Bytes of the nonce that is hashed before the message.
pub const NONCE_LEN: usize = 40;

/// A Falcon parameter set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Params {
    /// Degree 512, NIST level 1.
    Falcon512,
    /// Degree 1024, NIST level 5.
    Falcon1024,
}

impl Params {
    /// The name in the specification.
    pub const fn name(self) -> &'static str {
        match self {
            Params::Falcon512 => "Falcon-512",
            Params::Falcon1024 => "Falcon-1024",
        }
    }

    /// log2 of the degree.
    pub const fn logn(self) -> u32 {
        match self {
            Params::Falcon512 => 9,
            Params::Falcon1024 => 10,
        }
    }

    /// The degree of x^n + 1.
    pub const fn n(self) -> usize {
        1 << self.logn()
    }

    /// Bytes of an encoded public key: header and 14 bits a coefficient.
    pub const fn public_key_len(self) -> usize {
        1 + self.n() * 14 / 8
    }

    /// Bytes of an encoded private key: header, f, g and F.
    pub const fn private_key_len(self) -> usize {
        1 + 2 * self.n() * self.fg_bits() as usize / 8 + self.n()
    }

    /// Bits of a coefficient of f and g in the private key (specification 3.11.5).
    pub const fn fg_bits(self) -> u32 {
        match self {
            Params::Falcon512 => 6,
            Params::Falcon1024 => 5,
        }
    }

    /// Bytes of a padded signature: header, nonce, compressed s2, zeros.
    pub const fn padded_len(self) -> usize {
        match self {
            Params::Falcon512 => 666,
            Params::Falcon1024 => 1280,
        }
    }

    /// The largest number of bytes that a compressed signature can take and still be released.
    pub const fn compressed_max_len(self) -> usize {
        match self {
            Params::Falcon512 => 752,
            Params::Falcon1024 => 1462,
        }
    }

    /// floor(beta^2): the largest squared norm of (s1, s2) that is accepted.
    pub const fn squared_norm_bound(self) -> u32 {
        match self {
            Params::Falcon512 => 34034726,
            Params::Falcon1024 => 70265242,
        }
    }

    /// 1/sigma as the reference program has it (0.0060336696681577241 and 0.0059386453095331160).
    pub const fn inv_sigma(self) -> f64 {
        f64::from_bits(match self {
            Params::Falcon512 => 4573606369665796042,
            Params::Falcon1024 => 4573496814039276259,
        })
    }

    /// sigma_min (1.2778336969128337 and 1.298280334344292).
    pub const fn sigma_min(self) -> f64 {
        f64::from_bits(match self {
            Params::Falcon512 => 4608433670533905013,
            Params::Falcon1024 => 4608525754002622308,
        })
    }

    /// Doubles of an expanded key: the basis in FFT form (4n) and the LDL tree ((logn + 1) n).
    pub const fn expanded_len(self) -> usize {
        (self.logn() as usize + 5) << self.logn()
    }
}
