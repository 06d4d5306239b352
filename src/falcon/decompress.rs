//! Reading compressed coefficients (specification 3.11.2, algorithm 18), with two chains side by side.
//!
//! A coefficient is a sign, seven low bits and a unary part, so that its end is known late and is all that the next
//! one waits for. A second chain therefore begins in the middle of the bytes, most likely inside a coefficient. Such a
//! chain soon ends a coefficient where a true one ends, and is right from there on: what it found is taken over from
//! the place where the first chain meets it. All of this is public, and what is found does not depend on it.

use super::codec::not_canonical;
use super::params::MAX_N;
use crate::ct::opaque;
use crate::error::Error;

/// Reads n compressed coefficients; gives them and the number of bytes used.
#[inline(always)]
pub(super) fn decompress(n: usize, bytes: &[u8]) -> Result<(Vec<i16>, usize), Error> {
    let mut s2 = vec![0; n];
    let position = split(&mut s2, bytes).filter(
        #[inline(always)]
        |_| values_of_codes(&mut s2),
    );
    let Some(position) = position else { return Err(first_error(n, bytes)) };
    let used = position.div_ceil(8);
    let padding_bits = used * 8 - position;
    let last = used.checked_sub(1).and_then(|at| bytes.get(at)).copied().unwrap_or(0);
    if u32::from(last) & ((1 << padding_bits) - 1) != 0 {
        return Err(not_canonical("a padding bit is not zero"));
    }
    Ok((s2, used))
}

/// Bits that are always at hand behind a position.
const AT_HAND: usize = 57;

/// Coefficients that nearly always have no more bits than that.
const GROUP: usize = 5;

/// Finds the coefficients: the length of the unary part, at most 64, and below it the sign and the seven low bits; and
/// the position after the last one. `None` where the bytes end before, or a unary part is far too long.
///
/// In: at most [`MAX_N`] coefficients.
#[inline(always)]
fn split(codes: &mut [i16], bytes: &[u8]) -> Option<usize> {
    let middle = bytes.len() / 2 * 8;
    let (mut here, mut ahead) = (Cursor::new(bytes, 0), Cursor::new(bytes, middle));
    let mut guess = [0; MAX_N];
    let (mut done, mut guessed) = (0, 0);
    let groups = codes.as_chunks_mut::<GROUP>().0.iter_mut().zip(guess.as_chunks_mut::<GROUP>().0);
    for (codes, guess) in groups {
        if here.position >= middle || !here.take_some(codes) {
            break;
        }
        done += GROUP;
        if !ahead.take_some(guess) {
            break;
        }
        guessed += GROUP;
    }
    let (mut place, mut skipped) = (middle, 0);
    loop {
        while place < here.position && skipped < guessed {
            place += bits(guess[skipped]);
            skipped += 1;
        }
        if place == here.position {
            let taken = (guessed - skipped).min(codes.len() - done);
            let found = &guess[skipped..skipped + taken];
            codes[done..done + taken].copy_from_slice(found);
            done += taken;
            here = Cursor::new(bytes, place + found.iter().map(|code| bits(*code)).sum::<usize>());
            break;
        }
        // Not there yet, or they never meet.
        let Some(group) = codes[done..].first_chunk_mut::<GROUP>() else { break };
        if place < here.position || !here.take_some(group) {
            break;
        }
        done += GROUP;
    }
    here.take(&mut codes[done..])?;
    Some(here.position)
}

/// Bits of a coefficient, from what [`split`] finds.
#[inline(always)]
fn bits(code: i16) -> usize {
    9 + usize::from(code as u16 >> 8)
}

/// A place in the bytes.
struct Cursor<'a> {
    bytes: &'a [u8],
    /// In bits.
    position: usize,
    /// The 64 bits there.
    window: u64,
}

impl<'a> Cursor<'a> {
    #[inline(always)]
    fn new(bytes: &'a [u8], position: usize) -> Cursor<'a> {
        Cursor { bytes, position, window: sixty_four_bits(bytes, position) }
    }

    /// Finds coefficients that have at most [`AT_HAND`] bits together; else nothing happens to the place.
    #[inline(always)]
    fn take_some<const N: usize>(&mut self, codes: &mut [i16; N]) -> bool {
        // What follows the window, asked for early, since where the window moves is known late.
        let next = word(self.bytes, self.position / 8 + 8) << (self.position % 8);
        // The bits from the next coefficient on, and from its unary part on.
        let (mut rest, mut unary) = (self.window, self.window << 8);
        let mut used = 0;
        for code in codes {
            let high = unary.leading_zeros();
            // Opaque, since the compiler gathers them in vectors otherwise, which takes longer than all the rest.
            *code = opaque(u64::from(high) << 8 | rest >> 56) as i16;
            // A shift by 64 is one by 0: then more bits than are at hand are used.
            (rest, unary) = (rest << 9 << (high & 63), unary << 9 << (high & 63));
            used += 9 + high as usize;
        }
        if (used > AT_HAND) | (self.position + used > 8 * self.bytes.len()) {
            return false;
        }
        self.position += used;
        self.window = rest | next >> (64 - used);
        true
    }

    /// Finds coefficients whatever they have. `None` where one has more bits than are at hand, or there are.
    #[inline(always)]
    fn take(&mut self, codes: &mut [i16]) -> Option<()> {
        let (groups, rest) = codes.as_chunks_mut::<GROUP>();
        for group in groups {
            if !self.take_some(group) {
                // Seldom: more bits than are at hand, or an error.
                self.take_one_by_one(group)?;
            }
        }
        self.take_one_by_one(rest)
    }

    #[inline(always)]
    fn take_one_by_one(&mut self, codes: &mut [i16]) -> Option<()> {
        for code in codes {
            if !self.take_some(core::array::from_mut(code)) {
                return None;
            }
        }
        Some(())
    }
}

/// From what [`split`] finds to the coefficients. False where one is over 2047 or minus zero.
#[inline(always)]
fn values_of_codes(codes: &mut [i16]) -> bool {
    const MINUS_ZERO: i16 = 0x80;
    let (mut largest, mut nearest) = (0, i16::MAX);
    for code in codes {
        largest = largest.max(*code);
        // Never negative, and zero at minus zero alone.
        nearest = nearest.min(*code ^ MINUS_ZERO);
        let magnitude = *code >> 1 & 0x7F80 | *code & 0x7F;
        let negative = *code << 8 >> 15;
        *code = (magnitude ^ negative) - negative;
    }
    (largest >> 8 <= 2047 >> 7) & (nearest != 0)
}

/// What is wrong, in the order of the bits.
#[cold]
#[inline(never)]
fn first_error(n: usize, bytes: &[u8]) -> Error {
    let mut position = 0;
    for _ in 0..n {
        if let Err(error) = read_coefficient(bytes, &mut position) {
            return error;
        }
    }
    debug_assert!(false, "something is wrong");
    not_canonical("a coefficient is wrong")
}

/// The 64 bits at `position`, with zeros after the end.
#[inline(always)]
fn sixty_four_bits(bytes: &[u8], position: usize) -> u64 {
    let (at, shift) = (position / 8, position % 8);
    let ninth = bytes.get(at + 8).copied().unwrap_or(0);
    word(bytes, at) << shift | u64::from(ninth) >> (8 - shift)
}

/// The eight bytes at `at`, with zeros after the end.
#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
    #[cold]
    #[inline(never)]
    fn at_the_end(rest: &[u8]) -> u64 {
        let mut word = [0; 8];
        word.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        u64::from_be_bytes(word)
    }
    let rest = bytes.get(at..).unwrap_or(&[]);
    rest.first_chunk().map_or_else(|| at_the_end(rest), |word| u64::from_be_bytes(*word))
}

/// Reads one coefficient bit by bit and says what is wrong with it.
#[cold]
#[inline(never)]
fn read_coefficient(bytes: &[u8], position: &mut usize) -> Result<i16, Error> {
    let mut bit = || {
        let byte = bytes.get(*position / 8).ok_or(not_canonical("it ends in the middle of a coefficient"))?;
        let value = byte >> (7 - *position % 8) & 1;
        *position += 1;
        Ok(i16::from(value))
    };
    let sign = bit()?;
    let mut magnitude = 0;
    for _ in 0..7 {
        magnitude = magnitude << 1 | bit()?;
    }
    while bit()? == 0 {
        magnitude += 128;
        if magnitude > 2047 {
            return Err(not_canonical("a coefficient is over 2047"));
        }
    }
    match (sign, magnitude) {
        (1, 0) => Err(not_canonical("minus zero")),
        (1, _) => Ok(-magnitude),
        _ => Ok(magnitude),
    }
}

#[cfg(test)]
mod tests {
    use super::super::codec::compress;
    use super::*;

    /// The same values, lengths and errors as reading everything bit by bit.
    #[test]
    fn coefficients_at_once_are_read_as_one_by_one() {
        fn one_by_one(n: usize, bytes: &[u8]) -> Result<(Vec<i16>, usize), Error> {
            let mut position = 0;
            let s2 = (0..n).map(|_| read_coefficient(bytes, &mut position)).collect::<Result<Vec<_>, _>>()?;
            let used = position.div_ceil(8);
            let padding = (position..8 * used).any(|at| bytes[at / 8] >> (7 - at % 8) & 1 == 1);
            if padding { Err(not_canonical("a padding bit is not zero")) } else { Ok((s2, used)) }
        }
        let n = 512;
        let mut seed = 1u32;
        let mut next = |below: u32| {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            (seed >> 8) % below
        };
        let (mut good, mut bad) = (0, 0);
        for round in 0..3000 {
            // From all small to all large; some coefficients are extreme.
            let range = [300, 600, 1200, 4095][round % 4];
            let s2: Vec<i16> = (0..n)
                .map(|_| {
                    if next(40) == 0 {
                        [2047, -2047, 0, 1][next(4) as usize]
                    } else {
                        (next(range) as i16) - (range / 2) as i16
                    }
                })
                .collect();
            let mut bytes = compress(&s2, 3 * n).expect("fits");
            assert_eq!(decompress(n, &bytes), Ok((s2, bytes.len())));
            assert_eq!(one_by_one(n, &bytes), decompress(n, &bytes));
            match round / 4 % 4 {
                0 => bytes.truncate(next(bytes.len() as u32) as usize),
                1 => bytes.resize(bytes.len() + next(20) as usize, 0),
                2 => {
                    (0..8).for_each(|_| bytes[next(100) as usize * 4] = [0, 0x80, 0xFF, 1][next(4) as usize])
                }
                _ => {
                    let at = next(bytes.len() as u32) as usize;
                    bytes[at] ^= 1 << next(8);
                }
            }
            let expected = one_by_one(n, &bytes);
            assert_eq!(decompress(n, &bytes), expected);
            if expected.is_ok() { good += 1 } else { bad += 1 }
        }
        for len in 0..40 {
            assert_eq!(decompress(n, &vec![0xFF; len]), one_by_one(n, &vec![0xFF; len]));
        }
        assert!(good > 500 && bad > 500, "{good} {bad}");
    }

    /// All bits but the signs are one, so that a chain which begins inside a coefficient never leaves its place in it.
    #[test]
    fn chains_that_never_meet() {
        for n in [512, 1024] {
            for longer in 0..9 {
                for zeros in 0..20 {
                    let mut s2 = vec![127; n];
                    // These have a bit more.
                    s2[..longer].fill(255);
                    // With any of these they meet, early or late.
                    s2[n - zeros..].fill(0);
                    let bytes = compress(&s2, 3 * n).expect("fits");
                    assert_eq!(decompress(n, &bytes), Ok((s2, bytes.len())));
                }
            }
        }
    }
}
