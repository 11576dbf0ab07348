//! `baton worktrees merge-back`, `revert`, `fan-in` and `overlaps`: merges of isolated nodes' work.

use baton_api::wire::*;
use baton_model::NodeId;
use baton_model::count::format_quantity;
use baton_model::run::{Conflict, ConflictKind, Resolution};
use clap::Args;

use crate::client::Client;
use crate::commands::node;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::{Tone, one_line};
use crate::{follow, id_lookup};

/// Maximum number of files in a list.
const MAX_LISTED_FILES: usize = 30;

#[derive(Debug, Args)]
pub(crate) struct MergeBackArgs {
    /// The run: its ID, the start of its ID, PLAN#NUMBER, or its plan's title
    run: String,
    /// Merge only this node's work and what it builds on; can be given several times
    #[arg(long = "node", value_name = "NODE")]
    nodes: Vec<String>,
    /// Show what would change without merging
    #[arg(long, alias = "look", conflicts_with_all = ["branch", "by_hand", "first", "second", "agent"])]
    dry_run: bool,
    /// Create a branch with this name instead of changing the directory
    #[arg(long, value_name = "NAME")]
    branch: Option<String>,
    #[command(flatten)]
    how: SettleArgs,
}

/// How to resolve the open conflict.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct SettleArgs {
    /// Use the files as you left them in the worktree
    #[arg(long)]
    by_hand: bool,
    /// Take conflicting files from the first side
    #[arg(long)]
    first: bool,
    /// Take conflicting files from the second side
    #[arg(long)]
    second: bool,
    /// Let an agent resolve the conflict in the worktree, without merging back yet
    #[arg(long, value_name = "AGENT", num_args = 0..=1, default_missing_value = "")]
    agent: Option<String>,
}

impl SettleArgs {
    fn resolution(&self) -> Option<Resolution> {
        match self {
            Self { by_hand: true, .. } => Some(Resolution::ByHand),
            Self { first: true, .. } => Some(Resolution::Ours),
            Self { second: true, .. } => Some(Resolution::Theirs),
            _ => None,
        }
    }
}

pub(super) fn merge_back(client: &Client<'_>, args: &MergeBackArgs) -> Result<Exit, Failure> {
    let run = id_lookup::find_run(client, &args.run)?;
    let nodes = match &args.nodes[..] {
        [] => None,
        named => Some(
            named
                .iter()
                .map(|name| Ok(node::find_named(client, &args.run, name)?.1))
                .collect::<Result<_, Failure>>()?,
        ),
    };
    if args.dry_run {
        return preview(client, &MergeBackPreview { run, nodes });
    }
    if let Some(agent) = &args.how.agent {
        return resolve_by_agent(
            client,
            &MergeBackConflictAgent {
                run,
                agent: Some(agent.clone()).filter(|agent| !agent.is_empty()),
            },
        );
    }
    bring_home(
        client,
        &MergeBackApply {
            run,
            nodes,
            branch: args.branch.clone(),
            resolution: args.how.resolution(),
        },
    )
}

fn bring_home(client: &Client<'_>, input: &MergeBackApply) -> Result<Exit, Failure> {
    let brought: MergeBackResult = client.ask("merge back", "run_bring_home", input)?;
    if client.output.json {
        client.output.json(&brought)?;
        return Ok(if brought.conflict.is_some() {
            Exit::Failed
        } else {
            Exit::Done
        });
    }
    if let Some(conflict) = &brought.conflict {
        print_conflict(client, conflict)?;
        return Ok(Exit::Failed);
    }
    match &brought.branch {
        Some(branch) => client.output.note(&format!(
            "Created branch {branch}. The plan's directory is unchanged."
        )),
        None if brought.files.is_empty() => {
            client.output.note("The directory is already up to date.")
        }
        None => {
            print_files(client, &brought.files, brought.files_left_out)?;
            client.output.note(
                "Merged into the directory, uncommitted. Revert with `baton worktrees revert`.",
            );
        }
    }
    Ok(Exit::Done)
}

fn resolve_by_agent(client: &Client<'_>, input: &MergeBackConflictAgent) -> Result<Exit, Failure> {
    let view: RunView = client.ask(
        "resolve the conflict with an agent",
        "run_home_agent",
        input,
    )?;
    let exit = follow::follow(client, view.summary.id, 0)?;
    if matches!(exit, Exit::Done) {
        client
            .output
            .note("Review the files, then merge them back with `--by-hand`.");
    }
    Ok(exit)
}

fn print_conflict(client: &Client<'_>, conflict: &Conflict) -> Result<(), Failure> {
    let output = &client.output;
    output.warn(&format!(
        "'{}' and '{}' conflict. Nothing was merged back.",
        conflict.ours, conflict.theirs
    ));
    for file in &conflict.files {
        output.line(&format!(
            "  {}  {}",
            one_line(&file.path),
            kind_word(file.kind)
        ))?;
    }
    if let Some(still) = &conflict.still {
        output.warn(still);
    }
    output.note(&format!(
        "The files with conflict markers are in {}. Resolve them there and rerun with `--by-hand`, or use `--first`, `--second` or `--agent`.",
        conflict.place
    ));
    Ok(())
}

fn kind_word(kind: ConflictKind) -> &'static str {
    match kind {
        ConflictKind::Lines => "both changed the same lines",
        ConflictKind::Binary => "both changed it (binary)",
        ConflictKind::Deleted => "one changed it, the other deleted it",
        ConflictKind::Other => "moved or replaced",
    }
}

fn preview(client: &Client<'_>, input: &MergeBackPreview) -> Result<Exit, Failure> {
    let view: MergeBackView = client.ask("load the changes", "run_home", input)?;
    let output = &client.output;
    if client.output.json {
        output.json(&view)?;
        return Ok(Exit::Done);
    }
    for node in view.nodes.iter().filter(|node| !node.files.is_empty()) {
        let place = match &node.whereabouts {
            WorkLocation::Directory => "in the directory".to_owned(),
            WorkLocation::Branch { name } => format!("on branch {name}"),
            WorkLocation::Nowhere => "not in the directory".to_owned(),
        };
        output.line(&format!(
            "{}: {place}",
            output.paint(&one_line(&node.title), Tone::Strong)
        ))?;
        print_files(client, &node.files, node.files_left_out)?;
    }
    print_clashes(client, &view.clashes)?;
    for (label, names) in [
        ("nodes running in the directory", &view.at_work),
        ("ignored files in the way", &view.in_the_way),
    ] {
        if !names.is_empty() {
            output.warn(&format!("{label}: {}", names.join(", ")));
        }
    }
    if let Some(conflict) = &view.open {
        output.warn(&format!("open conflict in {}", conflict.place));
    }
    for act in &view.brought {
        let reverted = if act.undone { " (reverted)" } else { "" };
        let unfinished = if act.unfinished {
            " (interrupted: merge back again)"
        } else {
            ""
        };
        let files = format_quantity(act.files.len(), "file", "files");
        output.line(&format!(
            "{}  merged {files} from {}{reverted}{unfinished}",
            act.act,
            act.titles.join(", ")
        ))?;
    }
    match view.files.len() {
        0 => output.note("Nothing would change in the directory."),
        1 => output.note("1 file would change in the directory."),
        some => output.note(&format!("{some} files would change in the directory.")),
    }
    Ok(Exit::Done)
}

fn print_clashes(client: &Client<'_>, clashes: &[MergeConflictView]) -> Result<(), Failure> {
    for clash in clashes {
        client
            .output
            .warn(&format!("'{}' and '{}' conflict", clash.ours, clash.theirs));
        for file in clash.files.iter().take(MAX_LISTED_FILES) {
            client.output.line(&format!(
                "  {}  {}",
                one_line(&file.path),
                kind_word(file.kind)
            ))?;
        }
    }
    Ok(())
}

fn print_files(client: &Client<'_>, files: &[FileDeltaView], left_out: u32) -> Result<(), Failure> {
    for file in files.iter().take(MAX_LISTED_FILES) {
        client.output.line(&format!("  {}", file_line(file)))?;
    }
    let more = files.len().saturating_sub(MAX_LISTED_FILES) + left_out as usize;
    if more > 0 {
        client.output.line(&format!("  and {more} more"))?;
    }
    Ok(())
}

fn file_line(file: &FileDeltaView) -> String {
    let letter = match file.change {
        FileDeltaKind::Created => 'A',
        FileDeltaKind::Changed => 'M',
        FileDeltaKind::Deleted => 'D',
        FileDeltaKind::Renamed => 'R',
    };
    let lines = file.added.zip(file.removed).map_or_else(
        || "binary".to_owned(),
        |(more, less)| format!("+{more} -{less}"),
    );
    let from = file
        .from
        .as_ref()
        .map_or_else(String::new, |from| format!("{} -> ", one_line(from)));
    format!("{letter} {from}{}  {lines}", one_line(&file.path))
}

pub(super) fn revert(client: &Client<'_>, run: &str, act: Option<String>) -> Result<Exit, Failure> {
    let run = id_lookup::find_run(client, run)?;
    let act = match act {
        Some(act) => act,
        None => {
            let view: MergeBackView = client.ask(
                "load the changes",
                "run_home",
                &MergeBackPreview { run, nodes: None },
            )?;
            let last = view.brought.into_iter().find(|act| !act.undone);
            last.ok_or_else(|| {
                Failure::Usage(
                    "nothing to revert: no work was merged into the directory".to_owned(),
                )
            })?
            .act
        }
    };
    let brought: MergeBackResult = client.ask(
        "revert the merge",
        "run_home_undo",
        &MergeBackUndo { run, act },
    )?;
    if client.output.json {
        client.output.json(&brought)?;
    } else {
        print_files(client, &brought.files, brought.files_left_out)?;
        client
            .output
            .note("Reverted. The directory no longer contains that work.");
    }
    Ok(Exit::Done)
}

pub(super) fn fan_in(client: &Client<'_>, run: &str, name: &str) -> Result<Exit, Failure> {
    let (view, node): (RunView, NodeId) = node::find_named(client, run, name)?;
    let seen: FanInView = client.ask(
        "preview the merge",
        "node_fan_in",
        &NodeRef {
            run: view.summary.id,
            node,
        },
    )?;
    let output = &client.output;
    if output.json {
        output.json(&seen)?;
        return Ok(Exit::Done);
    }
    if seen.sources.is_empty() {
        output.note("Nothing to merge from isolated parents yet.");
    }
    for side in &seen.sources {
        output.line(&output.paint(&one_line(&side.title), Tone::Strong))?;
        print_files(client, &side.files, side.files_left_out)?;
    }
    if !seen.missing.is_empty() {
        output.note(&format!("Not done yet: {}", seen.missing.join(", ")));
    }
    print_clashes(client, &seen.clashes)?;
    if seen.clashes.is_empty() && seen.sources.len() > 1 {
        output.note("No conflicts.");
    }
    Ok(Exit::Done)
}

pub(super) fn overlaps(client: &Client<'_>, run: &str) -> Result<Exit, Failure> {
    let run = id_lookup::find_run(client, run)?;
    let found: Vec<OverlapView> = client.ask("find overlaps", "run_overlaps", &RunRef { run })?;
    let output = &client.output;
    if output.json {
        output.json(&found)?;
        return Ok(Exit::Done);
    }
    if found.is_empty() {
        output.note("No overlaps.");
    }
    for pair in &found {
        let how = match pair.proof {
            OverlapProof::Apart => "in separate worktrees",
            OverlapProof::BothSay => "both report the change, in the same directory",
            OverlapProof::SameTime => "changed while both ran in the same directory",
        };
        output.line(&format!(
            "'{}' and '{}': {how}",
            pair.first_title, pair.second_title
        ))?;
        for file in &pair.files {
            output.line(&format!("  {}", one_line(file)))?;
        }
    }
    Ok(Exit::Done)
}
