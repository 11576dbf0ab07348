//! The coverage of an approval of a plan on this machine: its content, and the files that its
//! acceptance criteria run.
//!
//! It covers files in the plan's directory, or in the directory that a node specifies. It leaves
//! out links that lead outside, compiled programs (their sources aren't reviewed here either), and
//! anything that is not a regular file.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};

use baton_keeper::session_file;
use baton_model::approval::{Digest, FileDigest};
use baton_model::node::{Criterion, NodeKind};
use baton_model::shell::{ExecutedFile, executed_files};
use baton_model::{Node, Plan};
use sha2::{Digest as _, Sha256};

/// How many bytes of a file are read. Of a larger one, the digest covers this many bytes and the
/// length.
const READ_LIMIT: u64 = 64 * 1024 * 1024;
/// How compiled programs begin: ELF, and the variants of Mach-O.
const BINARY_MAGIC: [&[u8]; 5] = [
    b"\x7fELF",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
];

/// The content that a person approves with a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovedContent {
    /// Covers the plan, its criteria, and the files that the criteria run.
    pub digest: Digest,
    /// The files that the criteria run, sorted by path.
    pub files: Vec<FileDigest>,
}

/// Returns what an approval of `plan` covers right now.
pub fn approved_content(plan: &Plan) -> Result<ApprovedContent, serde_json::Error> {
    let mut found = BTreeMap::new();
    if let Some(directory) = &plan.cwd {
        for node in &plan.nodes {
            let place = CriterionPlace::of(Path::new(directory), node);
            command_lines(node).for_each(|line| place.find(line, &mut found));
        }
    }
    let files: Vec<_> = found
        .into_iter()
        .map(|(path, digest)| FileDigest { path, digest })
        .collect();
    Ok(ApprovedContent {
        digest: digest(&plan.approved_content()?, &files),
        files,
    })
}

/// The files that one criterion of `node` runs, with `directory` in place of the plan's directory,
/// under the names that the approval uses.
pub(crate) fn files_of_criterion(directory: &Path, node: &Node, line: &str) -> Vec<FileDigest> {
    let mut found = BTreeMap::new();
    CriterionPlace::of(directory, node).find(line, &mut found);
    found
        .into_iter()
        .map(|(path, digest)| FileDigest { path, digest })
        .collect()
}

fn command_lines(node: &Node) -> impl Iterator<Item = &str> {
    node.acceptance_criteria
        .iter()
        .filter_map(|criterion| match criterion {
            Criterion::Run { run, .. } => Some(run.as_str()),
            Criterion::Sentence(_) | Criterion::Ask { .. } => None,
        })
}

struct CriterionPlace {
    plan: PathBuf,
    node: PathBuf,
}

impl CriterionPlace {
    fn of(plan: &Path, node: &Node) -> Self {
        let own = match &node.kind {
            NodeKind::Command(task) => task.cwd.as_deref(),
            _ => None,
        };
        let plan = normalize_path(plan);
        let node = own.map_or_else(|| plan.clone(), |own| normalize_path(&plan.join(own)));
        Self { plan, node }
    }

    fn find(&self, line: &str, found: &mut BTreeMap<String, Digest>) {
        for file in executed_files(line) {
            match file {
                ExecutedFile::FirstOf(names) => {
                    let program = names.iter().find_map(|name| self.open(name));
                    self.add_file(program, found);
                }
                ExecutedFile::IfProgram(name) => {
                    self.add_file(self.open(&name).filter(OpenFile::is_program), found)
                }
            }
        }
    }

    fn add_file(&self, file: Option<OpenFile>, found: &mut BTreeMap<String, Digest>) {
        let Some(file) = file.filter(|file| !file.is_binary()) else {
            return;
        };
        let name = self.name_of(&file.path);
        if !found.contains_key(&name) {
            found.extend(file.digest().map(|digest| (name, digest)));
        }
    }

    /// The file's name in the approval: relative to the plan's directory if it is inside.
    fn name_of(&self, path: &Path) -> String {
        let real = fs::canonicalize(&self.plan).unwrap_or_else(|_| self.plan.clone());
        let within = path
            .strip_prefix(&self.plan)
            .or_else(|_| path.strip_prefix(&real));
        within.unwrap_or(path).display().to_string()
    }

    /// The regular file with this name, if it is in one of the directories after links are
    /// resolved.
    fn open(&self, name: &str) -> Option<OpenFile> {
        let named = self.node.join(name);
        let target = fs::canonicalize(&named).ok()?;
        let holds = |directory: &Path| {
            fs::canonicalize(directory).is_ok_and(|real| target.starts_with(real))
        };
        if !holds(&self.plan) && !holds(&self.node) {
            return None;
        }
        // Behind a link, `..` is not the folder that the path suggests: such a file uses its real
        // name.
        let tidied = normalize_path(&named);
        let path = if fs::canonicalize(&tidied).ok().as_ref() == Some(&target) {
            tidied
        } else {
            target.clone()
        };
        let mut file = session_file::open(&target).ok()?;
        let meta = file.metadata().ok()?;
        let mut beginning = Vec::new();
        file.by_ref().take(4).read_to_end(&mut beginning).ok()?;
        Some(OpenFile {
            path,
            file,
            beginning,
            length: meta.len(),
            is_executable: meta.permissions().mode() & 0o111 != 0,
        })
    }
}

struct OpenFile {
    path: PathBuf,
    /// The file, read past `beginning`.
    file: fs::File,
    beginning: Vec<u8>,
    length: u64,
    is_executable: bool,
}

impl OpenFile {
    fn is_program(&self) -> bool {
        self.is_executable || self.beginning.starts_with(b"#!")
    }

    fn is_binary(&self) -> bool {
        BINARY_MAGIC.contains(&self.beginning.as_slice())
    }

    /// `None` when the file cannot be read.
    fn digest(self) -> Option<Digest> {
        let length = self.length;
        let is_package = self.path.ends_with("package.json");
        let mut content = self.beginning.chain(self.file.take(READ_LIMIT));
        let mut hash = Sha256::new();
        if is_package {
            let mut text = Vec::new();
            content.read_to_end(&mut text).ok()?;
            hash.update(scripts(&text).unwrap_or(text));
        } else {
            hash.update(length.to_be_bytes());
            io::copy(&mut content, &mut hash).ok()?;
        }
        Some(Digest(hash.finalize().into()))
    }
}

/// Only the `scripts` of a `package.json`: the rest changes with every dependency.
fn scripts(package: &[u8]) -> Option<Vec<u8>> {
    let package: serde_json::Value = serde_json::from_slice(package).ok()?;
    serde_json::to_vec(package.get("scripts")?).ok()
}

/// The path without `.` and `x/..`. Does not resolve links.
fn normalize_path(path: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(tidied.components().next_back(), Some(Component::Normal(_))) =>
            {
                tidied.pop();
            }
            part => tidied.push(part),
        }
    }
    tidied
}

/// Each part is preceded by its length, so that two parts cannot be mistaken for one another.
fn digest(content: &str, files: &[FileDigest]) -> Digest {
    let mut hash = Sha256::new();
    for part in std::iter::once(content).chain(files.iter().map(|file| file.path.as_str())) {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    files.iter().for_each(|file| hash.update(file.digest.0));
    Digest(hash.finalize().into())
}

#[cfg(test)]
mod tests;
