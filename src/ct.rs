//! Constant time: masks instead of booleans, and the list of what may become public.
//!
//! A secret-dependent decision is a [`Mask`]: all ones or all zeros. [`declassify`] marks the places where a
//! value derived from a secret becomes public and says why; a checker can look at those and at nothing else.

/// All ones (true) or all zeros (false).
#[derive(Clone, Copy)]
pub struct Mask(u64);

impl Mask {
    /// True where the low bit of `bit` is 1.
    #[inline(always)]
    pub fn from_bit(bit: u64) -> Mask {
        Mask(opaque(bit & 1).wrapping_neg())
    }

    /// `on_true` or `on_false`, without a branch.
    #[inline(always)]
    pub fn select(self, on_true: u64, on_false: u64) -> u64 {
        on_false ^ (self.0 & (on_true ^ on_false))
    }

    /// The mask as a public boolean; only for [`declassify`]d results.
    #[inline(always)]
    pub fn into_public_bool(self) -> bool {
        self.0 != 0
    }
}

impl core::ops::BitAnd for Mask {
    type Output = Mask;
    #[inline(always)]
    fn bitand(self, other: Mask) -> Mask {
        Mask(self.0 & other.0)
    }
}

/// Whether `x` is zero.
#[inline(always)]
pub fn is_zero(x: u64) -> Mask {
    let x = opaque(x);
    Mask::from_bit((x | x.wrapping_neg()) >> 63 ^ 1)
}

/// The same value, about which the compiler no longer knows anything.
///
/// For masks: where the compiler sees that a mask is all ones or all zeros it makes branches, out of `x & mask` (by
/// way of a conditional move) or out of a whole loop that uses it. Costs nothing at run time.
#[inline(always)]
pub fn opaque(mask: u64) -> u64 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))]
    {
        let mut mask = mask;
        // SAFETY: no instruction; the register is said to be changed.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) mask, options(pure, nomem, nostack, preserves_flags));
        }
        mask
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
    core::hint::black_box(mask)
}

/// Whether two byte strings of equal length are equal; time depends on the length alone.
pub fn eq(a: &[u8], b: &[u8]) -> Mask {
    debug_assert_eq!(a.len(), b.len());
    let mut difference = 0u8;
    for (x, y) in a.iter().zip(b) {
        difference |= x ^ y;
    }
    is_zero(u64::from(difference))
}

/// Says that `value`, although computed from a secret, is public from here on, and why.
///
/// In a normal build it is the identity; with the feature `ct-test`, valgrind takes the value as defined from here
/// on, so that every other branch or index that depends on a secret is reported.
#[inline(always)]
pub fn declassify<T: Copy>(value: T, _why: &'static str) -> T {
    #[cfg(feature = "ct-test")]
    let value = {
        let mut value = value;
        ct_test::mark_public(core::slice::from_mut(&mut value));
        value
    };
    value
}

/// [`declassify`] for values in a buffer.
#[inline(always)]
pub fn declassify_all<T>(_values: &[T], _why: &'static str) {
    #[cfg(feature = "ct-test")]
    ct_test::mark_public(_values);
}

/// Requests to valgrind's memcheck, for `tests/constant_time.rs`: secrets are marked as undefined memory.
#[cfg(feature = "ct-test")]
pub mod ct_test {
    use core::arch::asm;

    /// Memcheck's requests are numbered from here.
    const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;

    /// Valgrind looks for this instruction sequence, which does nothing on a processor.
    fn request(code: usize, start: usize, len: usize) {
        let arguments = [code, start, len, 0, 0, 0usize];
        // SAFETY: the rotations are by 128 bits in all and the exchange is with itself; the only memory that is
        // read is `arguments`, whose address is in rax.
        unsafe {
            asm!(
                "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
                in("rax") arguments.as_ptr(), inout("rdx") 0usize => _, options(nostack)
            );
        }
    }

    /// The values are secret from here on.
    pub fn mark_secret<T>(values: &[T]) {
        request(MEMCHECK + 1, values.as_ptr() as usize, core::mem::size_of_val(values));
    }

    /// The values are public from here on.
    pub fn mark_public<T>(values: &[T]) {
        request(MEMCHECK + 2, values.as_ptr() as usize, core::mem::size_of_val(values));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq_sees_every_bit() {
        let a = [0x5Au8; 33];
        assert!(eq(&a, &a).into_public_bool());
        for i in 0..a.len() * 8 {
            let mut b = a;
            b[i / 8] ^= 1 << (i % 8);
            assert!(!eq(&a, &b).into_public_bool(), "bit {i}");
        }
    }

    #[test]
    fn select_is_a_choice() {
        assert_eq!(Mask::from_bit(1).select(3, 9), 3);
        assert_eq!(Mask::from_bit(0).select(3, 9), 9);
    }
}
