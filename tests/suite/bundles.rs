//! Tests taking everything to another data directory: what arrives, and what must not.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use baton_api::wire::*;
use baton_api::{AccessLevel, ApiError, Code};
use baton_model::{NodeState, ReviewState, RunId, RunState};
use baton_tests::TestEnvironment;
use baton_tests::test_environment::state;
use rusqlite::Connection;
use rusqlite::types::Value;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

type Row = BTreeMap<String, String>;

const DONE: &str = "
baton: 1
title: Done
nodes:
  - {id: a, kind: command, command: 'echo one; echo file=x >> $BATON_OUTPUT'}
  - {id: b, kind: command, dependsOn: [a], command: 'cat $BATON_CONTEXT'}
";
const OPEN: &str = "
baton: 1
title: Open
nodes:
  - {id: long, kind: command, command: 'while [ ! -e stop ]; do sleep 0.1; done'}
  - {id: after, kind: command, dependsOn: [long], command: 'touch started'}
";

/// A Baton with an ended run, a running one, a rejected plan, notes and settings.
struct Source {
    env: TestEnvironment,
    open: RunId,
    folder: tempfile::TempDir,
}

impl Source {
    fn new() -> Self {
        let env = TestEnvironment::new();
        let done = env.start(DONE);
        env.finish(done.summary.id);
        let open = env.start(OPEN).summary.id;
        env.wait_until(open, |view| {
            matches!(state(view, "long"), NodeState::Running)
        });
        let note = Enrichment {
            starred: true,
            ..Enrichment::default()
        };
        let save = EnrichmentSave {
            subject: EnrichmentSubject::Run,
            id: open.to_string(),
            enrichment: note,
        };
        let _: Enrichments = env.call("enrichment_save", save).expect("stored");
        let token = TokenCreate {
            name: "ci".to_owned(),
            surface: AccessLevel::Decide,
        };
        let _: TokenCreated = env.call("token_create", token).expect("created");
        let folder = tempfile::tempdir().expect("a folder");
        Self { env, open, folder }
    }

    fn bundle(&self) -> PathBuf {
        let path = self.folder.path().join("all.zip");
        let input = BundleExport {
            path: path.display().to_string(),
            with_commits: false,
            overwrite: true,
        };
        let done: BundleExported = self.env.call("bundle_export", input).expect("written");
        assert!(done.files > 3, "{done:?}");
        path
    }
}

fn import(env: &TestEnvironment, path: &Path) -> Result<BundleImported, ApiError> {
    let path = path.display().to_string();
    env.call("bundle_import", BundleImport { path })
}

fn rows(data: &Path) -> BTreeMap<String, Vec<Row>> {
    let db = Connection::open(data.join("baton.db")).expect("a database");
    let names: Vec<String> = db
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        .and_then(|mut query| query.query_map([], |row| row.get(0))?.collect())
        .expect("tables");
    names
        .into_iter()
        .map(|name| {
            let rows = table(&db, &name);
            (name, rows)
        })
        .collect()
}

fn table(db: &Connection, name: &str) -> Vec<Row> {
    let mut query = db
        .prepare(&format!("SELECT * FROM {name}"))
        .expect("a table");
    let columns: Vec<String> = query.column_names().map(str::to_owned).collect();
    let rows = query.query_map([], |row| {
        let field = |(at, column): (usize, &String)| {
            row.get::<_, Value>(at)
                .map(|value| (column.clone(), format!("{value:?}")))
        };
        columns.iter().enumerate().map(field).collect()
    });
    rows.and_then(Iterator::collect).expect("rows")
}

/// Rows of a table without what an import changes on purpose.
fn comparable(name: &str, rows: &[Row], open: &str) -> Vec<Row> {
    let changed: &[&str] = match name {
        "approvals" => &["id"],
        "plans" => &["review", "approved_version", "agents_may_start"],
        _ => &[],
    };
    let is_open = |row: &&Row| {
        let key = if name == "runs" { "id" } else { "run" };
        row.get(key).is_none_or(|run| run != open)
    };
    let strip = |row: &Row| {
        let mut row = row.clone();
        changed.iter().for_each(|column| {
            row.remove(*column);
        });
        row
    };
    let mut left: Vec<Row> = rows.iter().filter(is_open).map(strip).collect();
    left.sort();
    left
}

/// Tables that belong to one machine, or that a Baton fills by itself.
const LOCAL: [&str; 9] = [
    "grants",
    "tokens",
    "idempotency_keys",
    "changes",
    "executors",
    "silences",
    "permits",
    "permit_waits",
    "settings",
];

fn cancel(env: &TestEnvironment, run: RunId) {
    let _: RunSummary = env.call("run_cancel", RunRef { run }).expect("canceled");
}

#[test]
fn bundle_brings_every_table_and_file_to_an_empty_baton() {
    let source = Source::new();
    let path = source.bundle();
    let before = rows(source.env.data());
    let target = TestEnvironment::new();
    let done = import(&target, &path).expect("imported");
    let plans: Vec<PlanSummary> = source.env.call("plans_list", Nothing {}).expect("plans");
    assert_eq!((done.plans, done.interrupted_runs), (plans.len(), 1));
    let after = rows(target.data());
    let open = format!("{:?}", Value::Blob(source.open.0.as_bytes().to_vec()));
    assert_eq!(
        before.keys().collect::<Vec<_>>(),
        after.keys().collect::<Vec<_>>()
    );
    for (name, rows) in &before {
        if !LOCAL.contains(&name.as_str()) {
            assert_eq!(
                comparable(name, rows, &open),
                comparable(name, &after[name], &open),
                "{name}"
            );
        }
    }
    for event in &before["run_events"] {
        assert!(after["run_events"].contains(event), "no event is lost");
    }
    assert!(after["tokens"].is_empty() && after["grants"].is_empty());
    for executor in &before["executors"] {
        let id = &executor["id"];
        let arrived = after["executors"].iter().find(|row| row["id"] == *id);
        let ended = arrived.map(|row| row["ended_at"].as_str());
        assert!(ended.is_some_and(|ended| ended != "Null"), "{executor:?}");
    }
    let sessions = |env: &TestEnvironment| files(&env.data().join("sessions"));
    let (theirs, ours) = (sessions(&source.env), sessions(&target));
    assert!(theirs.iter().any(|(name, _)| name.ends_with("stdout")));
    assert_eq!(theirs, ours, "the files of sessions");
    let notes: Enrichments = target.call("enrichments_get", Nothing {}).expect("notes");
    assert!(notes.runs[&source.open.to_string()].starred);
    cancel(&source.env, source.open);
}

#[test]
fn imported_plan_is_a_draft_and_its_open_run_waits_for_a_new_approval() {
    let source = Source::new();
    let path = source.bundle();
    let target = TestEnvironment::new();
    import(&target, &path).expect("imported");
    let view = target.view(source.open);
    assert!(matches!(view.summary.state, RunState::Paused { .. }));
    assert!(matches!(
        state(&view, "long"),
        NodeState::Interrupted { .. }
    ));
    let refused = target
        .call::<RunSummary>("run_resume", RunRef { run: source.open })
        .expect_err("the approval is history");
    assert_eq!(refused.code, Code::NotApproved, "{}", refused.message);
    let plan = PlanRef {
        plan: view.summary.plan,
    };
    let plan: PlanView = target.call("plan_get", plan).expect("a plan");
    assert_eq!(plan.review, ReviewState::Draft);
    let approve = PlanApprove {
        plan: plan.plan.id,
        revision: plan.revision,
        anyway: false,
    };
    let _: PlanView = target.call("plan_approve", approve).expect("approved");
    let _: RunSummary = target
        .call("run_resume", RunRef { run: source.open })
        .expect("resumed");
    cancel(&target, source.open);
    cancel(&source.env, source.open);
}

#[test]
fn bundle_is_refused_whole_if_anything_is_wrong_with_it() {
    let source = Source::new();
    let path = source.bundle();
    cancel(&source.env, source.open);
    let full = import(&source.env, &path).expect_err("the Baton isn't empty");
    assert_eq!(full.code, Code::Refused);
    assert!(full.fix.is_some_and(|fix| fix.contains("BATON_DATA_DIR")));

    let target = TestEnvironment::new();
    let examples: Vec<PlanSummary> = target.call("plans_list", Nothing {}).expect("plans");
    let bytes = fs::read(&path).expect("a file");
    let bad = source.folder.path().join("bad.zip");
    fs::write(&bad, &bytes[..bytes.len() / 2]).expect("written");
    let refuse = |why: &str| {
        let error = import(&target, &bad).expect_err(why);
        assert_eq!(error.code, Code::Invalid, "{why}: {}", error.message);
        assert!(error.fix.is_some());
        let left = fs::read_dir(target.data()).expect("a folder");
        let staged = left
            .filter_map(Result::ok)
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(".bundle-"));
        assert_eq!(staged.count(), 0, "{why}");
        let plans: Vec<PlanSummary> = target.call("plans_list", Nothing {}).expect("plans");
        assert_eq!(plans.len(), examples.len(), "{why}");
    };
    refuse("a truncated archive");
    rewrite(&path, &bad, |name, content| {
        if name == "enrichments.json" {
            content.extend(b" ");
        }
    });
    refuse("a longer file");
    rewrite(&path, &bad, |name, content| {
        if name == "enrichments.json" {
            content[0] ^= 1;
        }
    });
    refuse("another content");
    for hostile in [
        "../escaped",
        "/tmp/escaped",
        "sessions/../../escaped",
        "logs/a",
    ] {
        rewrite(&path, &bad, |name, content| {
            if name == "manifest.json" {
                let text = String::from_utf8_lossy(content).replace("enrichments.json", hostile);
                *content = text.into_bytes();
            }
        });
        refuse(hostile);
    }
    rewrite(&path, &bad, |name, content| {
        if name == "manifest.json" {
            let text = String::from_utf8_lossy(content).replace("\"version\": 1", "\"version\": 2");
            *content = text.into_bytes();
        }
    });
    refuse("a newer version");
    import(&target, &path).expect("the whole bundle is fine");
}

#[test]
fn database_with_a_trigger_of_its_own_is_refused() {
    let source = Source::new();
    let path = source.bundle();
    cancel(&source.env, source.open);
    let bad = source.folder.path().join("bad.zip");
    let database = source.folder.path().join("bad.db");
    let mut content = Vec::new();
    let mut zip = ZipArchive::new(File::open(&path).expect("a file")).expect("an archive");
    let mut entry = zip.by_name("baton.db").expect("a database");
    entry.read_to_end(&mut content).expect("content");
    fs::write(&database, &content).expect("written");
    let db = Connection::open(&database).expect("a database");
    db.execute_batch("CREATE TRIGGER t AFTER UPDATE ON plans BEGIN DELETE FROM approvals; END")
        .expect("a trigger");
    drop(db);
    let changed = fs::read(&database).expect("content");
    let (old, new) = (checksum(&content), checksum(&changed));
    let (length, longer) = (content.len().to_string(), changed.len().to_string());
    rewrite(&path, &bad, |name, content| match name {
        "baton.db" => content.clone_from(&changed),
        "manifest.json" => {
            let text = String::from_utf8_lossy(content)
                .replace(&old, &new)
                .replace(&length, &longer);
            *content = text.into_bytes();
        }
        _ => {}
    });
    let target = TestEnvironment::new();
    let error = import(&target, &bad).expect_err("a foreign schema");
    assert!(error.message.contains("not a Baton database"), "{error}");
}

fn checksum(content: &[u8]) -> String {
    use sha2::{Digest as _, Sha256};
    let digits = Sha256::digest(content);
    digits.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Copies an archive and changes its files.
fn rewrite(from: &Path, to: &Path, change: impl Fn(&str, &mut Vec<u8>)) {
    let mut source = ZipArchive::new(File::open(from).expect("a file")).expect("an archive");
    let mut target = ZipWriter::new(File::create(to).expect("a file"));
    for at in 0..source.len() {
        let mut entry = source.by_index(at).expect("an entry");
        let name = entry.name().expect("a name").into_owned();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).expect("content");
        change(&name, &mut content);
        let options = SimpleFileOptions::default();
        target.start_file(name, options).expect("an entry");
        target.write_all(&content).expect("written");
    }
    target.finish().expect("an archive");
}

/// The regular files below a folder with their content, by name.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let kind = entry.file_type().expect("a kind");
        let path = entry.path();
        if kind.is_dir() {
            found.extend(files(&path));
        } else if kind.is_file() {
            let name = path.display().to_string();
            let name = name.split("/sessions/").last().unwrap_or_default();
            found.push((name.to_owned(), fs::read(&path).expect("content")));
        }
    }
    found.sort();
    found
}
