//! Addresses that the approval of a plan does not cover.

use crate::Plan;
use crate::node::{NodeKind, ToolCall, referenced_slugs};

impl Plan {
    /// The address of the call if a value from the run decides which server it reaches. A person's
    /// answer to a question in the plan doesn't count, because that person chose it.
    #[must_use]
    pub fn unapproved_address<'c>(&self, call: &'c ToolCall) -> Option<&'c str> {
        let (url, expressions) = call.address_expressions()?;
        expressions
            .into_iter()
            .any(|expression| !self.is_answered_by_a_person(expression))
            .then_some(url)
    }

    fn is_answered_by_a_person(&self, expression: &str) -> bool {
        let mut slugs = referenced_slugs(expression).peekable();
        slugs.peek().is_some() && slugs.all(|slug| self.is_user_input(slug))
    }

    fn is_user_input(&self, slug: &str) -> bool {
        self.nodes
            .iter()
            .any(|node| node.slug.as_str() == slug && matches!(node.kind, NodeKind::UserInput(_)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::node::Question;
    use crate::plan_fixture::plan_of;

    #[test]
    fn approved_addresses_come_from_the_plan_or_a_person() {
        let mut plan = plan_of(&["Asks", "Works"], &[]);
        plan.nodes[0].kind = NodeKind::UserInput(Question::default());
        let (asks, works) = (plan.nodes[0].slug.as_str(), plan.nodes[1].slug.as_str());
        for (url, is_open) in [
            ("https://example.org/".to_owned(), false),
            (format!("{{{{nodes.{asks}.outputs.answer}}}}"), false),
            (
                format!(
                    "https://{{{{ nodes['{asks}'].outputs.answer }}}}/{{{{nodes.{works}.outputs.path}}}}"
                ),
                false,
            ),
            (format!("{{{{nodes.{works}.outputs.url}}}}"), true),
            (
                format!(
                    "https://{{{{nodes.{asks}.outputs.answer}}}}.{{{{nodes.{works}.outputs.zone}}}}/"
                ),
                true,
            ),
            (
                format!("{{{{nodes.{asks}.outputs.a ~ nodes.{works}.outputs.b}}}}"),
                true,
            ),
            ("{{loop.previous.url}}".to_owned(), true),
            ("{{nodes.nowhere.outputs.url}}".to_owned(), true),
        ] {
            let tool_args = [("url".to_owned(), json!(url))].into_iter().collect();
            let call = ToolCall {
                tool_name: "http".to_owned(),
                tool_args,
            };
            assert_eq!(plan.unapproved_address(&call).is_some(), is_open, "{url}");
        }
    }
}
