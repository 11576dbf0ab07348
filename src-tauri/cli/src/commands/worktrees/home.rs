//! `baton worktrees home`, `back`, `fan-in` and `overlaps`: work on its way into the plan's directory.

use baton_api::wire::*;
use baton_model::NodeId;
use baton_model::run::{Conflict, ConflictKind, Resolution};
use clap::Args;

use crate::client::Client;
use crate::commands::node;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::{Tone, one_line};
use crate::{follow, id_lookup};

/// The most files that are listed of a kind.
const MAX_LISTED_FILES: usize = 30;

/// What is brought home, and where to.
#[derive(Debug, Args)]
pub(crate) struct HomeArgs {
    /// The run by id, beginning of the id, or its plan's title.
    run: String,
    /// Only this node's work, with what it builds upon. May be given several times.
    #[arg(long = "node", value_name = "NODE")]
    nodes: Vec<String>,
    /// Only tell what would change.
    #[arg(long, conflicts_with_all = ["branch", "by_hand", "first", "second", "agent"])]
    look: bool,
    /// Make a branch of this name instead, and leave the directory alone.
    #[arg(long, value_name = "NAME")]
    branch: Option<String>,
    #[command(flatten)]
    how: SettleArgs,
}

/// How the conflict is settled that stands in the worktree.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct SettleArgs {
    /// The files in the worktree are as they should be.
    #[arg(long)]
    by_hand: bool,
    /// Take each file in conflict from the first side.
    #[arg(long)]
    first: bool,
    /// Take each file in conflict from the second side.
    #[arg(long)]
    second: bool,
    /// Let an agent settle it in the worktree; nothing is brought home by that yet.
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

/// Brings work home, or looks at what that would come to.
pub(super) fn home(client: &Client<'_>, args: &HomeArgs) -> Result<Exit, Failure> {
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
    if args.look {
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

fn bring_home(client: &Client<'_>, wish: &MergeBackApply) -> Result<Exit, Failure> {
    let brought: MergeBackResult = client.ask("bring the work home", "run_bring_home", wish)?;
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
            "The work is on the branch {branch}. Your directory is as it was."
        )),
        None if brought.files.is_empty() => client
            .output
            .note("All of it was in the directory already."),
        None => {
            print_files(client, &brought.files, brought.files_left_out)?;
            client.output.note("The work is in the directory, not committed. `baton worktrees back` takes it back.");
        }
    }
    Ok(Exit::Done)
}

fn resolve_by_agent(client: &Client<'_>, wish: &MergeBackConflictAgent) -> Result<Exit, Failure> {
    let view: RunView = client.ask("hand the conflict to an agent", "run_home_agent", wish)?;
    let exit = follow::follow(client, view.summary.id, 0)?;
    if matches!(exit, Exit::Done) {
        client
            .output
            .note("Look at the files, then bring them home with `--by-hand`.");
    }
    Ok(exit)
}

fn print_conflict(client: &Client<'_>, conflict: &Conflict) -> Result<(), Failure> {
    let output = &client.output;
    output.warn(&format!(
        "'{}' and '{}' do not fit together. Nothing was brought home.",
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
        "They stand with their markers in {}. Settle them there, then repeat with `--by-hand`; or with `--first`, `--second` or `--agent`.",
        conflict.place
    ));
    Ok(())
}

fn kind_word(kind: ConflictKind) -> &'static str {
    match kind {
        ConflictKind::Lines => "both changed the same lines",
        ConflictKind::Binary => "both changed it, and it is no text",
        ConflictKind::Deleted => "one changed it, the other deleted it",
        ConflictKind::Other => "moved or replaced",
    }
}

fn preview(client: &Client<'_>, wish: &MergeBackPreview) -> Result<Exit, Failure> {
    let view: MergeBackView = client.ask("look at the work", "run_home", wish)?;
    let output = &client.output;
    if client.output.json {
        output.json(&view)?;
        return Ok(Exit::Done);
    }
    for node in view.nodes.iter().filter(|node| !node.files.is_empty()) {
        let place = match &node.whereabouts {
            WorkLocation::Directory => "in the directory".to_owned(),
            WorkLocation::Branch { name } => format!("on the branch {name}"),
            WorkLocation::Nowhere => "not in the directory".to_owned(),
        };
        output.line(&format!(
            "{}: {place}",
            output.paint(&one_line(&node.title), Tone::Strong)
        ))?;
        print_files(client, &node.files, node.files_left_out)?;
    }
    print_clashes(client, &view.clashes)?;
    for (words, names) in [
        ("nodes at work in the directory", &view.at_work),
        ("ignored files in the way", &view.in_the_way),
    ] {
        if !names.is_empty() {
            output.warn(&format!("{words}: {}", names.join(", ")));
        }
    }
    if let Some(conflict) = &view.open {
        output.warn(&format!("a conflict waits in {}", conflict.place));
    }
    for act in &view.brought {
        let undone = if act.undone { " (taken back)" } else { "" };
        let unfinished = if act.unfinished {
            " (cut off: bring home again)"
        } else {
            ""
        };
        output.line(&format!(
            "{}  brought {} files of {}{undone}{unfinished}",
            act.act,
            act.files.len(),
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
        client.output.warn(&format!(
            "'{}' and '{}' do not fit together",
            clash.ours, clash.theirs
        ));
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

/// Takes back what was brought into the directory: an act of the list, or the last one.
pub(super) fn back(client: &Client<'_>, run: &str, act: Option<String>) -> Result<Exit, Failure> {
    let run = id_lookup::find_run(client, run)?;
    let act = match act {
        Some(act) => act,
        None => {
            let view: MergeBackView = client.ask(
                "look at the work",
                "run_home",
                &MergeBackPreview { run, nodes: None },
            )?;
            let last = view.brought.into_iter().find(|act| !act.undone);
            last.ok_or_else(|| {
                Failure::Usage(
                    "nothing was brought into the directory that could be taken back".to_owned(),
                )
            })?
            .act
        }
    };
    let brought: MergeBackResult = client.ask(
        "take the work back",
        "run_home_undo",
        &MergeBackUndo { run, act },
    )?;
    if client.output.json {
        client.output.json(&brought)?;
    } else {
        print_files(client, &brought.files, brought.files_left_out)?;
        client
            .output
            .note("The directory is without that work again.");
    }
    Ok(Exit::Done)
}

/// Shows the merge with which a node would begin.
pub(super) fn fan_in(client: &Client<'_>, run: &str, name: &str) -> Result<Exit, Failure> {
    let (view, node): (RunView, NodeId) = node::find_named(client, run, name)?;
    let seen: FanInView = client.ask(
        "look at the merge",
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
        output.note("No work of isolated nodes comes to this node yet.");
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
        output.note("It fits together.");
    }
    Ok(Exit::Done)
}

/// Lists nodes beside each other that changed the same files.
pub(super) fn overlaps(client: &Client<'_>, run: &str) -> Result<Exit, Failure> {
    let run = id_lookup::find_run(client, run)?;
    let found: Vec<OverlapView> =
        client.ask("look for overlaps", "run_overlaps", &RunRef { run })?;
    let output = &client.output;
    if output.json {
        output.json(&found)?;
        return Ok(Exit::Done);
    }
    if found.is_empty() {
        output.note("No two nodes beside each other changed the same file.");
    }
    for pair in &found {
        let how = match pair.proof {
            OverlapProof::Apart => "each in a place of its own",
            OverlapProof::BothSay => "at the same time, in one directory",
            OverlapProof::SameTime => "it changed while both worked in one directory",
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
