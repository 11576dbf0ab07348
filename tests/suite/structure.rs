//! The structure of the source, as ARCHITECTURE.md describes it: import circles, and paths that exist.

mod imports;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use imports::Imports;

/// The circles that ARCHITECTURE.md lists with their reasons: the crate, and the top-level modules that import each other.
const RECURSIVE: &[(&str, &[&str])] = &[
    ("api", &["held_call_decisions", "operations"]),
    ("engine", &["engine", "nested", "pool"]),
];

fn repository() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("tests is in the repository").into()
}

/// The folders of the crates whose root file is `src/lib.rs` or `src/main.rs`.
fn crates() -> BTreeMap<String, PathBuf> {
    let folders = fs::read_dir(repository().join("src-tauri")).expect("the crates");
    folders
        .flatten()
        .map(|folder| folder.path())
        .filter(|folder| folder.join("src").is_dir())
        .map(|folder| {
            let name = folder.file_name().expect("a name").to_string_lossy();
            (name.into_owned(), folder.join("src"))
        })
        .collect()
}

#[test]
fn only_recursion_makes_import_circles() {
    let mut found = BTreeSet::new();
    for (name, folder) in crates() {
        let imports = Imports::read(&folder);
        for circle in imports.circles() {
            found.insert((name.clone(), circle.into_iter().collect::<Vec<_>>()));
        }
    }
    let allowed: BTreeSet<_> = RECURSIVE
        .iter()
        .map(|(name, modules)| {
            let modules = modules.iter().map(|&module| module.to_owned());
            ((*name).to_owned(), modules.collect::<Vec<_>>())
        })
        .collect();
    assert_eq!(found, allowed);
}

#[test]
fn architecture_names_the_remaining_circles() {
    let text =
        fs::read_to_string(repository().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md exists");
    for (name, modules) in RECURSIVE {
        let row = text
            .lines()
            .find(|line| line.starts_with(&format!("| `{name}`: ")))
            .unwrap_or_else(|| panic!("no row for {name}"));
        for module in *modules {
            assert!(row.contains(&format!("`{module}`")), "{row}");
        }
    }
}

#[test]
fn paths_in_architecture_exist() {
    let text =
        fs::read_to_string(repository().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md exists");
    let map = text.split("## Files on a person's machine").next();
    let mut checked = 0;
    for quoted in map
        .expect("the part before the files")
        .split('`')
        .skip(1)
        .step_by(2)
    {
        for path in alternatives(quoted) {
            let roots = ["", "src-tauri/", "src-tauri/api/src/"];
            if !path.contains('/') || path.contains(['<', ' ', '…', '@']) {
                continue;
            }
            checked += 1;
            let exists = |root: &&str| repository().join(root).join(&path).exists();
            let known = roots.iter().any(exists);
            assert!(known || path.starts_with("refs/"), "{path} does not exist");
        }
    }
    assert!(checked > 50, "{checked} paths");
}

/// `a/{b,c}` as `a/b` and `a/c`.
fn alternatives(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else {
        return vec![path.to_owned()];
    };
    let (inner, after) = rest.split_once('}').expect("a closed group");
    let names = inner.split(',').filter(|name| *name != "…");
    names.map(|name| format!("{before}{name}{after}")).collect()
}
