//! `baton worktrees`: lists, merges back and removes worktrees of nodes.

mod merge_back;

use baton_api::wire::*;
use baton_model::count::format_quantity;
use clap::Subcommand;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::Tone;
use crate::table::{self, Cell};

#[derive(Debug, Subcommand)]
pub(crate) enum WorktreesVerb {
    /// List worktrees, largest first
    List,
    /// Remove a worktree after committing its files, except those git ignores
    Remove {
        /// The path that `baton worktrees list` shows
        place: String,
        /// Remove the worktree even if its files can't be committed first
        #[arg(long, alias = "even-broken")]
        force: bool,
    },
    /// Remove all worktrees whose work is on a branch or in the plan's directory
    Clean,
    /// Merge the work of a run's nodes back into the plan's directory, or onto a branch
    #[command(alias = "home")]
    MergeBack(merge_back::MergeBackArgs),
    /// Revert a merge into the plan's directory
    #[command(aliases = ["undo", "back"])]
    Revert {
        /// The run: its ID, the start of its ID, PLAN#NUMBER, or its plan's title
        run: String,
        /// The merge's ID in `baton worktrees merge-back --dry-run` [default: the latest]
        act: Option<String>,
    },
    /// Preview the merge of its parents' work that a node starts from
    FanIn {
        /// The run: its ID, the start of its ID, PLAN#NUMBER, or its plan's title
        run: String,
        /// The node: its ID in the plan file, or its title
        node: String,
    },
    /// List independent nodes that changed the same files
    Overlaps {
        /// The run: its ID, the start of its ID, PLAN#NUMBER, or its plan's title
        run: String,
    },
}

pub(crate) fn worktrees(client: &Client<'_>, verb: WorktreesVerb) -> Result<Exit, Failure> {
    match verb {
        WorktreesVerb::List => list(client),
        WorktreesVerb::Remove { place, force } => {
            let input = WorktreeRemove {
                place,
                even_broken: force,
            };
            print_removed(
                client,
                &client.ask("remove the worktree", "worktree_remove", &input)?,
            )
        }
        WorktreesVerb::Clean => print_removed(
            client,
            &client.ask(
                "remove merged worktrees",
                "worktrees_remove_merged",
                &Nothing {},
            )?,
        ),
        WorktreesVerb::MergeBack(args) => merge_back::merge_back(client, &args),
        WorktreesVerb::Revert { run, act } => merge_back::revert(client, &run, act),
        WorktreesVerb::FanIn { run, node } => merge_back::fan_in(client, &run, &node),
        WorktreesVerb::Overlaps { run } => merge_back::overlaps(client, &run),
    }
}

fn list(client: &Client<'_>) -> Result<Exit, Failure> {
    let worktrees: Vec<WorktreeView> =
        client.ask("list the worktrees", "worktrees_list", &Nothing {})?;
    if client.output.json {
        client.output.json(&worktrees)?;
        return Ok(Exit::Done);
    }
    if worktrees.is_empty() {
        client.output.note("No worktrees.");
        return Ok(Exit::Done);
    }
    let rows: Vec<_> = worktrees.iter().map(row).collect();
    table::print(
        client.output,
        ["node", "plan", "status", "MB", "path"],
        &rows,
    )?;
    Ok(Exit::Done)
}

fn row(worktree: &WorktreeView) -> [Cell; 5] {
    let gone = if worktree.run_exists {
        ""
    } else {
        " (deleted)"
    };
    [
        Cell::from(&worktree.title).tone(Tone::Strong),
        Cell::from(format!("{}{gone}", worktree.plan_title)),
        Cell::from(standing_label(worktree.standing)),
        Cell::from(format!("{:.1}", worktree.bytes as f64 / 1e6)),
        Cell::from(&worktree.place).tone(Tone::Faint),
    ]
}

fn standing_label(standing: WorktreeStatus) -> &'static str {
    match standing {
        WorktreeStatus::InUse => "in use",
        WorktreeStatus::Home => "merged",
        WorktreeStatus::Kept => "not merged",
        WorktreeStatus::Changed => "changed since commit",
        WorktreeStatus::Broken => "unreadable",
    }
}

fn print_removed(client: &Client<'_>, done: &WorktreesRemoved) -> Result<Exit, Failure> {
    if client.output.json {
        client.output.json(done)?;
        return Ok(Exit::Done);
    }
    let removed = format_quantity(done.removed, "worktree", "worktrees");
    client.output.line(&format!("Removed {removed}"))?;
    for commit in &done.kept {
        client
            .output
            .line(&format!("Files saved in commit {commit}"))?;
    }
    for sentence in &done.refused {
        client.output.note(sentence);
    }
    Ok(Exit::Done)
}
