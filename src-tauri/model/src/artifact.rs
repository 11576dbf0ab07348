//! The handoff document that a finished node leaves for the nodes that depend on it.
//!
//! Agents write their own; commands get one generated from facts. Both use the same headings, so
//! that readers, human or agent, find things in the same place. This module parses and renders the
//! text. It doesn't ask agents for it and stores nothing.
//!
//! A handoff is a claim. What is known independently is [`Evidence`](crate::Evidence), which is
//! kept separate.

mod claims;
mod comparison;
mod outputs;
mod sections;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use claims::{FileAct, FileClaim};
pub use outputs::{
    NamedOutputs, OUTPUT_LIMIT, OutputFault, READ_LIMIT, is_output_name, omitted_names_line,
};

/// The first line of a handoff. Anything an agent writes before it is cut.
pub const MARKER: &str = "**What was done:**";
/// The maximum size of an answer that becomes a handoff, in bytes.
pub const ANSWER_LIMIT: usize = 64 * 1024;
const FILES: &str = "**Files changed:**";
const DECISIONS: &str = "**Decisions:**";

/// A handoff, with the parts parsed from its text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Artifact {
    /// The whole document in Markdown, beginning with [`MARKER`].
    pub text: String,
    #[expect(missing_docs, reason = "the type says it")]
    pub author: Author,
    /// The named values from `BATON_OUTPUT`, for `{{nodes.<slug>.outputs.<key>}}`.
    #[serde(default)]
    pub outputs: BTreeMap<String, String>,
    /// The names of outputs after the part of `BATON_OUTPUT` that is read. They have no value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
    pub outputs_left_out: Vec<String>,
    /// The paths that the text names as changed. A claim, not evidence.
    #[serde(default)]
    pub files: Vec<String>,
}

/// Who wrote a handoff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// Baton, from facts only.
    #[default]
    Facts,
    /// The agent that did the work.
    Agent,
    /// A person, who wrote or edited it.
    Person,
}

impl Artifact {
    /// The handoff in an agent's answer, or `None` if the answer does not contain [`MARKER`].
    #[must_use]
    pub fn from_answer(answer: &str) -> Option<Self> {
        let start = answer.find(MARKER)?;
        let text = answer[start..].trim_end().to_owned();
        Some(Self::from_agent(text))
    }

    /// The handoff of an agent that ignored the headings: its answer below the first heading. An
    /// answer longer than [`ANSWER_LIMIT`] is truncated with a note.
    #[must_use]
    pub fn from_agent_message(answer: &str) -> Self {
        Self::from_answer(answer).unwrap_or_else(|| {
            Self::from_agent(format!(
                "{MARKER}\n{}",
                truncate(answer.trim(), ANSWER_LIMIT)
            ))
        })
    }

    /// A handoff that a person wrote.
    #[must_use]
    pub fn from_person(handoff: &str) -> Self {
        let parsed = Self::from_answer(handoff).unwrap_or_else(|| Self {
            text: format!("{MARKER}\n{}", handoff.trim()),
            ..Self::default()
        });
        Self {
            author: Author::Person,
            ..parsed
        }
    }

    /// The same handoff with a text that a person edited. Its named outputs are kept.
    #[must_use]
    pub fn edited_by_person(self, text: &str) -> Self {
        Self {
            outputs: self.outputs,
            outputs_left_out: self.outputs_left_out,
            ..Self::from_person(text)
        }
    }

    /// The same handoff with the named outputs that a person typed, instead of its own.
    #[must_use]
    pub fn with_typed_outputs(self, outputs: NamedOutputs) -> Self {
        Self {
            author: Author::Person,
            outputs: outputs.values,
            outputs_left_out: outputs.left_out,
            ..self
        }
    }

    fn from_agent(text: String) -> Self {
        let files = claims::find_claims(&text)
            .into_iter()
            .map(|claim| claim.path)
            .collect();
        Self {
            text,
            author: Author::Agent,
            files,
            ..Self::default()
        }
    }

    /// The same handoff with the named outputs of its attempt. A note at the end lists outputs that
    /// were omitted.
    #[must_use]
    pub fn with_outputs(mut self, outputs: NamedOutputs) -> Self {
        if let Some(line) = omitted_names_line(&outputs.left_out) {
            self.text = format!("{}\n\n{line}", self.text.trim_end());
        }
        Self {
            outputs: outputs.values,
            outputs_left_out: outputs.left_out,
            ..self
        }
    }

    /// The files that the text names as changed, and what it claims about each.
    #[must_use]
    pub fn file_claims(&self) -> Vec<FileClaim> {
        claims::find_claims(&self.text)
    }

    /// A handoff under the usual headings, generated from facts.
    #[must_use]
    pub fn from_facts(facts: Facts) -> Self {
        let mut text = format!("{MARKER}\n{}\n\n{FILES}\n", facts.done.trim_end());
        if facts.files.is_empty() {
            text += "None detected.\n";
        }
        for file in &facts.files {
            text.extend(["- ", file, "\n"]);
        }
        text.extend(["\n", DECISIONS, "\nNone.\n"]);
        if !facts.outputs.is_empty() {
            text += "\n**Outputs:**\n";
            for (key, value) in &facts.outputs.values {
                text.extend(["- `", key, "`: ", value, "\n"]);
            }
            text.extend(
                omitted_names_line(&facts.outputs.left_out).map(|line| format!("- {line}\n")),
            );
        }
        if !facts.tail.trim().is_empty() {
            text.extend([
                "\n**End of output:**\n",
                &fenced(facts.tail.trim_end()),
                "\n",
            ]);
        }
        let NamedOutputs {
            values: outputs,
            left_out: outputs_left_out,
        } = facts.outputs;
        let text = text.trim_end().to_owned();
        Self {
            text,
            author: Author::Facts,
            outputs,
            outputs_left_out,
            files: facts.files,
        }
    }
}

/// What Baton knows about an attempt without asking an agent.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// One or two sentences: what ran and how it ended.
    pub done: String,
    /// Paths of changed files.
    pub files: Vec<String>,
    #[expect(missing_docs, reason = "the type says it")]
    pub outputs: NamedOutputs,
    /// The last lines of the output, without control codes.
    pub tail: String,
}

/// The first `limit` bytes of `text` with a note about the omitted rest, or all of it if it is not
/// longer.
#[must_use]
pub fn truncate(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    let kept = &text[..text.floor_char_boundary(limit)];
    Cow::Owned(format!(
        "{kept}\n[Truncated by Baton: showing the first {} of {} bytes.]",
        kept.len(),
        text.len()
    ))
}

/// A code block around `text` with fences that the text itself can't close.
pub(crate) fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_before_the_marker_is_removed() {
        let answer = "Sure! Here it is:\n\n**What was done:**\nParser written.\n\n**Files changed:**\n- `src/a.rs` (new)\n- src/b.rs: fixed\n\n**Decisions:**\nNone\n\n";
        let artifact = Artifact::from_answer(answer).expect("the marker is there");
        assert!(artifact.text.starts_with(MARKER));
        assert_eq!(artifact.files, ["src/a.rs", "src/b.rs"]);
    }

    #[test]
    fn answer_without_marker_is_not_a_handoff() {
        assert_eq!(Artifact::from_answer("I have done everything."), None);
    }

    #[test]
    fn facts_read_like_a_handoff() {
        let artifact = Artifact::from_facts(Facts {
            done: "`make` ended with exit code 0.".to_owned(),
            files: vec!["out.txt".to_owned()],
            outputs: [("count".to_owned(), "3".to_owned())].into_iter().collect(),
            tail: "```\nall good\n".to_owned(),
        });
        insta::assert_snapshot!(artifact.text);
    }

    #[test]
    fn truncated_answer_has_a_note() {
        let answer = Artifact::from_agent_message(&"word ".repeat(ANSWER_LIMIT));
        assert!(
            answer
                .text
                .ends_with("\n[Truncated by Baton: showing the first 65536 of 327679 bytes.]")
        );
    }

    #[test]
    fn handoff_lists_omitted_outputs() {
        let outputs = NamedOutputs {
            left_out: vec!["late".to_owned()],
            ..NamedOutputs::default()
        };
        let line = "[Truncated by Baton: `late` comes after the first 1 MiB of BATON_OUTPUT, which is all that Baton reads.]";
        let facts = Artifact::from_facts(Facts {
            outputs: outputs.clone(),
            ..Facts::default()
        });
        let agent = Artifact::from_agent_message("Done.").with_outputs(outputs);
        for artifact in [facts, agent] {
            assert!(artifact.text.ends_with(line), "{}", artifact.text);
            assert_eq!(artifact.outputs_left_out, ["late"]);
        }
    }

    #[test]
    fn answer_without_headings_becomes_a_handoff() {
        let artifact = Artifact::from_agent_message("I created `src/a.rs`.");
        assert_eq!(artifact.text, "**What was done:**\nI created `src/a.rs`.");
        assert_eq!(
            (artifact.author, artifact.files),
            (Author::Agent, vec!["src/a.rs".to_owned()])
        );
    }
}
