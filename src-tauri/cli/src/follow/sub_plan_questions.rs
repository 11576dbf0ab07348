//! Questions from the runs of a followed run's sub-plans.

use std::collections::HashSet;

use baton_api::ApiError;
use baton_api::wire::*;
use baton_model::run::{Answer, Resolution};
use baton_model::{Plan, RunId};
use serde::Serialize;

use crate::client::Client;
use crate::failure::Failure;
use crate::inbox_output;
use crate::output::is_yes;
use crate::style;

/// The open questions of the runs of a run's sub-plans.
pub(super) struct SubPlanQuestions {
    run: RunId,
    /// Whether the plan has sub-plans. If not, the inbox is never loaded.
    has_sub_plans: bool,
    /// Open questions, the oldest first.
    open: Vec<InboxItem>,
    reported: HashSet<QuestionKey>,
}

/// Identifies a question by values that don't change while it waits.
type QuestionKey = (RunId, Option<baton_model::NodeId>, baton_model::Timestamp);

fn question_key(item: &InboxItem) -> QuestionKey {
    (item.run, item.node.as_ref().map(|node| node.id), item.since)
}

impl SubPlanQuestions {
    /// Creates an empty list for `run` of `plan`.
    pub(super) fn new(run: RunId, plan: &Plan) -> Self {
        let has_sub_plans = plan.nodes.iter().any(|node| node.kind.sub_plan().is_some());
        Self {
            run,
            has_sub_plans,
            open: Vec::new(),
            reported: HashSet::new(),
        }
    }

    /// Whether changes of other runs can bring new questions.
    pub(super) fn has_sub_plans(&self) -> bool {
        self.has_sub_plans
    }

    /// Reloads the open questions and returns those not returned before.
    pub(super) fn load_new(&mut self, client: &Client<'_>) -> Result<Vec<InboxItem>, Failure> {
        if !self.has_sub_plans {
            return Ok(Vec::new());
        }
        let items: Vec<InboxItem> = client.ask("load the inbox", "inbox_list", &Nothing {})?;
        self.open = items
            .into_iter()
            .filter(|item| item.path.iter().any(|step| step.run == self.run))
            .collect();
        Ok(self
            .open
            .iter()
            .filter(|item| self.reported.insert(question_key(item)))
            .cloned()
            .collect())
    }

    /// Returns the oldest question that one line of input can answer.
    pub(super) fn question(&self) -> Option<&InboxItem> {
        self.open
            .iter()
            .find(|item| answer_hint(&item.ask).is_some())
    }

    /// Returns the titles of the nodes that lead from the followed run to the question: `Deploy ›
    /// Ask`.
    pub(super) fn path(&self, item: &InboxItem) -> String {
        let steps = item
            .path
            .iter()
            .skip_while(|step| step.run != self.run)
            .map(|step| step.title.as_str());
        let titles: Vec<&str> = steps
            .chain(item.node.as_ref().map(|node| node.title.as_str()))
            .collect();
        style::one_line(&titles.join(" › "))
    }
}

/// Formats a question for the followed run's output, with the command that answers it.
pub(super) fn describe(item: &InboxItem) -> String {
    let slug = item
        .node
        .as_ref()
        .map(|node| node.slug.to_string())
        .unwrap_or_default();
    let command = inbox_output::answer_command(&item.ask, &item.run.to_string(), &slug);
    style::one_line(&format!(
        "asks: {} (answer with: {command})",
        inbox_output::describe(&item.ask)
    ))
}

/// Returns the hint after a prompt. `None` if one line can't answer the question.
pub(super) fn answer_hint(ask: &InboxRequest) -> Option<String> {
    match ask {
        InboxRequest::Permission { .. } | InboxRequest::Approval { .. } => Some("[y/N]".to_owned()),
        InboxRequest::Merge { .. } => Some("Let an agent resolve it? [y/N]".to_owned()),
        InboxRequest::Input { options, .. } if options.is_empty() => {
            Some("[type an answer]".to_owned())
        }
        InboxRequest::Input { options, .. } => Some(format!("[{}]", options.join(", "))),
        InboxRequest::Interrupted { .. }
        | InboxRequest::Proposal { .. }
        | InboxRequest::PlanReview { .. }
        | InboxRequest::Stalled { .. }
        | InboxRequest::HandlerNotStarted { .. }
        | InboxRequest::Takeover { .. } => None,
    }
}

/// Sends the user's answer to a question.
pub(super) fn answer(
    client: &Client<'_>,
    item: &InboxItem,
    answer_line: &str,
) -> Result<(), ApiError> {
    let Some(node) = item.node.as_ref().map(|node| node.id) else {
        return Ok(());
    };
    let run = item.run;
    match &item.ask {
        InboxRequest::Permission { request, .. } => {
            let answer = if is_yes(answer_line) {
                Answer::AllowOnce
            } else {
                Answer::deny()
            };
            call_operation(
                client,
                "node_answer",
                &NodeAnswer {
                    run,
                    node,
                    request: request.clone(),
                    answer,
                },
            )
        }
        InboxRequest::Approval { .. } => call_operation(
            client,
            "node_approve",
            &NodeApprove {
                run,
                node,
                allow: is_yes(answer_line),
            },
        ),
        InboxRequest::Input { .. } => call_operation(
            client,
            "node_input",
            &NodeInput {
                run,
                node,
                value: answer_line.to_owned(),
            },
        ),
        InboxRequest::Merge { .. } if is_yes(answer_line) => call_operation(
            client,
            "node_merge",
            &NodeMerge {
                run,
                node,
                resolution: Resolution::Agent,
            },
        ),
        // After a no, the user resolves the conflict in another way.
        InboxRequest::Merge { .. }
        | InboxRequest::Interrupted { .. }
        | InboxRequest::Proposal { .. }
        | InboxRequest::PlanReview { .. }
        | InboxRequest::Stalled { .. }
        | InboxRequest::HandlerNotStarted { .. }
        | InboxRequest::Takeover { .. } => Ok(()),
    }
}

fn call_operation(
    client: &Client<'_>,
    operation: &str,
    input: &impl Serialize,
) -> Result<(), ApiError> {
    client
        .try_ask::<_, RunSummary>(operation, input)
        .map(|_| ())
}

#[cfg(test)]
mod tests {
    use baton_model::node::InputType;
    use baton_model::{NodeId, PlanId, Slug, Timestamp};
    use uuid::Uuid;

    use super::*;
    use crate::follow::test_support::plan_of;

    fn item(ask: InboxRequest) -> InboxItem {
        let id = Uuid::from_u128;
        let step = |run, title: &str| InboxStep {
            run: RunId(id(run)),
            plan: PlanId(id(1)),
            plan_title: "A plan".to_owned(),
            node: NodeId(id(1)),
            slug: Slug::new("step").expect("letters"),
            title: title.to_owned(),
        };
        InboxItem {
            run: RunId(id(9)),
            plan: PlanId(id(1)),
            plan_title: "A plan".to_owned(),
            node: Some(InboxNode {
                id: NodeId(id(5)),
                slug: Slug::new("ask").expect("letters"),
                title: "Ask\nme".to_owned(),
                session: None,
            }),
            path: vec![step(1, "Above"), step(2, "Release"), step(3, "Deploy")],
            since: Timestamp(1),
            ask,
        }
    }

    #[test]
    fn sub_plan_question_shows_its_path_and_how_to_answer() {
        let below = SubPlanQuestions::new(RunId(Uuid::from_u128(2)), &plan_of(&["a"], &[]));
        assert!(!below.has_sub_plans());
        let options = vec!["left".to_owned(), "right".to_owned()];
        let ask = InboxRequest::Input {
            question: "Where?".to_owned(),
            input_type: InputType::Choice,
            options,
            due: None,
        };
        let item = item(ask);
        assert_eq!(below.path(&item), "Release › Deploy › Ask me");
        let text = describe(&item);
        assert!(
            text.starts_with("asks: Where? (left, right) (answer with: baton node input "),
            "{text}"
        );
        assert_eq!(answer_hint(&item.ask).as_deref(), Some("[left, right]"));
        assert_eq!(
            answer_hint(&InboxRequest::Approval {
                question: String::new()
            })
            .as_deref(),
            Some("[y/N]")
        );
        assert_eq!(
            answer_hint(&InboxRequest::Stalled {
                message: String::new()
            }),
            None,
            "one line can't answer it"
        );
    }
}
