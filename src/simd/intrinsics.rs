//! What the tokens with intrinsics have in common: operators of vector types.
//!
//! A value of a vector type exists only where its token was handed out, so that every operator may use the
//! instruction set. Each backend file names its intrinsics; the text that uses them stands here once.

/// The fraction bits of a double.
pub(super) const FRACTION: i64 = (1 << 52) - 1;
/// A double whose low bits are an integer: 2^52.
#[cfg(target_arch = "x86_64")]
pub(super) const TWO_52: f64 = 4503599627370496.0;

/// A vector type of doubles with the operators of [`super::Float`].
macro_rules! doubles {
    ($name:ident, $vector:ty, add $add:path, sub $sub:path, mul $mul:path, div $div:path, sqrt $sqrt:path,
     splat $splat:path, sign $sign:expr) => {
        #[doc = "Doubles in one register."]
        #[derive(Clone, Copy)]
        pub struct $name(pub(super) $vector);

        $crate::simd::intrinsics::operator!($name, Add, add, $add);
        $crate::simd::intrinsics::operator!($name, Sub, sub, $sub);
        $crate::simd::intrinsics::operator!($name, Mul, mul, $mul);
        $crate::simd::intrinsics::operator!($name, Div, div, $div);

        impl core::ops::Neg for $name {
            type Output = $name;
            #[inline(always)]
            fn neg(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($sign(self.0)) }
            }
        }

        impl $crate::simd::Float for $name {
            #[inline(always)]
            fn half(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($mul(self.0, $splat(0.5))) }
            }
            #[inline(always)]
            fn sqrt(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($sqrt(self.0)) }
            }
        }
    };
}

/// A vector type of 32-bit integers with the operators of [`super::Int32`].
macro_rules! integers32 {
    ($name:ident, $vector:ty, add $add:path, sub $sub:path, xor $xor:path, and $and:path,
     shl $shl:ident, shr $shr:ident, sar $sar:ident, $(rotate $rotate:ident,)? less $less:expr) => {
        #[doc = "32-bit integers in one register."]
        #[derive(Clone, Copy)]
        pub struct $name(pub(super) $vector);

        $crate::simd::intrinsics::operator!($name, Add, add, $add);
        $crate::simd::intrinsics::operator!($name, Sub, sub, $sub);
        $crate::simd::intrinsics::operator!($name, BitXor, bitxor, $xor);
        $crate::simd::intrinsics::operator!($name, BitAnd, bitand, $and);

        impl $crate::simd::Int32 for $name {
            #[inline(always)]
            fn shr<const N: u32>(self) -> $name {
                $crate::simd::intrinsics::shift!(self, $name, N, $shr, 31 30 29 24 8 7 20 16 25)
            }
            #[inline(always)]
            fn sign_mask(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($sar::<31>(self.0)) }
            }
            #[inline(always)]
            fn less(self, other: $name) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($less(self.0, other.0)) }
            }
            #[inline(always)]
            fn rotate_left<const N: u32>(self) -> $name {
                $crate::simd::intrinsics::rotate!(self, $name, N, $shl, $shr, $xor $(, $rotate)?)
            }
        }
    };
}

/// One binary operator.
macro_rules! operator {
    ($name:ident, $trait:ident, $method:ident, $intrinsic:path) => {
        impl core::ops::$trait for $name {
            type Output = $name;
            #[inline(always)]
            fn $method(self, other: $name) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($intrinsic(self.0, other.0)) }
            }
        }
    };
}

/// A shift by one of the listed constants (intrinsics take literal counts only).
macro_rules! shift {
    ($self:ident, $name:ident, $n:ident, $intrinsic:ident, $($count:literal)*) => {
        match $n {
            // SAFETY: a value exists only where its token was handed out.
            $($count => unsafe { $name($intrinsic::<$count>($self.0)) },)*
            _ => unreachable!(),
        }
    };
}

/// A rotation by one of ChaCha's constants.
macro_rules! rotate {
    ($self:ident, $name:ident, $n:ident, $shl:ident, $shr:ident, $xor:path) => {
        match $n {
            // SAFETY: a value exists only where its token was handed out.
            16 => unsafe { $name($xor($shl::<16>($self.0), $shr::<16>($self.0))) },
            // SAFETY: as above.
            12 => unsafe { $name($xor($shl::<12>($self.0), $shr::<20>($self.0))) },
            // SAFETY: as above.
            8 => unsafe { $name($xor($shl::<8>($self.0), $shr::<24>($self.0))) },
            // SAFETY: as above.
            7 => unsafe { $name($xor($shl::<7>($self.0), $shr::<25>($self.0))) },
            _ => unreachable!(),
        }
    };
    ($self:ident, $name:ident, $n:ident, $shl:ident, $shr:ident, $xor:path, $rotate:ident) => {
        $crate::simd::intrinsics::shift!($self, $name, $n, $rotate, 16 12 8 7)
    };
}

/// `Token` of an instruction set: whole operations compiled for these features.
macro_rules! token {
    ($name:ident, $detected:ident, $features:literal, $($feature:tt)*) => {
        impl $name {
            /// The token, where this processor and operating system can run the instruction set.
            pub fn get() -> Option<$name> {
                ($(std::arch::$detected!($feature))&&*).then_some($name(()))
            }
        }

        impl $crate::simd::Token for $name {
            #[inline(always)]
            fn enter<O: $crate::isa::Op<Self>>(self, op: O) -> O::Out {
                #[target_feature(enable = $features)]
                #[inline(never)]
                fn entered<O: $crate::isa::Op<$name>>(token: $name, op: O) -> O::Out {
                    op.run(token)
                }
                // SAFETY: the token exists only where all of these features were seen, by `get`.
                unsafe { entered(self, op) }
            }
        }
    };
}

pub(super) use {doubles, integers32, operator, rotate, shift, token};
