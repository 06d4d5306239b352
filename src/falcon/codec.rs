//! Encodings of keys and signatures (specification 3.11), strict: every value has exactly one spelling.
//!
//! Decoders check lengths, padding bits and ranges, and never panic. A signature has two spellings of the same
//! value, told apart by their length alone: padded and compressed.

use super::decompress::decompress;
use super::params::{NONCE_LEN, Params, Q};
use crate::error::Error;
use crate::secret::Secret;

const PUBLIC_KEY: &str = "Falcon public key";
const PRIVATE_KEY: &str = "Falcon private key";
const SIGNATURE: &str = "Falcon signature";

/// Bits of a coefficient of F in the private key.
const F_BITS: u32 = 8;

fn check_header(what: &'static str, bytes: &[u8], len: usize, header: u8) -> Result<(), Error> {
    Error::check_length(what, len, bytes)?;
    match bytes.first() {
        Some(first) if *first == header => Ok(()),
        _ => Err(Error::NotCanonical { what, why: "wrong header byte" }),
    }
}

/// Writes values of `nbits` bits each, most significant bit first; zero bits fill the last byte.
fn pack(out: &mut Vec<u8>, nbits: u32, values: impl Iterator<Item = u32>) {
    let (mut acc, mut held) = (0u64, 0);
    for value in values {
        acc = acc << nbits | u64::from(value & ((1 << nbits) - 1));
        held += nbits;
        while held >= 8 {
            held -= 8;
            out.push((acc >> held) as u8);
        }
    }
    if held > 0 {
        out.push((acc << (8 - held)) as u8);
    }
}

/// Reads signed values of `NBITS` bits each, at most 8, most significant bit first: as many whole groups of eight
/// values as there are in both. Gives not 0 where one of them is -2^(NBITS - 1).
fn unpack<const NBITS: usize>(values: &mut [i8], bytes: &[u8]) -> u64 {
    let mut forbidden = 0;
    for (eight, bytes) in values.as_chunks_mut::<8>().0.iter_mut().zip(bytes.as_chunks::<NBITS>().0) {
        let mut word = [0; 8];
        word[8 - NBITS..].copy_from_slice(bytes);
        let word = u64::from_be_bytes(word);
        for (i, value) in eight.iter_mut().enumerate() {
            // The value at the top of a byte, and back with its sign.
            let top = (word >> (NBITS * (7 - i)) << (8 - NBITS)) as u8;
            *value = top as i8 >> (8 - NBITS);
            forbidden |= u64::from(top ^ 0x80).wrapping_sub(1) >> 63;
        }
    }
    forbidden
}

/// Header 0x00 + logn, then h, 14 bits a coefficient.
pub(crate) fn encode_public_key(params: Params, h: &[u16]) -> Vec<u8> {
    let mut out = Vec::with_capacity(params.public_key_len());
    out.push(params.logn() as u8);
    pack(&mut out, 14, h.iter().map(|c| u32::from(*c)));
    out
}

/// The coefficients of h, all below q.
pub(crate) fn decode_public_key(params: Params, bytes: &[u8]) -> Result<Vec<u16>, Error> {
    check_header(PUBLIC_KEY, bytes, params.public_key_len(), params.logn() as u8)?;
    let mut h = vec![0u16; params.n()];
    let mut largest = 0;
    // Seven bytes are four coefficients.
    let sevens = bytes.get(1..).unwrap_or(&[]).as_chunks::<7>().0;
    for (four, [a, b, c, d, e, f, g]) in h.as_chunks_mut::<4>().0.iter_mut().zip(sevens) {
        let word = u64::from_be_bytes([0, *a, *b, *c, *d, *e, *f, *g]);
        *four = [42, 28, 14, 0].map(|shift| (word >> shift) as u16 & 0x3FFF);
        largest = four.iter().fold(largest, |largest, c| (*c).max(largest));
    }
    if u32::from(largest) >= Q {
        return Err(Error::NotCanonical { what: PUBLIC_KEY, why: "a coefficient is not below q" });
    }
    Ok(h)
}

/// Header 0x50 + logn, then f and g (6 or 5 bits a coefficient) and F (8 bits), two's complement.
pub(crate) fn encode_private_key(params: Params, f: &[i8], g: &[i8], big_f: &[i8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(params.private_key_len());
    out.push(0x50 + params.logn() as u8);
    pack(&mut out, params.fg_bits(), f.iter().map(|c| *c as u32));
    pack(&mut out, params.fg_bits(), g.iter().map(|c| *c as u32));
    pack(&mut out, F_BITS, big_f.iter().map(|c| *c as u32));
    out
}

/// f, g and F of a private key.
pub(crate) type PrivatePolynomials = [Secret<Vec<i8>>; 3];

/// f, g and F. The value -2^(bits - 1) does not occur in an encoding.
pub(crate) fn decode_private_key(params: Params, bytes: &[u8]) -> Result<PrivatePolynomials, Error> {
    check_header(PRIVATE_KEY, bytes, params.private_key_len(), 0x50 + params.logn() as u8)?;
    let n = params.n();
    let fg_len = n * params.fg_bits() as usize / 8;
    let mut polynomials = [(); 3].map(|()| Secret::new(vec![0; n]));
    let [f, g, big_f] = polynomials.each_mut().map(Secret::expose_mut);
    let (fg_bytes, f_bytes) = bytes.get(1..).unwrap_or(&[]).split_at_checked(2 * fg_len).unwrap_or_default();
    let mut forbidden = unpack::<8>(big_f, f_bytes);
    let (small_f_bytes, g_bytes) = fg_bytes.split_at_checked(fg_len).unwrap_or_default();
    for (polynomial, bytes) in [(f, small_f_bytes), (g, g_bytes)] {
        forbidden |= match params.fg_bits() {
            5 => unpack::<5>(polynomial, bytes),
            _ => unpack::<6>(polynomial, bytes),
        };
    }
    if crate::ct::declassify(forbidden, "a damaged key is refused") != 0 {
        return Err(Error::NotCanonical { what: PRIVATE_KEY, why: "a coefficient is out of range" });
    }
    Ok(polynomials)
}

/// Appends the compressed form of s2 (specification, algorithm 17); `None` where a coefficient is over 2047 or
/// more than `max_len` bytes would be needed.
///
/// s2 comes from an attempt that passed the norm test. It is public as soon as the signature is released; where
/// it is too long, only that fact shows.
#[inline(always)]
pub(crate) fn compress(s2: &[i16], max_len: usize) -> Option<Vec<u8>> {
    let largest = s2.iter().fold(0, |largest, s| s.unsigned_abs().max(largest));
    if largest > 2047 {
        return None;
    }
    // Eight bytes are written at a time, of which the last may be replaced by the next.
    let mut out = vec![0; max_len + 8];
    let (mut acc, mut held, mut at) = (0u64, 0, 0);
    for [first, second] in s2.as_chunks::<2>().0 {
        let ((first, first_len), (second, second_len)) = (code(*first), code(*second));
        acc = acc << (first_len + second_len) | first << second_len | second;
        held += first_len + second_len;
        // At most seven bits from before and two times 24, at least two times 9.
        debug_assert!((18..=55).contains(&held));
        // No room: more than `max_len` whole bytes are there already.
        out.get_mut(at..)?.first_chunk_mut().map(|to| *to = (acc << (64 - held)).to_be_bytes())?;
        at += held as usize / 8;
        held %= 8;
    }
    let len = at + usize::from(held > 0);
    (len <= max_len).then(|| {
        out.truncate(len);
        out
    })
}

/// The bits of a coefficient and their number: sign, seven low bits, then the high bits in unary as zeros and a
/// one. In: at most 2047 in magnitude.
#[inline(always)]
fn code(s: i16) -> (u64, u32) {
    let magnitude = u32::from(s.unsigned_abs());
    let (sign, high) = (u32::from(s as u16 >> 15), magnitude >> 7);
    (u64::from((sign << 7 | magnitude & 0x7F) << (high + 1) | 1), 9 + high)
}

pub(super) fn not_canonical(why: &'static str) -> Error {
    Error::NotCanonical { what: SIGNATURE, why }
}

/// Header 0x30 + logn, nonce, compressed s2, and zeros up to `padded_len` where it is given.
pub(crate) fn encode_signature(
    params: Params,
    nonce: &[u8; NONCE_LEN],
    compressed: &[u8],
    padded_len: Option<usize>,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(params.compressed_max_len());
    out.push(0x30 + params.logn() as u8);
    out.extend_from_slice(nonce);
    out.extend_from_slice(compressed);
    if let Some(len) = padded_len {
        out.resize(len, 0);
    }
    out
}

/// Nonce and s2. Zero bytes after s2 are accepted at exactly the padded length and nowhere else.
#[inline(always)]
pub(crate) fn decode_signature(params: Params, bytes: &[u8]) -> Result<([u8; NONCE_LEN], Vec<i16>), Error> {
    let wrong_length = |expected| Error::Length { what: SIGNATURE, expected, found: bytes.len() };
    let (header, rest) = bytes.split_first().ok_or(wrong_length(params.padded_len()))?;
    if *header != 0x30 + params.logn() as u8 {
        return Err(Error::NotCanonical { what: SIGNATURE, why: "wrong header byte" });
    }
    let (nonce, compressed) = rest.split_first_chunk().ok_or(wrong_length(params.padded_len()))?;
    let (s2, used) = decompress(params.n(), compressed)?;
    let padding = compressed.get(used..).unwrap_or(&[]);
    if bytes.len() != params.padded_len() && !padding.is_empty() {
        return Err(wrong_length(1 + NONCE_LEN + used));
    }
    if padding.iter().any(|byte| *byte != 0) {
        return Err(Error::NotCanonical { what: SIGNATURE, why: "a padding byte is not zero" });
    }
    Ok((*nonce, s2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample_s2(n: usize) -> Vec<i16> {
        (0..n).map(|i| ((i * 7919) % 613) as i16 - 306).collect()
    }

    #[test]
    fn compression_is_a_bijection_on_what_it_accepts() {
        for params in [Params::Falcon512, Params::Falcon1024] {
            let mut s2 = sample_s2(params.n());
            s2[0] = 2047;
            s2[1] = -2047;
            s2[2] = 0;
            let bytes = compress(&s2, 3000).expect("fits");
            assert_eq!(decompress(params.n(), &bytes), Ok((s2.clone(), bytes.len())));
            assert_eq!(compress(&s2, bytes.len()).as_ref(), Some(&bytes));
            assert_eq!(compress(&s2, bytes.len() - 1), None);
            s2[5] = 2048;
            assert_eq!(compress(&s2, 3000), None);
        }
    }

    #[test]
    fn minus_zero_large_values_and_padding_bits_are_refused() {
        let n = 512;
        let zeros = compress(&vec![0; n], 3000).expect("fits");
        // Each zero is 0 0000000 1: the first coefficient's sign is the first bit.
        let mut minus_zero = zeros.clone();
        minus_zero[0] |= 0x80;
        assert_eq!(
            decompress(n, &minus_zero),
            Err(Error::NotCanonical { what: SIGNATURE, why: "minus zero" })
        );
        assert_eq!(
            decompress(n, &[0; 1000]),
            Err(Error::NotCanonical { what: SIGNATURE, why: "a coefficient is over 2047" })
        );
        let mut s2 = vec![0i16; n];
        s2[0] = 128;
        let mut bytes = compress(&s2, 3000).expect("fits");
        assert!(decompress(n, &bytes).is_ok());
        *bytes.last_mut().expect("not empty") |= 1;
        assert_eq!(
            decompress(n, &bytes),
            Err(Error::NotCanonical { what: SIGNATURE, why: "a padding bit is not zero" })
        );
    }

    #[test]
    fn padding_is_accepted_at_the_padded_length_only() {
        let params = Params::Falcon512;
        let s2 = vec![0i16; params.n()];
        let compressed = compress(&s2, 3000).expect("fits");
        let nonce = [9; NONCE_LEN];
        let padded = encode_signature(params, &nonce, &compressed, Some(params.padded_len()));
        let short = encode_signature(params, &nonce, &compressed, None);
        assert_eq!(decode_signature(params, &padded), Ok((nonce, s2.clone())));
        assert_eq!(decode_signature(params, &short), Ok((nonce, s2)));
        for extra in 1..64 {
            let mut longer = short.clone();
            longer.resize(short.len() + extra, 0);
            assert_eq!(decode_signature(params, &longer).is_ok(), longer.len() == params.padded_len());
        }
        for len in 0..short.len() {
            assert!(decode_signature(params, &short[..len]).is_err());
        }
    }

    #[test]
    fn public_keys_are_bijective_and_below_q() {
        let params = Params::Falcon512;
        let h: Vec<u16> = (0..512u32).map(|i| (i * 24 % Q) as u16).collect();
        let bytes = encode_public_key(params, &h);
        assert_eq!(bytes.len(), params.public_key_len());
        assert_eq!(decode_public_key(params, &bytes), Ok(h.clone()));
        let mut at_q = h;
        at_q[511] = Q as u16;
        assert!(decode_public_key(params, &encode_public_key(params, &at_q)).is_err());
        assert!(decode_public_key(Params::Falcon1024, &bytes).is_err());
        assert!(decode_public_key(params, &bytes[..bytes.len() - 1]).is_err());
    }

    #[test]
    fn private_keys_are_bijective_and_symmetric() {
        for params in [Params::Falcon512, Params::Falcon1024] {
            let limit = (1i32 << (params.fg_bits() - 1)) - 1;
            let small: Vec<i8> =
                (0..params.n() as i32).map(|i| (i % (2 * limit + 1) - limit) as i8).collect();
            let large: Vec<i8> = (0..params.n() as i32).map(|i| (i % 255 - 127) as i8).collect();
            let bytes = encode_private_key(params, &small, &small, &large);
            assert_eq!(bytes.len(), params.private_key_len());
            let [f, g, big_f] = decode_private_key(params, &bytes).expect("valid");
            assert!(*f.expose() == small && *g.expose() == small && *big_f.expose() == large);
            for (which, position) in [(0, 0), (1, 3), (2, 5)] {
                let mut bad = [small.clone(), small.clone(), large.clone()];
                bad[which][position] = if which == 2 { -128 } else { -(limit as i8) - 1 };
                let bytes = encode_private_key(params, &bad[0], &bad[1], &bad[2]);
                assert!(decode_private_key(params, &bytes).is_err());
            }
        }
    }
}
