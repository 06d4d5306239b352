use super::*;
use crate::simd::{Scalar, Soft};
use sha2::{Digest, Sha256};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
}

fn sum(lists: &[&[i8]]) -> String {
    let numbers: Vec<String> = lists.iter().flat_map(|list| list.iter()).map(i8::to_string).collect();
    hex(&Sha256::digest(numbers.join(",")))
}
