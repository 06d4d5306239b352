//! `pqc convert`: keys and signatures in other layouts, spellings and formats.
#![cfg(unix)]

mod common;

use common::der::{self, Container};
use common::*;

/// A folder with the pairs of Falcon-512 (`a`), ML-KEM-768 (`m`) and Kyber512 (`k`), and `file` with its signature.
fn folder() -> Home {
    let home = Home::new();
    for (name, pair) in [("a", &keys().a), ("m", &kem_keys().a), ("k", &kem_keys().legacy)] {
        home.write_key(format!("{name}.key"), &pair.private);
        home.write(format!("{name}.pub"), &pair.public);
    }
    home.write("file", b"the file's bytes\n");
    home.ok(&["sign", "file", "-k", "a.key"]);
    home
}

fn layout_of(home: &Home, name: &str) -> String {
    home.ok(&["inspect", name]).line("  layout:")["  layout:".len()..].trim().to_owned()
}

// Private keys.

#[test]
fn every_layout_is_written_read_back_and_signs_or_decapsulates() {
    let home = folder();
    for (name, layouts) in [
        ("a", &["oqs", "bouncycastle", "bare"][..]),
        ("m", &["seed", "expanded", "both", "bare-seed", "bare"]),
        ("k", &["bare", "bouncycastle"]),
    ] {
        let key = format!("{name}.key");
        for layout in layouts {
            let out = format!("{name}-{layout}.key");
            home.ok(&["convert", &key, "-o", &out, "--layout", layout]);
            assert_eq!(home.mode(&out), 0o600);
            let shown = home.ok(&["inspect", "--json", &out]).json();
            assert_eq!(shown["results"][0]["public_matches"], true);
            home.ok(&["convert", "--public", &out, "-o", "p", "--force"]);
            assert_eq!(home.read("p"), home.read(format!("{name}.pub")));
            assert_eq!(home.ok(&["inspect", "--public", &out]).stdout, home.read("p"));
            // As a structure without lines, and back.
            home.ok(&["convert", &out, "--der", "--layout", layout, "-o", &format!("{out}.der")]);
            assert_eq!(home.read(format!("{out}.der")), der::pem_decode(&home.read(&out)));
            home.ok(&["convert", &format!("{out}.der"), "--layout", layout, "-o", &format!("{out}.pem")]);
            assert_eq!(home.read(format!("{out}.pem")), home.read(&out));
            if name == "a" {
                home.ok(&["sign", "file", "-k", &out, "-o", "s", "--force"]);
                home.ok(&["verify", "file", "-s", "s", "-p", "a.pub"]);
            } else {
                home.ok(&[
                    "encaps",
                    "-p",
                    &format!("{name}.pub"),
                    "-o",
                    "c",
                    "--secret-out",
                    "x",
                    "--force",
                    "-q",
                ]);
                home.ok(&["decaps", "c", "-k", &out, "--secret-out", "y", "--force", "-q"]);
                assert_eq!(home.read("x"), home.read("y"));
            }
        }
        // Without an option, the form in which keygen writes.
        let other = format!("{name}-{}.key", layouts[1]);
        if name != "m" {
            home.ok(&["convert", &other, "-o", &format!("{name}-again.key")]);
            assert_eq!(home.read(format!("{name}-again.key")), home.read(&key));
        }
    }
    home.ok(&["convert", "m-both.key", "-o", "m-again.key"]);
    assert_eq!(home.read("m-again.key"), home.read("m.key"));
}

#[test]
fn what_a_key_does_not_hold_is_not_made_up() {
    let home = folder();
    home.ok(&["convert", "m.key", "-o", "e.key", "--layout", "expanded"]);
    let out = home.fails_without_traces(2, &["convert", "e.key", "-o", "x", "--layout", "seed"]);
    assert!(out.err().contains("seed"), "{out:?}");
    home.fails_without_traces(2, &["convert", "e.key", "-o", "x", "--layout", "both"]);
    // The preferred layout of what there is.
    home.ok(&["convert", "e.key", "-o", "again.key"]);
    assert_eq!(home.read("again.key"), home.read("e.key"));
    for (key, layout) in [("a.key", "seed"), ("m.key", "oqs"), ("k.key", "expanded"), ("k.key", "seed")] {
        let out = home.fails_without_traces(2, &["convert", key, "-o", "x", "--layout", layout]);
        assert!(out.err().contains(layout) && out.err().contains("it has"), "{out:?}");
    }
}

#[test]
fn raw_keys_go_out_and_come_back_with_alg() {
    let home = folder();
    for (name, alg, layout, len, public_len) in [
        ("a", "falcon512", None, 1281, 897),
        ("m", "mlkem768", None, 2400, 1184),
        ("m", "mlkem768", Some("seed"), 64, 1184),
        ("k", "kyber512", None, 1632, 800),
    ] {
        let (key, public) = (format!("{name}.key"), format!("{name}.pub"));
        let mut args = vec!["convert", &key, "--raw", "-o", "raw"];
        args.extend(layout.iter().flat_map(|layout| ["--layout", layout]));
        home.ok(&args);
        home.ok(&["convert", &public, "--raw", "-o", "raw.pub"]);
        assert_eq!((home.read("raw").len(), home.read("raw.pub").len()), (len, public_len));
        assert_eq!(home.mode("raw"), 0o600);
        home.ok(&["convert", "raw.pub", "--alg", alg, "-o", "back.pub"]);
        assert_eq!(home.read("back.pub"), home.read(&public));
        home.ok(&["convert", "raw", "--alg", alg, "-o", "back.key"]);
        home.ok(&["convert", "back.key", "--public", "-o", "back.pub", "--force"]);
        assert_eq!(home.read("back.pub"), home.read(&public));
        let shown = home.ok(&["inspect", "--json", "--alg", alg, "raw", "raw.pub"]).json();
        for n in [0, 1] {
            assert_eq!(shown["results"][n]["format"], "raw");
            assert_eq!(shown["results"][n]["algorithm"], alg);
        }
        // A bare key says nothing of whose it is.
        for raw in ["raw", "raw.pub"] {
            let out = home.run(&["convert", raw, "-o", "x"]).expect(2);
            // Random bytes may begin as a signature does.
            assert!(out.err().contains("--alg") || out.err().contains("bare signature"), "{out:?}");
        }
        let out = home.fails_without_traces(2, &["convert", "raw", "--alg", "falcon1024", "-o", "x"]);
        assert!(out.err().contains(&len.to_string()) && out.err().contains("2305"), "{out:?}");
        for file in ["raw", "raw.pub", "back.key", "back.pub"] {
            std::fs::remove_file(home.path(file)).unwrap();
        }
    }
    let out = home.fails_without_traces(2, &["convert", "a.key", "--alg", "falcon1024", "-o", "x"]);
    assert!(out.err().contains("falcon512") && out.err().contains("falcon1024"), "{out:?}");
}

#[test]
fn older_object_identifiers_are_written_on_demand_and_read() {
    let home = folder();
    for oid in ["1.3.9999.3.16", "1.3.9999.3.6", "1.3.9999.3.1"] {
        for (from, to) in [("a.key", "o.key"), ("a.pub", "o.pub")] {
            let _ = std::fs::remove_file(home.path(to));
            home.ok(&["convert", from, "--oid", oid, "-o", to]);
            assert!(home.ok(&["inspect", to]).out().contains(oid));
        }
        home.ok(&["sign", "file", "-k", "o.key", "-o", "s", "--force"]);
        home.ok(&["verify", "file", "-s", "s", "-p", "o.pub"]);
        home.ok(&["verify", "file", "-s", "s", "-p", "a.pub"]);
        // And back to today's.
        let _ = std::fs::remove_file(home.path("b.key"));
        home.ok(&["convert", "o.key", "-o", "b.key"]);
        assert_eq!(home.read("b.key"), home.read("a.key"));
    }
    for oid in ["1.3.9999.3.14", "2.16.840.1.101.3.4.4.1", "nonsense", ""] {
        home.fails_without_traces(2, &["convert", "a.pub", "--oid", oid, "-o", "x"]);
    }
}

/// What Bouncy Castle 1.80 wrote: its layout, and the object identifiers of its time.
#[test]
fn keys_of_bouncy_castle_sign() {
    let home = folder();
    for (name, alg) in [("falcon512", "falcon512"), ("falcon1024", "falcon1024")] {
        home.write_key("bc.key", peer(&format!("bouncycastle/{name}.pem")));
        home.write("bc.pub", peer(&format!("bouncycastle/{name}.pub")));
        home.write("bc.sig", peer(&format!("bouncycastle/{name}.sig.bin")));
        home.write("message", peer("bouncycastle/message.txt"));
        assert!(layout_of(&home, "bc.key").contains("Bouncy Castle"));
        home.ok(&["verify", "message", "-s", "bc.sig", "-p", "bc.pub"]);
        home.ok(&["sign", "message", "-k", "bc.key", "-o", "s", "--force"]);
        home.ok(&["verify", "message", "-s", "s", "-p", "bc.pub"]);
        home.ok(&["convert", "bc.key", "-o", &format!("{alg}.oqs")]);
        assert!(layout_of(&home, &format!("{alg}.oqs")).contains("OQS"));
        // Byte for byte what it wrote, where its identifier is asked for.
        let oid = if alg == "falcon512" { "1.3.9999.3.6" } else { "1.3.9999.3.9" };
        let back = format!("{alg}.bc");
        home.ok(&["convert", &format!("{alg}.oqs"), "--layout", "bouncycastle", "--oid", oid, "-o", &back]);
        assert_eq!(der::pem_decode(&home.read(&back)), der::pem_decode(&home.read("bc.key")));
        home.ok(&["convert", "bc.pub", "--oid", oid, "-o", "back.pub", "--force"]);
        assert_eq!(der::pem_decode(&home.read("back.pub")), der::pem_decode(&home.read("bc.pub")));
    }
}

#[test]
fn a_damaged_private_key_is_not_converted() {
    let home = folder();
    for (key, at) in [("a.key", 700), ("a.key", 1900), ("k.key", 1600)] {
        let mut bytes = der::pem_decode(&home.read(key));
        bytes[at] ^= 1;
        home.write_key("bad.key", der::pem_encode("PRIVATE KEY", &bytes));
        home.fails_without_traces(2, &["convert", "bad.key", "-o", "x"]);
        home.fails_without_traces(2, &["convert", "bad.key", "--public"]);
    }
    // The halves of two keys.
    let mut a = der::pem_decode(&home.read("a.key"));
    let b = der::pem_decode(&keys().b.private);
    let public_at = a.len() - 897;
    a[public_at..].copy_from_slice(&b[public_at..]);
    home.write_key("mixed.key", der::pem_encode("PRIVATE KEY", &a));
    let out = home.fails_without_traces(2, &["convert", "mixed.key", "--layout", "bare", "-o", "x"]);
    assert!(out.err().contains("another key"), "{out:?}");
    let out = home.run(&["inspect", "mixed.key"]).expect(2);
    assert!(out.line("  public matches:").ends_with("no"), "{out:?}");
}

// Signatures.

#[test]
fn a_signature_goes_from_padded_to_compressed_and_back() {
    let home = folder();
    home.ok(&["convert", "file.sig", "--encoding", "compressed", "-o", "c.sig"]);
    home.ok(&["convert", "c.sig", "--encoding", "padded", "-o", "p.sig"]);
    assert_eq!(home.read("p.sig"), home.read("file.sig"));
    assert!(Container::read(&home.read("c.sig")).signature().len() < 666);
    home.ok(&["verify", "file", "-s", "c.sig", "-p", "a.pub"]);
    // Bare ones too, and a bare one with its key is a file again.
    home.ok(&["convert", "c.sig", "--raw", "-o", "c.raw"]);
    assert_eq!(home.read("c.raw"), Container::read(&home.read("c.sig")).signature());
    home.ok(&["convert", "c.raw", "--raw", "--encoding", "padded", "-o", "p.raw"]);
    assert_eq!(home.read("p.raw").len(), 666);
    home.ok(&["verify", "file", "-s", "p.raw", "-p", "a.pub"]);
    home.ok(&["convert", "p.raw", "-p", "a.pub", "-o", "again.sig"]);
    assert_eq!(home.read("again.sig"), home.read("file.sig"));
    let out = home.fails_without_traces(2, &["convert", "p.raw", "-o", "x"]);
    assert!(out.err().contains("-p"), "{out:?}");
    home.write("big.pub", &keys().big.public);
    let out = home.fails_without_traces(2, &["convert", "p.raw", "-p", "big.pub", "-o", "x"]);
    assert!(out.err().contains("falcon1024"), "{out:?}");
}

#[test]
fn a_signature_that_is_not_canonical_is_refused() {
    let home = folder();
    home.ok(&["convert", "file.sig", "--raw", "--encoding", "compressed", "-o", "c"]);
    let raw = home.read("c");
    let mut cases = vec![[&raw[..], &[0]].concat(), raw[..raw.len() - 1].to_vec()];
    cases.extend(der::with_minus_zero(&raw));
    cases.extend(der::with_spare_bit(&raw));
    for case in cases {
        home.write("bad", case);
        home.fails_without_traces(2, &["convert", "bad", "--raw", "--encoding", "padded", "-o", "x"]);
    }
}

#[test]
fn a_key_inside_a_signature_stays_there() {
    let home = folder();
    home.ok(&["sign", "file", "-k", "a.key", "--with-key", "-o", "w.sig"]);
    home.ok(&["convert", "w.sig", "--encoding", "compressed", "-o", "w2.sig"]);
    home.ok(&["verify", "file", "-s", "w2.sig", "-p", &keys().a.pin()]);
}

// Manners.

#[test]
fn options_that_mean_nothing_for_a_file_are_refused() {
    let home = folder();
    home.ok(&["encaps", "-p", "m.pub", "-o", "x.ct", "--secret-out", "x.ss"]);
    home.ok(&["convert", "file.sig", "--raw", "-o", "raw.sig"]);
    home.ok(&["convert", "m.key", "--layout", "both", "-o", "both.key"]);
    for (args, named) in [
        (&["a.pub", "--layout", "oqs"][..], "--layout"),
        (&["a.pub", "--public"], "--public"),
        (&["a.pub", "--unprotected"], "--unprotected"),
        (&["a.pub", "--password-env", "X"], "password"),
        (&["a.key", "--encoding", "padded"], "--encoding"),
        (&["a.key", "-p", "a.pub"], "-p"),
        (&["a.key", "--public", "--layout", "oqs"], "--layout"),
        (&["file.sig", "--layout", "oqs"], "--layout"),
        (&["file.sig", "--der"], "--der"),
        (&["file.sig", "--oid", "1.3.9999.3.6"], "--oid"),
        (&["file.sig", "-p", "a.pub"], "-p"),
        (&["raw.sig", "-p", "a.pub", "--raw"], "-p"),
        (&["m.key", "--layout", "both", "--raw"], "both"),
        (&["a.key", "--raw", "--oid", "1.3.9999.3.6"], "--oid"),
        (&["x.ct"], "ciphertext"),
        (&["file"], "text"),
        (&["a.key", "--pem", "--der"], "--der"),
    ] {
        let args = [&["convert"], args, &["-o", "out"]].concat();
        let out = home.fails_without_traces(2, &args);
        assert!(out.err().contains(named), "{named}: {out:?}");
    }
}

#[test]
fn nothing_is_replaced_but_by_force_and_a_private_key_never() {
    let home = folder();
    home.write("old", b"old\n");
    home.write_key("old.key", &keys().b.private);
    home.write_key("old.der", der::pem_decode(&keys().b.private));
    home.fails_without_traces(2, &["convert", "a.pub", "-o", "old"]);
    home.fails_without_traces(2, &["convert", "file.sig", "-o", "old"]);
    for force in [&[][..], &["--force"]] {
        for target in ["old", "old.key", "old.der", "a.key", "a.pub"] {
            home.fails_without_traces(2, &[&["convert", "a.key", "-o", target], force].concat());
        }
        for target in ["old.key", "old.der", "a.key"] {
            home.fails_without_traces(2, &[&["convert", "a.pub", "-o", target], force].concat());
            home.fails_without_traces(2, &[&["convert", "file.sig", "-o", target], force].concat());
        }
        home.fails_without_traces(2, &[&["convert", "a.pub", "-o", "a.pub"], force].concat());
    }
    home.ok(&["convert", "a.pub", "-o", "old", "--force"]);
    assert_eq!(home.read("old"), home.read("a.pub"));
    std::os::unix::fs::symlink("new", home.path("link")).unwrap();
    home.fails_without_traces(2, &["convert", "a.pub", "-o", "link", "--force"]);
}

#[test]
fn standard_input_and_output_work_and_a_private_key_does_not_go_to_a_terminal() {
    let home = folder();
    let out = home.run_with(&["convert", "-", "--public"], &home.read("a.key")).expect(0);
    assert_eq!(out.stdout, home.read("a.pub"));
    let out = home.ok(&["convert", "a.key", "--layout", "bare", "--raw"]);
    assert_eq!(out.stdout.len(), 1281);
    let out = home.fails_without_traces(2, &["convert", "a.key", "--json"]);
    assert!(out.err().contains("-o"), "{out:?}");
    let test = "standard_input_and_output_work_and_a_private_key_does_not_go_to_a_terminal";
    if can_make_a_terminal(test) {
        let out = on_a_terminal(&home, "\"$PQC\" convert a.key").expect(2);
        assert!(out.all().contains("terminal") && !out.all().contains("BEGIN"), "{out:?}");
        on_a_terminal(&home, "\"$PQC\" convert a.key --public").expect(0);
        on_a_terminal(&home, "\"$PQC\" convert a.pub --raw").expect(2);
    }
}

#[test]
fn json_tells_what_was_made() {
    let home = folder();
    let out = home.ok(&["convert", "a.key", "-o", "b.key", "--layout", "bouncycastle", "--json"]).json();
    let result = &out["results"][0];
    assert_eq!(result["kind"], "private key");
    assert_eq!(result["algorithm"], "falcon512");
    assert!(result["layout"].as_str().unwrap().contains("Bouncy Castle"));
    assert_eq!(result["protected"], false);
    assert_eq!(result["fingerprint"], keys().a.fingerprint.as_str());
    assert_eq!(result["output"], "b.key");
    let out = home.ok(&["convert", "file.sig", "--encoding", "compressed", "-o", "c", "--json"]).json();
    assert_eq!(out["results"][0]["encoding"], "compressed");
}

#[test]
fn a_private_key_is_0600_from_its_first_moment() {
    if !can_trace("a_private_key_is_0600_from_its_first_moment", true) {
        return;
    }
    let home = folder();
    assert_0600_from_the_first_moment(&home, &["convert", "a.key", "-o", "new.key"], "new.key");
}
