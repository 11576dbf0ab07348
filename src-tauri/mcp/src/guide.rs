//! The topics of the guide for agents.

use baton_formats::agent_guide;
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
            Self::WhenToPlan => agent_guide::WHEN_TO_PLAN,
            Self::PlanFormat => agent_guide::PLAN_FORMAT,
            Self::NodeKinds => agent_guide::NODE_KINDS,
            Self::Review => agent_guide::REVIEW,
            Self::Run => agent_guide::RUN,
        }
    }
}

#[cfg(test)]
mod tests {
    use baton_formats::plan_file::{self, Format};
    use uuid::Uuid;

    use super::*;
    use crate::answer::TOKEN_BYTES;

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
