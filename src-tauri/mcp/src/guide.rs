//! The guide for agents, in topics. The same texts make the SKILL.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A topic of the guide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GuideTopic {
    #[default]
    WhenToPlan,
    PlanFormat,
    NodeKinds,
    Review,
    Run,
}

impl GuideTopic {
    pub(crate) const ALL: [Self; 5] = [
        Self::WhenToPlan,
        Self::PlanFormat,
        Self::NodeKinds,
        Self::Review,
        Self::Run,
    ];

    /// The text, in Markdown.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::WhenToPlan => include_str!("guides/when_to_plan.md"),
            Self::PlanFormat => include_str!("guides/plan_format.md"),
            Self::NodeKinds => include_str!("guides/node_kinds.md"),
            Self::Review => include_str!("guides/review.md"),
            Self::Run => include_str!("guides/run.md"),
        }
    }
}

/// The skill for agents that read `SKILL.md` files: when to plan, and the whole guide.
#[must_use]
pub fn skill() -> String {
    let mut text = include_str!("guides/skill.md").to_owned();
    for topic in GuideTopic::ALL {
        text.push('\n');
        text.push_str(topic.text().trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use baton_formats::plan_file::{self, Format};
    use uuid::Uuid;

    use super::*;
    use crate::answer::TOKEN_BYTES;

    /// What agents demand of skills: agentskills.io.
    #[test]
    fn skill_is_short_and_says_when_to_use_it() {
        let skill = skill();
        assert!(skill.lines().count() < 500);
        let head = skill.strip_prefix("---\nname: baton\ndescription: ");
        let (description, _) = head.and_then(|rest| rest.split_once('\n')).expect("a head");
        assert!(description.len() <= 1_024 && description.contains("Use when"));
        assert!(!description.contains(": "), "it is a plain scalar in YAML");
    }

    #[test]
    fn topics_are_short() {
        for topic in GuideTopic::ALL {
            let bytes = topic.text().len();
            assert!(bytes <= 1_500 * TOKEN_BYTES, "{topic:?} has {bytes} bytes");
        }
    }

    /// The YAML examples of a topic.
    fn examples(text: &str) -> impl Iterator<Item = &str> {
        let parts = text.split("```yaml\n").skip(1);
        parts.filter_map(|part| part.split_once("```").map(|(example, _)| example))
    }

    #[test]
    fn every_example_is_a_valid_plan() {
        let mut count = 0;
        for topic in GuideTopic::ALL {
            for example in examples(topic.text()) {
                let read =
                    plan_file::read_fragment(example, Format::Yaml, "guide", &mut Uuid::now_v7);
                let file = read.unwrap_or_else(|error| panic!("{topic:?}: {error}\n{example}"));
                assert!(!file.plan.nodes.is_empty(), "{example}");
                assert_eq!(file.warnings, [], "{example}");
                count += 1;
            }
        }
        assert!(count >= 5, "{count} examples");
    }

    #[test]
    fn guide_names_every_kind_of_node() {
        let text = GuideTopic::NodeKinds.text();
        for kind in [
            "agent",
            "command",
            "tool_call",
            "llm_decision",
            "user_input",
            "condition",
            "parallel",
            "loop",
            "sub_plan",
            "note",
        ] {
            assert!(text.contains(&format!("`{kind}`")), "{kind}");
        }
    }
}
