//! The plans that a plan runs: they must exist, be approved, be able to run, and not run each other
//! in a cycle.

use std::collections::HashSet;

use baton_model::{Node, NodeId, Plan, PlanId};
use baton_store::PlanRow;

use super::enabled_nodes::enabled_nodes;
use super::machine::check_machine;
use crate::approvals::ApprovalStatus;
use crate::check::{Check, CheckVerdict};
use crate::named_plan::{UnresolvedName, find_named};
use crate::{Context, PlanningError, approvals};

/// Checks all plans that `plan` runs, directly or indirectly. Findings are reported at the node of
/// `plan` that leads there.
pub(super) fn check(
    context: &Context,
    plan: &Plan,
    checks: &mut Vec<Check>,
) -> Result<(), PlanningError> {
    if enabled_nodes(plan).all(|node| node.kind.sub_plan().is_none()) {
        return Ok(());
    }
    let mut walk = SubPlanWalk {
        context,
        known: context.store.plans().list()?.rows,
        path: Vec::new(),
        seen: HashSet::new(),
        checks,
    };
    walk.plan(plan, None)
}

struct SubPlanWalk<'a> {
    context: &'a Context,
    known: Vec<PlanRow>,
    /// The chain of plans up to the one being checked, which is last.
    path: Vec<(PlanId, String)>,
    seen: HashSet<PlanId>,
    checks: &'a mut Vec<Check>,
}

impl SubPlanWalk<'_> {
    fn plan(&mut self, plan: &Plan, from: Option<NodeId>) -> Result<(), PlanningError> {
        self.path.push((plan.id, plan.title.clone()));
        for node in enabled_nodes(plan) {
            let at = from.unwrap_or(node.id);
            match node
                .kind
                .sub_plan()
                .map(|task| self.find(node, &task.sub_plan_id))
            {
                None => {}
                Some(Ok(child)) => self.child(node, child, at)?,
                Some(Err(check)) => self.checks.push(check.at(at)),
            }
        }
        self.path.pop();
        Ok(())
    }

    /// The plan with this id, or with this title if it is unique. The engine resolves names in the
    /// same way.
    fn find(&self, node: &Node, name: &str) -> Result<PlanId, Check> {
        let name = name.trim();
        match find_named(&self.known, name) {
            Ok(plan) => Ok(plan),
            Err(UnresolvedName::Unknown) => {
                let sentence = format!(
                    "'{}' runs the plan '{name}', which doesn't exist",
                    node.title
                );
                Err(Check::new(CheckVerdict::Failed, sentence)
                    .with_fix("choose another plan for the node, or create this one"))
            }
            Err(UnresolvedName::Ambiguous { plans }) => {
                let sentence = format!(
                    "'{}' runs the plan '{name}', but {plans} plans have that title",
                    node.title
                );
                let fix = "refer to it by its id, or rename one of them";
                Err(Check::new(CheckVerdict::Failed, sentence).with_fix(fix))
            }
        }
    }

    fn child(&mut self, node: &Node, child: PlanId, at: NodeId) -> Result<(), PlanningError> {
        if let Some(first) = self.path.iter().position(|(plan, _)| *plan == child) {
            let ring = self.path[first..]
                .iter()
                .chain([&self.path[first]])
                .map(|(_, title)| title.as_str());
            let sentence = format!(
                "a plan would run itself: {}",
                ring.collect::<Vec<_>>().join(" → ")
            );
            let check = Check::new(CheckVerdict::Failed, sentence)
                .with_fix("choose a different plan for one of the nodes");
            self.checks.push(check.at(at));
            return Ok(());
        }
        if !self.seen.insert(child) {
            return Ok(());
        }
        let (record, plan) = self.context.store.plans().current(child)?;
        let (sentence, fix) = match approvals::approval_status(self.context, &record, &plan)? {
            ApprovalStatus::Approved => (None, ""),
            ApprovalStatus::NotApproved => {
                let sentence = format!(
                    "'{}' runs the plan '{}', which is not approved",
                    node.title, plan.title
                );
                (Some(sentence), "review and approve that plan first")
            }
            ApprovalStatus::Outdated(changes) => {
                let sentence = format!(
                    "'{}' runs another plan, and {}",
                    node.title,
                    approvals::describe_outdated(&plan.title, &changes)
                );
                (
                    Some(sentence),
                    "review the changes, then approve that plan again",
                )
            }
        };
        let check = sentence.map(|sentence| {
            Check::new(CheckVerdict::Failed, sentence)
                .with_fix(fix)
                .at(at)
        });
        self.checks.extend(check);
        let mut own = Vec::new();
        check_machine(self.context, &plan, &mut own);
        let to_tell = own
            .into_iter()
            .filter(|check| check.verdict != CheckVerdict::Passed);
        self.checks.extend(to_tell.map(|check| Check {
            sentence: format!("in the plan '{}', {}", plan.title, check.sentence),
            node: Some(at),
            ..check
        }));
        self.plan(&plan, Some(at))
    }
}
