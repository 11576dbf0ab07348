//! Each format becomes a plan as its program means it, and no text breaks a reader.

mod documents;
mod random_trees;
mod second_import;

use std::fs;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::*;
use crate::plan_file;

/// The folder of a format with example sources.
fn fixtures(format: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/fixtures/imports/{format}"))
}

/// All files of a folder, as an import reads them.
fn folder(path: &Path) -> Vec<SourceFile> {
    let (mut files, mut open) = (Vec::new(), vec![path.to_path_buf()]);
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(&at).expect("a folder") {
            let entry = entry.expect("an entry").path();
            if entry.is_dir() {
                open.push(entry);
                continue;
            }
            let below = entry.strip_prefix(path).expect("below the folder");
            files.push(SourceFile {
                path: below.display().to_string().replace('\\', "/"),
                text: fs::read_to_string(&entry).expect("a text"),
            });
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

fn file(path: &str, text: &str) -> SourceFile {
    SourceFile {
        path: path.to_owned(),
        text: text.to_owned(),
    }
}

fn import_files(format: ImportFormat, files: &[SourceFile]) -> Result<Vec<Imported>, ImportError> {
    let mut last = 0_u128;
    import(format, files, &mut || {
        last += 1;
        Uuid::from_u128(last)
    })
}

fn imported(format: ImportFormat, files: &[SourceFile]) -> Vec<Imported> {
    import_files(format, files).unwrap_or_else(|error| panic!("{error}"))
}

/// The plans as plan files, with their warnings.
fn shown(plans: &[Imported]) -> String {
    let mut shown = String::new();
    for Imported {
        name,
        plan,
        warnings,
    } in plans
    {
        if !name.is_empty() {
            shown.push_str("=== ");
            shown.push_str(name);
            shown.push('\n');
        }
        for warning in warnings {
            shown.push_str("! ");
            shown.push_str(&warning.to_string());
            shown.push('\n');
        }
        shown.push_str(&plan_file::write(plan, plan_file::Format::Yaml));
    }
    shown
}

/// The edges of a plan as `parent>child`, dashed if inferred and soft with a tilde.
fn edges(plan: &Plan) -> Vec<String> {
    let slug = |node| plan.node(node).expect("a node").slug.to_string();
    plan.edges
        .iter()
        .map(|edge| {
            let arrow = match (edge.inferred, edge.soft) {
                (true, _) => "-",
                (false, true) => "~",
                (false, false) => "",
            };
            format!("{}{arrow}>{}", slug(edge.parent), slug(edge.child))
        })
        .collect()
}
