//! Which agents anything here uses. What is missing of the others is optional.

use std::collections::BTreeSet;

use baton_model::Plan;

use crate::App;

/// How many plans are searched, the latest first, so that the checks stay quick.
const MAX_PLANS: usize = 500;

/// The ids of the agents that the default, a team or a plan names. Plans that can't be read are
/// reported by the checks of the data.
pub(super) fn find(app: &App) -> BTreeSet<String> {
    let agents = app.engine.agents();
    let mut used = BTreeSet::from([agents.default_name()]);
    for team in agents.teams() {
        used.extend(team.members);
        used.extend(team.asks);
    }
    let listing = app.store.plans().list().unwrap_or_default();
    let plans = listing
        .rows
        .iter()
        .take(MAX_PLANS)
        .filter_map(|row| app.store.plans().current(row.record.plan).ok());
    for (_, plan) in plans {
        used.extend(named_by(&plan).map(str::to_owned));
    }
    used
}

fn named_by(plan: &Plan) -> impl Iterator<Item = &str> {
    let settings = &plan.settings;
    let review = settings.review.as_ref();
    let of_nodes = plan
        .nodes
        .iter()
        .filter_map(|node| node.kind.agent().flatten());
    of_nodes
        .chain(settings.agent.as_deref())
        .chain(review.and_then(|review| review.agent.as_deref()))
}

#[cfg(test)]
mod tests {
    use baton_model::node::{AgentTask, NodeKind, Review};
    use baton_model::{Node, NodeId, PlanId, Slug};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn nodes_settings_and_review_name_agents() {
        let mut plan = Plan::new(PlanId(Uuid::nil()), "A");
        assert_eq!(named_by(&plan).count(), 0);
        let task = AgentTask {
            agent: Some("pi".to_owned()),
            ..AgentTask::default()
        };
        let kinds = [NodeKind::Agent(task), NodeKind::Agent(AgentTask::default())];
        plan.nodes = kinds
            .map(|kind| Node::new(NodeId(Uuid::nil()), Slug::from_title("a"), "A", kind))
            .into();
        plan.settings.agent = Some("codex".to_owned());
        plan.settings.review = Some(Review {
            agent: Some("gemini".to_owned()),
            model: None,
        });
        assert_eq!(
            named_by(&plan).collect::<Vec<_>>(),
            ["pi", "codex", "gemini"]
        );
    }
}
