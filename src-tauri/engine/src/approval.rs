//! What an approval of a plan covers on this machine: its content, and the files that its acceptance criteria run.
//!
//! Files count that lie in the plan's directory, or in the one that a node names. A link that leads out of it, a program that was
//! built, whose sources nobody looks at here either, and what is no regular file are left out.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};

use baton_keeper::session_file;
use baton_model::approval::{Digest, FileDigest};
use baton_model::node::{Criterion, NodeKind};
use baton_model::shell::{RunFile, run_files};
use baton_model::{Node, Plan};
use sha2::{Digest as _, Sha256};

/// How much of a file is read. Of a larger one the beginning and the length count.
const READ_LIMIT: u64 = 64 * 1024 * 1024;
/// How programs begin that were built: ELF, and Mach-O in its forms.
const BUILT: [&[u8]; 5] =
    [b"\x7fELF", b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"];

/// What a person approves with a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovedContent {
    /// Of the plan, its criteria and the files that these run.
    pub digest: Digest,
    /// The files that the criteria run, by path.
    pub files: Vec<FileDigest>,
}

/// What an approval of `plan` covers, as it is now.
pub fn approved_content(plan: &Plan) -> Result<ApprovedContent, serde_json::Error> {
    let mut found = BTreeMap::new();
    if let Some(directory) = &plan.cwd {
        for node in &plan.nodes {
            let place = CriterionPlace::of(Path::new(directory), node);
            command_lines(node).for_each(|line| place.find(line, &mut found));
        }
    }
    let files: Vec<_> = found.into_iter().map(|(path, digest)| FileDigest { path, digest }).collect();
    Ok(ApprovedContent { digest: digest(&plan.approved_content()?, &files), files })
}

/// The files that one criterion of `node` runs when `directory` stands for the plan's directory, under the names that the
/// approval has for them.
pub(crate) fn files_of_criterion(directory: &Path, node: &Node, line: &str) -> Vec<FileDigest> {
    let mut found = BTreeMap::new();
    CriterionPlace::of(directory, node).find(line, &mut found);
    found.into_iter().map(|(path, digest)| FileDigest { path, digest }).collect()
}

fn command_lines(node: &Node) -> impl Iterator<Item = &str> {
    node.acceptance_criteria.iter().filter_map(|criterion| match criterion {
        Criterion::Run { run, .. } => Some(run.as_str()),
        Criterion::Sentence(_) | Criterion::Ask { .. } => None,
    })
}

/// Where the criteria of a node run.
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
        let plan = tidy(plan);
        let node = own.map_or_else(|| plan.clone(), |own| tidy(&plan.join(own)));
        Self { plan, node }
    }

    fn find(&self, line: &str, found: &mut BTreeMap<String, Digest>) {
        for file in run_files(line) {
            match file {
                RunFile::FirstOf(names) => {
                    let program = names.iter().find_map(|name| self.open(name));
                    self.keep(program, found);
                }
                RunFile::IfProgram(name) => self.keep(self.open(&name).filter(OpenFile::is_program), found),
            }
        }
    }

    fn keep(&self, file: Option<OpenFile>, found: &mut BTreeMap<String, Digest>) {
        let Some(file) = file.filter(|file| !file.is_built()) else { return };
        let name = file.path.strip_prefix(&self.plan).unwrap_or(&file.path).display().to_string();
        if let std::collections::btree_map::Entry::Vacant(entry) = found.entry(name) {
            entry.insert(file.digest());
        }
    }

    /// The regular file of this name, if it lies in one of the directories, also after links are followed.
    fn open(&self, name: &str) -> Option<OpenFile> {
        let path = tidy(&self.node.join(name));
        let is_within = |directory: &Path| {
            let real = fs::canonicalize(directory).ok()?;
            let target = fs::canonicalize(&path).ok().filter(|target| target.starts_with(real));
            target.filter(|_| path.starts_with(directory))
        };
        let target = is_within(&self.plan).or_else(|| is_within(&self.node))?;
        let mut content = Vec::new();
        let file = session_file::open(&target).ok()?;
        let meta = file.metadata().ok()?;
        file.take(READ_LIMIT).read_to_end(&mut content).ok()?;
        Some(OpenFile { path, content, length: meta.len(), is_executable: meta.permissions().mode() & 0o111 != 0 })
    }
}

struct OpenFile {
    path: PathBuf,
    content: Vec<u8>,
    length: u64,
    is_executable: bool,
}

impl OpenFile {
    fn is_program(&self) -> bool {
        self.is_executable || self.content.starts_with(b"#!")
    }

    fn is_built(&self) -> bool {
        BUILT.iter().any(|beginning| self.content.starts_with(beginning))
    }

    fn digest(&self) -> Digest {
        let scripts = self.scripts();
        let content = scripts.as_ref().map_or(self.content.as_slice(), |scripts| scripts.as_bytes());
        let length = scripts.as_ref().map_or(self.length, |scripts| scripts.len() as u64);
        Digest(Sha256::new().chain_update(length.to_be_bytes()).chain_update(content).finalize().into())
    }

    /// Of a `package.json` only what its scripts are: the rest moves with every dependency.
    fn scripts(&self) -> Option<String> {
        self.path.ends_with("package.json").then_some(())?;
        let package: serde_json::Value = serde_json::from_slice(&self.content).ok()?;
        Some(package.get("scripts")?.to_string())
    }
}

/// The path without `.` and `x/..`. Links are not looked at.
fn tidy(path: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(tidied.components().next_back(), Some(Component::Normal(_))) => {
                tidied.pop();
            }
            part => tidied.push(part),
        }
    }
    tidied
}

/// The lengths keep one part from being taken for another.
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
