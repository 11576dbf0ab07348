//! `baton node`: acts on one node of a run.

mod diff;
mod grants;
pub(super) mod rerun;
mod restore_git;
mod review;
mod summary;

use std::io::Read;

use baton_api::wire::*;
use baton_model::run::{Answer, Resolution, WaitingFor};
use baton_model::{NodeId, NodeState, RunId};
use clap::{Args, Subcommand, ValueEnum};

use super::runs;
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{follow, id_lookup};

#[derive(Debug, Subcommand)]
pub(crate) enum NodeVerb {
    /// Retry a failed, interrupted or skipped node
    Retry {
        #[command(flatten)]
        node: NodeArgs,
        /// Continue the session of the last attempt
        #[arg(long)]
        resume: bool,
    },
    /// Rerun a node and everything after it
    Rerun(rerun::RerunArgs),
    /// Stop a running node
    ///
    /// Its session ends. The rest of the run continues; the node waits for you to retry, skip or
    /// complete it.
    Stop(NodeArgs),
    /// Skip a node and continue the run without it
    Skip {
        #[command(flatten)]
        node: NodeArgs,
        /// Stop the node first if it is running
        #[arg(long)]
        stop: bool,
    },
    /// Mark a node as done without running it
    Done {
        #[command(flatten)]
        node: NodeArgs,
        /// Stop the node first if it is running
        #[arg(long)]
        stop: bool,
        /// Markdown handoff for the node's children; `-` reads it from standard input
        #[arg(
            long,
            value_name = "TEXT",
            default_value = "",
            hide_default_value = true
        )]
        handoff: String,
    },
    /// Mark an interrupted node as failed
    MarkFailed(NodeArgs),
    /// Restore git settings and hooks that changed while a node ran
    RestoreGit(restore_git::RestoreGitArgs),
    /// Approve a node that is waiting to start
    Approve(NodeArgs),
    /// Reject a node that is waiting to start
    #[command(alias = "refuse")]
    Reject(NodeArgs),
    /// Resolve a merge conflict between a node's parents
    Merge {
        #[command(flatten)]
        node: NodeArgs,
        #[command(flatten)]
        how: MergeArgs,
    },
    /// Answer a user input node
    Input {
        #[command(flatten)]
        node: NodeArgs,
        /// The answer: text, one of the options, or yes or no; `-` reads it from standard input
        answer: String,
    },
    /// Allow or deny a tool call that a node's session asks about
    Answer {
        #[command(flatten)]
        node: NodeArgs,
        #[command(flatten)]
        answer: AnswerArgs,
        /// What --allow covers; for tools that run commands, only this exact command
        #[arg(
            long = "for",
            value_name = "SCOPE",
            default_value = "once",
            conflicts_with = "deny"
        )]
        reach: PermissionScope,
        /// With --for node or plan, allow all commands that start with these 1 to 3 words
        ///
        /// Repeat it for each command of a compound command line. `baton node question` lists the
        /// choices.
        #[arg(long, value_name = "PREFIX", conflicts_with = "deny")]
        begins: Vec<String>,
        /// With --deny, the reason the agent sees
        #[arg(long, value_name = "TEXT", conflicts_with = "allow")]
        reason: Option<String>,
        /// The ID of the request to answer [default: the open one]
        #[arg(long, value_name = "REQUEST")]
        request: Option<String>,
    },
    /// Show the tool call that a node asks permission for
    #[command(alias = "asked")]
    Question {
        #[command(flatten)]
        node: NodeArgs,
    },
    Summary(summary::SummaryArgs),
    Diff(diff::DiffArgs),
    Review(review::ReviewArgs),
    /// List the permissions granted in a run's plan
    #[command(alias = "allowed")]
    Permissions {
        /// The run: its ID, the start of its ID, PLAN#NUMBER, or its plan's title
        run: String,
    },
    /// Revoke a permission
    Revoke {
        /// The run: its ID, the start of its ID, PLAN#NUMBER, or its plan's title
        run: String,
        /// The number that `baton node permissions` lists
        number: usize,
    },
}

#[derive(Debug, Args)]
pub(crate) struct NodeArgs {
    /// The run: its ID, the start of its ID, PLAN#NUMBER, or its plan's title
    run: String,
    /// The node: its ID in the plan file, or its title
    node: String,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct AnswerArgs {
    /// Allow the call
    #[arg(long)]
    allow: bool,
    /// Deny the call
    #[arg(long)]
    deny: bool,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct MergeArgs {
    /// Use the files as you left them in the worktree
    #[arg(long)]
    by_hand: bool,
    /// Let an agent resolve the conflict
    #[arg(long)]
    agent: bool,
    /// Take conflicting files from the first side
    #[arg(long)]
    first: bool,
    /// Take conflicting files from the second side
    #[arg(long)]
    second: bool,
}

impl MergeArgs {
    fn resolution(&self) -> Resolution {
        match self {
            Self { agent: true, .. } => Resolution::Agent,
            Self { first: true, .. } => Resolution::Ours,
            Self { second: true, .. } => Resolution::Theirs,
            _ => Resolution::ByHand,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PermissionScope {
    /// This call only
    #[default]
    Once,
    /// Similar calls in all attempts of this node in this run
    Node,
    /// Similar calls of every node, in this and later runs of the plan
    Plan,
}

pub(crate) fn node(client: &Client<'_>, verb: NodeVerb) -> Result<Exit, Failure> {
    match verb {
        NodeVerb::Retry { node, resume } => retry(client, &node, resume),
        NodeVerb::Rerun(args) => rerun::rerun(client, &args),
        NodeVerb::Stop(args) => on_node(client, &args, "stop the node", "node_stop"),
        NodeVerb::Skip { node, stop } => skip(client, &node, stop),
        NodeVerb::Done {
            node,
            stop,
            handoff,
        } => done(client, &node, stop, handoff),
        NodeVerb::MarkFailed(args) => {
            on_node(client, &args, "mark the node as failed", "node_mark_failed")
        }
        NodeVerb::RestoreGit(args) => restore_git::restore_git(client, &args),
        NodeVerb::Approve(args) => approve(client, &args, true),
        NodeVerb::Reject(args) => approve(client, &args, false),
        NodeVerb::Merge { node, how } => merge(client, &node, how.resolution()),
        NodeVerb::Input { node, answer } => input(client, &node, answer),
        NodeVerb::Question { node } => show_question(client, &node),
        NodeVerb::Summary(args) => summary::show(client, &args),
        NodeVerb::Diff(args) => diff::show(client, &args),
        NodeVerb::Review(args) => review::send(client, &args),
        NodeVerb::Permissions { run } => grants::list(client, &run),
        NodeVerb::Revoke { run, number } => grants::revoke(client, &run, number),
        NodeVerb::Answer {
            node,
            answer,
            reach,
            begins,
            reason,
            request,
        } => self::answer(
            client,
            &node,
            permission_answer(&answer, (reach, begins), reason)?,
            request,
        ),
    }
}

fn on_node(
    client: &Client<'_>,
    args: &NodeArgs,
    doing: &str,
    operation: &str,
) -> Result<Exit, Failure> {
    let (view, node) = find(client, args)?;
    let summary = client.ask(
        doing,
        operation,
        &NodeRef {
            run: view.summary.id,
            node,
        },
    )?;
    follow_if_executed_here(client, &view, summary)
}

fn retry(client: &Client<'_>, args: &NodeArgs, resume: bool) -> Result<Exit, Failure> {
    let (view, node) = find(client, args)?;
    let input = NodeRetry {
        run: view.summary.id,
        node,
        resume: Some(resume),
    };
    let summary = client.ask("retry the node", "node_retry", &input)?;
    follow_if_executed_here(client, &view, summary)
}

fn approve(client: &Client<'_>, args: &NodeArgs, allow: bool) -> Result<Exit, Failure> {
    let (view, node) = find(client, args)?;
    let doing = if allow {
        "approve the node"
    } else {
        "reject the node"
    };
    let summary = client.ask(
        doing,
        "node_approve",
        &NodeApprove {
            run: view.summary.id,
            node,
            allow,
        },
    )?;
    follow_if_executed_here(client, &view, summary)
}

fn merge(client: &Client<'_>, args: &NodeArgs, resolution: Resolution) -> Result<Exit, Failure> {
    let (view, node) = find(client, args)?;
    let input = NodeMerge {
        run: view.summary.id,
        node,
        resolution,
    };
    let summary = client.ask("resolve the conflict", "node_merge", &input)?;
    follow_if_executed_here(client, &view, summary)
}

fn input(client: &Client<'_>, args: &NodeArgs, answer: String) -> Result<Exit, Failure> {
    let value = if answer == "-" { read_stdin()? } else { answer };
    let (view, node) = find(client, args)?;
    let summary = client.ask(
        "answer the node",
        "node_input",
        &NodeInput {
            run: view.summary.id,
            node,
            value,
        },
    )?;
    follow_if_executed_here(client, &view, summary)
}

fn skip(client: &Client<'_>, args: &NodeArgs, stop: bool) -> Result<Exit, Failure> {
    let (view, node) = find(client, args)?;
    let input = NodeSkip {
        run: view.summary.id,
        node,
        stop: Some(stop),
    };
    let summary = client.ask("skip the node", "node_skip", &input)?;
    follow_if_executed_here(client, &view, summary)
}

fn done(
    client: &Client<'_>,
    args: &NodeArgs,
    stop: bool,
    handoff: String,
) -> Result<Exit, Failure> {
    let handoff = if handoff == "-" {
        read_stdin()?
    } else {
        handoff
    };
    let (view, node) = find(client, args)?;
    let mark = NodeMarkDone {
        run: view.summary.id,
        node,
        handoff,
        stop: Some(stop),
    };
    let summary = client.ask("mark the node as done", "node_mark_done", &mark)?;
    follow_if_executed_here(client, &view, summary)
}

fn permission_answer(
    answer: &AnswerArgs,
    (reach, begins): (PermissionScope, Vec<String>),
    reason: Option<String>,
) -> Result<Answer, Failure> {
    Ok(match (answer.allow, reach) {
        (false, _) => Answer::Deny {
            reason: reason.unwrap_or_default(),
        },
        (true, PermissionScope::Once) if !begins.is_empty() => {
            return Err(Failure::Usage(
                "--begins needs --for node or --for plan".to_owned(),
            ));
        }
        (true, PermissionScope::Once) => Answer::AllowOnce,
        (true, PermissionScope::Node) => Answer::AllowNode { begins },
        (true, PermissionScope::Plan) => Answer::AllowPlan { begins },
    })
}

fn answer(
    client: &Client<'_>,
    args: &NodeArgs,
    answer: Answer,
    request: Option<String>,
) -> Result<Exit, Failure> {
    let (view, node) = find(client, args)?;
    let request = request.or_else(|| open_question(&view, node));
    let request = request
        .ok_or_else(|| Failure::Usage(format!("'{}' has no open permission request", args.node)))?;
    let input = NodeAnswer {
        run: view.summary.id,
        node,
        request,
        answer,
    };
    let summary = client.ask("answer the request", "node_answer", &input)?;
    follow_if_executed_here(client, &view, summary)
}

/// Prints the input as JSON, which escapes control sequences that a terminal would interpret.
fn show_question(client: &Client<'_>, args: &NodeArgs) -> Result<Exit, Failure> {
    let (view, node) = find(client, args)?;
    let nothing = || Failure::Usage(format!("'{}' has no open permission request", args.node));
    let session = view
        .nodes
        .iter()
        .find(|other| other.node == node)
        .and_then(|node| node.session);
    let (session, request) = session
        .zip(open_question(&view, node))
        .ok_or_else(nothing)?;
    let input = SessionQuestion { session, request };
    let call: QuestionView = client.ask("load the call", "session_question", &input)?;
    if client.output.json {
        client.output.json(&call)?;
    } else {
        client
            .output
            .line(&format!("{}\n{:#}", call.tool, call.input))?;
        for choice in &call.begins {
            let flags: Vec<String> = choice
                .iter()
                .map(|prefix| format!("--begins '{prefix}'"))
                .collect();
            client.output.note(&format!(
                "To allow similar calls too: --allow --for node {}",
                flags.join(" ")
            ));
        }
    }
    Ok(Exit::Done)
}

fn open_question(view: &RunView, node: NodeId) -> Option<String> {
    view.nodes
        .iter()
        .find(|other| other.node == node)
        .and_then(|node| match &node.state {
            NodeState::Waiting {
                what: WaitingFor::Person { request, .. },
            } => Some(request.clone()),
            _ => None,
        })
}

/// Returns the run that `args` names, and the ID of its node.
pub(crate) fn find(client: &Client<'_>, args: &NodeArgs) -> Result<(RunView, NodeId), Failure> {
    find_named(client, &args.run, &args.node)
}

/// Like [`find`], for a run and a node that are given separately.
pub(crate) fn find_named(
    client: &Client<'_>,
    run: &str,
    node: &str,
) -> Result<(RunView, NodeId), Failure> {
    let run: RunId = id_lookup::find_run(client, run)?;
    let view: RunView = client.ask("load the run", "run_get", &RunRef { run })?;
    let node = id_lookup::find_node(&view.plan, node)?;
    Ok((view, node))
}

/// Follows the run if this process executes it now. Otherwise, prints its state.
pub(crate) fn follow_if_executed_here(
    client: &Client<'_>,
    before: &RunView,
    now: RunSummary,
) -> Result<Exit, Failure> {
    if before.summary.attendance != RunExecutorView::None && !client.app()?.executes(now.id) {
        runs::print_settled(client, now)?;
        return Ok(Exit::Done);
    }
    follow::follow(client, now.id, before.seq)
}

pub(crate) fn read_stdin() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin().lock().read_to_string(&mut text);
    read.map_err(|source| Failure::System {
        doing: "read standard input",
        source,
    })?;
    Ok(text)
}
