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
