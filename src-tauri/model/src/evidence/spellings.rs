//! The ways in which agents write what they changed, with an honest and a false example of each.
//!
//! In the directory, `calc.py`, `a.py` and `b.py` below `src`, `Makefile`, `README.md`, `b c.txt`
//! and others were changed; `tests/test_calc.py` and `new.py` were created; `old.py` was deleted.
//! `src/same.py`, `src/other.py`, `docs/guide.md`, `config.toml` and `LICENSE` exist and were not
//! touched. `ghost.py` never existed.

use super::*;
use crate::artifact::{Artifact, MARKER};

const CHANGED: [&str; 8] = [
    "src/calc.py",
    "src/a.py",
    "src/b.py",
    "src/components/Button.tsx",
    "src/__init__.py",
    "Makefile",
    "README.md",
    "b c.txt",
];
const CREATED: [&str; 4] = [
    "tests/test_calc.py",
    "new.py",
    ".github/workflows/ci.yml",
    "app/(auth)/page.tsx",
];
const UNTOUCHED: [&str; 9] = [
    "src/same.py",
    "src/other.py",
    "docs/guide.md",
    "docs",
    "src",
    "tests",
    "config.toml",
    "LICENSE",
    "/home/u/.profile",
];
/// Changes that comparing the directory misses and a probe finds: outside, ignored, below `.git`,
/// in a nested repository, an empty folder.
const SEEN_BY_ITSELF: [&str; 6] = [
    "/home/u/.bashrc",
    "/tmp/out.log",
    "dist/app.js",
    ".git/hooks/pre-commit",
    "vendor/lib/x.c",
    "logs",
];

fn judged(text: &str) -> Vec<String> {
    let place = AttemptDirectory {
        directory: "/w/app".to_owned(),
        root: "/w/app".to_owned(),
    };
    let all = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
    let files = FileChanges {
        source: FileSource::Git,
        created: all(&CREATED),
        changed: all(&CHANGED),
        deleted: vec!["old.py".to_owned()],
        ..FileChanges::default()
    };
    let artifact = Artifact::from_agent_message(text);
    let probe = |path: &str| {
        let is_one_of = |paths: &[&str]| paths.iter().any(|known| place.absolute(known) == path);
        match () {
            () if is_one_of(&UNTOUCHED) => PathProbe::Unchanged,
            () if is_one_of(&SEEN_BY_ITSELF) => PathProbe::Changed,
            () if place.contains(path) => PathProbe::Missing,
            () => PathProbe::Unknown,
        }
    };
    let claim = Claim {
        artifact: &artifact,
        place: &place,
        home: Some("/home/u"),
        is_idle: false,
    };
    let untouched = find_mismatches(claim, &files, &[], probe)
        .into_iter()
        .filter_map(|mismatch| match mismatch {
            Mismatch::ClaimedUntouched { path, .. } => Some(path),
            _ => None,
        });
    untouched.collect()
}

fn listed(list: &str) -> Vec<String> {
    judged(&format!(
        "{MARKER}\nThe work.\n\n**Files changed:**\n{list}\n\n**Decisions:**\nSee `ghost.py`."
    ))
}

/// An honest list, a false one of the same form, and the mismatches found in the latter.
type Pair = (&'static str, &'static str, &'static [&'static str]);

const LISTS: [Pair; 78] = [
    ("- `src/calc.py`", "- `src/same.py`", &["src/same.py"]),
    ("- src/calc.py", "- ghost.py", &["ghost.py"]),
    ("* src/calc.py (new)", "* ghost.py (new)", &["ghost.py"]),
    (
        "1. `src/calc.py`: fixed `sub()`",
        "1. `src/same.py`: fixed `sub()`",
        &["src/same.py"],
    ),
    ("- ./src/calc.py", "- ./ghost.py", &["./ghost.py"]),
    (
        "- /w/app/src/calc.py",
        "- /w/app/ghost.py",
        &["/w/app/ghost.py"],
    ),
    ("- calc.py", "- same.md", &["same.md"]),
    ("- Makefile", "- LICENSE", &["LICENSE"]),
    ("- readme.md", "- changes.md", &["changes.md"]),
    (
        "- **src/calc.py** – rewritten",
        "- **src/same.py** – rewritten",
        &["src/same.py"],
    ),
    (
        "- [calc.py](src/calc.py): new",
        "- [ghost.py](src/ghost.py): new",
        &["ghost.py"],
    ),
    ("- `b c.txt`", "- `src/same.py`", &["src/same.py"]),
    ("- `__init__.py`", "- `__main__.py`", &["__main__.py"]),
    ("- __init__.py", "- __main__.py", &["__main__.py"]),
    (
        "- src/calc.py:12-40 (edited)",
        "- src/same.py:12-40 (edited)",
        &["src/same.py"],
    ),
    (
        "- `src/calc.py:7:3`",
        "- `src/same.py:7:3`",
        &["src/same.py"],
    ),
    (
        "- `src/calc.py#L10-L20`",
        "- `src/same.py#L10-L20`",
        &["src/same.py"],
    ),
    (
        "- `app/(auth)/page.tsx`",
        "- `app/(auth)/none.tsx`",
        &["app/(auth)/none.tsx"],
    ),
    (
        "- .github/workflows/ci.yml",
        "- .github/workflows/cd.yml",
        &[".github/workflows/cd.yml"],
    ),
    (
        "src/calc.py\nsrc/a.py",
        "src/calc.py\nsrc/same.py",
        &["src/same.py"],
    ),
    (
        "```\nsrc/calc.py\nsrc/a.py\n```",
        "```\nsrc/calc.py\nghost.py\n```",
        &["ghost.py"],
    ),
    ("- [x] src/calc.py", "- [x] src/same.py", &["src/same.py"]),
    ("- ✅ `src/calc.py`", "- ✅ `src/same.py`", &["src/same.py"]),
    (
        "M src/calc.py\nD old.py",
        "M src/calc.py\nM src/same.py",
        &["src/same.py"],
    ),
    (
        "- Tests: `tests/test_calc.py`",
        "- Tests: `tests/test_sub.py`",
        &["tests/test_sub.py"],
    ),
    (
        "- Tests: `test_calc.py`",
        "- Tests: `test_sub.py`",
        &["test_sub.py"],
    ),
    (
        "- **Tests:** `test_calc.py` covers it",
        "- **Tests:** `test_sub.py` covers it",
        &["test_sub.py"],
    ),
    (
        "- New test file: test_calc.py",
        "- New test file: test_sub.py",
        &["test_sub.py"],
    ),
    (
        "- Tests: three cases more",
        "- Tests: `ghost.py`",
        &["ghost.py"],
    ),
    ("- Build: `Makefile`", "- License: `LICENSE`", &["LICENSE"]),
    ("- docs: none", "- docs: docs/guide.md", &["docs/guide.md"]),
    ("- build: passes", "- source: src/same.py", &["src/same.py"]),
    (
        "Created:\n- new.py\nModified:\n- src/calc.py",
        "Created:\n- new.py\nModified:\n- src/same.py",
        &["src/same.py"],
    ),
    (
        "**Created:**\n- new.py\n\n**Modified:**\n- src/a.py",
        "**Created:**\n- new.py\n\n**Modified:**\n- ghost.py",
        &["ghost.py"],
    ),
    (
        "- Deleted:\n  - old.py\n- src/a.py",
        "- Deleted:\n  - src/same.py\n- src/a.py",
        &["src/same.py"],
    ),
    (
        "### Created\n- new.py",
        "### Created\n- ghost.py",
        &["ghost.py"],
    ),
    (
        "- sub(): removed",
        "- ghost.py: removed `sub()`, added `add()`",
        &[],
    ),
    (
        "- `sub()` removed",
        "- `src/same.py`: `sub()` removed",
        &["src/same.py"],
    ),
    (
        "- `Calculator.add` – new",
        "- `calculator.py` – new",
        &["calculator.py"],
    ),
    (
        "- `calc::sub` and `add(a, b)`",
        "- `calc.rs` and `add.rs`",
        &["calc.rs", "add.rs"],
    ),
    (
        "- `python test_calc.py` passes",
        "- `test_all.py` passes",
        &["test_all.py"],
    ),
    (
        "- Node.js 22 is needed",
        "- node.json, for 22",
        &["node.json"],
    ),
    ("- CI/CD: adjusted", "- ci/cd.yml: adjusted", &["ci/cd.yml"]),
    (
        "- I/O handling is simpler",
        "- io/handling.py is simpler",
        &["io/handling.py"],
    ),
    (
        "- Branch: `feature/calc`",
        "- `feature/calc.py`",
        &["feature/calc.py"],
    ),
    (
        "- Dependency: `github.com/a/b`",
        "- `github/a/b.go`",
        &["github/a/b.go"],
    ),
    (
        "- See https://example.com/a.py",
        "- example/a.go",
        &["example/a.go"],
    ),
    (
        "- src/same.py (read only)",
        "- src/same.py (read and rewritten)",
        &["src/same.py"],
    ),
    (
        "- `src/same.py` – read-only, for context",
        "- `src/same.py` – for the context",
        &["src/same.py"],
    ),
    (
        "- src/same.py: not changed",
        "- src/same.py: changed",
        &["src/same.py"],
    ),
    (
        "- src/same.py was not modified",
        "- src/same.py was modified",
        &["src/same.py"],
    ),
    (
        "- src/same.py (no changes needed)",
        "- src/same.py (no changes to its interface)",
        &["src/same.py"],
    ),
    (
        "- src/same.py (unchanged)",
        "- src/same.py (new)",
        &["src/same.py"],
    ),
    (
        "- `src/same.py`: edited, then reverted",
        "- `src/same.py`: edited, then formatted",
        &["src/same.py"],
    ),
    (
        "- Unchanged: src/same.py",
        "- Changed: src/same.py",
        &["src/same.py"],
    ),
    (
        "- Read `src/same.py`",
        "- Updated `src/same.py`",
        &["src/same.py"],
    ),
    (
        "- Could not write `ghost.py`",
        "- Wrote `ghost.py`",
        &["ghost.py"],
    ),
    (
        "- ghost.py (not created, permission denied)",
        "- ghost.py (created)",
        &["ghost.py"],
    ),
    (
        "- `old.py` (deleted)",
        "- `src/same.py` (deleted)",
        &["src/same.py"],
    ),
    (
        "- Deleted `old.py`",
        "- Deleted `src/same.py`",
        &["src/same.py"],
    ),
    (
        "- `src/a.py` (edited), `src/same.py` (unchanged)",
        "- `src/a.py` (edited), `src/same.py` (edited)",
        &["src/same.py"],
    ),
    (
        "| File | Change |\n|---|---|\n| `src/a.py` | fixed |\n| src/same.py | read only |",
        "| File | Change |\n|---|---|\n| `src/a.py` | fixed |\n| src/same.py | fixed |",
        &["src/same.py"],
    ),
    (
        "- check.py (temporary, removed)",
        "- check.py (permanent)",
        &["check.py"],
    ),
    (
        "- Created and removed `scratch.py`",
        "- Created `scratch.py`",
        &["scratch.py"],
    ),
    ("- ~/.bashrc", "- ~/.profile", &["~/.profile"]),
    (
        "- `$HOME/.bashrc`",
        "- `${HOME}/.profile`",
        &["$HOME/.profile"],
    ),
    (
        "- /tmp/out.log and $UNKNOWN/x.py",
        "- config.toml and $UNKNOWN/x.py",
        &["config.toml"],
    ),
    (
        "- .git/hooks/pre-commit, vendor/lib/x.c",
        "- .gitmodules, vendor/lib/x.c",
        &[".gitmodules"],
    ),
    (
        "- logs/ (new folder)\n- dist/app.js",
        "- cache/ (new folder)\n- dist/app.js",
        &["cache/"],
    ),
    ("- `src/{a,b}.py`", "- `src/{a,same}.py`", &["src/same.py"]),
    (
        "- src/{a, b}.py: typed",
        "- src/{ghost, b}.py: typed",
        &["src/ghost.py"],
    ),
    (
        "- `old.py → new.py`",
        "- `old.py → newer.py`",
        &["newer.py"],
    ),
    (
        "- Renamed old.py to new.py",
        "- Renamed old.py to newer.py",
        &["newer.py"],
    ),
    ("- tmp.py -> new.py", "- old.py -> ghost.py", &["ghost.py"]),
    (
        "- src/a.py, src/b.py and src/calc.py",
        "- src/a.py, src/b.py and src/same.py",
        &["src/same.py"],
    ),
    (
        "- `src/a.py` `src/b.py`\n- a.py/b.py",
        "- `src/a.py` `src/same.py`\n- a.py/ghost.py",
        &["src/same.py", "ghost.py"],
    ),
    (
        "- src/components/\n- src/*.py",
        "- docs/\n- lib/*.py",
        &["docs/", "lib/*.py"],
    ),
    (
        "- .../Button.tsx\n- None else",
        "- Button.vue\n- None else",
        &["Button.vue"],
    ),
];

#[test]
fn honest_file_lists_pass_and_false_ones_fail() {
    for (honest, lying, found) in LISTS {
        assert_eq!(listed(honest), [""; 0], "honest: {honest:?}");
        assert_eq!(listed(lying), found, "lying: {lying:?}");
    }
}

/// The same for answers without the headings of a handoff.
const ANSWERS: [Pair; 22] = [
    (
        "I created `new.py`.",
        "I created `ghost.py`.",
        &["ghost.py"],
    ),
    (
        "Created new.py and updated src/a.py.",
        "Created new.py and updated src/a.py. Wrote ghost.py.",
        &["ghost.py"],
    ),
    (
        "Done! I've updated `src/a.py` and `src/b.py`.",
        "Done! I've updated `src/a.py` and `src/same.py`.",
        &["src/same.py"],
    ),
    (
        "I have not changed `src/same.py`.",
        "I have changed `src/same.py`.",
        &["src/same.py"],
    ),
    (
        "I could not create `ghost.py`: permission denied.",
        "I created `ghost.py`, no permission was needed.",
        &["ghost.py"],
    ),
    (
        "If you want, I can add `ghost.py`.",
        "As you want, I added `ghost.py`.",
        &[],
    ),
    (
        "The previous step created `ghost.py`.",
        "Created `ghost.py`.",
        &["ghost.py"],
    ),
    (
        "To create `ghost.py`, run `make`.",
        "Created `ghost.py` with `make`.",
        &["ghost.py"],
    ),
    (
        "I read `src/same.py`; it calls `sub()`.",
        "I fixed `src/same.py`; it calls `sub()`.",
        &["src/same.py"],
    ),
    (
        "Added `sub()` to the module.",
        "Added `sub.py` to the module.",
        &["sub.py"],
    ),
    (
        "Fixed the addition in `calc.py`.",
        "Updated the `other.py`.",
        &["other.py"],
    ),
    (
        "```\ncreated ghost.py\n```",
        "created ghost.py",
        &["ghost.py"],
    ),
    ("> created ghost.py", "- created ghost.py", &["ghost.py"]),
    (
        "Files changed:\n- src/a.py",
        "Files changed:\n- src/same.py",
        &["src/same.py"],
    ),
    (
        "## Changes\n- `src/a.py`\n\n## Next\n- ghost.py",
        "## Changes\n- `ghost.py`\n\n## Next\n- b.py",
        &["ghost.py"],
    ),
    (
        "### Files modified\n\nsrc/a.py",
        "### Files modified\n\nsrc/same.py",
        &["src/same.py"],
    ),
    (
        "- Removed `old.py`",
        "- Removed `src/same.py`",
        &["src/same.py"],
    ),
    (
        "Created `tmp.py` to check it, then deleted it.",
        "Created `tmp.py` to check it.",
        &["tmp.py"],
    ),
    (
        "Nothing was changed, ghost.py is not there.",
        "Changed `ghost.py`.",
        &["ghost.py"],
    ),
    (
        "`ghost.py` was already removed.",
        "I removed `src/same.py`.",
        &["src/same.py"],
    ),
    (
        "It would have created `ghost.py`.",
        "It has created `ghost.py`.",
        &["ghost.py"],
    ),
    (
        "All 12 tests pass.",
        "Updated `docs/guide.md`.",
        &["docs/guide.md"],
    ),
];

#[test]
fn answers_without_headings_are_checked_too() {
    for (honest, lying, found) in ANSWERS {
        assert_eq!(judged(honest), [""; 0], "honest: {honest:?}");
        assert_eq!(judged(lying), found, "lying: {lying:?}");
    }
}
