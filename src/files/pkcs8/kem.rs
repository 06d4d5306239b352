//! What stands inside the privateKey OCTET STRING of a KEM's key.
//!
//! ML-KEM (RFC 9935, section 6): a CHOICE of the seed d || z, the expanded key, or both; the two forms of earlier
//! drafts are the same bytes without a tag. The five forms have five different lengths. Kyber and NTRU of round 3 have
//! no standard; Botan writes Kyber's expanded key without a tag, Bouncy Castle NTRU's key in a second OCTET STRING. NTRU
//! has no seeds: its key stands where others have the expanded one. Whether the parts of a form belong together is the
//! business of [`super::PrivateKey::decapsulation_key`].

use crate::algorithm::Algorithm;
use crate::error::Error;
use zeroize::Zeroizing;

/// Bytes of an ML-KEM seed: d, then z.
pub const SEED_LEN: usize = 64;

/// A way to write a KEM's private key down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `[0] IMPLICIT OCTET STRING`, the seed. This is what is written for ML-KEM.
    Seed,
    /// `OCTET STRING`, the expanded key.
    Expanded,
    /// `SEQUENCE { OCTET STRING seed, OCTET STRING expanded key }`.
    Both,
    /// The seed without a tag.
    BareSeed,
    /// The expanded key without a tag. This is what is written for Kyber of round 3.
    BareExpanded,
    /// `OCTET STRING`, the key. This is what is written for NTRU.
    Wrapped,
    /// The key without a tag.
    Bare,
}

impl Form {
    /// The forms that an ML-KEM key may have.
    pub(super) const ML_KEM: &[Form] =
        &[Form::Seed, Form::Expanded, Form::Both, Form::BareSeed, Form::BareExpanded];
    /// The forms that a key of Kyber, round 3, may have.
    pub(super) const KYBER: &[Form] = &[Form::BareExpanded];
    /// The forms that a key of NTRU may have.
    pub(super) const NTRU: &[Form] = &[Form::Wrapped, Form::Bare];

    /// The forms that a KEM's key may have; none for algorithms that sign.
    pub(super) fn all_of(algorithm: Algorithm) -> &'static [Form] {
        match algorithm {
            Algorithm::Falcon(_) => &[],
            Algorithm::Kyber(set) if set.is_standard() => Form::ML_KEM,
            Algorithm::Kyber(_) => Form::KYBER,
            Algorithm::Ntru(_) => Form::NTRU,
        }
    }

    /// What `pqc inspect` calls it.
    pub fn name(self) -> &'static str {
        match self {
            Form::Seed => "RFC 9935, seed",
            Form::Expanded => "RFC 9935, expanded key",
            Form::Both => "RFC 9935, seed and expanded key",
            Form::BareSeed => "bare seed (a draft before RFC 9935)",
            Form::BareExpanded => "bare expanded key",
            Form::Wrapped => "Bouncy Castle (key in a second OCTET STRING)",
            Form::Bare => "bare key",
        }
    }

    /// Which of seed and expanded key it holds.
    pub(super) fn holds(self) -> (bool, bool) {
        match self {
            Form::Seed | Form::BareSeed => (true, false),
            Form::Expanded | Form::BareExpanded | Form::Wrapped | Form::Bare => (false, true),
            Form::Both => (true, true),
        }
    }

    /// The tags and lengths in front of seed and expanded key.
    fn headers(self, expanded_len: usize) -> [Vec<u8>; 2] {
        match self {
            Form::Seed => [header(0x80, SEED_LEN), Vec::new()],
            Form::Expanded | Form::Wrapped => [Vec::new(), header(0x04, expanded_len)],
            Form::Both => {
                let inner = [header(0x04, SEED_LEN), header(0x04, expanded_len)];
                let len = SEED_LEN + expanded_len + inner.iter().map(Vec::len).sum::<usize>();
                let [seed, expanded] = inner;
                [[header(0x30, len), seed].concat(), expanded]
            }
            Form::BareSeed | Form::BareExpanded | Form::Bare => [Vec::new(), Vec::new()],
        }
    }

    /// Bytes of the OCTET STRING's content.
    fn len(self, expanded_len: usize) -> usize {
        let (seed, expanded) = self.holds();
        let headers: usize = self.headers(expanded_len).iter().map(Vec::len).sum();
        headers + if seed { SEED_LEN } else { 0 } + if expanded { expanded_len } else { 0 }
    }
}

/// Tag and length in DER.
fn header(tag: u8, len: usize) -> Vec<u8> {
    let [.., high, low] = len.to_be_bytes();
    match len {
        0..=0x7f => vec![tag, low],
        0x80..=0xff => vec![tag, 0x81, low],
        _ => vec![tag, 0x82, high, low],
    }
}

/// A KEM's private key as a file holds it: lengths are right, values have not been looked at.
pub struct KemKey {
    /// How it is written down.
    pub form: Form,
    /// d || z, where the form has it.
    pub seed: Option<Zeroizing<Vec<u8>>>,
    /// The expanded key, where the form has it.
    pub expanded: Option<Zeroizing<Vec<u8>>>,
}

impl KemKey {
    /// Reads the content of the OCTET STRING: exactly one spelling of one of `forms`.
    pub(super) fn read(content: &[u8], forms: &[Form], expanded_len: usize) -> Result<KemKey, Error> {
        let lens = forms.iter().map(|form| form.len(expanded_len));
        let Some(form) = forms.iter().copied().find(|form| form.len(expanded_len) == content.len()) else {
            let lens: Vec<String> = lens.map(|len| len.to_string()).collect();
            let found = content.len();
            let why = format!("expected {} bytes of key, found {found}", lens.join(" or "));
            return Err(Error::Format { what: super::WHAT, why });
        };
        let (holds_seed, holds_expanded) = form.holds();
        let mut rest = content;
        let mut take = |len: usize| {
            let (taken, left) = rest.split_at_checked(len)?;
            rest = left;
            Some(taken)
        };
        let [seed_header, expanded_header] = form.headers(expanded_len);
        let parts = [
            take(seed_header.len()),
            take(if holds_seed { SEED_LEN } else { 0 }),
            take(expanded_header.len()),
            take(if holds_expanded { expanded_len } else { 0 }),
        ];
        match parts {
            [Some(before_seed), Some(seed), Some(before_expanded), Some(expanded)]
                if before_seed == seed_header && before_expanded == expanded_header =>
            {
                let part = |held: bool, bytes: &[u8]| held.then(|| Zeroizing::new(bytes.to_vec()));
                Ok(KemKey { form, seed: part(holds_seed, seed), expanded: part(holds_expanded, expanded) })
            }
            _ => Err(super::not_der(super::WHAT)),
        }
    }

    /// The content of the OCTET STRING.
    pub(super) fn write(&self) -> Zeroizing<Vec<u8>> {
        fn part(bytes: &Option<Zeroizing<Vec<u8>>>) -> &[u8] {
            bytes.as_ref().map_or(&[], |bytes| bytes.as_slice())
        }
        let (seed, expanded) = (part(&self.seed), part(&self.expanded));
        let [seed_header, expanded_header] = self.form.headers(expanded.len());
        let mut content = Zeroizing::new(Vec::with_capacity(self.form.len(expanded.len())));
        for piece in [seed_header.as_slice(), seed, expanded_header.as_slice(), expanded] {
            content.extend_from_slice(piece);
        }
        content
    }
}
