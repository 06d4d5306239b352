//! `pqc bench`, tested from outside: figures are asked for their shape, never for their size.
#![cfg(unix)]

mod common;

use common::*;
use serde_json::Value;
use std::process::Stdio;
use std::time::Duration;

/// The least work: one round a row.
const SHORT: [&str; 3] = ["bench", "--seconds", "0.001"];

fn short<'a>(args: &[&'a str]) -> Vec<&'a str> {
    SHORT.iter().chain(args).copied().collect()
}

fn results(document: &Value) -> &Vec<Value> {
    document["results"].as_array().expect("an array")
}

fn texts<'v>(rows: &'v [Value], name: &str) -> Vec<&'v str> {
    rows.iter().map(|row| row[name].as_str().expect("a string")).collect()
}

// The schema.

/// What of JSON Schema the committed schema uses; the first thing that does not hold.
fn violation(root: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    const KNOWN: [&str; 14] = [
        "$schema",
        "$defs",
        "$ref",
        "title",
        "description",
        "type",
        "const",
        "required",
        "properties",
        "additionalProperties",
        "items",
        "anyOf",
        "minimum",
        "minLength",
    ];
    let no = |what: String| Some(format!("{at}: {what}"));
    for (name, _) in schema.as_object().expect("a schema is an object") {
        assert!(
            KNOWN.contains(&name.as_str()) || ["minItems", "maxItems"].contains(&name.as_str()),
            "{name}"
        );
    }
    if let Some(reference) = schema.get("$ref") {
        let path = reference.as_str().expect("a path").trim_start_matches('#');
        return violation(root, root.pointer(path).expect("a definition"), value, at);
    }
    if let Some(options) = schema.get("anyOf") {
        let found: Vec<Option<String>> =
            options.as_array().expect("options").iter().map(|one| violation(root, one, value, at)).collect();
        return if found.iter().any(Option::is_none) {
            None
        } else {
            no(format!("no option fits: {found:?}"))
        };
    }
    if schema.get("const").is_some_and(|expected| expected != value) {
        return no(format!("is {value}"));
    }
    if let Some(kinds) = schema.get("type") {
        let is = |kind: &Value| match kind.as_str().expect("a type") {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_u64() || value.is_i64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("unknown type {other}"),
        };
        let fits = kinds.as_array().map_or_else(|| is(kinds), |kinds| kinds.iter().any(is));
        if !fits {
            return no(format!("is no {kinds}"));
        }
    }
    if let (Some(least), Some(number)) = (schema.get("minimum"), value.as_f64())
        && number < least.as_f64().expect("a number")
    {
        return no(format!("{number} is too small"));
    }
    if let (Some(least), Some(text)) = (schema.get("minLength"), value.as_str())
        && (text.len() as u64) < least.as_u64().expect("a length")
    {
        return no("is too short".into());
    }
    if let Some(members) = value.as_object() {
        for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
            if !members.contains_key(name.as_str().expect("a name")) {
                return no(format!("has no {name}"));
            }
        }
        for (name, member) in members {
            let rule = schema.pointer(&format!("/properties/{name}")).or(schema.get("additionalProperties"));
            let found = rule.and_then(|rule| violation(root, rule, member, &format!("{at}/{name}")));
            if found.is_some() {
                return found;
            }
        }
    }
    if let Some(items) = value.as_array() {
        let (least, most) = (schema.get("minItems"), schema.get("maxItems"));
        let len = items.len() as u64;
        if least.and_then(Value::as_u64).is_some_and(|least| len < least)
            || most.and_then(Value::as_u64).is_some_and(|most| len > most)
        {
            return no(format!("has {len} elements"));
        }
        let rule = schema.get("items");
        let each = items.iter().enumerate();
        return rule.and_then(|rule| {
            each.into_iter().find_map(|(i, item)| violation(root, rule, item, &format!("{at}/{i}")))
        });
    }
    None
}

fn schema() -> Value {
    serde_json::from_str(include_str!("../src/bench/schema.json")).expect("the schema is JSON")
}

fn assert_valid(document: &Value) {
    let schema = schema();
    if let Some(why) = violation(&schema, &schema, document, "") {
        panic!("{why}");
    }
}

#[test]
fn the_json_follows_its_schema() {
    let home = Home::new();
    let document = home.ok(&short(&["--alg", "falcon512,mlkem512", "--json"])).json();
    assert_valid(&document);
    for row in results(&document) {
        let samples = row["samples"].as_u64().expect("a number") as usize;
        for name in ["order", "round", "thread", "call", "ns", "ticks"] {
            let list = row[format!("sample_{name}")].as_array().expect("an array");
            assert_eq!(list.len(), samples, "{name}");
            assert!(list.iter().all(Value::is_u64), "{name}: integers");
        }
        assert!(row["few"] == (samples < 100), "{row}");
        let [least, lower, middle, upper, most] =
            ["minimum_ns", "lower_quartile_ns", "median_ns", "upper_quartile_ns", "maximum_ns"]
                .map(|name| row[name].as_f64().expect("a number"));
        assert!(least <= lower && lower <= middle && middle <= upper && upper <= most);
        assert_eq!(row["scalar_over_this"].is_null(), row["backend"] == "scalar");
    }
    // The schema can fail.
    let mut wrong = document.clone();
    wrong["results"][0]["median_ns"] = "fast".into();
    assert!(violation(&schema(), &schema(), &wrong, "").is_some());
    let mut wrong = document.clone();
    wrong["results"][0].as_object_mut().expect("a row").remove("sample_ns");
    assert!(violation(&schema(), &schema(), &wrong, "").is_some());
    let mut wrong = document;
    wrong["header"]["seed"] = 5.into();
    assert!(violation(&schema(), &schema(), &wrong, "").is_some());
}

#[test]
fn csv_has_every_sample_of_the_run() {
    let home = Home::new();
    let args = short(&["--alg", "mlkem512", "--op", "decaps", "--seed", "7", "--json", "out.json", "--csv"]);
    let csv = home.ok(&args).out();
    let document: Value = serde_json::from_slice(&home.read("out.json")).expect("JSON");
    assert_valid(&document);
    let mut lines = csv.lines();
    let columns: Vec<&str> = lines.next().expect("names").split(',').collect();
    let at = |name: &str| columns.iter().position(|column| *column == name).expect("a column");
    let cells: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert!(cells.iter().all(|cells| cells.len() == columns.len()), "{csv}");
    let samples: u64 = results(&document).iter().map(|row| row["samples"].as_u64().expect("a number")).sum();
    assert_eq!(cells.len() as u64, samples);
    assert!(cells.iter().all(|cells| cells[at("seed")] == "7" && cells[at("algorithm")] == "mlkem512"));
    let ns: Vec<u64> = cells.iter().map(|cells| cells[at("ns")].parse().expect("an integer")).collect();
    let expected = results(&document).iter().flat_map(|row| row["sample_ns"].as_array().expect("an array"));
    assert!(ns.into_iter().eq(expected.map(|ns| ns.as_u64().expect("an integer"))));
}

// Rows.

#[test]
fn a_kem_and_a_signature_have_their_rows_and_no_others() {
    let home = Home::new();
    let rows = |args: &[&str]| {
        let mut args = short(args);
        args.extend(["--isa", "scalar", "--json"]);
        results(&home.ok(&args).json()).clone()
    };
    let kem = ["keygen", "encaps", "encaps-kept", "encaps-core", "decaps", "decaps-kept"];
    let with_batches = [&kem[..], &["keygen-batch", "encaps-batch", "decaps-batch"]].concat();
    assert_eq!(texts(&rows(&["--alg", "mlkem512"]), "operation"), with_batches);
    assert_eq!(texts(&rows(&["--alg", "kyber512-90s"]), "operation"), with_batches);
    let with_batch = [&kem[..], &["encaps-batch"]].concat();
    assert_eq!(texts(&rows(&["--alg", "ntruhrss701"]), "operation"), with_batch);
    let with_sort = [&with_batch[..], &["keygen-sort", "encaps-sort"]].concat();
    assert_eq!(texts(&rows(&["--alg", "ntruhps2048509"]), "operation"), with_sort);
    let signature = ["keygen", "sign", "sign-kept", "sign-core", "sign-batch", "verify", "verify-kept"];
    assert_eq!(texts(&rows(&["--alg", "falcon512"]), "operation"), signature);
    // Without --alg, and with all: what has the operation.
    let default = rows(&["--op", "decaps,verify"]);
    let algorithms = texts(&default, "algorithm");
    assert_eq!(algorithms, ["falcon512", "falcon1024", "mlkem512", "mlkem768", "mlkem1024"]);
    let all = rows(&["--op", "decaps", "--alg", "all"]);
    assert!(all.len() == 15 && !texts(&all, "algorithm").contains(&"falcon512"));
    home.fails_without_traces(2, &["bench", "--alg", "ntruhrss701", "--op", "encaps-sort"]);
    let out = home.fails_without_traces(2, &["bench", "--alg", "falcon512,mlkem512", "--op", "verify"]);
    assert!(out.err().contains("mlkem512"), "{out:?}");
}

#[test]
fn scalar_stands_beside_every_backend_and_the_header_names_what_ran() {
    let home = Home::new();
    let list = home.ok(&["list", "--json"]).json();
    let is_backend = |row: &&Value| row["kind"] == "backend" && row["state"] != "in use";
    let mut isas = vec!["auto"];
    isas.extend(
        results(&list)
            .iter()
            .filter(is_backend)
            .filter(|row| row["state"] == "available")
            .map(|row| row["backend"].as_str().expect("a name")),
    );
    for isa in isas {
        let args = short(&["--alg", "mlkem512", "--op", "encaps", "--isa", isa, "--json"]);
        let document = home.ok(&args).json();
        let backends = texts(results(&document), "backend");
        assert!(backends[0] == "scalar" || backends[1..].contains(&"scalar"), "{backends:?}");
        assert!(isa == "auto" || backends.contains(&isa), "{backends:?}");
        let header = &document["header"];
        assert!(header["backends"].as_str().expect("text").contains(backends[backends.len() - 1]));
        assert_eq!(header["selftest"], "passed");
        assert_eq!(header["pqc_isa"], "not set");
    }
    let mut command = home.command();
    command.args(short(&["--alg", "mlkem512", "--op", "encaps", "--json"])).env("PQC_ISA", "soft");
    let document = home.finish(command, b"").expect(0).json();
    assert_eq!(document["header"]["pqc_isa"], "soft");
}

#[test]
fn a_batch_and_threads_are_said() {
    let home = Home::new();
    let args = short(&["--alg", "falcon512", "--op", "sign-batch", "--batch", "3", "--threads", "2"]);
    let out = home.ok(&args).out();
    assert!(out.contains("sign-batch of 3"), "{out}");
    let document = home.ok(&[&args[..], &["--json"]].concat()).json();
    assert_valid(&document);
    for row in results(&document) {
        assert_eq!((&row["batch"], &row["threads"]), (&3.into(), &2.into()));
        let threads = row["sample_thread"].as_array().expect("an array");
        assert!(threads.contains(&0.into()) && threads.contains(&1.into()), "both threads measured");
    }
    let args = short(&["--alg", "mlkem512", "--op", "encaps-batch", "--batch", "9", "--json"]);
    let document = home.ok(&args).json();
    assert_valid(&document);
    assert!(results(&document).iter().all(|row| row["batch"] == 9));
    for (option, value) in
        [("--batch", "0"), ("--batch", "1000000"), ("--threads", "0"), ("--message-bytes", "999999999")]
    {
        let out = home.fails_without_traces(2, &["bench", "--op", "sign-batch", option, value]);
        assert!(out.err().contains(option), "{out:?}");
    }
    for seconds in ["0", "-1", "nan", "inf", "1e9", "x"] {
        home.fails_without_traces(2, &["bench", &format!("--seconds={seconds}")]);
    }
}

/// The same seed is the same work in the same order; another one is not.
#[test]
fn a_seed_decides_inputs_and_order() {
    let home = Home::new();
    let order = |seed: &str| {
        let args = ["bench", "--alg", "mlkem512", "--seed", seed, "--seconds", "0.06", "--json"];
        let document = home.ok(&args).json();
        assert_eq!(document["header"]["seed"], seed);
        let rows = results(&document).iter();
        rows.map(|row| {
            let mut order = row["sample_order"].as_array().expect("an array").clone();
            order.dedup();
            order
        })
        .collect::<Vec<_>>()
    };
    let first = order("11");
    assert_eq!(first, order("11"));
    assert_ne!(first, order("12"));
    assert!(first.iter().all(|rounds| rounds.len() == 3), "{first:?}");
}

#[test]
fn isolated_rounds_follow_each_other() {
    let home = Home::new();
    let args = ["bench", "--alg", "mlkem512", "--op", "decaps", "--isolated", "--seconds", "0.06", "--json"];
    let document = home.ok(&args).json();
    assert_eq!(document["header"]["order"], "isolated");
    for (number, row) in results(&document).iter().enumerate() {
        let order = row["sample_order"].as_array().expect("an array");
        let of_row = 3 * number as u64..3 * number as u64 + 3;
        assert!(order.iter().all(|order| of_row.contains(&order.as_u64().expect("a number"))));
    }
}

#[test]
fn unknown_things_are_exit_2() {
    let home = Home::new();
    let out = home.fails_without_traces(2, &["bench", "--op", "fly"]);
    assert!(out.err().contains("fly") && out.err().contains("sign-core"), "{out:?}");
    home.fails_without_traces(2, &["bench", "--alg", "falcon513"]);
    home.fails_without_traces(2, &["bench", "--isa", "nonsense"]);
    for together in [
        &["--json", "--csv"][..],
        &["--json", "--cite"],
        &["--csv", "--cite"],
        &["--stages", "--op", "sign"],
        &["--stages", "--claims"],
        &["--claims", "--alg", "falcon512"],
        &["--json", "a", "--csv", "a"],
        &["--json", "a", "--plot", "./a"],
    ] {
        home.fails_without_traces(2, &[&["bench"], together].concat());
    }
}

/// The fourth line that a new user types.
#[test]
fn avx2_runs_or_says_why_not() {
    let home = Home::new();
    let list = home.ok(&["list"]).out();
    let line = list.lines().find(|line| line.split_whitespace().next() == Some("avx2")).expect("a line");
    if line.contains("not in this build") {
        let out = home.fails_without_traces(2, &["bench", "--isa", "avx2"]);
        assert!(out.err().contains("avx2 is not in this build"), "{out:?}");
    } else if line.contains("not supported") {
        let out = home.fails_without_traces(2, &["bench", "--isa", "avx2"]);
        assert!(out.err().contains("avx2"), "{out:?}");
    } else {
        let out = home.ok(&short(&["--isa", "avx2", "--alg", "falcon512", "--op", "verify"])).out();
        assert!(out.contains("avx2") && out.contains("scalar"), "{out}");
    }
}

// Files.

#[test]
fn no_key_home_is_needed_and_nothing_is_written() {
    let home = Home::new();
    let mut command = home.command();
    command.args(short(&["--alg", "falcon512", "--op", "verify"])).env_remove("HOME").env_remove("PQC_HOME");
    let out = home.finish(command, b"").expect(0);
    for word in ["falcon512", "verify", "processor:", "build:", "seed", "MEDIAN", "QUARTILES", "TICKS"] {
        assert!(out.out().contains(word), "{word}: {out:?}");
    }
    assert!(home.listing().is_empty() && !home.home().exists());
}

#[test]
fn files_are_not_replaced_without_force() {
    let home = Home::new();
    let args =
        short(&["--alg", "mlkem512", "--op", "decaps", "--json", "a", "--csv", "b", "--plot", "c.svg"]);
    home.ok(&args);
    assert_eq!(home.listing(), ["a", "b", "c.svg"]);
    let out = home.fails_without_traces(2, &args);
    assert!(out.err().contains("--force"), "{out:?}");
    home.ok(&[&args[..], &["--force"]].concat());
}

/// Reliability, bug 41, for bench: a private key is not replaced by a table.
#[test]
fn bug_41_a_private_key_is_not_replaced_by_the_figures() {
    let home = Home::new();
    home.write_key("k.key", &keys().a.private);
    for option in ["--json", "--csv", "--plot"] {
        let args = ["bench", "--alg", "falcon512", "--op", "verify", option, "k.key", "--force"];
        home.fails_without_traces(2, &args[..7]);
        home.fails_without_traces(2, &args);
    }
}

#[test]
fn a_plot_is_markup_with_every_row() {
    let home = Home::new();
    home.ok(&short(&["--alg", "mlkem512,falcon512", "--op", "decaps,verify", "--plot", "p.svg"]));
    let svg = String::from_utf8(home.read("p.svg")).expect("text");
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
    for word in ["mlkem512 decaps", "falcon512 verify", "scalar", "shorter bars are better", "noisy:"] {
        assert!(svg.contains(word), "{word}");
    }
    let opened = svg.matches("<text").count();
    assert_eq!(opened, svg.matches("</text>").count());
    // The page, and a bar a row at least.
    assert!(svg.matches("<rect").count() > 2);
    if has("xmllint") {
        let mut command = home.program("xmllint");
        command.args(["--noout", "p.svg"]);
        home.finish(command, b"").expect(0);
    }
}

#[test]
fn a_citation_has_all_that_it_depends_on() {
    let home = Home::new();
    let out = home.ok(&short(&["--alg", "mlkem512", "--op", "decaps", "--seed", "42", "--cite"])).out();
    let sum = sha256(&home.read("pqc-bench.json"));
    let document: Value = serde_json::from_slice(&home.read("pqc-bench.json")).expect("JSON");
    assert_valid(&document);
    let header = |name: &str| document["header"][name].as_str().expect("text").to_owned();
    let lines: Vec<&str> = out.lines().filter(|line| line.contains(&sum)).collect();
    assert_eq!(lines.len(), 2 * results(&document).len(), "a line and a LaTeX row each: {out}");
    let (line, latex) = (lines[0], lines[lines.len() - 1]);
    let processor = header("processor");
    for word in
        ["mlkem512 decaps", "seed 42", env!("CARGO_PKG_VERSION"), &processor, "rustc", "pqc-bench.json"]
    {
        assert!(line.contains(word), "{word}: {line}");
    }
    assert!(latex.ends_with("\\\\") && latex.matches('&').count() == 10, "{latex}");
    let dirty = match header("dirty").as_str() {
        "yes" => ", dirty",
        "no" => "",
        _ => "not known whether dirty",
    };
    assert!(line.contains(dirty) && latex.contains(dirty));
    // One round has no interval and is noisy, here and there.
    for row in results(&document) {
        assert_eq!(row["noisy"], true);
    }
    assert!(lines.iter().all(|line| line.contains("noisy")));
}

#[test]
fn a_run_is_compared_with_an_earlier_one() {
    let home = Home::new();
    home.ok(&short(&["--alg", "mlkem512", "--op", "encaps,decaps", "--seed", "5", "--json", "a.json"]));
    let out = home.ok(&short(&["--compare", "a.json"])).out();
    assert!(out.lines().next().is_some_and(|line| line.contains("the same machine")), "{out}");
    assert!(out.contains("seed 5") && out.contains("CHANGE"), "{out}");
    for operation in ["encaps", "decaps"] {
        let found = out.lines().any(|line| line.contains(operation) && line.contains(" %"));
        assert!(found, "{operation}: {out}");
    }
    let changed = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut document: Value = serde_json::from_slice(&home.read("a.json")).expect("JSON");
        change(&mut document);
        home.write(name, document.to_string());
    };
    changed("other.json", &|document| document["header"]["processor"] = "Another 1000".into());
    let out = home.ok(&short(&["--compare", "other.json"])).out();
    let first = out.lines().next().unwrap_or_default();
    assert!(first.contains("ANOTHER MACHINE") && first.contains("Another 1000"), "{out}");
    changed("version.json", &|document| document["results"][0]["row_version"] = 99.into());
    changed("schema.json", &|document| document["schema"] = "pqc-bench-2".into());
    changed("empty.json", &|document| document["results"] = Value::Array(Vec::new()));
    home.write("text.json", "no JSON");
    for (args, word) in [
        (&["--compare", "version.json"][..], "version 99"),
        (&["--compare", "schema.json"], "pqc-bench-2"),
        (&["--compare", "empty.json"], "no rows"),
        (&["--compare", "text.json"], "no JSON"),
        (&["--compare", "a.json", "--alg", "mlkem768"], "mlkem768"),
        (&["--compare", "a.json", "--op", "keygen"], "keygen"),
        (&["--compare", "a.json", "--threads", "2"], "threads"),
    ] {
        let out = home.fails_without_traces(2, &short(args));
        assert!(out.err().contains(word), "{word}: {out:?}");
    }
    home.fails_without_traces(3, &short(&["--compare", "missing.json"]));
}

// Views.

#[test]
fn stages_of_signatures_and_of_kems() {
    let home = Home::new();
    let args = short(&["--stages", "--alg", "falcon512,mlkem512,kyber512-90s,ntruhps2048509"]);
    let out = home.ok(&args).out();
    for word in [
        "hash to point",
        "base sampler",
        "verify before release",
        "signature",
        "matrix",
        "noise",
        "NTT",
        "hashes",
    ] {
        assert!(out.contains(word), "{word}: {out}");
    }
    let document = home.ok(&[&args[..], &["--json"]].concat()).json();
    assert_valid(&document);
    for row in results(&document) {
        let stages = row["stages"].as_array().expect("an array");
        let sum: f64 = stages.iter().map(|stage| stage["ns"].as_f64().expect("a number")).sum();
        assert!((sum - row["whole_ns"].as_f64().expect("a number")).abs() < 1.0);
    }
}

#[test]
fn claims_have_a_figure_or_a_reason_and_no_verdict() {
    let home = Home::new();
    let document = home.ok(&short(&["--claims", "--json"])).json();
    assert_valid(&document);
    let rows = results(&document);
    let claims = texts(rows, "claim");
    for word in [
        "base sampler",
        "Falcon-512 signing",
        "Falcon-1024 signing",
        "FFT-512",
        "Kyber NTT",
        "Kyber512-90s",
        "shuffle against sort",
        "encaps with shuffle",
        "GPU against a core",
    ] {
        assert!(claims.iter().any(|claim| claim.contains(word)), "{word}");
    }
    for row in rows {
        assert!(!row["here"].is_null() || !row["why"].is_null(), "{row}");
        assert_eq!(row["comparable"], !row["here"].is_null() && row["why"].is_null());
    }
    let out = home.ok(&short(&["--claims"])).out();
    assert!(!out.contains("PASS") && !out.contains("FAIL") && out.contains("cannot run here"), "{out}");
}

// Manners.

/// Ctrl-C while rows are measured: what there is, exit code 130.
#[test]
fn an_interruption_shows_what_was_measured() {
    let home = Home::new();
    let mut command = home.command();
    command.args(["bench", "--alg", "mlkem512", "--op", "decaps", "--seconds", "600"]);
    command.args(["--json", "out.json"]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("a child");
    let pid = child.id().to_string();
    std::thread::spawn(move || {
        // Long enough to be measuring, which the test would find out; sent once.
        std::thread::sleep(Duration::from_secs(4));
        let _ = std::process::Command::new("kill").args(["-INT", &pid]).status();
    });
    let out = wait(child, "bench, interrupted".into());
    assert_eq!(out.code, 130, "{out:?}");
    out.check_manners();
    assert!(out.err().contains("interrupted"), "{out:?}");
    assert!(out.out().contains("mlkem512") && out.out().contains("decaps"), "{out:?}");
    let document: Value = serde_json::from_slice(&home.read("out.json")).expect("JSON");
    assert_valid(&document);
    assert_eq!((&document["exit"], &document["header"]["interrupted"]), (&130.into(), &"yes".into()));
}

#[test]
fn the_help_defines_every_row() {
    let home = Home::new();
    let help = home.ok(&["bench", "--help"]).out();
    for row in [
        "keygen",
        "sign",
        "sign-kept",
        "sign-core",
        "sign-batch",
        "verify",
        "verify-kept",
        "encaps",
        "encaps-kept",
        "encaps-core",
        "decaps",
        "decaps-kept",
        "keygen-batch",
        "encaps-batch",
        "decaps-batch",
        "keygen-sort",
        "encaps-sort",
    ] {
        assert!(help.lines().any(|line| line.trim_start().starts_with(&format!("{row} "))), "{row}: {help}");
    }
    for word in ["noisy", "few", "20 ms", "pqc-bench-1"] {
        assert!(help.contains(word), "{word}");
    }
}

#[test]
fn progress_and_the_time_are_announced() {
    let home = Home::new();
    let out = home.ok(&short(&["--alg", "mlkem512", "--op", "decaps"]));
    assert!(out.err().contains("about") && out.err().contains("s\n"), "{out:?}");
    let out = home.ok(&short(&["--alg", "mlkem512", "--op", "decaps", "-q"]));
    assert!(out.stderr.is_empty(), "{out:?}");
}
