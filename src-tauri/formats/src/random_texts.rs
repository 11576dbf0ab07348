//! Real documents with random changes: each reader gives a plan that can be saved, or says what is
//! wrong and where.
//!
//! `BATON_CASES` sets the number of texts, `BATON_SEED` where they start. `cargo xtask soak` reads
//! many more than a test run.

use std::fs;
use std::path::{Path, PathBuf};

use baton_model::Plan;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use uuid::Uuid;

use crate::import::{ImportFormat, SourceFile, detect, import};
use crate::mermaid;
use crate::plan_file::{self, Format};

const DEFAULT_CASES: u32 = 500;
/// The soak draws others.
const DEFAULT_SEED: u64 = 1;

/// Texts that mean something in some format.
const PIECES: [&str; 24] = [
    "{{",
    "}}",
    "{{{",
    "---\n",
    "\n---\n",
    "- [ ] ",
    "- [x] ",
    "## ",
    "```\n",
    "&a ",
    "*a",
    "<<: *a",
    "!!binary ",
    "\t",
    "\r\n",
    "\u{0}",
    "\u{feff}",
    "\u{202e}",
    "\"",
    "null",
    "-1",
    "1e999",
    "[[",
    "}",
];

/// One change of a text, at the place of its index.
#[derive(Debug, Clone)]
enum Mutation {
    Insert(Index, String),
    /// Removes at most that many characters.
    Remove(Index, usize),
    /// Repeats a piece of at most that many characters that often.
    Repeat(Index, usize, usize),
    /// Continues with the rest of another document.
    Splice(Index, Index, Index),
}

fn mutations() -> impl Strategy<Value = Mutation> {
    let piece = prop_oneof![
        3 => select(PIECES.to_vec()).prop_map(str::to_owned),
        1 => ".{0,12}",
        1 => (select(vec!["[", "{\"a\":", "- ", "  ", "> ", "#"]), 1..300_usize)
            .prop_map(|(piece, count)| piece.repeat(count)),
    ];
    prop_oneof![
        3 => (any::<Index>(), piece).prop_map(|(at, piece)| Mutation::Insert(at, piece)),
        2 => (any::<Index>(), 1..60_usize).prop_map(|(at, length)| Mutation::Remove(at, length)),
        1 => (any::<Index>(), 1..80_usize, 2..20_usize)
            .prop_map(|(at, length, count)| Mutation::Repeat(at, length, count)),
        1 => any::<(Index, Index, Index)>()
            .prop_map(|(at, other, from)| Mutation::Splice(at, other, from)),
    ]
}

fn mutated(text: &str, mutations: &[Mutation], documents: &[String]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for mutation in mutations {
        let place = |at: &Index, length: usize| at.index(length + 1);
        match mutation {
            Mutation::Insert(at, piece) => {
                let at = place(at, chars.len());
                drop(chars.splice(at..at, piece.chars()));
            }
            Mutation::Remove(at, length) => {
                let at = place(at, chars.len());
                drop(chars.drain(at..(at + length).min(chars.len())));
            }
            Mutation::Repeat(at, length, count) => {
                let at = place(at, chars.len());
                let piece = chars[at..(at + length).min(chars.len())].repeat(*count);
                drop(chars.splice(at..at, piece));
            }
            Mutation::Splice(at, other, from) => {
                let other: Vec<char> = documents[other.index(documents.len())].chars().collect();
                chars.truncate(place(at, chars.len()));
                chars.extend(&other[place(from, other.len())..]);
            }
        }
    }
    chars.into_iter().collect()
}

/// All files below a folder.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The examples of other programs' task lists, and each of their plans in each format of plan files.
fn documents() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/imports");
    let sources: Vec<String> = files_below(&folder)
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok())
        .collect();
    let plan_files: Vec<String> = sources
        .iter()
        .flat_map(|text| ImportFormat::ALL.map(|format| (format, text)))
        .filter_map(|(format, text)| {
            import(format, &[source("tasks.md", text)], &mut counter()).ok()
        })
        .flatten()
        .flat_map(|imported| {
            [Format::Yaml, Format::Json, Format::Markdown]
                .map(|format| plan_file::write(&imported.plan, format))
        })
        .collect();
    let diagram =
        "flowchart LR\n  a[\"A\"] --> b{B}\n  subgraph c\n    b -.-> d\n  end\n".to_owned();
    sources
        .into_iter()
        .chain(plan_files)
        .chain([diagram])
        .collect()
}

fn source(path: &str, text: &str) -> SourceFile {
    SourceFile {
        path: path.to_owned(),
        text: text.to_owned(),
    }
}

fn counter() -> impl FnMut() -> Uuid {
    let mut last = 0_u128;
    move || {
        last += 1;
        Uuid::from_u128(last)
    }
}

fn check_can_be_saved(plan: &Plan) -> Result<(), TestCaseError> {
    let problems = plan.problems();
    let unsavable = problems.iter().find(|problem| problem.prevents_saving());
    prop_assert_eq!(unsavable, None);
    Ok(())
}

fn check_import(format: ImportFormat, text: &str) -> Result<(), TestCaseError> {
    let files = [source("tasks.md", text)];
    // Whether it is recognized is no matter here.
    let _ = detect(&files);
    match import(format, &files, &mut counter()) {
        Ok(plans) => plans
            .iter()
            .try_for_each(|imported| check_can_be_saved(&imported.plan)),
        Err(error) => {
            prop_assert!(!error.faults.is_empty());
            Ok(())
        }
    }
}

fn check_plan_file(text: &str, format: Format) -> Result<(), TestCaseError> {
    match plan_file::read(text, format, "plan", &mut counter()) {
        Ok(file) => {
            check_can_be_saved(&file.plan)?;
            let written = plan_file::write(&file.plan, format);
            let again = plan_file::read(&written, format, "plan", &mut counter());
            prop_assert!(again.is_ok(), "{:?}\n{}", again.err(), written);
        }
        Err(error) => prop_assert!(!error.faults.is_empty()),
    }
    Ok(())
}

fn check(text: &str, format: ImportFormat) -> Result<(), TestCaseError> {
    check_import(format, text)?;
    for format in [
        Format::detect(text),
        Format::Yaml,
        Format::Json,
        Format::Markdown,
    ] {
        check_plan_file(text, format)?;
    }
    if let Ok(flowchart) = mermaid::read(text, "plan", &mut counter()) {
        check_can_be_saved(&flowchart.plan)?;
    }
    Ok(())
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn runner(cases: u32, seed: u64) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

#[test]
#[expect(clippy::print_stdout, reason = "the soak counts the texts")]
fn changed_documents_give_a_plan_or_a_fault() {
    let documents = documents();
    let cases = number("BATON_CASES").map_or(DEFAULT_CASES, |cases| {
        u32::try_from(cases).unwrap_or(u32::MAX)
    });
    let seed = number("BATON_SEED").unwrap_or(DEFAULT_SEED);
    println!("BATON_SEED={seed}");
    let strategy = (
        any::<Index>(),
        vec(mutations(), 1..5),
        select(ImportFormat::ALL.to_vec()),
    );
    let outcome = runner(cases, seed).run(&strategy, |(which, mutations, format)| {
        check(
            &mutated(
                &documents[which.index(documents.len())],
                &mutations,
                &documents,
            ),
            format,
        )
    });
    println!("played: {cases} texts");
    if let Err(error) = outcome {
        panic!("BATON_SEED={seed}: {error}");
    }
}
