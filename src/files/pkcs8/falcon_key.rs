//! What stands inside the privateKey OCTET STRING of a Falcon key.
//!
//! There is no standard. liboqs' OpenSSL provider and wolfSSL write an OCTET STRING with the private key's bytes and
//! then the public key's (wolfSSL also without the latter); Bouncy Castle cuts the same bytes into the fields of
//! draft-uni-qsckeys-falcon-00 and leaves the header bytes out; others write the private key's bytes as they are. The
//! forms have different lengths. Whether the halves belong together is the business of
//! [`super::PrivateKey::signing_key`].

use super::header;
use crate::error::Error;
use crate::falcon::Params;
use zeroize::Zeroizing;

/// A way to write a Falcon private key down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FalconForm {
    /// `OCTET STRING`, private key and public key. This is what is written.
    Oqs,
    /// `OCTET STRING`, the private key alone.
    OqsPrivate,
    /// `SEQUENCE { INTEGER 0, OCTET STRING f, OCTET STRING g, OCTET STRING F, SEQUENCE { OCTET STRING h } }`.
    BouncyCastle,
    /// The private key without a tag.
    Bare,
}

/// A piece of a form.
enum Piece {
    /// Tags and lengths.
    Fixed(Vec<u8>),
    /// So many bytes of the private key.
    Private(usize),
    /// So many bytes of the public key.
    Public(usize),
}

impl FalconForm {
    /// The forms that are read.
    pub(super) const ALL: [FalconForm; 4] =
        [FalconForm::Oqs, FalconForm::OqsPrivate, FalconForm::BouncyCastle, FalconForm::Bare];

    /// What `pqc inspect` calls it.
    pub fn name(self) -> &'static str {
        match self {
            FalconForm::Oqs => "OQS (private then public key)",
            FalconForm::OqsPrivate => "OQS without the public key",
            FalconForm::BouncyCastle => "Bouncy Castle (f, g, F and public key)",
            FalconForm::Bare => "bare private key",
        }
    }

    /// Whether it holds the public key.
    fn has_public(self) -> bool {
        matches!(self, FalconForm::Oqs | FalconForm::BouncyCastle)
    }

    /// Whether the header bytes of both keys are left out.
    fn is_without_headers(self) -> bool {
        self == FalconForm::BouncyCastle
    }

    fn pieces(self, params: Params) -> Vec<Piece> {
        use Piece::{Fixed, Private, Public};
        let (private, public) = (params.private_key_len(), params.public_key_len());
        match self {
            FalconForm::Oqs => {
                vec![Fixed(header(0x04, private + public)), Private(private), Public(public)]
            }
            FalconForm::OqsPrivate => vec![Fixed(header(0x04, private)), Private(private)],
            FalconForm::Bare => vec![Private(private)],
            FalconForm::BouncyCastle => {
                let n = params.n();
                let small = n * params.fg_bits() as usize / 8;
                let tagged = |tag, len| header(tag, len).len() + len;
                let inner = tagged(0x04, public - 1);
                let version = vec![0x02, 0x01, 0x00];
                let len = version.len() + 2 * tagged(0x04, small) + tagged(0x04, n) + tagged(0x30, inner);
                vec![
                    Fixed(header(0x30, len)),
                    Fixed(version),
                    Fixed(header(0x04, small)),
                    Private(small),
                    Fixed(header(0x04, small)),
                    Private(small),
                    Fixed(header(0x04, n)),
                    Private(n),
                    Fixed(header(0x30, inner)),
                    Fixed(header(0x04, public - 1)),
                    Public(public - 1),
                ]
            }
        }
    }

    /// Bytes of the OCTET STRING's content.
    fn len(self, params: Params) -> usize {
        let len = |piece: &Piece| match piece {
            Piece::Fixed(bytes) => bytes.len(),
            Piece::Private(len) | Piece::Public(len) => *len,
        };
        self.pieces(params).iter().map(len).sum()
    }
}

/// The first bytes of an encoded private and an encoded public key (specification 3.11).
fn header_bytes(params: Params) -> [u8; 2] {
    let logn = params.logn() as u8;
    [0x50 + logn, logn]
}

/// A Falcon private key as a file holds it: lengths are right, values have not been looked at.
pub struct FalconKey {
    /// How it is written down.
    pub form: FalconForm,
    /// The algorithm's own encoding.
    pub private: Zeroizing<Vec<u8>>,
    /// The public key that the file claims, where the form has it.
    pub public: Option<Vec<u8>>,
}

impl FalconKey {
    /// Reads the content of the OCTET STRING: exactly one spelling of one form.
    pub(super) fn read(content: &[u8], params: Params) -> Result<FalconKey, Error> {
        let fail = |why: String| Err(Error::Format { what: super::WHAT, why });
        if content.len() == 32 {
            return fail("it holds a 32-byte seed (a draft of FN-DSA), which is no Falcon key".into());
        }
        let Some(form) = FalconForm::ALL.into_iter().find(|form| form.len(params) == content.len()) else {
            let lens: Vec<String> = FalconForm::ALL.iter().map(|form| form.len(params).to_string()).collect();
            let found = content.len();
            return fail(format!("expected {} bytes of key, found {found}", lens.join(" or ")));
        };
        let mut private = Zeroizing::new(Vec::with_capacity(params.private_key_len()));
        let mut public = Vec::with_capacity(params.public_key_len());
        if form.is_without_headers() {
            let [of_private, of_public] = header_bytes(params);
            private.push(of_private);
            public.push(of_public);
        }
        let mut rest = content;
        for piece in form.pieces(params) {
            let len = match &piece {
                Piece::Fixed(bytes) => bytes.len(),
                Piece::Private(len) | Piece::Public(len) => *len,
            };
            let Some((bytes, left)) = rest.split_at_checked(len) else {
                return Err(super::not_der(super::WHAT));
            };
            rest = left;
            match piece {
                Piece::Fixed(expected) if bytes != expected => return Err(super::not_der(super::WHAT)),
                Piece::Fixed(_) => {}
                Piece::Private(_) => private.extend_from_slice(bytes),
                Piece::Public(_) => public.extend_from_slice(bytes),
            }
        }
        Ok(FalconKey { form, private, public: form.has_public().then_some(public) })
    }

    /// The content of the OCTET STRING. A form with a public half is only made of a key that has one.
    pub(super) fn write(&self, params: Params) -> Zeroizing<Vec<u8>> {
        let mut private = self.private.as_slice();
        let mut public = self.public.as_deref().unwrap_or_default();
        if self.form.is_without_headers() {
            private = private.get(1..).unwrap_or_default();
            public = public.get(1..).unwrap_or_default();
        }
        let mut content = Zeroizing::new(Vec::with_capacity(self.form.len(params)));
        for piece in self.form.pieces(params) {
            let (source, len) = match &piece {
                Piece::Fixed(bytes) => {
                    content.extend_from_slice(bytes);
                    continue;
                }
                Piece::Private(len) => (&mut private, *len),
                Piece::Public(len) => (&mut public, *len),
            };
            let (now, later) = source.split_at_checked(len).unwrap_or((source, &[]));
            content.extend_from_slice(now);
            *source = later;
        }
        content
    }
}
