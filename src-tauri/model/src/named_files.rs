//! The files that a plan names in its texts: prompts, commands, and acceptance criteria.

use std::collections::BTreeSet;

use crate::Plan;

/// Characters that may stand around a path in a sentence or a command.
const SEPARATORS: &[char] = &[
    '"', '\'', '`', '(', ')', '[', ']', '{', '}', '<', '>', ',', ';', ':', '=', '|', '&', '*', '@',
];

/// The paths that a plan names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedFiles {
    /// The plan's directory relative to the top folder of the work tree; empty at the top.
    directory: String,
    words: BTreeSet<String>,
    /// Words that contain a slash, which may name a folder.
    folders: BTreeSet<String>,
}

impl NamedFiles {
    /// The paths that `plan` names. `directory` is the plan's directory relative to the top folder
    /// of the work tree.
    #[must_use]
    pub fn of_plan(plan: &Plan, directory: &str) -> Self {
        let mut named = Self {
            directory: directory.trim_matches('/').to_owned(),
            ..Self::default()
        };
        for node in &plan.nodes {
            for (_, text) in node.template_texts() {
                named.add_text(text);
            }
        }
        named
    }

    /// Adds the path of a file, relative to the plan's directory.
    pub fn add_file(&mut self, path: &str) {
        self.words.insert(path.to_owned());
    }

    fn add_text(&mut self, text: &str) {
        let words = text.split(|c: char| c.is_whitespace() || SEPARATORS.contains(&c));
        for word in words {
            let path = word.trim_end_matches(['.', '?', '!']);
            let path = path.strip_prefix("./").unwrap_or(path);
            let name = path.trim_end_matches('/');
            if name.is_empty() {
                continue;
            }
            if path.contains('/') {
                self.folders.insert(name.to_owned());
            }
            self.words.insert(name.to_owned());
        }
    }

    /// Whether the plan names the file with this path, or a folder that contains it. The path is
    /// relative to the top folder of the work tree.
    #[must_use]
    pub fn contains(&self, path: &str) -> bool {
        let inside = path
            .strip_prefix(&self.directory)
            .and_then(|rest| rest.strip_prefix('/'))
            .filter(|_| !self.directory.is_empty());
        self.names(path) || inside.is_some_and(|inside| self.names(inside))
    }

    fn names(&self, path: &str) -> bool {
        let mut folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        self.words.contains(path) || folders.any(|folder| self.folders.contains(folder))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::node::{AgentTask, Criterion};
    use crate::{Node, NodeId, NodeKind, PlanId, Slug};

    fn named(prompt: &str, directory: &str) -> NamedFiles {
        let task = AgentTask {
            prompt: prompt.to_owned(),
            ..AgentTask::default()
        };
        let slug = Slug::from_title("a");
        let mut node = Node::new(NodeId(Uuid::nil()), slug, "A", NodeKind::Agent(task));
        node.acceptance_criteria = vec![Criterion::run("sh ./tests/check.sh")];
        let mut plan = Plan::new(PlanId(Uuid::nil()), "A");
        plan.nodes = vec![node];
        NamedFiles::of_plan(&plan, directory)
    }

    #[test]
    fn paths_in_texts_are_found() {
        for (prompt, path, expected) in [
            ("Fix `src/a.rs`.", "src/a.rs", true),
            ("Fix src/a.rs, then stop", "src/a.rs", true),
            ("See (Makefile)", "Makefile", true),
            ("Work in src/auth/", "src/auth/deep/b.rs", true),
            ("Work in docs/", "docs/a.md", true),
            ("Write docs", "docs/a.md", false),
            ("Fix src/a.rs", "src/a.rs.bak", false),
            ("Fix src/a", "src/ab/c", false),
            ("Fix a.rs", "src/a.rs", false),
            ("/", "a", false),
            ("anything", "tests/check.sh", true),
        ] {
            assert_eq!(
                named(prompt, "").contains(path),
                expected,
                "{prompt}: {path}"
            );
        }
    }

    #[test]
    fn paths_are_relative_to_the_directory_or_to_the_top() {
        let named = named("Fix src/a.rs", "packages/app/");
        assert!(named.contains("packages/app/src/a.rs"));
        assert!(named.contains("src/a.rs"));
        assert!(!named.contains("packages/application/src/a.rs"));
        assert!(!named.contains("packages/other/src/a.rs"));
    }

    proptest! {
        #[test]
        fn named_file_is_found_among_other_words(
            before in "[a-z .,]{0,20}", path in "[a-zé0-9_-]{1,8}(/[a-z0-9_-]{1,8}){0,3}\\.[a-z]{1,3}", after in "[ ,;)].{0,20}",
        ) {
            let prompt = format!("{before} {path}{after}");
            prop_assert!(named(&prompt, "").contains(&path));
        }
    }
}
