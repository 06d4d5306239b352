//! Constants that are written in hexadecimal.

/// The bytes of `2 N` digits in lower case, at compile time.
pub(crate) const fn hex<const N: usize>(digits: &str) -> [u8; N] {
    const fn digit(c: u8) -> u8 {
        if c <= b'9' { c - b'0' } else { c - b'a' + 10 }
    }
    let digits = digits.as_bytes();
    assert!(digits.len() == 2 * N);
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        out[i] = digit(digits[2 * i]) << 4 | digit(digits[2 * i + 1]);
        i += 1;
    }
    out
}
