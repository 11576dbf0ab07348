//! The shapes that this API answers: plans, steps and nodes, and how they follow from Baton's own.

mod node;
mod node_keys;
mod plan;
mod plan_history;
mod plan_item;
mod plan_keys;
mod plan_status;
mod step_result;

pub(crate) use node::{NodeFacts, NodeItem, Nodes, Step, Steps, Vocabulary};
pub(crate) use node_keys::{NodeChanges, NodeCreate, WantedNodeStatus, references_by_name};
pub(crate) use plan::{ChangedPlan, PlanResource, PlanWithSteps};
pub(crate) use plan_history::HistoryItem;
pub(crate) use plan_item::PlanItem;
pub(crate) use plan_keys::{PlanChanges, PlanCreateBody, WantedStatus, plan_file_keys};
pub(crate) use plan_status::{run_status, waits_for_person};
pub(crate) use step_result::{Handoff, StepToolCall};
