//! Prints a plan as a table: each node's parents, its work, and its state in a run.

use std::collections::{BTreeSet, HashMap};

use baton_api::wire::{
    ExecutorHealth, NodeRunView, NodeStatus, RunExecutorView, RunSummary, RunView,
};
use baton_model::arbiter::ChoiceReason;
use baton_model::count::format_quantity;
use baton_model::duration::format_elapsed;
use baton_model::node::{CommandLine, LoopBody, ToolCall};
use baton_model::run::Ending;
use baton_model::{Edge, Node, NodeId, NodeKind, NodeState, Plan, RunState};

use crate::failure::Failure;
use crate::output::Output;
use crate::style::{self, Tone};
use crate::table::{self, Cell};

/// Prints the nodes in execution order, with their states in `run`.
pub(crate) fn print(output: &Output, plan: &Plan, run: Option<&RunView>) -> Result<(), Failure> {
    let order = topological_order(plan);
    if order.is_empty() {
        return output.line("No nodes.");
    }
    let views: HashMap<NodeId, &NodeRunView> = run
        .into_iter()
        .flat_map(|run| &run.nodes)
        .map(|view| (view.node, view))
        .collect();
    let mut parents = parents(&plan.nodes, &plan.edges);
    let mut row = |(at, node): (usize, &&Node)| {
        let state = views
            .get(&node.id)
            .map_or_else(|| Cell::from(""), |view| state_with_marks(view));
        [
            Cell::from((at + 1).to_string()).tone(Tone::Faint),
            Cell::from(node.slug.as_str()).tone(Tone::Strong),
            parents
                .remove(&node.id)
                .unwrap_or_default()
                .join(", ")
                .into(),
            describe_work(node).into(),
            state,
        ]
    };
    let rows: Vec<_> = order.iter().enumerate().map(&mut row).collect();
    let state = if run.is_some() { "state" } else { "" };
    table::print(output, ["", "node", "after", "work", state], &rows)?;
    print_choices(output, &order, &views)
}

/// Prints the agent of each node for which Baton chose one, and why.
fn print_choices(
    output: &Output,
    order: &[&Node],
    views: &HashMap<NodeId, &NodeRunView>,
) -> Result<(), Failure> {
    let chosen = |id: NodeId| {
        let choice = views.get(&id)?.marks.choice.as_ref()?;
        (!matches!(choice.reason, ChoiceReason::Named | ChoiceReason::Default))
            .then(|| format!("{}, {choice}", choice.agent))
    };
    let lines = order
        .iter()
        .filter_map(|node| Some((node.slug.as_str(), chosen(node.id)?)));
    for (number, (slug, choice)) in lines.enumerate() {
        if number == 0 {
            output.line("")?;
        }
        output.line(&format!("{slug}: {}", style::one_line(&choice)))?;
    }
    Ok(())
}

/// Returns the executable nodes in topological order, ties in the plan's order.
pub(crate) fn topological_order(plan: &Plan) -> Vec<&Node> {
    let nodes: Vec<&Node> = plan
        .nodes
        .iter()
        .filter(|node| node.is_executable())
        .collect();
    let at: HashMap<NodeId, usize> = nodes
        .iter()
        .enumerate()
        .map(|(at, node)| (node.id, at))
        .collect();
    let mut missing = vec![0_usize; nodes.len()];
    let mut children = vec![Vec::new(); nodes.len()];
    for edge in &plan.edges {
        if let (Some(&parent), Some(&child)) = (at.get(&edge.parent), at.get(&edge.child)) {
            missing[child] += 1;
            children[parent].push(child);
        }
    }
    let mut free: BTreeSet<usize> = (0..nodes.len()).filter(|&n| missing[n] == 0).collect();
    let mut order = Vec::with_capacity(nodes.len());
    while let Some(next) = free.pop_first() {
        order.push(nodes[next]);
        for &child in &children[next] {
            missing[child] -= 1;
            if missing[child] == 0 {
                free.insert(child);
            }
        }
    }
    order
}

/// Maps each node that has parents to their slugs. Linear in the number of edges, because plans can
/// have thousands of nodes and edges.
fn parents<'plan>(
    nodes: &'plan [Node],
    edges: impl IntoIterator<Item = &'plan Edge>,
) -> HashMap<NodeId, Vec<String>> {
    let slugs: HashMap<NodeId, &str> = nodes
        .iter()
        .map(|node| (node.id, node.slug.as_str()))
        .collect();
    let mut parents = HashMap::<NodeId, Vec<String>>::new();
    for edge in edges {
        let Some(slug) = slugs.get(&edge.parent) else {
            continue;
        };
        let name = if edge.inferred {
            format!("{slug} (inferred)")
        } else if edge.soft {
            format!("({slug})")
        } else {
            (*slug).to_owned()
        };
        parents.entry(edge.child).or_default().push(name);
    }
    parents
}

/// Describes a node's work on one line.
pub(crate) fn describe_work(node: &Node) -> String {
    match &node.kind {
        NodeKind::Command(task) => match &task.command {
            CommandLine::Shell(line) => format!("$ {}", style::one_line(line)),
            CommandLine::Argv(argv) => format!("$ {}", style::one_line(&argv.join(" "))),
        },
        NodeKind::Agent(task) => {
            let text = [&task.prompt, &node.description, &node.title]
                .into_iter()
                .find(|text| !text.trim().is_empty());
            let agent = task.agent.as_deref().unwrap_or("default agent");
            format!(
                "{}: {}",
                style::one_line(agent),
                style::one_line(text.map_or("", String::as_str))
            )
        }
        NodeKind::LlmDecision(task) => {
            let agent = task.agent.as_deref().unwrap_or("default agent");
            let choices = task.choices.join(" | ");
            format!(
                "{} decides: {} ({})",
                style::one_line(agent),
                style::one_line(&task.prompt),
                style::one_line(&choices)
            )
        }
        NodeKind::UserInput(question) => format!("asks: {}", style::one_line(&question.question)),
        NodeKind::Condition(task) => format!("if {}", style::one_line(&task.condition)),
        NodeKind::ToolCall(call) => describe_tool_call(call),
        NodeKind::Parallel(task) => task
            .steps
            .iter()
            .map(describe_tool_call)
            .collect::<Vec<_>>()
            .join(" & "),
        NodeKind::Loop(task) => {
            let body = match &task.body {
                LoopBody::Tool(call) => describe_tool_call(call),
                LoopBody::Plan(plan) => format!("plan {}", style::one_line(&plan.sub_plan_id)),
            };
            let times = format_quantity(task.max_iterations, "time", "times");
            format!("up to {times}: {body}")
        }
        NodeKind::SubPlan(plan) => format!("plan {}", style::one_line(&plan.sub_plan_id)),
        NodeKind::Note(note) => style::one_line(&note.text),
        NodeKind::Planning(task) => format!("{} plans", style::one_line(&task.agent)),
    }
}

fn describe_tool_call(call: &ToolCall) -> String {
    let arguments = serde_json::Value::Object(call.tool_args.clone()).to_string();
    format!(
        "{} {}",
        style::one_line(&call.tool_name),
        style::one_line(&arguments)
    )
}

/// Returns a node's state in its color. A skipped failure is still shown as failed.
pub(crate) fn node_state(state: &NodeState) -> Cell {
    let tone = match state {
        NodeState::Pending | NodeState::Skipped { .. } => Tone::Faint,
        NodeState::Waiting { .. } | NodeState::Blocked { .. } | NodeState::Interrupted { .. } => {
            Tone::Attention
        }
        NodeState::Running => Tone::Active,
        NodeState::Done { .. } => Tone::Good,
        NodeState::Failed { .. } => Tone::Bad,
    };
    match state.is_tolerated_failure() {
        true => Cell::from("failed, skipped").tone(Tone::Attention),
        false => Cell::from(state.as_str()).tone(tone),
    }
}

/// Returns a node's state with its marks: `done, unverified, stale`.
pub(crate) fn state_with_marks(node: &NodeRunView) -> Cell {
    let Cell(label, tone) = node_state(&node.state);
    let is_done = matches!(node.state, NodeState::Done { .. });
    let is_unchecked = is_done && node.not_checked && !node.unverified;
    if let Some(held) = node
        .marks
        .held_back
        .as_ref()
        .filter(|_| node.state == NodeState::Pending)
    {
        return Cell::from(format!(
            "{label}, {}",
            style::one_line(&held.by.to_string())
        ))
        .tone(Tone::Attention);
    }
    let warnings = [(node.unverified, "unverified"), (node.stale, "stale")];
    let tone = if warnings.iter().any(|(holds, _)| *holds) {
        Tone::Attention
    } else {
        tone
    };
    let is_pinned = node.marks.pinned_output.is_some();
    let marks = [(is_pinned, "pinned output"), (is_unchecked, "not checked")]
        .into_iter()
        .chain(warnings)
        .filter(|(holds, _)| *holds);
    let labels: Vec<&str> = std::iter::once(label.as_str())
        .chain(marks.map(|(_, mark)| mark))
        .collect();
    Cell::from(labels.join(", ")).tone(tone)
}

/// Returns a run's state with the nodes that were not run and the failures that were skipped.
pub(crate) fn run_status(run: &RunSummary) -> Cell {
    if run.damage.is_some() {
        return Cell::from("damaged").tone(Tone::Bad);
    }
    if run.state.stopped_at_goal() {
        return Cell::from(describe_goal_progress(&run.progress)).tone(Tone::Good);
    }
    let status = run_state_with_skipped(&run.state, &run.attendance, run.skipped_failures);
    with_pinned_label(status, run.pinned_nodes)
}

/// The status of a run, which says if nodes used their pinned output.
pub(crate) fn with_pinned_label(Cell(label, tone): Cell, pinned_nodes: Option<u32>) -> Cell {
    match pinned_nodes {
        Some(_) => Cell::from(format!("{label}, pinned outputs")).tone(tone),
        None => Cell(label, tone),
    }
}

/// Returns a run's state with the number of failures that were skipped.
pub(crate) fn run_state_with_skipped(
    state: &RunState,
    attendance: &RunExecutorView,
    skipped: Option<u32>,
) -> Cell {
    let Cell(label, tone) = run_state(state, attendance);
    match (skipped, state.has_ended()) {
        (Some(count), true) => {
            Cell::from(format!("{label}, {}", skipped_failures(count))).tone(match tone {
                Tone::Good => Tone::Attention,
                tone => tone,
            })
        }
        _ => Cell(label, tone),
    }
}

fn skipped_failures(count: u32) -> String {
    format_quantity(count, "failure skipped", "failures skipped")
}

/// Formats the progress of a run that stopped at its goal: `node done, 3 nodes not run`.
fn describe_goal_progress(progress: &[NodeStatus]) -> String {
    let count =
        |which: fn(&NodeStatus) -> bool| progress.iter().filter(|status| which(status)).count();
    let done = match count(|status| *status == NodeStatus::Done) {
        0 | 1 => "node done".to_owned(),
        several => format!("{several} nodes done"),
    };
    let open = count(|status| {
        matches!(
            status,
            NodeStatus::Pending | NodeStatus::Blocked | NodeStatus::Waiting
        )
    });
    let open = format_quantity(open, "node not run", "nodes not run");
    format!("{done}, {open}")
}

/// Returns a run's state in its color, including a silent or missing executor.
fn run_state(state: &RunState, attendance: &RunExecutorView) -> Cell {
    if let (RunState::Running { .. }, Some(trouble)) = (state, executor_problem(attendance)) {
        return Cell::from(format!("running, {trouble}")).tone(Tone::Attention);
    }
    let tone = match state {
        RunState::Running {
            ending: Some(ending),
        } => return Cell::from(ending_label(*ending)).tone(Tone::Attention),
        RunState::Running { .. } | RunState::Replanning { .. } => Tone::Active,
        state if state.waits_for_review() => {
            return Cell::from("taken over, waiting for your review").tone(Tone::Attention);
        }
        RunState::Paused { .. } | RunState::Stalled { .. } => Tone::Attention,
        RunState::Completed => Tone::Good,
        RunState::Failed { .. } => Tone::Bad,
        RunState::Cancelled => Tone::Faint,
    };
    Cell::from(state.as_str()).tone(tone)
}

fn executor_problem(attendance: &RunExecutorView) -> Option<String> {
    match attendance {
        RunExecutorView::None => Some("executor died".to_owned()),
        RunExecutorView::Elsewhere {
            health: ExecutorHealth::Unhealthy | ExecutorHealth::Stale,
            silence_ms,
            ..
        } => Some(format!(
            "executor silent for {}",
            format_elapsed(*silence_ms)
        )),
        RunExecutorView::Here | RunExecutorView::Elsewhere { .. } => None,
    }
}

fn ending_label(ending: Ending) -> &'static str {
    match ending {
        Ending::Pausing { .. } => "pausing",
        Ending::Cancelling => "canceling",
        Ending::TimeUp { .. } => "out of time",
        Ending::BudgetSpent => "out of budget",
        Ending::Aborting { .. } => "failing",
        Ending::Verifying => "verifying inherited work",
        Ending::Reviewing => "waiting for your review",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::follow::test_support::plan_of;

    #[test]
    fn nodes_are_listed_in_topological_then_plan_order() {
        let plan = plan_of(&["late", "early", "middle", "alone"], &[(2, 0), (1, 2)]);
        let slugs: Vec<_> = topological_order(&plan)
            .iter()
            .map(|node| node.slug.as_str())
            .collect();
        assert_eq!(slugs, ["early", "middle", "late", "alone"]);
        assert_eq!(
            parents(&plan.nodes, &plan.edges)[&plan.nodes[0].id],
            ["middle"]
        );
    }

    #[test]
    fn parents_are_collected_in_linear_time() {
        let titles: Vec<String> = (0..500).map(|number| format!("n{number}")).collect();
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let edges: Vec<(usize, usize)> = (1..500)
            .flat_map(|child| [(child - 1, child), (child / 2, child)])
            .collect();
        let plan = plan_of(&titles, &edges);
        let visited = std::cell::Cell::new(0);
        let parents = parents(
            &plan.nodes,
            plan.edges
                .iter()
                .inspect(|_| visited.set(visited.get() + 1)),
        );
        assert_eq!((visited.get(), parents.len()), (plan.edges.len(), 499));
        assert_eq!(parents[&plan.nodes[8].id], ["n7", "n4"]);
    }

    #[test]
    fn single_node_run_is_shown_as_done() {
        use NodeStatus::{Done, Pending, Skipped};
        let table = [
            (
                &[Done, Pending, Pending, Pending][..],
                "node done, 3 nodes not run",
            ),
            (&[Done, Done, Pending], "2 nodes done, 1 node not run"),
            (&[Skipped, Pending], "node done, 1 node not run"),
        ];
        for (progress, text) in table {
            assert_eq!(describe_goal_progress(progress), text);
        }
    }

    #[test]
    fn skipped_failure_stays_visible() {
        let failure = baton_model::outcome::Failure::ExitCode { code: 3 };
        let state = NodeState::Skipped {
            reason: baton_model::run::SkipReason::AfterFailure { failure },
        };
        assert_eq!(node_state(&state).0, "failed, skipped");
        let plan = plan_of(&["a"], &[]);
        let run = |skipped_failures| RunSummary {
            state: RunState::Completed,
            skipped_failures,
            ..crate::follow::test_support::summary_of(&plan)
        };
        assert_eq!(run_status(&run(None)).0, "completed");
        assert_eq!(run_status(&run(Some(1))).0, "completed, 1 failure skipped");
        assert_eq!(run_status(&run(Some(2))).0, "completed, 2 failures skipped");
    }

    #[test]
    fn work_is_described_on_one_line() {
        let plan = plan_of(&["a"], &[]);
        assert_eq!(describe_work(&plan.nodes[0]), "$ echo a");
    }
}
