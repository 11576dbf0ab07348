//! The arguments of a command.

use baton_model::node::Node;
use baton_model::outcome::Failure;

use super::text::SHELL;

/// The arguments of a command: at least one, and the first is the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Argv(Vec<String>);

impl Argv {
    /// The command of `node`. A node without any arguments cannot start.
    pub(super) fn of_node(node: &Node, words: Vec<String>) -> Result<Self, Failure> {
        if words.is_empty() {
            let detail = format!(
                "the node '{}' has no command: add one to the node",
                node.slug
            );
            return Err(Failure::BadInput { detail });
        }
        Ok(Self(words))
    }

    /// The command that runs `line` in the shell.
    pub(super) fn of_line(line: String) -> Self {
        Self(vec![SHELL.to_owned(), "-c".to_owned(), line])
    }

    pub(super) fn as_slice(&self) -> &[String] {
        &self.0
    }
}
