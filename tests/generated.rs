//! The committed man pages and completions are what the command line's definition gives.

use std::path::Path;

#[test]
fn man_pages_and_completions_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = pqc::cli::generate::files().expect("files are generated");
    assert!(files.len() >= 10);
    for (path, expected) in &files {
        let found = std::fs::read(root.join(path)).unwrap_or_default();
        assert!(found == *expected, "{} is out of date: run `cargo run -- generate`", path.display());
    }
    for folder in ["man", "completions"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("the folder is committed") {
            let path = Path::new(folder).join(entry.expect("an entry").file_name());
            assert!(files.iter().any(|(known, _)| *known == path), "{} is generated no more", path.display());
        }
    }
}

#[test]
fn every_man_page_has_examples_files_environment_and_exit_codes() {
    let files = pqc::cli::generate::files().expect("files are generated");
    let pages: Vec<_> = files.iter().filter(|(path, _)| path.starts_with("man")).collect();
    assert!(pages.len() >= 10);
    for (path, text) in pages {
        let text = String::from_utf8_lossy(text);
        for section in ["EXAMPLES", "ENVIRONMENT", "EXIT STATUS"] {
            let title =
                if section.contains(' ') { format!(".SH \"{section}\"") } else { format!(".SH {section}") };
            assert_eq!(text.matches(&title).count(), 1, "{section} in {}", path.display());
        }
        // Those that read or write none have none to name.
        let without = ["pqc-list.1", "pqc-selftest.1", "pqc-bench.1"].iter().any(|name| path.ends_with(name));
        assert_eq!(text.contains(".SH FILES"), !without, "FILES in {}", path.display());
    }
}
