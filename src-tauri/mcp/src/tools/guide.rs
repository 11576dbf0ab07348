//! `guide`: how to plan well, in topics.

use baton_api::ApiError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::guide::GuideTopic;
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GuideArguments {
    topic: Option<GuideTopic>,
}

#[derive(Serialize, JsonSchema)]
struct Guide {
    topic: GuideTopic,
    markdown: &'static str,
    topics: [GuideTopic; 5],
}

impl Answer for Guide {
    fn text(&self) -> String {
        self.markdown.to_owned()
    }
}

pub(crate) fn tool() -> ToolDefinition {
    let text = ToolText {
        name: "guide",
        title: "Guide to planning",
        description: "How to use Baton: when to plan, the plan format, kinds of nodes, review, runs. \
            Read when_to_plan before the first plan.",
    };
    ToolDefinition::new(text, Effect::Read, guide)
}

fn guide(_: &ToolContext, input: GuideArguments) -> Result<Guide, ApiError> {
    let topic = input.topic.unwrap_or_default();
    Ok(Guide {
        topic,
        markdown: topic.text(),
        topics: GuideTopic::ALL,
    })
}
