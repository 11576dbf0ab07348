//! What a node receives: one document with a section per parent, and one about earlier attempts.
//!
//! The agent's prompt, the file behind `BATON_CONTEXT` and the edge view in the window are all
//! rendered here. So a person sees exactly what the child receives.

mod attempt_report;
mod failure_report;

use crate::Artifact;
use crate::plan::PlanContext;
use crate::run::Section;

pub use attempt_report::AttemptReport;
pub use failure_report::FailureReport;

/// The maximum size of the document within a prompt, in bytes. The rest is read from the file.
pub const INLINE_LIMIT: usize = 50 * 1024;
/// The heading above the results of the node's own earlier attempts.
pub const EARLIER_ATTEMPTS: &str = "Earlier attempts of this step";
/// The heading above the context of the plan.
pub const PLAN_CONTEXT: &str = "Context of the plan";
/// Only the latest attempts are listed.
const MAX_LISTED_ATTEMPTS: usize = 10;

/// What one other node passes on.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "the names say it")]
pub struct HandoffSection<'a> {
    pub title: &'a str,
    /// Its handoff, if it left one.
    pub artifact: Option<&'a Artifact>,
    /// How it failed. If set, this is passed on instead of the handoff.
    pub failure: Option<&'a FailureReport>,
}

impl HandoffSection<'_> {
    /// The section of the document with its heading. A title can't forge another heading.
    #[must_use]
    pub fn section(&self) -> String {
        let end = if self.failure.is_some() { "\n" } else { "\n\n" };
        format!("## {}\n\n{}{end}", self.heading(), self.body())
    }

    /// The heading without its `##`.
    #[must_use]
    pub fn heading(&self) -> String {
        let title = self.title.replace('\n', " ");
        if self.failure.is_some() {
            format!("What failed: {title}")
        } else {
            title
        }
    }

    /// The text below the heading.
    #[must_use]
    pub fn body(&self) -> String {
        match (self.failure, self.artifact) {
            (Some(failure), _) => failure.body(),
            (None, Some(left)) => left.text.clone(),
            (None, None) => "No handoff. The node was skipped or didn't write one.".to_owned(),
        }
    }

    /// Replaces a section that does not fit: where to read it.
    fn reference(&self, file: &str) -> String {
        let (what, bytes) = match self.failure {
            Some(failure) => ("report", failure.body().len()),
            None => ("handoff", self.artifact.map_or(0, |left| left.text.len())),
        };
        reference(what, &self.heading(), bytes, file)
    }
}

impl From<&HandoffSection<'_>> for Section {
    fn from(section: &HandoffSection<'_>) -> Self {
        Self {
            heading: section.heading(),
            text: section.body(),
        }
    }
}

impl Section {
    /// What a node receives of its plan's context; `None` if there is nothing.
    #[must_use]
    pub fn of_plan(context: &PlanContext) -> Option<Self> {
        Some(Self {
            heading: PLAN_CONTEXT.to_owned(),
            text: context.markdown()?,
        })
    }

    fn markdown(&self) -> String {
        format!("## {}\n\n{}\n\n", self.heading, self.text.trim_end())
    }

    fn reference(&self, file: &str) -> String {
        reference("text", &self.heading, self.text.len(), file)
    }
}

fn reference(what: &str, heading: &str, bytes: usize, file: &str) -> String {
    format!(
        "## {heading}\n\nThis {what} has {bytes} bytes. Read it in {file}, below the heading \"## {heading}\".\n\n"
    )
}

/// Everything a node receives.
#[derive(Debug, Clone, Default)]
pub struct NodeContext<'a> {
    /// The context of the plan, and what the node that called the plan passed on.
    pub passed_on: Vec<Section>,
    /// The sections of its parents, including soft ones, in the plan's order.
    pub parents: Vec<HandoffSection<'a>>,
    /// The sections of other finished nodes, for a node that decides the course of the run.
    pub others: Vec<HandoffSection<'a>>,
    /// How its own earlier attempts ended, oldest first.
    pub earlier: &'a [AttemptReport],
}

impl NodeContext<'_> {
    /// The whole document: the content of `BATON_CONTEXT`.
    #[must_use]
    pub fn document(&self) -> String {
        let mut document: String = self.passed_on.iter().map(Section::markdown).collect();
        document.extend(
            self.parents
                .iter()
                .chain(&self.others)
                .map(HandoffSection::section),
        );
        if !self.earlier.is_empty() {
            document.extend([
                "## ",
                EARLIER_ATTEMPTS,
                "\n\n",
                &self.earlier_attempts(),
                "\n",
            ]);
        }
        document
    }

    /// The handoffs as they appear in a prompt. Parents that don't fit are replaced by references
    /// to `file`, which contains them all. Other nodes follow the parents as far as there is room;
    /// the rest is only counted.
    #[must_use]
    pub fn inline(&self, file: &str) -> String {
        let mut text = String::new();
        for section in &self.passed_on {
            let whole = section.markdown();
            text.push_str(&if text.len() + whole.len() <= INLINE_LIMIT {
                whole
            } else {
                section.reference(file)
            });
        }
        text.push_str(&inline_sections(self.parents.iter().copied(), file).concat());
        let mut left_out = 0;
        for other in &self.others {
            let section = other.section();
            if text.len() + section.len() <= INLINE_LIMIT {
                text.push_str(&section)
            } else {
                left_out += 1
            }
        }
        if left_out > 0 {
            text.extend([if left_out == 1 {
                format!("1 more result doesn't fit here. Read it in {file}.\n\n")
            } else {
                format!("{left_out} more results don't fit here. Read them in {file}.\n\n")
            }]);
        }
        text
    }

    /// How the node's own earlier attempts ended, without a heading. Empty before the second
    /// attempt.
    #[must_use]
    pub fn earlier_attempts(&self) -> String {
        let Some(last) = self.earlier.last() else {
            return String::new();
        };
        let left_out = self.earlier.len().saturating_sub(MAX_LISTED_ATTEMPTS);
        let mut text = "This step was tried before. Files that earlier attempts changed may still be in the state they left \
                        them in. Find out what went wrong before you repeat it.\n\n"
            .to_owned();
        if left_out > 0 {
            text.extend([if left_out == 1 {
                "- 1 earlier attempt is not listed\n".to_owned()
            } else {
                format!("- {left_out} earlier attempts are not listed\n")
            }]);
        }
        text.extend(self.earlier[left_out..].iter().map(AttemptReport::line));
        let details = last.details();
        if !details.is_empty() {
            text.extend([format!(
                "\nWhat attempt {} left:\n\n{details}",
                last.attempt
            )]);
        }
        text
    }
}

/// The parents' sections as they appear in a prompt, one per parent.
#[must_use]
pub fn inline_sections<'a>(
    parents: impl IntoIterator<Item = HandoffSection<'a>>,
    file: &str,
) -> Vec<String> {
    let mut room = INLINE_LIMIT;
    let place = |parent: HandoffSection<'_>| {
        let section = parent.section();
        let section = if section.len() <= room {
            section
        } else {
            parent.reference(file)
        };
        room = room.saturating_sub(section.len());
        section
    };
    parents.into_iter().map(place).collect()
}

/// Estimates the number of tokens in `text`: one per four ASCII characters, and one per other
/// character.
///
/// Tokenizers differ between models, and those of most agents are not public. For English and code
/// this is within 20% of the public ones; for other scripts it is on the high side.
#[must_use]
pub fn estimate_tokens(text: &str) -> u32 {
    let (ascii, other) =
        text.chars()
            .fold((0_u64, 0_u64), |(ascii, other), c| match c.is_ascii() {
                true => (ascii + 1, other),
                false => (ascii, other + 1),
            });
    u32::try_from(ascii.div_ceil(4) + other).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{AttemptEnding, FileChanges, FileSource};
    use crate::outcome::Failure;
    use crate::run::NodeState;
    use crate::{Attempt, Evidence, Outcome};

    fn left(bytes: usize) -> Artifact {
        Artifact {
            text: "x".repeat(bytes),
            ..Artifact::default()
        }
    }

    #[test]
    fn a_title_cannot_forge_a_heading() {
        let parent = HandoffSection {
            title: "A\n# B",
            artifact: None,
            failure: None,
        };
        assert_eq!(parent.section().lines().next(), Some("## A # B"));
        let failure = failed(Vec::new());
        let parent = HandoffSection {
            failure: Some(&failure),
            ..parent
        };
        assert_eq!(
            parent.section().lines().next(),
            Some("## What failed: A # B")
        );
    }

    #[test]
    fn oversized_handoffs_become_references() {
        let (small, large) = (left(100), left(INLINE_LIMIT));
        let of = |title, artifact| HandoffSection {
            title,
            artifact: Some(artifact),
            failure: None,
        };
        let parents = vec![of("First", &small), of("Large", &large), of("Last", &small)];
        let received = NodeContext {
            parents,
            ..NodeContext::default()
        };
        let inline = received.inline("/s/context.md");
        assert!(inline.len() < 1000, "the large one is not in it");
        assert!(
            inline.contains("This handoff has 51200 bytes. Read it in /s/context.md, below the heading \"## Large\".")
        );
        assert_eq!(
            inline.matches(&"x".repeat(100)).count(),
            2,
            "the small ones are, also the one after it"
        );
        assert!(
            received.document().contains(&large.text),
            "the file holds everything"
        );
    }

    #[test]
    fn other_results_follow_parents_within_the_limit() {
        let (small, large) = (left(100), left(INLINE_LIMIT / 2));
        let of = |title, artifact| HandoffSection {
            title,
            artifact: Some(artifact),
            failure: None,
        };
        let others = (0..10_000)
            .map(|_| of("Large", &large))
            .chain([of("Small", &small)])
            .collect();
        let received = NodeContext {
            parents: vec![of("Parent", &small)],
            others,
            ..NodeContext::default()
        };
        let inline = received.inline("/s/context.md");
        assert!(inline.starts_with("## Parent\n"));
        assert!(inline.len() < INLINE_LIMIT + 200, "{}", inline.len());
        assert!(
            inline.contains("## Small"),
            "a small one has room where a large one has none"
        );
        assert!(
            inline.ends_with("9999 more results don't fit here. Read them in /s/context.md.\n\n")
        );
    }

    fn failed(attempts: Vec<AttemptReport>) -> FailureReport {
        let state = NodeState::Failed {
            failure: Failure::ExitCode { code: 3 },
            went_on_at: None,
        };
        FailureReport::new(&state, attempts).expect("it failed")
    }

    fn attempt(number: u32, evidence: Option<Evidence>) -> AttemptReport {
        let outcome = Outcome::Failed {
            failure: Failure::ExitCode { code: 3 },
        };
        AttemptReport {
            attempt: Attempt(number),
            agent: Some("claude".to_owned()),
            outcome,
            evidence,
        }
    }

    fn evidence() -> Evidence {
        let files = FileChanges {
            source: FileSource::Git,
            created: vec!["a.rs".to_owned()],
            deleted: vec!["b.rs".to_owned()],
            ..FileChanges::default()
        };
        let ending = AttemptEnding {
            exit_code: Some(3),
            signal: None,
            output: "```\n## Not a heading\nerror: no such file\n".to_owned(),
            outputs: [("count".to_owned(), "2".to_owned())].into(),
            ..AttemptEnding::default()
        };
        Evidence {
            files,
            ending: Some(ending),
            ..Evidence::default()
        }
    }

    #[test]
    fn failed_parent_passes_on_its_failure() {
        let failure = failed(vec![attempt(1, None), attempt(2, Some(evidence()))]);
        let parent = HandoffSection {
            title: "Build",
            artifact: Some(&left(9)),
            failure: Some(&failure),
        };
        insta::assert_snapshot!(parent.section());
        assert_eq!(
            (failure.exit_code(), failure.message().as_str()),
            (Some(3), "ended with exit code 3")
        );
        assert_eq!(failure.outputs()["count"], "2");
    }

    #[test]
    fn later_attempts_see_earlier_outcomes() {
        let earlier: Vec<_> = (1..=12)
            .map(|number| attempt(number, (number == 12).then(evidence)))
            .collect();
        let received = NodeContext {
            earlier: &earlier,
            ..NodeContext::default()
        };
        insta::assert_snapshot!(received.document());
    }

    #[test]
    fn caller_sections_come_first_within_the_limit() {
        let section = |heading: &str, bytes: usize| Section {
            heading: heading.to_owned(),
            text: "x".repeat(bytes),
        };
        let passed_on = vec![
            section("Prompt of the calling node: Deploy", 9),
            section("Build", INLINE_LIMIT),
        ];
        let received = NodeContext {
            passed_on,
            ..NodeContext::default()
        };
        assert!(
            received
                .document()
                .starts_with("## Prompt of the calling node: Deploy\n\nxxxxxxxxx\n\n## Build\n\n")
        );
        let inline = received.inline("/s/context.md");
        assert!(
            inline
                .ends_with("This text has 51200 bytes. Read it in /s/context.md, below the heading \"## Build\".\n\n"),
            "{inline}"
        );
    }

    #[test]
    fn tokens_are_estimated_by_script() {
        assert_eq!(
            ["", "word", "words", "äöü", "漢字"].map(estimate_tokens),
            [0, 1, 2, 3, 2]
        );
    }
}
