//! What `pqc` reads and refuses: PEM, DER, keys, signature containers, raw signatures.
#![cfg(unix)]

mod common;

use std::fs;
use std::fs::File;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use common::der::{self, Container, Node};
use common::*;

/// A folder with `file`, `file.sig` by [`Keys::a`], `a.key` and `a.pub`; the key home is empty.
fn folder() -> Home {
    let home = Home::new();
    home.write("file", b"the file's bytes\n");
    home.write_key("a.key", &keys().a.private);
    home.write("a.pub", &keys().a.public);
    home.ok(&["sign", "file", "-k", "a.key"]);
    home
}

/// The three kinds of PEM file, with a command that reads each.
const READERS: [(&str, &[&str]); 3] = [
    ("a.pub", &["verify", "file", "-p", "a.pub"]),
    ("a.key", &["sign", "file", "-o", "out", "-k", "a.key"]),
    ("file.sig", &["verify", "file", "-p", "a.pub"]),
];

/// Each kind of file, after `change`, is still read.
fn is_read(change: impl Fn(&str) -> String) {
    for (name, args) in READERS {
        let home = folder();
        let text = String::from_utf8(home.read(name)).unwrap();
        home.write(name, change(&text));
        home.ok(args);
        home.ok(&["inspect", name]);
    }
}

/// Each kind of file, after `change`, is refused by exit 2, with its name.
fn is_refused(change: impl Fn(&str) -> String) {
    for (name, args) in READERS {
        let home = folder();
        let text = String::from_utf8(home.read(name)).unwrap();
        let changed = change(&text);
        assert_ne!(changed, text, "the test changes nothing in {name}");
        home.write(name, changed);
        let out = home.fails_without_traces(2, args);
        assert!(out.all().contains(name.trim_end_matches(".sig")), "{name}: {out:?}");
        home.fails_without_traces(2, &["inspect", name]);
    }
}

/// Each kind of file, with its DER changed, is refused by exit 2.
fn der_is_refused(change: impl Fn(&[u8]) -> Vec<u8>) {
    is_refused(|text| {
        let label = text.lines().next().unwrap().trim_start_matches("-----BEGIN ").trim_end_matches('-');
        String::from_utf8(der::pem_encode(label, &change(&der::pem_decode(text.as_bytes())))).unwrap()
    });
}

// PEM.

#[test]
fn text_before_and_after_the_block_is_accepted() {
    is_read(|text| format!("Key of the release team,\n  made in May.\n\n{text}\nEnd of the mail.\n"));
}

/// Reliability, bug 49: CRLF broke verification.
#[test]
fn bug_49_crlf_is_accepted() {
    is_read(|text| text.replace('\n', "\r\n"));
}

#[test]
fn a_missing_last_newline_is_accepted() {
    is_read(|text| text.trim_end().to_owned());
}

#[test]
fn two_blocks_are_refused() {
    is_refused(|text| format!("{text}{text}"));
}

#[test]
fn a_second_block_of_another_kind_is_refused() {
    is_refused(|text| format!("{text}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"));
    is_refused(|text| format!("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n{text}"));
}

#[test]
fn a_wrong_label_is_refused() {
    is_refused(|text| text.replace("BEGIN P", "BEGIN X").replace("END P", "END X"));
    is_refused(|text| {
        text.replace("PRIVATE KEY", "EC PRIVATE KEY").replace(" PUBLIC", " RSA PUBLIC").replace("PQC", "pqc")
    });
}

#[test]
fn an_end_line_that_does_not_match_is_refused() {
    is_refused(|text| text.replace("END P", "END Q"));
}

#[test]
fn a_missing_begin_or_end_line_is_refused() {
    is_refused(|text| text.lines().skip(1).map(|line| format!("{line}\n")).collect());
    is_refused(|text| text[..text.find("-----END").unwrap()].to_owned());
    is_refused(|text| text.trim_end().trim_end_matches('-').to_owned());
}

#[test]
fn header_lines_inside_the_block_are_refused() {
    is_refused(|text| text.replacen("-----\n", "-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES\n\n", 1));
}

#[test]
fn characters_that_are_not_base64_are_refused() {
    for bad in ["*", "\0", "\u{e9}", "-", "_", "="] {
        is_refused(|text| {
            let at = text.find('\n').unwrap() + 70;
            format!("{}{bad}{}", &text[..at], &text[at + 1..])
        });
    }
}

#[test]
fn missing_or_additional_padding_is_refused() {
    is_refused(|text| {
        let end = text.find("-----END").unwrap();
        let body = text[..end].trim_end();
        if body.ends_with('=') {
            format!("{}\n{}", body.trim_end_matches('='), &text[end..])
        } else {
            format!("{body}=\n{}", &text[end..])
        }
    });
}

#[test]
fn base64_whose_last_bits_are_not_zero_is_refused() {
    let home = folder();
    let mut container = Container::read(&home.read("file.sig"));
    let mut tried = 0;
    for len in 650..656 {
        container.set_signature(&vec![0x39; len]);
        let mut text = container.pem();
        let Some(padding) = text.iter().position(|byte| *byte == b'=') else { continue };
        home.write("file.sig", &text);
        home.fails_without_traces(1, &["verify", "file", "-p", "a.pub"]);
        // The last digit has zero bits that stand for nothing, so its successor is a digit, with one of them set.
        text[padding - 1] += 1;
        home.write("file.sig", &text);
        home.fails_without_traces(2, &["verify", "file", "-p", "a.pub"]);
        tried += 1;
    }
    assert!(tried > 0);
}

#[test]
fn an_empty_block_is_refused() {
    is_refused(|text| {
        let lines: Vec<&str> = text.lines().collect();
        format!("{}\n{}\n", lines[0], lines[lines.len() - 1])
    });
}

#[test]
fn an_empty_file_is_refused() {
    is_refused(|_| String::new());
    is_refused(|_| "\n".to_owned());
}

#[test]
fn der_without_pem_is_refused_or_read_as_what_it_is() {
    // Not in the page: the binary form may be read, but never as something else.
    let home = folder();
    home.write("a.der", der::pem_decode(&keys().a.public));
    let out = home.run(&["verify", "file", "-p", "a.der"]);
    assert!(matches!(out.code, 0 | 2), "{out:?}");
}

/// What `inspect` and `convert` read as DER is read as strictly as in PEM.
#[test]
fn der_without_pem_is_read_by_inspect_and_convert_strictly() {
    let home = folder();
    home.ok(&["convert", "a.key", "--layout", "bouncycastle", "-o", "bc.key"]);
    for name in ["a.pub", "a.key", "bc.key"] {
        let der = der::pem_decode(&home.read(name));
        home.write_key("x.der", &der);
        assert!(home.ok(&["inspect", "x.der"]).out().contains(&keys().a.fingerprint));
        let longer = [&der[..], &[0]].concat();
        let lax = [&[0x30, 0x83, 0], &der[2..]].concat();
        for bad in [&der[..der.len() - 1], &longer, &der[1..], &lax, &der[4..]] {
            home.write_key("x.der", bad);
            home.fails_without_traces(2, &["inspect", "x.der"]);
            home.fails_without_traces(2, &["convert", "x.der", "-o", "out"]);
        }
    }
    // The structure inside a signature file is no key and no signature without its lines.
    home.write("x.der", der::pem_decode(&home.read("file.sig")));
    home.fails_without_traces(2, &["inspect", "x.der"]);
    home.fails_without_traces(2, &["convert", "x.der", "-o", "out"]);
}

#[test]
fn a_reader_tells_what_it_found_instead() {
    let home = folder();
    let found = |args: &[&str]| home.fails_without_traces(2, args).all().to_lowercase();
    assert!(found(&["verify", "file", "-p", "a.key"]).contains("private key"));
    assert!(found(&["verify", "file", "-p", "file.sig"]).contains("signature"));
    assert!(found(&["sign", "file", "-o", "x", "-k", "a.pub"]).contains("public key"));
    assert!(found(&["sign", "file", "-o", "x", "-k", "file.sig"]).contains("signature"));
    home.write(
        "a.enc",
        b"-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n",
    );
    let text = found(&["sign", "file", "-o", "x", "-k", "a.enc"]);
    assert!(text.contains("encrypted") || text.contains("password"), "{text}");
    home.write("c", b"-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n");
    assert!(found(&["verify", "file", "-p", "c"]).contains("certificate"));
}

/// Every byte of a signature file deleted, doubled, changed, and the file cut at every length: more than 5000
/// files in one run. Only a change of the text around the base64 may leave it valid.
#[test]
fn bug_51_no_damage_of_a_signature_file_is_read_or_crashes() {
    let home = folder();
    let good = home.read("file.sig");
    let mut cases: Vec<Vec<u8>> = Vec::new();
    for at in 0..good.len() {
        let (before, after) = (&good[..at], &good[at + 1..]);
        cases.push([before, after].concat());
        cases.push([before, &[good[at], good[at]], after].concat());
        cases.push([before, &[good[at] ^ 1], after].concat());
        cases.push([before, &[good[at] ^ 0x80], after].concat());
        cases.push([before, b"\0", after].concat());
        cases.push(before.to_vec());
    }
    assert!(cases.len() >= 5000, "{}", cases.len());
    let folder = home.path("cases");
    fs::create_dir(&folder).unwrap();
    let mut command = home.command();
    command.current_dir(&folder).args(["verify", "-p", "../a.pub"]);
    for (n, case) in cases.iter().enumerate() {
        fs::hard_link(home.path("file"), folder.join(format!("{n:05}"))).unwrap();
        fs::write(folder.join(format!("{n:05}.sig")), case).unwrap();
    }
    let out = home.finish(command, b"");
    assert!(matches!(out.code, 1 | 2), "{out:?}");
    let text = out.out();
    assert_eq!(text.lines().count(), cases.len());
    let squeezed =
        |bytes: &[u8]| bytes.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect::<Vec<u8>>();
    let body = |bytes: &[u8]| {
        let squeezed = squeezed(bytes);
        let has = |marker: &[u8]| squeezed.windows(marker.len()).position(|window| window == marker);
        Some(squeezed[has(b"-----BEGINPQCSIGNATURE-----")?..has(b"-----ENDPQCSIGNATURE-----")?].to_vec())
    };
    for (line, case) in text.lines().zip(&cases) {
        if line.contains(": OK") {
            assert_eq!(body(case), body(&good), "{line}\n{}", String::from_utf8_lossy(case));
        }
    }
}

/// The same for the two kinds of key, one run of `inspect` for all files of a kind.
#[test]
fn bug_51_no_damage_of_a_key_file_crashes() {
    for (name, step) in [("a.pub", 1), ("a.key", 3)] {
        let home = folder();
        let good = home.read(name);
        let mut command = home.command();
        command.arg("inspect");
        for at in (0..good.len()).step_by(step) {
            let (before, after) = (&good[..at], &good[at + 1..]);
            for (kind, case) in [
                [before, after].concat(),
                [before, &[good[at], good[at]], after].concat(),
                [before, &[good[at] ^ 1], after].concat(),
                before.to_vec(),
            ]
            .iter()
            .enumerate()
            {
                let case_name = format!("{at:04}-{kind}");
                home.write_key(&case_name, case);
                command.arg(case_name);
            }
        }
        home.finish(command, b"").expect(2);
    }
}

// DER.

#[test]
fn bytes_after_the_der_are_refused() {
    der_is_refused(|der| [der, &[0]].concat());
    der_is_refused(|der| [der, der].concat());
    der_is_refused(|der| [der, &[5, 0]].concat());
}

#[test]
fn der_that_is_cut_short_is_refused() {
    for keep in [0, 1, 2, 3, 4, 5, 10, 20, 30, 50, 100, 500] {
        der_is_refused(|der| der[..keep].to_vec());
    }
    der_is_refused(|der| der[..der.len() - 1].to_vec());
}

#[test]
fn a_length_that_is_not_the_shortest_is_refused() {
    der_is_refused(|der| [&[0x30, 0x83, 0], &der[2..]].concat());
    der_is_refused(|der| [&[0x30, 0x84, 0, 0], &der[2..]].concat());
}

#[test]
fn an_indefinite_length_is_refused() {
    der_is_refused(|der| [&[0x30, 0x80], &der[4..], &[0, 0]].concat());
}

#[test]
fn a_length_of_two_or_four_gigabytes_is_refused() {
    for length in [[0x80, 0, 0, 0], [0x7f, 0xff, 0xff, 0xff], [0xff; 4]] {
        der_is_refused(|der| [&[0x30, 0x84], &length[..], &der[4..]].concat());
    }
    der_is_refused(|der| [&[0x30, 0x88], &[0xff; 8][..], &der[4..]].concat());
}

#[test]
fn an_element_more_or_less_is_refused() {
    der_is_refused(|der| {
        let mut node = Node::parse(der);
        node.children_mut().push(Node::Leaf(der::NULL, Vec::new()));
        node.encode()
    });
    der_is_refused(|der| {
        let mut node = Node::parse(der);
        node.children_mut().remove(0);
        node.encode()
    });
    der_is_refused(|der| {
        let mut node = Node::parse(der);
        node.children_mut().truncate(1);
        node.encode()
    });
}

#[test]
fn an_unknown_algorithm_identifier_is_refused() {
    for dotted in ["1.3.9999.3.12", "1.3.9999.3.111", "1.2.840.113549.1.1.1", "2.16.840.1.101.3.4.3.17"] {
        der_is_refused(|der| {
            let mut node = Node::parse(der);
            for child in node.children_mut() {
                if child.tag() == der::SEQUENCE {
                    *child.children_mut()[0].content_mut() = der::oid(dotted);
                    break;
                }
            }
            node.encode()
        });
    }
}

#[test]
fn an_identifier_that_is_not_canonical_is_refused() {
    der_is_refused(|der| {
        let mut node = Node::parse(der);
        for child in node.children_mut() {
            if child.tag() == der::SEQUENCE {
                let oid = child.children_mut()[0].content_mut();
                let last = oid.pop().unwrap();
                oid.extend([0x80, last]);
                break;
            }
        }
        node.encode()
    });
}

#[test]
fn another_version_is_refused() {
    for (name, args) in [READERS[1], READERS[2]] {
        for version in [&[7][..], &[0xff], &[0, 1], &[], &[1, 0, 0, 0, 0]] {
            let home = folder();
            let text = String::from_utf8(home.read(name)).unwrap();
            let mut node = Node::parse(&der::pem_decode(text.as_bytes()));
            *node.children_mut()[0].content_mut() = version.to_vec();
            let label = if name == "a.key" { "PRIVATE KEY" } else { "PQC SIGNATURE" };
            home.write(name, der::pem_encode(label, &node.encode()));
            home.fails_without_traces(2, args);
        }
    }
}

#[test]
fn a_bit_string_with_unused_bits_is_refused() {
    let home = folder();
    for unused in [1, 7, 8, 255] {
        let mut node = Node::parse(&der::pem_decode(&keys().a.public));
        node.children_mut()[1].content_mut()[0] = unused;
        home.write("a.pub", der::pem_encode("PUBLIC KEY", &node.encode()));
        home.fails_without_traces(2, &["verify", "file", "-p", "a.pub"]);
    }
}

// Keys.

fn with_oid(pair_file: &[u8], label: &str, dotted: &str) -> Vec<u8> {
    let mut node = Node::parse(&der::pem_decode(pair_file));
    let algorithm = node.children_mut().iter_mut().find(|child| child.tag() == der::SEQUENCE).unwrap();
    *algorithm.children_mut()[0].content_mut() = der::oid(dotted);
    der::pem_encode(label, &node.encode())
}

#[test]
fn older_identifiers_of_falcon_are_read_and_keep_the_fingerprint() {
    for (pair, algorithm, oids) in [
        (&keys().a, "falcon512", ["1.3.9999.3.16", "1.3.9999.3.6", "1.3.9999.3.1"]),
        (&keys().big, "falcon1024", ["1.3.9999.3.19", "1.3.9999.3.9", "1.3.9999.3.4"]),
    ] {
        for dotted in oids {
            let home = folder();
            home.write_key("old.key", with_oid(&pair.private, "PRIVATE KEY", dotted));
            home.write("old.pub", with_oid(&pair.public, "PUBLIC KEY", dotted));
            let out = home.ok(&["sign", "file", "-k", "old.key", "-o", "s"]);
            assert!(out.err().contains(&pair.fingerprint), "{dotted}: {out:?}");
            assert_eq!(Container::read(&home.read("s")).fingerprint(), pair.fingerprint);
            let out = home.ok(&["verify", "file", "-s", "s", "-p", "old.pub"]);
            assert!(is_ok_line(&out.line("file: "), "file", pair, algorithm), "{dotted}: {out:?}");
            let out = home.ok(&["inspect", "old.pub"]);
            assert!(out.out().contains(&pair.fingerprint), "{dotted}: {out:?}");
        }
    }
}

#[test]
fn older_identifiers_in_the_key_home_are_found_by_the_fingerprint() {
    let home = folder();
    home.make_home();
    let old = with_oid(&keys().a.public, "PUBLIC KEY", "1.3.9999.3.16");
    fs::write(home.home().join("old.pub"), old).unwrap();
    home.chmod(home.home().join("old.pub"), 0o644);
    home.ok(&["verify", "file"]);
    home.ok(&["verify", "file", "-p", &keys().a.pin()]);
}

#[test]
fn an_identifier_of_the_other_size_is_refused() {
    let home = folder();
    home.write_key("x.key", with_oid(&keys().a.private, "PRIVATE KEY", "1.3.9999.3.14"));
    home.write("x.pub", with_oid(&keys().big.public, "PUBLIC KEY", "1.3.9999.3.11"));
    home.fails_without_traces(2, &["sign", "file", "-o", "x", "-k", "x.key"]);
    home.fails_without_traces(2, &["verify", "file", "-p", "x.pub"]);
}

#[test]
fn a_public_key_of_another_length_is_refused() {
    let home = folder();
    for change in [-1isize, 1, -897, 896] {
        let mut node = Node::parse(&der::pem_decode(&keys().a.public));
        let content = node.children_mut()[1].content_mut();
        content.resize((content.len() as isize + change) as usize, 0);
        home.write("x.pub", der::pem_encode("PUBLIC KEY", &node.encode()));
        home.fails_without_traces(2, &["verify", "file", "-p", "x.pub"]);
    }
}

#[test]
fn a_public_key_with_a_coefficient_of_q_or_more_is_refused() {
    let home = folder();
    for value in [12289u16, 12290, 16383] {
        let mut node = Node::parse(&der::pem_decode(&keys().a.public));
        let content = node.children_mut()[1].content_mut();
        // After the unused-bits byte and the header: the first coefficient is the next 14 bits.
        content[2] = (value >> 6) as u8;
        content[3] = (value << 2) as u8 | content[3] & 3;
        home.write("x.pub", der::pem_encode("PUBLIC KEY", &node.encode()));
        home.fails_without_traces(2, &["verify", "file", "-p", "x.pub"]);
    }
}

#[test]
fn a_wrong_header_byte_of_a_key_is_refused() {
    let home = folder();
    for header in [0u8, 0x0a, 0x19, 0x59, 0xff] {
        let mut node = Node::parse(&der::pem_decode(&keys().a.public));
        node.children_mut()[1].content_mut()[1] = header;
        home.write("x.pub", der::pem_encode("PUBLIC KEY", &node.encode()));
        home.fails_without_traces(2, &["verify", "file", "-p", "x.pub"]);

        let mut node = Node::parse(&der::pem_decode(&keys().a.private));
        let mut inner = Node::parse(node.children()[2].content());
        inner.content_mut()[0] = if header == 0x59 { 0x09 } else { header };
        *node.children_mut()[2].content_mut() = inner.encode();
        home.write_key("x.key", der::pem_encode("PRIVATE KEY", &node.encode()));
        home.fails_without_traces(2, &["sign", "file", "-o", "x", "-k", "x.key"]);
    }
}

#[test]
fn a_private_key_with_one_changed_byte_signs_nothing() {
    let home = folder();
    // In f, g, F and the public half.
    for at in [1, 100, 384, 385, 500, 768, 769, 1000, 1280, 1281, 1282, 1700, 2177] {
        let mut node = Node::parse(&der::pem_decode(&keys().a.private));
        let mut inner = Node::parse(node.children()[2].content());
        inner.content_mut()[at] ^= 0x04;
        *node.children_mut()[2].content_mut() = inner.encode();
        home.write_key("x.key", der::pem_encode("PRIVATE KEY", &node.encode()));
        let out = home.fails_without_traces(2, &["sign", "file", "-o", "x", "-k", "x.key"]);
        assert!(out.err().contains("x.key"), "{out:?}");
    }
}

#[test]
fn a_private_key_of_another_length_is_refused() {
    let home = folder();
    // 1281 bytes are the private key alone, as wolfSSL also writes it.
    for len in [0usize, 1, 1280, 1281, 1282, 2177, 2179, 4098] {
        let mut node = Node::parse(&der::pem_decode(&keys().a.private));
        let mut inner = Node::parse(node.children()[2].content());
        inner.content_mut().resize(len, 0);
        *node.children_mut()[2].content_mut() = inner.encode();
        home.write_key("x.key", der::pem_encode("PRIVATE KEY", &node.encode()));
        let args = ["sign", "file", "-o", "x", "-k", "x.key"];
        if len == 1281 {
            home.ok(&args);
            fs::remove_file(home.path("x")).unwrap();
        } else {
            home.fails_without_traces(2, &args);
        }
    }
}

#[test]
fn parameters_in_the_algorithm_identifier_are_refused() {
    der_is_refused(|der| {
        let mut node = Node::parse(der);
        for child in node.children_mut() {
            if child.tag() == der::SEQUENCE {
                child.children_mut().push(Node::Leaf(der::NULL, Vec::new()));
                break;
            }
        }
        node.encode()
    });
}

// The signature container.

fn container_is(code: i32, change: impl FnOnce(&mut Container)) {
    let home = folder();
    let mut container = Container::read(&home.read("file.sig"));
    change(&mut container);
    home.write("file.sig", container.pem());
    home.fails_without_traces(code, &["verify", "file", "-p", "a.pub"]);
}

#[test]
fn the_container_has_the_documented_parts() {
    let home = folder();
    let container = Container::read(&home.read("file.sig"));
    let parts = container.0.children();
    assert_eq!(parts.len(), 4);
    assert_eq!((parts[0].tag(), parts[0].content().len()), (der::INTEGER, 1));
    let key_algorithm = Node::parse(&der::pem_decode(&keys().a.public)).children()[0].clone();
    assert_eq!(parts[1], key_algorithm, "the AlgorithmIdentifier is the key's");
    assert_eq!(parts[2].content().len(), 32);
    assert_eq!(container.pem(), home.read("file.sig"), "one spelling, lines of 64");
}

#[test]
fn a_fingerprint_of_another_length_is_malformed() {
    container_is(2, |container| container.fingerprint_mut().push(0));
    container_is(2, |container| container.fingerprint_mut().truncate(31));
    container_is(2, |container| container.fingerprint_mut().clear());
}

#[test]
fn a_wrong_tag_in_the_container_is_malformed() {
    for at in [0, 2, 3] {
        container_is(2, |container| {
            let content = container.0.children()[at].content().to_vec();
            container.0.children_mut()[at] = Node::Leaf(0x0c, content);
        });
    }
    container_is(2, |container| {
        let parts = container.0.children().to_vec();
        container.0 = Node::Tree(0x31, parts);
    });
}

#[test]
fn a_key_inside_that_is_not_a_key_is_malformed() {
    for inside in [
        Node::Tree(0xa0, vec![]),
        Node::Tree(0xa0, vec![Node::Leaf(der::NULL, vec![])]),
        Node::Tree(0xa1, vec![Node::Leaf(der::NULL, vec![])]),
        Node::Leaf(0x80, vec![1, 2, 3]),
    ] {
        container_is(2, |container| container.0.children_mut().push(inside));
    }
}

#[test]
fn a_wrong_header_of_the_signature_is_failed() {
    for header in [0x29, 0x3a, 0x49, 0x59, 0x38, 0x00, 0xff] {
        container_is(1, |container| {
            let mut bytes = container.signature();
            bytes[0] = header;
            container.set_signature(&bytes);
        });
    }
}

#[test]
fn a_raw_signature_is_not_read_out_of_base64_or_hex() {
    let home = folder();
    home.ok(&["sign", "file", "-k", "a.key", "-o", "raw", "--format", "raw"]);
    let raw = home.read("raw");
    for text in [STANDARD.encode(&raw), hex(&raw)] {
        home.write("s", text);
        let out = home.run(&["verify", "file", "-s", "s", "-p", "a.pub"]);
        assert!(matches!(out.code, 1 | 2) && !out.out().contains("OK"), "{out:?}");
    }
}

#[test]
fn a_raw_signature_with_one_byte_more_or_less_is_failed() {
    let home = folder();
    home.ok(&["sign", "file", "-k", "a.key", "-o", "raw", "--format", "raw"]);
    let raw = home.read("raw");
    for bytes in [&raw[..665], &[&raw[..], &[0]].concat(), &[&raw[..], b"\n"].concat()] {
        home.write("s", bytes);
        let out = home.fails_without_traces(1, &["verify", "file", "-s", "s", "-p", "a.pub"]);
        assert!(out.out().starts_with("file: FAILED ("), "{out:?}");
    }
}

// Sizes.

#[test]
fn a_huge_file_in_place_of_a_key_or_signature_is_refused_at_once() {
    let home = folder();
    File::create(home.path("huge")).unwrap().set_len(3 << 30).unwrap();
    for name in ["huge", "/dev/zero"] {
        let script = "ulimit -v 400000; exec \"$0\" \"$@\"";
        for args in [
            &["verify", "file", "-p", name][..],
            &["verify", "file", "-p", "a.pub", "-s", name],
            &["sign", "file", "-o", "x", "-k", name],
            &["inspect", name],
        ] {
            let out = home.command_fails_without_traces(&[1, 2], home.shell(script, args), b"");
            assert!(!out.out().contains("OK"), "{out:?}");
        }
    }
}

#[test]
fn keys_from_a_file_that_never_ends_are_refused_in_the_key_home_too() {
    let home = folder();
    home.make_home();
    File::create(home.home().join("huge.key")).unwrap().set_len(3 << 30).unwrap();
    home.chmod(home.home().join("huge.key"), 0o600);
    let script = "ulimit -v 400000; exec \"$0\" \"$@\"";
    home.command_fails_without_traces(&[2], home.shell(script, &["sign", "file", "-o", "x"]), b"");
}
