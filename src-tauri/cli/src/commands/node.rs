//! `baton node`.

mod grants;
mod restore_git;

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

/// What can be done with a node of a run.
///
/// When no other process executes the run, this one does until it comes to rest.
#[derive(Debug, Subcommand)]
pub(crate) enum NodeVerb {
    /// Try a node again that failed, was interrupted or skipped.
    Retry {
        #[command(flatten)]
        node: NodeArgs,
        /// Let the agent go on with the conversation of the last attempt.
        #[arg(long)]
        resume: bool,
    },
    /// Do a node and everything below it again.
    Rerun(NodeArgs),
    /// Stop the session of a running node. The run continues without it until you decide.
    Stop(NodeArgs),
    /// Skip a node: the run continues without it.
    Skip {
        #[command(flatten)]
        node: NodeArgs,
        /// Stop the node first if it is running.
        #[arg(long)]
        stop: bool,
    },
    /// Mark a node as done without running it.
    Done {
        #[command(flatten)]
        node: NodeArgs,
        /// Stop the node first if it is running.
        #[arg(long)]
        stop: bool,
        /// The handoff for its children, Markdown; `-` reads it from standard input.
        #[arg(
            long,
            value_name = "TEXT",
            default_value = "",
            hide_default_value = true
        )]
        handoff: String,
    },
    /// Take a node as failed of which nobody knows how far it came.
    MarkFailed(NodeArgs),
    /// Put back what git runs in the repository (settings, hooks) as it was before the node ran.
    RestoreGit(restore_git::RestoreGitArgs),
    /// Let a node start that waits for approval.
    Approve(NodeArgs),
    /// Let a node that waits for approval not start.
    Refuse(NodeArgs),
    /// Settle a conflict between the work of a node's parents.
    Merge {
        #[command(flatten)]
        node: NodeArgs,
        #[command(flatten)]
        how: MergeArgs,
    },
    /// Answer a node that asks a person.
    Input {
        #[command(flatten)]
        node: NodeArgs,
        /// Words, one of the options, or yes or no; `-` reads it from standard input.
        answer: String,
    },
    /// Answer the question that a node's session asks.
    Answer {
        #[command(flatten)]
        node: NodeArgs,
        #[command(flatten)]
        answer: AnswerArgs,
        /// With --allow: how far it reaches. Where a tool runs commands, this very command is allowed.
        #[arg(
            long = "for",
            value_name = "REACH",
            default_value = "once",
            conflicts_with = "deny"
        )]
        reach: PermissionScope,
        /// With --for node or plan: allow all commands that begin with these 1 to 3 words. Once for each command of a
        /// line. `baton node asked` lists the choices.
        #[arg(long, value_name = "WORDS", conflicts_with = "deny")]
        begins: Vec<String>,
        /// With --deny: what the agent is told.
        #[arg(long, value_name = "TEXT", conflicts_with = "allow")]
        reason: Option<String>,
        /// Which question, when the session has asked several; otherwise the one that is open.
        #[arg(long, value_name = "REQUEST")]
        request: Option<String>,
    },
    /// Show the whole call that a node asks leave for.
    Asked {
        /// The node.
        #[command(flatten)]
        node: NodeArgs,
    },
    /// List what is allowed without asking in the plan of a run.
    Allowed {
        /// The run by id, beginning of the id, or its plan's title.
        run: String,
    },
    /// Take back what was allowed for more than one call.
    Revoke {
        /// The run by id, beginning of the id, or its plan's title.
        run: String,
        /// The number in the list of `baton node allowed`.
        number: usize,
    },
}

/// A node of a run.
#[derive(Debug, Args)]
pub(crate) struct NodeArgs {
    /// The run by id, beginning of the id, or its plan's title.
    run: String,
    /// The node by its id in the plan file, or by its title.
    node: String,
}

/// Yes or no.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct AnswerArgs {
    /// Allow it.
    #[arg(long)]
    allow: bool,
    /// Deny it.
    #[arg(long)]
    deny: bool,
}

/// How a conflict is settled.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct MergeArgs {
    /// The files in the worktree are as they should be.
    #[arg(long)]
    by_hand: bool,
    /// Let an agent solve it.
    #[arg(long)]
    agent: bool,
    /// Take each file in conflict from the first side.
    #[arg(long)]
    first: bool,
    /// Take each file in conflict from the second side.
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

/// How far yes reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PermissionScope {
    /// This call.
    #[default]
    Once,
    /// Its like in all attempts of this node in this run.
    Node,
    /// Its like in every node, in this run and in later runs of the plan.
    Plan,
}

/// Carries out a verb on a node.
pub(crate) fn node(client: &Client<'_>, verb: NodeVerb) -> Result<Exit, Failure> {
    match verb {
        NodeVerb::Retry { node, resume } => retry(client, &node, resume),
        NodeVerb::Rerun(args) => on_node(client, &args, "run the node again", "node_rerun"),
        NodeVerb::Stop(args) => on_node(client, &args, "stop the node", "node_stop"),
        NodeVerb::Skip { node, stop } => skip(client, &node, stop),
        NodeVerb::Done {
            node,
            stop,
            handoff,
        } => done(client, &node, stop, handoff),
        NodeVerb::MarkFailed(args) => {
            on_node(client, &args, "take the node as failed", "node_mark_failed")
        }
        NodeVerb::RestoreGit(args) => restore_git::restore_git(client, &args),
        NodeVerb::Approve(args) => approve(client, &args, true),
        NodeVerb::Refuse(args) => approve(client, &args, false),
        NodeVerb::Merge { node, how } => merge(client, &node, how.resolution()),
        NodeVerb::Input { node, answer } => input(client, &node, answer),
        NodeVerb::Asked { node } => show_question(client, &node),
        NodeVerb::Allowed { run } => grants::list(client, &run),
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
    let wish = NodeRetry {
        run: view.summary.id,
        node,
        resume: Some(resume),
    };
    let summary = client.ask("retry the node", "node_retry", &wish)?;
    follow_if_executed_here(client, &view, summary)
}

fn approve(client: &Client<'_>, args: &NodeArgs, allow: bool) -> Result<Exit, Failure> {
    let (view, node) = find(client, args)?;
    let doing = if allow {
        "approve the node"
    } else {
        "refuse the node"
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
    let wish = NodeMerge {
        run: view.summary.id,
        node,
        resolution,
    };
    let summary = client.ask("settle the conflict", "node_merge", &wish)?;
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
    let wish = NodeSkip {
        run: view.summary.id,
        node,
        stop: Some(stop),
    };
    let summary = client.ask("skip the node", "node_skip", &wish)?;
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
    let summary = client.ask("take the node as done", "node_mark_done", &mark)?;
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
        .ok_or_else(|| Failure::Usage(format!("'{}' asks nothing at the moment", args.node)))?;
    let input = NodeAnswer {
        run: view.summary.id,
        node,
        request,
        answer,
    };
    let summary = client.ask("answer", "node_answer", &input)?;
    follow_if_executed_here(client, &view, summary)
}

/// The input as JSON, which no terminal takes for commands of its own.
fn show_question(client: &Client<'_>, args: &NodeArgs) -> Result<Exit, Failure> {
    let (view, node) = find(client, args)?;
    let nothing = || Failure::Usage(format!("'{}' asks nothing at the moment", args.node));
    let session = view
        .nodes
        .iter()
        .find(|other| other.node == node)
        .and_then(|node| node.session);
    let (session, request) = session
        .zip(open_question(&view, node))
        .ok_or_else(nothing)?;
    let wish = SessionQuestion { session, request };
    let call: QuestionView = client.ask("show the call", "session_question", &wish)?;
    if client.output.json {
        client.output.json(&call)?;
    } else {
        client
            .output
            .line(&format!("{}\n{:#}", call.tool, call.input))?;
        for choice in &call.begins {
            let flags: Vec<String> = choice
                .iter()
                .map(|words| format!("--begins '{words}'"))
                .collect();
            client.output.note(&format!(
                "Can be allowed with its like: --allow --for node {}",
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

/// The run as it stands, and the node of it that is meant.
pub(crate) fn find(client: &Client<'_>, args: &NodeArgs) -> Result<(RunView, NodeId), Failure> {
    find_named(client, &args.run, &args.node)
}

/// The same by the words themselves.
pub(crate) fn find_named(
    client: &Client<'_>,
    run: &str,
    node: &str,
) -> Result<(RunView, NodeId), Failure> {
    let run: RunId = id_lookup::find_run(client, run)?;
    let view: RunView = client.ask("show the run", "run_get", &RunRef { run })?;
    let node = id_lookup::find_node(&view.plan, node)?;
    Ok((view, node))
}

/// Where another process executes the run, the command is all; otherwise this process has taken the run over.
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
        doing: "read from standard input",
        source,
    })?;
    Ok(text)
}
