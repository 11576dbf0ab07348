//! Prints what a run would do.

use baton_model::count::format_quantity;
use baton_model::duration::format_elapsed;
use baton_model::simulation::{NodeOccasion, SimulatedNode, Simulation};

use crate::failure::Failure;
use crate::output::Output;
use crate::style::{self, Tone};
use crate::table::{self, Cell};

/// Prints a simulation: a summary, a row for each node in the order in which they start, and what
/// needs a person.
pub(crate) fn print(output: &Output, simulation: &Simulation) -> Result<(), Failure> {
    if output.json {
        return output.json(simulation);
    }
    output.line(&output.paint(&order(simulation), Tone::Strong))?;
    output.line(&expectation(simulation))?;
    output.line("")?;
    let rows: Vec<_> = in_order(simulation)
        .into_iter()
        .map(|(wave, node)| row(wave, node))
        .collect();
    let head = ["wave", "node", "kind", "agent", "tools", "time", "cost"];
    table::print(output, head, &rows)?;
    print_questions(output, simulation)?;
    print_missing_agents(output, simulation)
}

/// `4 nodes in 3 waves, at most 2 at once (limit 4)`.
fn order(simulation: &Simulation) -> String {
    let waves = &simulation.waves;
    let nodes: usize = waves.iter().map(Vec::len).sum();
    format!(
        "{} in {}, at most {} at once (limit {})",
        format_quantity(nodes, "node", "nodes"),
        format_quantity(waves.len(), "wave", "waves"),
        simulation.width.min(simulation.limit),
        simulation.limit
    )
}

/// `about 4m 05s, unknown for 1 node; about $0.30, unknown for 2 nodes`.
fn expectation(simulation: &Simulation) -> String {
    let part = |what: &str, known: Option<String>, unknown: u32| match (known, unknown) {
        (None, _) => format!("{what} unknown"),
        (Some(known), 0) => format!("about {known}"),
        (Some(known), unknown) => {
            let nodes = format_quantity(unknown, "node", "nodes");
            format!("about {known}, unknown for {nodes}")
        }
    };
    let time = simulation.time_ms.map(format_elapsed);
    let cost = simulation.usd.map(|usd| format!("${usd:.2}"));
    if cost.is_none() && simulation.unknown_costs == 0 {
        return part("time", time, simulation.unknown_times);
    }
    format!(
        "{}; {}",
        part("time", time, simulation.unknown_times),
        part("cost", cost, simulation.unknown_costs)
    )
}

/// The nodes by wave, then those that only run after a failure, then disabled ones.
fn in_order(simulation: &Simulation) -> Vec<(String, &SimulatedNode)> {
    let find = |id| simulation.nodes.iter().find(move |node| node.node == id);
    let waves = simulation.waves.iter().zip(1..);
    let waves = waves.flat_map(|(wave, number): (_, u32)| {
        wave.iter()
            .filter_map(move |id| Some((number.to_string(), find(*id)?)))
    });
    let mut rest: Vec<&SimulatedNode> = simulation
        .nodes
        .iter()
        .filter(|node| !node.is_expected())
        .collect();
    rest.sort_by_key(|node| node.occasion);
    waves
        .chain(rest.into_iter().map(|node| (String::new(), node)))
        .collect()
}

fn row(wave: String, node: &SimulatedNode) -> [Cell; 7] {
    let occasion = match node.occasion {
        NodeOccasion::Always => "",
        NodeOccasion::Branch => " (on a branch)",
        NodeOccasion::AfterFailure => " (after a failure)",
        NodeOccasion::Disabled => " (disabled)",
    };
    let kind = match &node.sub_plan {
        Some(plan) => format!("{} '{plan}'", node.kind),
        None => node.kind.clone(),
    };
    let time = node.estimate.ms.map(format_elapsed).unwrap_or_default();
    let cost = node.estimate.usd.map(|usd| format!("${usd:.2}"));
    [
        Cell::from(wave).tone(Tone::Faint),
        Cell::from(format!("{}{occasion}", node.slug)).tone(Tone::Strong),
        kind.into(),
        agents(node).into(),
        tools(node).into(),
        time.into(),
        cost.unwrap_or_default().into(),
    ]
}

/// `claude`, or `team:reviewers (claude or codex)`.
fn agents(node: &SimulatedNode) -> String {
    let Some(agents) = &node.agents else {
        return String::new();
    };
    let names: Vec<&str> = agents
        .candidates
        .iter()
        .map(|candidate| candidate.agent.as_str())
        .collect();
    let names = names.join(" or ");
    match &agents.team {
        Some(team) => format!("team:{team} ({names})"),
        None => names,
    }
}

/// The calls of the node, with guarded ones marked, or the tools of its agent.
fn tools(node: &SimulatedNode) -> String {
    let mark = |guarded: bool| if guarded { " (guarded)" } else { "" };
    let calls = node
        .calls
        .iter()
        .map(|call| format!("{}{}", call.tool, mark(call.guarded)));
    let mut all: Vec<String> = node.tools.iter().cloned().chain(calls).collect();
    if all.is_empty() && node.agents.is_some() {
        all.push("any".to_owned());
    }
    all.join(", ")
}

fn print_questions(output: &Output, simulation: &Simulation) -> Result<(), Failure> {
    let asking = simulation
        .nodes
        .iter()
        .filter(|node| !node.questions.is_empty());
    let lines: Vec<String> = asking
        .flat_map(|node| {
            node.questions
                .iter()
                .map(|question| format!("  {}: {question}", node.slug))
        })
        .collect();
    output.line("")?;
    if lines.is_empty() {
        return output.line("No node asks a person.");
    }
    output.line("A person is asked:")?;
    lines
        .iter()
        .try_for_each(|line| output.line(&style::one_line(line)))
}

fn print_missing_agents(output: &Output, simulation: &Simulation) -> Result<(), Failure> {
    let missing: Vec<&str> = simulation
        .agents()
        .into_iter()
        .filter(|(candidate, _)| candidate.missing)
        .map(|(candidate, _)| candidate.agent.as_str())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let line = format!("Missing agents: {}", missing.join(", "));
    output.line(&output.paint(&style::one_line(&line), Tone::Bad))
}
