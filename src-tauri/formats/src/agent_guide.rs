//! What coding agents read about Baton: topics of a guide, and the skill that contains them all.

/// When work needs a plan, in Markdown.
pub const WHEN_TO_PLAN: &str = include_str!("agent_guide/when_to_plan.md");
/// The plan format, in Markdown.
pub const PLAN_FORMAT: &str = include_str!("agent_guide/plan_format.md");
/// The kinds of nodes, in Markdown.
pub const NODE_KINDS: &str = include_str!("agent_guide/node_kinds.md");
/// How a person reviews a proposal, in Markdown.
pub const REVIEW: &str = include_str!("agent_guide/review.md");
/// How to follow a run, in Markdown.
pub const RUN: &str = include_str!("agent_guide/run.md");

/// The skill for agents that read `SKILL.md` files: when to plan, and the whole guide.
#[must_use]
pub fn skill() -> String {
    let mut text = include_str!("agent_guide/skill.md").to_owned();
    for topic in [WHEN_TO_PLAN, PLAN_FORMAT, NODE_KINDS, REVIEW, RUN] {
        text.push('\n');
        text.push_str(topic.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
