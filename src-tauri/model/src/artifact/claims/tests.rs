use super::*;

fn paths(section: &str) -> Vec<String> {
    list::claims(section)
        .into_iter()
        .map(|claim| claim.path)
        .collect()
}

#[test]
fn lists_are_read_as_agents_write_them() {
    for (section, expected) in [
        (
            "- `src/a.rs` (new)\n- src/b.rs: fixed",
            &["src/a.rs", "src/b.rs"][..],
        ),
        (
            "- **src/a.rs** – parser\n* `b c.txt`",
            &["src/a.rs", "b c.txt"],
        ),
        (
            "1. src/a.rs\n2) `Makefile` - builds",
            &["src/a.rs", "Makefile"],
        ),
        (
            "- Created `src/a.rs` and `src/b.rs`\n- Modified: lib.rs",
            &["src/a.rs", "src/b.rs", "lib.rs"],
        ),
        (
            "- [src/a.rs](src/a.rs): new\n- Makefile",
            &["src/a.rs", "Makefile"],
        ),
        (
            "- src/a.rs:12-40 (edited)\n- `x/y.rs:7`",
            &["src/a.rs", "x/y.rs"],
        ),
        ("- `old.rs` → `new.rs`", &["old.rs", "new.rs"]),
        (
            "src/a.rs\nsrc/b.rs, src/c.rs",
            &["src/a.rs", "src/b.rs", "src/c.rs"],
        ),
        ("- `src/a.rs`: now calls `foo::bar()`", &["src/a.rs"]),
        ("- **New file:** `docs/x.md`", &["docs/x.md"]),
        ("- .gitignore\n- src/", &[".gitignore", "src/"]),
        (
            "| File | Change |\n|---|:--|\n| `src/a.rs` | new |\n| src/b.rs | fixed |",
            &["src/a.rs", "src/b.rs"],
        ),
        ("- None", &[]),
        ("None.", &[]),
        ("- No files were changed.", &[]),
        ("- N/A", &[]),
        (
            "No files were changed in this step, see notes.md for why.",
            &[],
        ),
        ("- nothing (analysis only)", &[]),
        ("- See https://example.com/a.html", &[]),
        ("- Analysis only; nothing was written", &[]),
    ] {
        assert_eq!(paths(section), expected, "{section:?}");
    }
}

proptest::proptest! {
    #[test]
    fn arbitrary_text_never_panics(text in "(?s).{0,200}") {
        for path in paths(&text) {
            proptest::prop_assert!(!path.is_empty() && !path.contains('\n'));
        }
    }

    #[test]
    fn backticked_path_is_claimed(path in "[a-z]{1,8}(/[a-z._-]{1,8}[a-z]){0,3}") {
        let nothing = ["no", "none", "nothing", "nil"].contains(&path.as_str());
        proptest::prop_assume!(!nothing);
        proptest::prop_assert_eq!(paths(&format!("- `{path}` (changed)")), [path]);
    }
}
