//! What a key encapsulation is for: the bytes that both sides have then.

use crate::ct;
use crate::secret::Secret;

/// The 32 bytes that both sides have: a key for a symmetric cipher or a key derivation. Wiped on drop; they have one
/// place on the heap, so that handing them on leaves no copy behind.
pub struct SharedSecret(Box<Secret<[u8; SharedSecret::LEN]>>);

impl SharedSecret {
    /// Bytes, with every algorithm.
    pub const LEN: usize = 32;

    /// Zeros, to be filled.
    pub(crate) fn zeros() -> SharedSecret {
        SharedSecret(Box::new(Secret::new([0; SharedSecret::LEN])))
    }

    /// The bytes, to be filled.
    pub(crate) fn expose_mut(&mut self) -> &mut [u8; SharedSecret::LEN] {
        self.0.expose_mut()
    }

    /// The bytes.
    pub fn expose(&self) -> &[u8; SharedSecret::LEN] {
        self.0.expose()
    }

    /// Whether both are the same, in constant time.
    pub fn is_equal(&self, other: &SharedSecret) -> bool {
        ct::eq(self.expose(), other.expose()).into_public_bool()
    }
}
