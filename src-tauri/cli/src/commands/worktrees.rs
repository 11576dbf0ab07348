//! `baton worktrees`.

mod home;

use baton_api::wire::*;
use clap::Subcommand;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::Tone;
use crate::table::{self, Cell};

/// What can be done with the worktrees that nodes left.
#[derive(Debug, Subcommand)]
pub(crate) enum WorktreesVerb {
    /// List them, the largest first.
    List,
    /// Remove one. What is in it is committed first, except what git ignores.
    Remove {
        /// Where it is, as `baton worktrees list` tells.
        place: String,
        /// Also when its files cannot be kept first.
        #[arg(long)]
        even_broken: bool,
    },
    /// Remove all whose work is on a branch or in the plan's directory.
    Clean,
    /// Bring the work of a run's nodes into the plan's directory, or onto a branch.
    Home(home::HomeArgs),
    /// Take back what was brought into the plan's directory.
    Back {
        /// The run by id, beginning of the id, or its plan's title.
        run: String,
        /// What `baton worktrees home --look` calls it; the last one if it is not given.
        act: Option<String>,
    },
    /// Show the merge with which a node would begin, and what would not fit.
    FanIn {
        /// The run by id, beginning of the id, or its plan's title.
        run: String,
        /// The node by its id in the plan file, or by its title.
        node: String,
    },
    /// List nodes beside each other that changed the same files.
    Overlaps {
        /// The run by id, beginning of the id, or its plan's title.
        run: String,
    },
}

/// Carries out a verb on worktrees.
pub(crate) fn worktrees(client: &Client<'_>, verb: WorktreesVerb) -> Result<Exit, Failure> {
    match verb {
        WorktreesVerb::List => list(client),
        WorktreesVerb::Remove { place, even_broken } => {
            let wish = WorktreeRemove { place, even_broken };
            print_removed(
                client,
                &client.ask("remove the worktree", "worktree_remove", &wish)?,
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
        WorktreesVerb::Home(args) => home::home(client, &args),
        WorktreesVerb::Back { run, act } => home::back(client, &run, act),
        WorktreesVerb::FanIn { run, node } => home::fan_in(client, &run, &node),
        WorktreesVerb::Overlaps { run } => home::overlaps(client, &run),
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
        client.output.note("No worktree is left.");
        return Ok(Exit::Done);
    }
    let rows: Vec<_> = worktrees.iter().map(row).collect();
    table::print(
        client.output,
        ["node", "plan", "work", "MB", "place"],
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
        WorktreeStatus::Changed => "changed since it was kept",
        WorktreeStatus::Broken => "unreadable",
    }
}

fn print_removed(client: &Client<'_>, done: &WorktreesRemoved) -> Result<Exit, Failure> {
    if client.output.json {
        client.output.json(done)?;
        return Ok(Exit::Done);
    }
    let many = if done.removed == 1 {
        "worktree"
    } else {
        "worktrees"
    };
    client
        .output
        .line(&format!("{} {many} removed", done.removed))?;
    for commit in &done.kept {
        client
            .output
            .line(&format!("its files are in commit {commit}"))?;
    }
    for sentence in &done.refused {
        client.output.note(sentence);
    }
    Ok(Exit::Done)
}
