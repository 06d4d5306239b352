//! Which instruction sets exist, which of them this processor can run, and the one dispatcher.
//!
//! An operation is a value that implements [`Op`] for every token; [`with`] picks the token of an [`Isa`] and
//! runs the operation inside it. Nothing below this module asks the processor anything. A new backend adds a
//! variant here, a file in [`crate::simd`], and one line to `Everywhere`.

use crate::error::{Error, IsaError};
#[cfg(target_arch = "riscv64")]
use crate::simd::Rvv;
#[cfg(target_arch = "x86_64")]
use crate::simd::{Avx2, Avx2Aes, Avx512, Avx512f, Sse2};
#[cfg(target_arch = "aarch64")]
use crate::simd::{Neon, NeonCrypto};
use crate::simd::{Scalar, Soft, Token};

/// An instruction set that an engine can be run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Isa {
    /// Integer instructions only; doubles are emulated. Called `rv64im` on riscv64.
    Soft,
    /// The target's own doubles, one at a time (SSE2 scalar, AArch64 FP, RV64D).
    Scalar,
    /// Two doubles at a time.
    #[cfg(target_arch = "x86_64")]
    Sse2,
    /// [`Isa::Avx2`] without its extra features.
    #[cfg(target_arch = "x86_64")]
    Avx2Base,
    /// Four doubles at a time (with BMI1, BMI2, LZCNT, POPCNT), and where they are there AES and PCLMULQDQ.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// [`Isa::Avx512f`] without its extra features.
    #[cfg(target_arch = "x86_64")]
    Avx512fBase,
    /// Eight doubles at a time (with all of `Avx2`), and where they are there AVX-512BW, DQ, VL, VBMI, VBMI2, IFMA,
    /// VNNI and the wide AES and PCLMULQDQ.
    #[cfg(target_arch = "x86_64")]
    Avx512f,
    /// [`Isa::Neon`] without its extra features.
    #[cfg(target_arch = "aarch64")]
    NeonBase,
    /// Two doubles at a time, and where they are there AES, SHA2 and SHA3.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// As many doubles at a time as the processor's vectors hold.
    #[cfg(target_arch = "riscv64")]
    Rvv,
}

/// Every backend name of the product, with the architecture that has it (`None`: all of them).
const NAMES: [(&str, Option<&str>); 11] = [
    ("soft", None),
    ("rv64im", Some("riscv64")),
    ("scalar", None),
    ("sse2", Some("x86_64")),
    ("avx2-base", Some("x86_64")),
    ("avx2", Some("x86_64")),
    ("avx512f-base", Some("x86_64")),
    ("avx512f", Some("x86_64")),
    ("neon-base", Some("aarch64")),
    ("neon", Some("aarch64")),
    ("rvv", Some("riscv64")),
];

impl Isa {
    /// The backends in this build, slowest first.
    pub const ALL: &'static [Isa] = &[
        Isa::Soft,
        Isa::Scalar,
        #[cfg(target_arch = "x86_64")]
        Isa::Sse2,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2Base,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512fBase,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512f,
        #[cfg(target_arch = "aarch64")]
        Isa::NeonBase,
        #[cfg(target_arch = "aarch64")]
        Isa::Neon,
        #[cfg(target_arch = "riscv64")]
        Isa::Rvv,
    ];

    /// The backend names of the whole product, in this build or not, slowest first.
    pub fn known_names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// The name that `--isa` takes.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Soft if cfg!(target_arch = "riscv64") => "rv64im",
            Isa::Soft => "soft",
            Isa::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Isa::Sse2 => "sse2",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2Base => "avx2-base",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512fBase => "avx512f-base",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512f => "avx512f",
            #[cfg(target_arch = "aarch64")]
            Isa::NeonBase => "neon-base",
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => "neon",
            #[cfg(target_arch = "riscv64")]
            Isa::Rvv => "rvv",
        }
    }

    /// Whether this processor and operating system can run the backend.
    pub fn is_supported(self) -> bool {
        match self {
            Isa::Soft | Isa::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Sse2 => Sse2::get().is_some(),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2Base | Isa::Avx2 => Avx2::get().is_some(),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512fBase | Isa::Avx512f => Avx512f::get().is_some(),
            #[cfg(target_arch = "aarch64")]
            Isa::NeonBase | Isa::Neon => Neon::get().is_some(),
            #[cfg(target_arch = "riscv64")]
            Isa::Rvv => Rvv::get().is_some(),
        }
    }

    /// Whether this is a level without its extra features: there to be tested and measured where the processor has them.
    pub fn is_base(self) -> bool {
        self.name().ends_with("-base")
    }

    /// The processor features that the backend's code uses here, beyond those of every processor of the target; none
    /// where this processor cannot run it.
    pub fn features(self) -> &'static [&'static str] {
        if self.is_supported() { with(self, Features) } else { &[] }
    }

    /// The fastest backend that this processor can run.
    pub fn detect() -> Isa {
        Isa::ALL.iter().rev().copied().find(|isa| isa.is_supported()).unwrap_or(Isa::Scalar)
    }

    /// Reads a backend name; `auto` is [`Isa::detect`]. Case does not matter. `soft` is taken everywhere.
    ///
    /// # Errors
    /// A name that no build has, one that this build has not, and one that this processor cannot run are three
    /// different errors. There is no fallback.
    pub fn from_name(name: &str) -> Result<Isa, Error> {
        let name = name.to_ascii_lowercase();
        if name == "auto" {
            return Ok(Isa::detect());
        }
        let found =
            Isa::ALL.iter().copied().find(|isa| isa.name() == name || (*isa == Isa::Soft && name == "soft"));
        match found {
            Some(isa) if isa.is_supported() => Ok(isa),
            Some(_) => Err(Error::Isa { name, why: IsaError::NotSupported }),
            None if Isa::known_names().any(|known| known == name) => {
                Err(Error::Isa { name, why: IsaError::NotInBuild })
            }
            None => Err(Error::Isa { name, why: IsaError::Unknown }),
        }
    }
}

/// Work for one token `K`. An engine implements it for every token that has the engine's kernels.
pub trait Op<K> {
    /// What the work gives.
    type Out;
    /// Does the work. Implementations are `#[inline(always)]`, so that [`Token::enter`] compiles the whole
    /// operation for its instruction set.
    fn run(self, token: K) -> Self::Out;
}

/// "Runs on every token of this target": the only list of tokens.
macro_rules! everywhere {
    ($($token:ident)*) => {
        /// An operation that runs on every token of this target.
        pub trait Everywhere: $(Op<$token, Out = Self::O> +)* {
            /// What the operation gives, on every token.
            type O;
        }

        impl<T, R> Everywhere for T
        where
            T: $(Op<$token, Out = R> +)*
        {
            type O = R;
        }
    };
}

#[cfg(target_arch = "x86_64")]
everywhere!(Soft Scalar Sse2 Avx2 Avx2Aes Avx512f Avx512);
#[cfg(target_arch = "aarch64")]
everywhere!(Soft Scalar Neon NeonCrypto);
#[cfg(target_arch = "riscv64")]
everywhere!(Soft Scalar Rvv);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
everywhere!(Soft Scalar);

/// Runs `op` on the backend `isa`: the only dispatcher.
///
/// # Panics
/// Where the processor cannot run the backend: ask [`Isa::is_supported`] first, as [`Isa::from_name`] does.
pub fn with<W: Everywhere>(isa: Isa, op: W) -> W::O {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))]
    const UNSUPPORTED: &str = "this processor cannot run the backend";
    match isa {
        Isa::Soft => Soft::get().enter(op),
        Isa::Scalar => Scalar::get().enter(op),
        #[cfg(target_arch = "x86_64")]
        Isa::Sse2 => Sse2::get().expect(UNSUPPORTED).enter(op),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2Base => Avx2::get().expect(UNSUPPORTED).enter(op),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => match Avx2Aes::get() {
            Some(token) => token.enter(op),
            None => Avx2::get().expect(UNSUPPORTED).enter(op),
        },
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512fBase => Avx512f::get().expect(UNSUPPORTED).enter(op),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512f => match Avx512::get() {
            Some(token) => token.enter(op),
            None => Avx512f::get().expect(UNSUPPORTED).enter(op),
        },
        #[cfg(target_arch = "aarch64")]
        Isa::NeonBase => Neon::get().expect(UNSUPPORTED).enter(op),
        #[cfg(target_arch = "aarch64")]
        Isa::Neon => match NeonCrypto::get() {
            Some(token) => token.enter(op),
            None => Neon::get().expect(UNSUPPORTED).enter(op),
        },
        #[cfg(target_arch = "riscv64")]
        Isa::Rvv => Rvv::get().expect(UNSUPPORTED).enter(op),
    }
}

/// The features of the token that an operation runs on.
struct Features;

impl<K: Token> Op<K> for Features {
    type Out = &'static [&'static str];

    #[inline(always)]
    fn run(self, _: K) -> &'static [&'static str] {
        K::FEATURES
    }
}

/// Runs `op` on the backend `isa` without the extra features of its level: for operations that gain nothing from
/// them, which are then compiled once a level.
///
/// # Panics
/// As [`with`].
pub fn with_base<W>(isa: Isa, op: W) -> <OnBase<W> as Everywhere>::O
where
    OnBase<W>: Everywhere,
{
    with(isa, OnBase(op))
}

/// An operation that a token hands to the base of its level.
pub struct OnBase<W>(W);

impl<K: Token, W: Op<K::Base>> Op<K> for OnBase<W> {
    type Out = W::Out;

    #[inline(always)]
    fn run(self, token: K) -> W::Out {
        token.base().enter(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_different_errors_for_a_backend_that_cannot_run() {
        assert!(matches!(Isa::from_name("sse9"), Err(Error::Isa { why: IsaError::Unknown, .. })));
        let elsewhere = if cfg!(target_arch = "riscv64") { "neon" } else { "rvv" };
        assert!(matches!(Isa::from_name(elsewhere), Err(Error::Isa { why: IsaError::NotInBuild, .. })));
        assert_eq!(Isa::from_name("SCALAR"), Ok(Isa::Scalar));
        assert_eq!(Isa::from_name("soft"), Ok(Isa::Soft));
        assert_eq!(Isa::from_name("auto"), Ok(Isa::detect()));
    }

    #[test]
    fn a_base_has_a_part_of_the_features_of_its_level() {
        let mut levels = 0;
        for pair in Isa::ALL.windows(2).filter(|pair| pair[0].is_base()) {
            let (base, level) = (pair[0], pair[1]);
            assert_eq!(base.name().strip_suffix("-base"), Some(level.name()));
            assert_eq!(base.is_supported(), level.is_supported());
            assert!(level.features().starts_with(base.features()));
            assert!(!Isa::detect().is_base());
            levels += 1;
        }
        assert_eq!(levels, Isa::ALL.iter().filter(|isa| isa.is_base()).count());
        assert!(Isa::Scalar.features().is_empty());
    }

    #[test]
    fn every_backend_of_the_build_is_a_known_name() {
        for isa in Isa::ALL {
            assert!(Isa::known_names().any(|name| name == isa.name()));
            assert_eq!(Isa::from_name(isa.name()).is_ok(), isa.is_supported());
        }
    }
}
