//! Compares the notices with the crates that cargo links.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use baton_notices::{
    LICENSE_OVERRIDES, Package, Registry, SHIPPED_PACKAGES, linked_crates, render,
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// Returns names and versions of the third-party crates that `cargo tree` lists for the shipped
/// programs.
fn crates_in_dependency_tree() -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .current_dir(root())
        .args(["tree", "--locked", "--offline", "--edges", "normal"]);
    command.args([
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--features",
        "baton-desktop/custom-protocol",
    ]);
    command.args(SHIPPED_PACKAGES.iter().flat_map(|name| ["--package", name]));
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    // `serde v1.0.228 (*)`, `serde_derive v1.0.228 (proc-macro)`; workspace crates are followed by
    // their path.
    let others = text
        .lines()
        .filter(|line| !line.is_empty() && !line.contains("(/"));
    others
        .map(|line| {
            line.split(' ')
                .take(2)
                .collect::<Vec<_>>()
                .join(" ")
                .replacen(" v", " ", 1)
        })
        .collect()
}

#[test]
fn every_linked_crate_is_in_the_notices() {
    let tree = crates_in_dependency_tree();
    assert!(tree.len() > 200, "{tree:?}");
    let packages = linked_crates(&root()).unwrap();
    let document = render(&packages);
    let lines: BTreeSet<&str> = document.lines().collect();
    let missing: Vec<&String> = tree
        .iter()
        .filter(|name| !lines.contains(name.as_str()))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    for package in &packages {
        assert!(
            !package.license.is_empty() && package.source.starts_with("https://"),
            "{package:?}"
        );
        assert!(!package.name.starts_with("baton"), "{package} is our own");
    }
}

#[test]
fn every_crate_has_texts_or_an_override() {
    let known: BTreeSet<&str> = LICENSE_OVERRIDES
        .iter()
        .filter(|one| one.registry == Registry::Cargo)
        .map(|one| one.package)
        .collect();
    let packages = linked_crates(&root()).unwrap();
    let bare: BTreeSet<&str> = packages
        .iter()
        .filter(|package| package.texts.is_empty())
        .map(|package| package.name.as_str())
        .collect();
    assert_eq!(bare, known);
}

#[test]
fn texts_name_copyright_holders_and_output_is_deterministic() {
    let packages = linked_crates(&root()).unwrap();
    let has = |name: &str, words: &str| {
        let found: Vec<&Package> = packages
            .iter()
            .filter(|package| package.name == name)
            .collect();
        assert!(!found.is_empty(), "{name}");
        assert!(
            found
                .iter()
                .all(|one| one.texts.iter().any(|text| text.contains(words))),
            "{name}: {words}"
        );
    };
    has("tokio", "Copyright (c) Tokio Contributors");
    has("ring", "ISC");
    let (first, second) = (render(&packages), render(&linked_crates(&root()).unwrap()));
    assert_eq!(first, second);
    assert!(
        !first.contains(&*root().to_string_lossy()),
        "no local paths"
    );
}
