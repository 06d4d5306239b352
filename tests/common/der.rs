//! Just enough DER and PEM to take apart what `pqc` writes, change one thing, and put it together again.
//!
//! Nothing here is strict: the tests must be able to build what a strict reader refuses.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A DER value: a leaf with its content, or a constructed value with its children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    Leaf(u8, Vec<u8>),
    Tree(u8, Vec<Node>),
}

pub const INTEGER: u8 = 0x02;
pub const BIT_STRING: u8 = 0x03;
pub const OCTET_STRING: u8 = 0x04;
pub const NULL: u8 = 0x05;
pub const OID: u8 = 0x06;
pub const SEQUENCE: u8 = 0x30;

impl Node {
    /// Reads one value that fills `bytes`.
    pub fn parse(bytes: &[u8]) -> Node {
        let (node, rest) = Node::first(bytes);
        assert!(rest.is_empty(), "{} bytes follow the DER value", rest.len());
        node
    }

    fn first(bytes: &[u8]) -> (Node, &[u8]) {
        let tag = bytes[0];
        let (len, header) = match bytes[1] {
            short @ 0..=0x7f => (usize::from(short), 2),
            0x81 => (usize::from(bytes[2]), 3),
            0x82 => (usize::from(bytes[2]) << 8 | usize::from(bytes[3]), 4),
            other => panic!("a length of kind {other:#x} in a file of a few kilobytes"),
        };
        let (content, rest) = (&bytes[header..header + len], &bytes[header + len..]);
        if tag & 0x20 == 0 {
            return (Node::Leaf(tag, content.to_vec()), rest);
        }
        let mut children = Vec::new();
        let mut left = content;
        while !left.is_empty() {
            let (child, next) = Node::first(left);
            children.push(child);
            left = next;
        }
        (Node::Tree(tag, children), rest)
    }

    pub fn encode(&self) -> Vec<u8> {
        match self {
            Node::Leaf(tag, content) => wrap(*tag, content),
            Node::Tree(tag, children) => {
                wrap(*tag, &children.iter().flat_map(Node::encode).collect::<Vec<_>>())
            }
        }
    }

    pub fn tag(&self) -> u8 {
        match self {
            Node::Leaf(tag, _) | Node::Tree(tag, _) => *tag,
        }
    }

    pub fn children(&self) -> &[Node] {
        match self {
            Node::Tree(_, children) => children,
            Node::Leaf(tag, _) => panic!("the value {tag:#x} has no children"),
        }
    }

    pub fn children_mut(&mut self) -> &mut Vec<Node> {
        match self {
            Node::Tree(_, children) => children,
            Node::Leaf(tag, _) => panic!("the value {tag:#x} has no children"),
        }
    }

    pub fn content(&self) -> &[u8] {
        match self {
            Node::Leaf(_, content) => content,
            Node::Tree(tag, _) => panic!("the value {tag:#x} is constructed"),
        }
    }

    pub fn content_mut(&mut self) -> &mut Vec<u8> {
        match self {
            Node::Leaf(_, content) => content,
            Node::Tree(tag, _) => panic!("the value {tag:#x} is constructed"),
        }
    }
}

/// Tag, shortest length, content.
pub fn wrap(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    match content.len() {
        n @ 0..=0x7f => out.push(n as u8),
        n @ 0x80..=0xff => out.extend([0x81, n as u8]),
        n => out.extend([0x82, (n >> 8) as u8, n as u8]),
    }
    out.extend(content);
    out
}

/// The content of an OBJECT IDENTIFIER.
pub fn oid(dotted: &str) -> Vec<u8> {
    let arcs: Vec<u32> = dotted.split('.').map(|arc| arc.parse().unwrap()).collect();
    let mut out = vec![(arcs[0] * 40 + arcs[1]) as u8];
    for &arc in &arcs[2..] {
        let mut septets = vec![(arc & 0x7f) as u8];
        let mut left = arc >> 7;
        while left > 0 {
            septets.push((left & 0x7f) as u8 | 0x80);
            left >>= 7;
        }
        out.extend(septets.iter().rev());
    }
    out
}

/// The bytes inside a PEM block, whatever its label.
pub fn pem_decode(pem: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(pem).unwrap();
    let body: String = text.lines().filter(|line| !line.starts_with("-----")).collect();
    STANDARD.decode(body).unwrap()
}

/// A PEM block in lines of 64 characters.
pub fn pem_encode(label: &str, der: &[u8]) -> Vec<u8> {
    let body = STANDARD.encode(der);
    let mut out = format!("-----BEGIN {label}-----\n");
    for line in body.as_bytes().chunks(64) {
        out.push_str(std::str::from_utf8(line).unwrap());
        out.push('\n');
    }
    out.push_str(&format!("-----END {label}-----\n"));
    out.into_bytes()
}

/// A `PQC SIGNATURE` file, taken apart: version, algorithm, fingerprint, signature, optional key.
#[derive(Clone)]
pub struct Container(pub Node);

impl Container {
    pub fn read(pem: &[u8]) -> Container {
        assert!(pem.starts_with(b"-----BEGIN PQC SIGNATURE-----\n"), "not a PQC SIGNATURE: {:?}", &pem[..30]);
        let node = Node::parse(&pem_decode(pem));
        assert!((4..=5).contains(&node.children().len()), "{node:?}");
        Container(node)
    }

    pub fn pem(&self) -> Vec<u8> {
        pem_encode("PQC SIGNATURE", &self.0.encode())
    }

    pub fn fingerprint_mut(&mut self) -> &mut Vec<u8> {
        self.0.children_mut()[2].content_mut()
    }

    pub fn fingerprint(&self) -> String {
        super::hex(self.0.children()[2].content())
    }

    pub fn algorithm_oid_mut(&mut self) -> &mut Vec<u8> {
        self.0.children_mut()[1].children_mut()[0].content_mut()
    }

    /// The algorithm's own signature.
    pub fn signature(&self) -> Vec<u8> {
        match &self.0.children()[3] {
            Node::Leaf(BIT_STRING, content) => content[1..].to_vec(),
            other => other.content().to_vec(),
        }
    }

    pub fn set_signature(&mut self, bytes: &[u8]) {
        let content = match &self.0.children()[3] {
            Node::Leaf(BIT_STRING, _) => [&[0], bytes].concat(),
            _ => bytes.to_vec(),
        };
        *self.0.children_mut()[3].content_mut() = content;
    }

    /// The key that `--with-key` puts in.
    pub fn key(&self) -> Option<&Node> {
        self.0.children().get(4)
    }
}

/// The number of bits of a Falcon signature's coefficients, after the header and the nonce.
///
/// Each coefficient is a sign, seven low bits, and a run of zeros that a one ends (Falcon 1.2, section 3.11.2).
fn coefficients(signature: &[u8]) -> (Vec<usize>, usize) {
    let bit = |at: usize| signature[41 + at / 8] >> (7 - at % 8) & 1;
    let n = 1 << (signature[0] & 15);
    let mut starts = Vec::new();
    let mut at = 0;
    for _ in 0..n {
        starts.push(at);
        at += 8;
        while bit(at) == 0 {
            at += 1;
        }
        at += 1;
    }
    (starts, at)
}

/// The same signature with one zero coefficient spelled "minus zero", if it has a zero.
pub fn with_minus_zero(signature: &[u8]) -> Option<Vec<u8>> {
    let (starts, _) = coefficients(signature);
    let bit = |at: usize| signature[41 + at / 8] >> (7 - at % 8) & 1;
    let zero =
        starts.into_iter().find(|&start| (start..start + 8).all(|at| bit(at) == 0) && bit(start + 8) == 1)?;
    let mut out = signature.to_vec();
    out[41 + zero / 8] |= 0x80 >> (zero % 8);
    Some(out)
}

/// The same signature with the last unused bit of its last used byte set, if that byte has unused bits.
pub fn with_spare_bit(signature: &[u8]) -> Option<Vec<u8>> {
    let (_, end) = coefficients(signature);
    if end.is_multiple_of(8) {
        return None;
    }
    let mut out = signature.to_vec();
    out[41 + end / 8] |= 1;
    Some(out)
}
