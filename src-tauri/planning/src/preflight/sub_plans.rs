//! The plans that a plan runs: there, approved, able to run themselves, and not running each other without end.

use std::collections::HashSet;

use baton_model::{Node, NodeId, Plan, PlanId};
use baton_store::PlanRow;
use uuid::Uuid;

use super::{at_work, machine};
use crate::approvals::Standing;
use crate::check::{Check, CheckVerdict};
use crate::{Context, PlanningError, approvals};

/// Looks at every plan that `plan` runs, near and far. What is said of them is said of the node of `plan` that leads there.
pub(super) fn check(
    context: &Context,
    plan: &Plan,
    checks: &mut Vec<Check>,
) -> Result<(), PlanningError> {
    if at_work(plan).all(|node| node.kind.sub_plan().is_none()) {
        return Ok(());
    }
    let mut walk = Walk {
        context,
        known: context.store.plans().list()?.rows,
        way: Vec::new(),
        seen: HashSet::new(),
        checks,
    };
    walk.plan(plan, None)
}

struct Walk<'a> {
    context: &'a Context,
    known: Vec<PlanRow>,
    /// The plans on the way to the one that is looked at, which is the last.
    way: Vec<(PlanId, String)>,
    seen: HashSet<PlanId>,
    checks: &'a mut Vec<Check>,
}

impl Walk<'_> {
    fn plan(&mut self, plan: &Plan, from: Option<NodeId>) -> Result<(), PlanningError> {
        self.way.push((plan.id, plan.title.clone()));
        for node in at_work(plan) {
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
        self.way.pop();
        Ok(())
    }

    /// The plan of this id, or of this title when only one plan has it. The engine looks for it in the same way.
    fn find(&self, node: &Node, name: &str) -> Result<PlanId, Check> {
        let name = name.trim();
        let id = name.parse::<Uuid>().ok().map(PlanId);
        let fits = |row: &&PlanRow| id.map_or(row.title == name, |id| row.record.plan == id);
        let found: Vec<PlanId> = self
            .known
            .iter()
            .filter(fits)
            .map(|row| row.record.plan)
            .collect();
        match found[..] {
            [plan] => Ok(plan),
            [] => {
                let sentence =
                    format!("'{}' runs the plan '{name}', and there is none", node.title);
                Err(Check::new(CheckVerdict::Failed, sentence)
                    .mended_by("choose another plan in the node, or make this one"))
            }
            _ => {
                let sentence = format!(
                    "'{}' runs the plan '{name}', and {} plans are called so",
                    node.title,
                    found.len()
                );
                let mend = "choose one of them in the node, by its id, or give it another title";
                Err(Check::new(CheckVerdict::Failed, sentence).mended_by(mend))
            }
        }
    }

    fn child(&mut self, node: &Node, child: PlanId, at: NodeId) -> Result<(), PlanningError> {
        if let Some(first) = self.way.iter().position(|(plan, _)| *plan == child) {
            let ring = self.way[first..]
                .iter()
                .chain([&self.way[first]])
                .map(|(_, title)| title.as_str());
            let sentence = format!(
                "a plan would run itself: {}",
                ring.collect::<Vec<_>>().join(" → ")
            );
            let check = Check::new(CheckVerdict::Failed, sentence)
                .mended_by("let one of them run another plan");
            self.checks.push(check.at(at));
            return Ok(());
        }
        if !self.seen.insert(child) {
            return Ok(());
        }
        let (record, plan) = self.context.store.plans().current(child)?;
        let (sentence, mend) = match approvals::standing(self.context, &record, &plan)? {
            Standing::Holds => (None, ""),
            Standing::Missing => {
                let sentence = format!(
                    "'{}' runs the plan '{}', which is not approved",
                    node.title, plan.title
                );
                (Some(sentence), "look at that plan and approve it first")
            }
            Standing::Outdated(changes) => {
                let sentence = format!(
                    "'{}' runs another plan, and {}",
                    node.title,
                    approvals::outdated(&plan.title, &changes)
                );
                (
                    Some(sentence),
                    "look at what changed, then approve that plan again",
                )
            }
        };
        let check = sentence.map(|sentence| {
            Check::new(CheckVerdict::Failed, sentence)
                .mended_by(mend)
                .at(at)
        });
        self.checks.extend(check);
        let mut own = Vec::new();
        machine(self.context, &plan, &mut own);
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
