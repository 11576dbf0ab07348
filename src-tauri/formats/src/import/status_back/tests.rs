//! Tests with the task lists of the fixtures.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use baton_model::{NodeId, Plan};
use uuid::Uuid;

use super::{StatusBackError, mark_done};
use crate::import::{ImportFormat, SourceFile, import};

fn fixture(name: &str) -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/imports")
        .join(name);
    let (mut files, mut open) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path: PathBuf = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let below = path
                .strip_prefix(&root)
                .expect("below")
                .display()
                .to_string();
            let text = fs::read_to_string(&path).expect("text");
            files.push(SourceFile { path: below, text });
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

fn imported(format: ImportFormat, files: &[SourceFile]) -> Plan {
    let mut next = 0;
    let mut ids = || {
        next += 1;
        Uuid::from_u128(next)
    };
    import(format, files, &mut ids)
        .expect("plans")
        .remove(0)
        .plan
}

fn all(plan: &Plan) -> HashSet<NodeId> {
    plan.nodes.iter().map(|node| node.id).collect()
}

/// `files` with the changed ones in place.
fn after(plan: &Plan, done: &HashSet<NodeId>, files: &[SourceFile]) -> Vec<SourceFile> {
    let marked = mark_done(plan, done, files).expect("marked files");
    let mut files = files.to_vec();
    for file in &mut files {
        if let Some(marked) = marked.iter().find(|marked| marked.path == file.path) {
            file.text.clone_from(&marked.text);
        }
    }
    files
}

const FORMATS: [(ImportFormat, &str); 4] = [
    (ImportFormat::SpecKit, "spec_kit"),
    (ImportFormat::OpenSpec, "open_spec"),
    (ImportFormat::Kiro, "kiro"),
    (ImportFormat::Backlog, "backlog"),
];

#[test]
fn only_marks_of_finished_tasks_change() {
    for (format, name) in FORMATS {
        let files = fixture(name);
        let plan = imported(format, &files);
        let done = all(&plan);
        let written = after(&plan, &done, &files);
        let again = imported(format, &written);
        assert!(
            again.nodes.iter().all(|node| node.disabled),
            "{name}: all are done"
        );
        let mut changed = 0;
        for (old, new) in files.iter().zip(&written) {
            let lines = |file: &SourceFile| -> Vec<String> {
                file.text.split_inclusive('\n').map(str::to_owned).collect()
            };
            let (old, new) = (lines(old), lines(new));
            assert_eq!(old.len(), new.len(), "{name}");
            for (old, new) in old.iter().zip(&new).filter(|(old, new)| old != new) {
                changed += 1;
                let is_status = new.starts_with("status:") && new.contains("Done");
                assert!(
                    is_status || new.replacen("[x]", "[ ]", 1) == *old || old.contains("[-]"),
                    "{old}{new}"
                );
            }
        }
        let open = plan.nodes.iter().filter(|node| !node.disabled).count();
        assert_eq!(
            changed, open,
            "{name}: one line for each task that was open"
        );
        assert!(
            mark_done(&again, &all(&again), &written)
                .expect("files")
                .is_empty(),
            "{name}"
        );
    }
}

#[test]
fn one_task_changes_one_line_and_keeps_line_ends_and_mark() {
    for (format, name) in FORMATS {
        let windows = |mut file: SourceFile| {
            file.text = format!("\u{feff}{}", file.text.replace('\n', "\r\n"));
            file
        };
        let files: Vec<_> = fixture(name).into_iter().map(windows).collect();
        let plan = imported(format, &files);
        let node = plan
            .nodes
            .iter()
            .find(|node| !node.disabled)
            .expect("an open task");
        let marked = mark_done(&plan, &HashSet::from([node.id]), &files).expect("a file");
        let [file] = &marked[..] else {
            panic!("{name}: {marked:?}")
        };
        let [line] = &file.lines[..] else {
            panic!("{name}: {file:?}")
        };
        let old = files
            .iter()
            .find(|old| old.path == file.path)
            .expect("the file");
        assert_eq!(
            file.text,
            old.text.replacen(&line.before, &line.after, 1),
            "{name}"
        );
        assert!(
            file.text.starts_with('\u{feff}') && file.text.contains("\r\n"),
            "{name}"
        );
    }
}

#[test]
fn nothing_is_written_into_a_list_that_has_changed() {
    for (format, name) in FORMATS {
        let files = fixture(name);
        let plan = imported(format, &files);
        let node = plan
            .nodes
            .iter()
            .find(|node| !node.disabled)
            .expect("an open task");
        let done = HashSet::from([node.id]);
        let mut other = files.clone();
        for file in &mut other {
            file.text = file.text.replace(&node.title, "Something else");
        }
        let error = mark_done(&plan, &done, &other).expect_err("another title");
        assert!(
            matches!(error, StatusBackError::ChangedTasks { .. }),
            "{name}: {error}"
        );
    }
    let files = fixture("spec_kit");
    let plan = imported(ImportFormat::SpecKit, &files);
    let node = plan
        .nodes
        .iter()
        .find(|node| !node.disabled)
        .expect("an open task");
    let mut other = files.clone();
    for file in &mut other {
        let kept = file
            .text
            .split_inclusive('\n')
            .filter(|line| !line.contains(&node.title));
        file.text = kept.collect();
    }
    let error = mark_done(&plan, &HashSet::from([node.id]), &other).expect_err("no such task");
    assert!(
        matches!(error, StatusBackError::MissingTasks { .. }),
        "{error}"
    );
}

#[test]
fn plans_without_a_file_are_refused() {
    let plan = Plan::new(baton_model::PlanId(Uuid::from_u128(1)), "Own");
    let error = mark_done(&plan, &HashSet::new(), &[]).expect_err("not imported");
    assert!(matches!(error, StatusBackError::NotImported), "{error}");
    let files = fixture("claude_tasks");
    let plan = imported(ImportFormat::ClaudeTasks, &files);
    let error = mark_done(&plan, &all(&plan), &files).expect_err("no marks");
    assert!(
        matches!(error, StatusBackError::Unsupported { .. }),
        "{error}"
    );
}
