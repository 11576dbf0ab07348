//! `baton pin`, `baton unpin` and `baton pins`: outputs of nodes that runs with `--pinned` use.

use std::path::PathBuf;

use baton_api::wire::*;
use baton_model::{NodeId, Plan, RunId};
use clap::Args;

use super::node::read_stdin;
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::id_lookup;
use crate::run_number::find_run_by_number;
use crate::style::{self, Tone};
use crate::table::{self, Cell};
use crate::time_format::date;

/// How much of a value is shown in a list, in columns.
const SHOWN_WIDTH: usize = 40;

/// Pin a node's output
///
/// `baton run PLAN --pinned` then uses this output instead of running the node. Ordinary runs never
/// use it. Without an option, the node's handoff from the plan's last run is pinned, with its named
/// outputs. A typed output has the named outputs that you pass, each as NAME=VALUE.
#[derive(Debug, Args)]
pub(crate) struct PinArgs {
    #[command(flatten)]
    of: NodeOfPlanArgs,
    /// Named outputs of the typed text, as in `made=yes`
    #[arg(value_name = "NAME=VALUE", value_parser = typed_output, requires = "typed")]
    outputs: Vec<TypedOutput>,
    /// Pin the handoff from the run with this number
    #[arg(long, value_name = "N", conflicts_with = "typed")]
    run: Option<u32>,
    /// Pin this text
    #[arg(long, group = "typed")]
    text: Option<String>,
    /// Pin the text of this file; `-` reads standard input
    #[arg(long, value_name = "FILE", group = "typed")]
    file: Option<PathBuf>,
}

/// Remove a pinned output
#[derive(Debug, Args)]
pub(crate) struct UnpinArgs {
    #[command(flatten)]
    of: NodeOfPlanArgs,
}

/// List a plan's pinned outputs, and what a run with them would do
#[derive(Debug, Args)]
pub(crate) struct PinsArgs {
    /// The plan: its ID, the start of its ID, or its title
    plan: String,
}

#[derive(Debug, Args)]
struct NodeOfPlanArgs {
    /// The plan: its ID, the start of its ID, or its title
    plan: String,
    /// The node: its ID in the plan file, or its title
    node: String,
}

pub(crate) fn pin(client: &Client<'_>, args: &PinArgs) -> Result<Exit, Failure> {
    let (view, node) = find(client, &args.of)?;
    let text = match (&args.text, &args.file) {
        (Some(text), _) => Some(text.clone()),
        (None, Some(file)) => Some(read(file)?),
        (None, None) => None,
    };
    let run = match (&text, args.run) {
        (Some(_), _) => None,
        (None, Some(number)) => Some(run_with_number(client, &view, number)?),
        (None, None) => Some(last_run(&view)?),
    };
    let plan = view.plan.id;
    let input = NodeOutputPin {
        plan,
        node,
        run,
        outputs: text.is_some().then(|| args.outputs.clone()),
        text,
    };
    let pins: PinnedOutputsView = client.ask("pin the output", "node_output_pin", &input)?;
    print(client, &view.plan, &pins)
}

pub(crate) fn unpin(client: &Client<'_>, args: &UnpinArgs) -> Result<Exit, Failure> {
    let (view, node) = find(client, &args.of)?;
    let plan = view.plan.id;
    let pins: PinnedOutputsView = client.ask(
        "unpin the output",
        "node_output_unpin",
        &PlanNodeRef { plan, node },
    )?;
    print(client, &view.plan, &pins)
}

pub(crate) fn pins(client: &Client<'_>, args: &PinsArgs) -> Result<Exit, Failure> {
    let view = load_plan(client, &args.plan)?;
    let pins = load(client, &view.plan)?;
    print(client, &view.plan, &pins)
}

/// Returns the pinned outputs of a plan.
pub(crate) fn load(client: &Client<'_>, plan: &Plan) -> Result<PinnedOutputsView, Failure> {
    let plan = PlanRef { plan: plan.id };
    client.ask("load the pinned outputs", "pinned_outputs", &plan)
}

/// Describes what a run with these outputs would do, one line per group of nodes.
pub(crate) fn describe_run(plan: &Plan, pins: &PinnedOutputsView) -> Vec<String> {
    let used = pins.outputs.iter().filter(|pin| pin.used);
    let used: Vec<NodeId> = used.map(|pin| pin.node).collect();
    [
        ("Use their pinned output", &used),
        ("Run", &pins.runs),
        ("Left out, only pinned nodes need them", &pins.left_out),
    ]
    .into_iter()
    .filter(|(_, nodes)| !nodes.is_empty())
    .map(|(label, nodes)| format!("{label}: {}", titles(plan, nodes)))
    .chain(missing_outputs(plan, pins))
    .collect()
}

/// The named outputs that running nodes read from pinned ones that don't have them.
fn missing_outputs(plan: &Plan, pins: &PinnedOutputsView) -> Option<String> {
    let used = pins.outputs.iter().filter(|pin| pin.used);
    let missing: Vec<String> = used
        .flat_map(|pin| {
            let reads = pins.reads.iter().filter(|read| read.node == pin.node);
            let missing = reads.filter(|read| {
                !pin.outputs.contains_key(&read.name)
                    && read.by.iter().any(|node| pins.runs.contains(node))
            });
            missing.map(|read| format!("{} of {}", read.name, title(plan, pin.node)))
        })
        .collect();
    (!missing.is_empty()).then(|| format!("Read, but not pinned: {}", missing.join(", ")))
}

fn titles(plan: &Plan, nodes: &[NodeId]) -> String {
    let names: Vec<String> = nodes.iter().map(|&node| title(plan, node)).collect();
    names.join(", ")
}

fn title(plan: &Plan, node: NodeId) -> String {
    plan.node(node)
        .map_or_else(|| node.to_string(), |node| style::one_line(&node.title))
}

fn find(client: &Client<'_>, args: &NodeOfPlanArgs) -> Result<(PlanView, NodeId), Failure> {
    let view = load_plan(client, &args.plan)?;
    let node = id_lookup::find_node(&view.plan, &args.node)?;
    Ok((view, node))
}

fn load_plan(client: &Client<'_>, given: &str) -> Result<PlanView, Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    client.ask("load the plan", "plan_get", &PlanRef { plan })
}

fn run_with_number(client: &Client<'_>, view: &PlanView, number: u32) -> Result<RunId, Failure> {
    find_run_by_number(client, Some(view.plan.id), number, &format!("#{number}"))
}

fn last_run(view: &PlanView) -> Result<RunId, Failure> {
    let none = || Failure::Usage("the plan has no run yet. Pass a text with --file".to_owned());
    view.last_run.as_ref().map(|run| run.id).ok_or_else(none)
}

/// Splits at the first `=`, as in a line of `BATON_OUTPUT`.
fn typed_output(argument: &str) -> Result<TypedOutput, MissingEquals> {
    let (name, value) = argument.split_once('=').ok_or(MissingEquals)?;
    Ok(TypedOutput {
        name: name.to_owned(),
        value: value.to_owned(),
    })
}

#[derive(Debug, thiserror::Error)]
#[error("expected NAME=VALUE, as in made=yes")]
struct MissingEquals;

fn read(file: &PathBuf) -> Result<String, Failure> {
    if file.as_os_str() == "-" {
        return read_stdin();
    }
    let failed = |error| Failure::Usage(format!("couldn't read {}: {error}", file.display()));
    std::fs::read_to_string(file).map_err(failed)
}

fn print(client: &Client<'_>, plan: &Plan, pins: &PinnedOutputsView) -> Result<Exit, Failure> {
    if client.output.json {
        client.output.json(pins)?;
        return Ok(Exit::Done);
    }
    if pins.outputs.is_empty() {
        client.output.note("No pinned outputs.");
        return Ok(Exit::Done);
    }
    let row = |pin: &PinnedOutputView| {
        let source = pin
            .run
            .map_or_else(|| "typed".to_owned(), |run| format!("run #{run}"));
        let used = if pin.used { "" } else { "not used" };
        [
            Cell::from(title(plan, pin.node)).tone(Tone::Strong),
            source.into(),
            Cell::from(list_outputs(pin)),
            date(pin.at).into(),
            Cell::from(&pin.by),
            Cell::from(used).tone(Tone::Attention),
        ]
    };
    let rows: Vec<_> = pins.outputs.iter().map(row).collect();
    let head = ["node", "from", "named outputs", "pinned", "by", ""];
    table::print(client.output, head, &rows)?;
    for line in describe_run(plan, pins) {
        client.output.note(&line);
    }
    Ok(Exit::Done)
}

fn list_outputs(pin: &PinnedOutputView) -> String {
    let output = |(name, value): (&String, &String)| {
        format!(
            "{name}={}",
            style::cut(&style::one_line(value), SHOWN_WIDTH)
        )
    };
    let outputs: Vec<String> = pin.outputs.iter().map(output).collect();
    outputs.join(", ")
}
